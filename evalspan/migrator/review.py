"""What a person is asked about a set, wherever the asking comes from."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from evalspan.digests import text_digest
from evalspan.labels import (
    Candidate,
    ChunkLabel,
    DecisionKey,
    Judgment,
)
from evalspan.value import Value

TextOf = Callable[[str, str], str]
"""(doc_id, snapshot digest) → the document's text there."""

STALE_ANSWER = "stale_answer"


class Source(StrEnum):
    """What asks."""

    MIGRATION = "migration"
    REBASE = "rebase"
    PROPOSAL = "proposal"
    ANSWER = "answer"


class ReviewItem(Value):
    """One thing that a person is asked."""

    source: Source
    reason: str
    """Why it is asked: of an outcome, a label that lost its place, or a proposal; `stale_answer` for answers."""
    query_id: str
    question: str
    """In the question's own words."""
    fact: str = ""
    grade: int
    doc_id: str
    """Of the passage that is asked about."""
    subject: Judgment | ChunkLabel | None = None
    """The label that is asked about; None where a passage is offered that no label names."""
    passage: str = ""
    """What is asked about, in words; "" where its text is not known."""
    ranges: tuple[tuple[int, int], ...] = ()
    """Of the passage, in the snapshot below; empty where it has no place."""
    snapshot_digest: str
    """Of the corpus that the passage stands in; candidates are of the set's own."""
    candidates: tuple[Candidate, ...] = ()
    """Places it may have, likeliest first."""
    chunking: str | None = None
    """The chunking whose chunks are the candidates."""
    note: str = ""
    weight: float = 0.0
    """Of proposals: the highest first."""

    @property
    def asked(self) -> str:
        """Digest of the passage; of what else names the label where its text is not known."""
        if self.passage:
            return text_digest(self.passage)
        return text_digest(self.subject.chunk_id) if isinstance(self.subject, ChunkLabel) else text_digest("")

    @property
    def name(self) -> str:
        """As `evalspan review SET decide NAME` has it: the same as long as the same is asked."""
        return DecisionKey(self.query_id, self.fact, self.doc_id, self.asked, self.reason).name

    @property
    def holds(self) -> bool:
        """Whether its question waits for it."""
        return self.source in (Source.MIGRATION, Source.REBASE)

    def to_row(self) -> dict[str, Any]:
        """As JSON."""
        return {"item": self.name, **self.model_dump(mode="json", exclude_defaults=True)}
