"""What a person is asked after a migration."""

from typing import Any, NamedTuple

from evalspan.mapping import Outcome
from evalspan.migrator.narrow import Certainty, Narrowing
from evalspan.spans import Span


class ProposedNarrowing(NamedTuple):
    """A narrowing that is likely, and not certain enough to be applied."""

    span: Span
    text: str
    """The passage."""
    how: str
    """What it was found by."""
    weight: float
    """How likely it is, 0 to 1."""

    def to_row(self) -> dict[str, Any]:
        start, end = self.span
        return {"start": start, "end": end, "text": self.text, "how": self.how, "weight": round(self.weight, 4)}


def proposed_narrowing(narrowing: Narrowing | None, text: str) -> ProposedNarrowing | None:
    """The narrowing as it is proposed, or None where there is none to propose; `text`: of the document."""
    if narrowing is None or narrowing.certainty is not Certainty.LIKELY:
        return None
    span = narrowing.span
    return ProposedNarrowing(span, span.of(text), narrowing.how.value, narrowing.candidates[0].weight)


class QueueItem(NamedTuple):
    """One question to a person: where does this label belong now?"""

    outcome: Outcome
    question: str
    """The question's own words, or "" where they are not known."""
    passage: str
    """The judged passage: from its document where its place is certain, else the old chunk's text."""
    places: dict[str, Span]
    """The range of each candidate chunk whose place is certain."""
    proposal: ProposedNarrowing | None = None
    """Where in a whole old chunk the answer most likely stands."""

    def to_row(self) -> dict[str, Any]:
        """The line of queue.jsonl."""
        outcome = self.outcome
        span = outcome.span
        candidates = []
        for cover in outcome.covers:
            place = self.places.get(cover.chunk_id)
            candidates.append(
                {
                    "chunk_id": cover.chunk_id,
                    "coverage": round(cover.coverage, 4),
                    "evidence": None if cover.evidence is None else round(cover.evidence, 4),
                    "start": place.start if place else None,
                    "end": place.end if place else None,
                }
            )
        return {
            "query_id": outcome.query_id,
            "question": self.question,
            "old_chunk_id": outcome.chunk_id,
            "grade": outcome.grade,
            "bucket": outcome.bucket.value,
            "reason": outcome.reason.value,
            "doc_id": outcome.doc_id,
            "start": span.start if span else None,
            "end": span.end if span else None,
            "rivals": [] if span else [list(place) for place in outcome.match.places],
            "passage": self.passage,
            "narrowing": self.proposal.to_row() if self.proposal else None,
            "candidates": candidates,
        }


def queue_item(
    outcome: Outcome, question: str, passage: str, places: dict[str, Span], proposal: ProposedNarrowing | None = None
) -> QueueItem | None:
    """The item for an outcome, or None where nobody needs to be asked."""
    if not outcome.asks:
        return None
    mine = {c.chunk_id: places[c.chunk_id] for c in outcome.covers if c.chunk_id in places}
    return QueueItem(outcome, question, passage, mine, proposal)
