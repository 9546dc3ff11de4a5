"""What a person is asked about a set, wherever the asking comes from."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypedDict

from evalspan.digests import fingerprint, text_digest
from evalspan.errors import NotFound
from evalspan.labels import (
    Candidate,
    ChunkLabel,
    DecisionKey,
    JudgedQuestion,
    Judgment,
    PendingLabel,
    Proposal,
)
from evalspan.mapping import Outcome, Place
from evalspan.spans import Span
from evalspan.value import Value

Label = Judgment | ChunkLabel

TextOf = Callable[[str, str], str]
"""(doc_id, snapshot digest) → the document's text there."""

STALE_ANSWER = "stale_answer"

SEEN = 8
"""Hex digits that tell two states of one item apart."""


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
    digest: str = ""
    """Of the passage, where its text is not known."""
    chunking: str | None = None
    """The chunking whose chunks are the candidates."""
    note: str = ""
    weight: float = 0.0
    """Of proposals: the highest first."""

    @property
    def asked(self) -> str:
        """Digest of the passage."""
        return self.digest or text_digest(self.passage)

    @property
    def name(self) -> str:
        """As `evalspan review SET decide NAME` has it: the same as long as the same is asked."""
        return DecisionKey(self.query_id, self.fact, self.doc_id, self.asked, self.reason).name

    @property
    def seen(self) -> str:
        """Of what a person sees of it: numbers of candidates mean nothing once the candidates are others."""
        places = [[one.doc_id, one.start, one.end] for one in self.candidates]
        return fingerprint([self.snapshot_digest, [list(one) for one in self.ranges], places])[:SEEN]

    @property
    def holds(self) -> bool:
        """Whether its question waits for it."""
        return self.source in (Source.MIGRATION, Source.REBASE)

    def to_row(self) -> dict[str, Any]:
        """As JSON."""
        return {"item": self.name, **self.model_dump(mode="json", exclude_defaults=True)}


def pending_item(question: JudgedQuestion, pending: PendingLabel, text_of: TextOf) -> ReviewItem:
    """Of a label that lost its place when the corpus changed."""
    label = pending.label
    passage, doc_id, digest = "", "", ""
    ranges: tuple[tuple[int, int], ...] = ()
    if isinstance(label, Judgment):
        passage, digest = _as_it_stood(label, pending.snapshot_digest, text_of)
        doc_id = label.doc_id
        ranges = tuple((start, end) for start, end in label.spans)
    else:
        # Nothing but its name tells one label of a chunk from another.
        digest = fingerprint([label.chunk_id, pending.snapshot_digest])
        doc_id = pending.candidates[0].doc_id if pending.candidates else ""
    return ReviewItem(
        source=Source.REBASE,
        reason=pending.reason,
        **_asked(question, label),
        doc_id=doc_id,
        passage=passage,
        ranges=ranges,
        snapshot_digest=pending.snapshot_digest,
        candidates=pending.candidates,
        digest=digest,
    )


def _as_it_stood(label: Judgment, snapshot_digest: str, text_of: TextOf) -> tuple[str, str]:
    """Its words, and their digest where these are not all of them: a set that came from elsewhere may wait for a text
    that is not here.
    """
    try:
        return passage_of(label.spans, text_of(label.doc_id, snapshot_digest)), ""
    except NotFound:
        anchors = [label.anchor, *(part.anchor for part in label.also)]
        words = "\n".join(one.exact or f"{one.head} … {one.tail}" for one in anchors)
        return words, anchors[0].digest if len(anchors) == 1 else fingerprint([one.digest for one in anchors])


def proposal_item(question: JudgedQuestion, proposal: Proposal, snapshot_digest: str, text_of: TextOf) -> ReviewItem:
    """Of an offer; the passage is what is decided on: the wide one for a narrowing, the offered one for the others."""
    about, first = proposal.about, proposal.candidates[0]
    spans = about.spans if proposal.reason == "narrowing" and about else (first.span,)
    return ReviewItem(
        source=Source.PROPOSAL,
        reason=proposal.reason,
        query_id=question.query_id,
        question=question.question.text,
        fact=proposal.fact,
        grade=about.grade if about else 0,
        doc_id=proposal.doc_id,
        subject=about,
        passage=passage_of(spans, text_of(proposal.doc_id, snapshot_digest)),
        ranges=tuple((start, end) for start, end in spans),
        snapshot_digest=snapshot_digest,
        candidates=proposal.candidates,
        note=proposal.note,
        weight=proposal.weight,
    )


def answer_item(question: JudgedQuestion, snapshot_digest: str) -> ReviewItem | None:
    """Of reference answers whose sources have changed; None where they have not."""
    stale = question.stale
    if not stale:
        return None
    return ReviewItem(
        source=Source.ANSWER,
        reason=STALE_ANSWER,
        query_id=question.query_id,
        question=question.question.text,
        grade=0,
        doc_id=stale[0].doc_id,
        passage="\n".join(question.question.reference_answers),
        snapshot_digest=snapshot_digest,
        note="; ".join(f"{source.doc_id}: {source.stale}" for source in stale),
    )


def outcome_item(
    question: JudgedQuestion,
    subject: Label,
    outcome: Outcome,
    text: str,
    places: Mapping[str, Span],
    chunking: str,
    snapshot_digest: str,
    digest: str = "",
) -> ReviewItem | None:
    """Of a label that the mapping on `chunking` asks about, or None. `places`: chunk id → its range in the document;
    `digest`: of the old chunk's text, for a label that still names a chunk.
    """
    if not outcome.asks:
        return None
    spans = outcome.match.places if outcome.place is Place.CERTAIN else ()
    if isinstance(subject, Judgment):
        spans = subject.spans
    return ReviewItem(
        source=Source.MIGRATION,
        reason=outcome.reason.value,
        **_asked(question, subject),
        doc_id=outcome.doc_id,
        passage=passage_of(spans, text),
        ranges=tuple((start, end) for start, end in spans),
        snapshot_digest=snapshot_digest,
        digest=digest,
        candidates=_candidates(outcome, places),
        chunking=chunking,
    )


class _Asked(TypedDict):
    query_id: str
    question: str
    fact: str
    grade: int
    subject: Label


def _asked(question: JudgedQuestion, label: Label) -> _Asked:
    return {
        "query_id": question.query_id,
        "question": question.question.text,
        "fact": label.fact,
        "grade": label.grade,
        "subject": label,
    }


def _candidates(outcome: Outcome, places: Mapping[str, Span]) -> tuple[Candidate, ...]:
    """Where the passage may be; where its place is certain, the part of it that each chunk holds."""
    doc_id = outcome.doc_id
    if outcome.place is not Place.CERTAIN:
        return tuple(Candidate(doc_id=doc_id, start=start, end=end) for start, end in outcome.match.places)
    parts = []
    for cover in outcome.covers:
        place = places.get(cover.chunk_id)
        whole = outcome.match.places
        held = [part for span in whole if place and (part := span.shared(place)) is not None and part.start < part.end]
        if held:
            why = f"chunk {cover.chunk_id} holds {cover.coverage:.0%}"
            parts.append(Candidate(doc_id=doc_id, start=held[0].start, end=held[-1].end, why=why))
    return tuple(parts)


def passage_of(spans: Sequence[tuple[int, int]], text: str) -> str:
    """The words of a passage; its pieces on lines of their own."""
    return "\n".join(text[start:end] for start, end in spans)
