"""What a person decided about a label: in ranges of documents, never in chunk ids."""

from enum import StrEnum
from typing import NamedTuple

from evalspan.anchoring import Anchor
from evalspan.digests import fingerprint
from evalspan.labels.judgment import Range
from evalspan.provenance import Provenance
from evalspan.value import Value


class Action(StrEnum):
    """What can be decided."""

    ACCEPT = "accept"
    """A candidate is right."""
    REJECT = "reject"
    """No candidate is; what stands stays as it is, and is not asked about again."""
    SET = "set"
    """The evidence stands here."""
    NARROW = "narrow"
    """In this part of the passage."""
    WIDEN = "widen"
    """In this range around the passage."""
    SPLIT = "split"
    """In these ranges, all of which are needed."""
    MERGE = "merge"
    """With another label of the question, as one passage."""
    RETIRE = "retire"
    """The label is no longer held against anything."""
    ABSTAIN = "abstain"
    """The corpus does not answer the question any more: its labels are retired, and the system should say so."""
    DEFER = "defer"
    """Not now."""


class DecidedSpan(Range):
    """Where the evidence stands, with what is needed to find it again."""

    doc_id: str
    anchor: Anchor


class DecisionKey(NamedTuple):
    """What a decision is about. The same thing asked again, after whatever happened to chunks, has the same key."""

    query_id: str
    fact: str
    doc_id: str
    digest: str
    """Of the text that was decided on."""
    reason: str
    """Why it was asked."""

    @property
    def name(self) -> str:
        """Short, and the same wherever it is computed."""
        return fingerprint(list(self))[:12]


class Decision(Value):
    """One decision. It is appended, and applied again wherever the same thing is asked."""

    item: str
    """Name of the question that was asked."""
    query_id: str
    fact: str = ""
    doc_id: str
    reason: str
    """Why it was asked."""
    asked: str
    """Digest of the passage that was asked about."""
    action: Action
    spans: tuple[DecidedSpan, ...] = ()
    """Where the evidence stands; for RETIRE, ABSTAIN, REJECT and DEFER the passage that was asked about."""
    chosen: tuple[int, ...] = ()
    """Numbers of the candidates that were accepted, in the list that `seen` names."""
    seen: str = ""
    """Of the item as it was when this was decided: by both, a file that is read in twice is told from another decision.
    """
    either: bool = False
    """The spans are alternatives of each other; else all are needed."""
    grade: int | None = None
    """A new grade, where one was given."""
    answer: str | None = None
    """A rewritten reference answer."""
    snapshot_digest: str
    """Of the corpus that the ranges are of."""
    provenance: Provenance

    @property
    def key(self) -> DecisionKey:
        decided = self.spans[0].anchor.digest if self.spans else self.asked
        return DecisionKey(self.query_id, self.fact, self.doc_id, decided, self.reason)
