"""What a person is asked after a migration."""

from typing import Any, NamedTuple

from evalspan.mapping import Outcome
from evalspan.spans import Span


class QueueItem(NamedTuple):
    """One question to a person: where does this label belong now?"""

    outcome: Outcome
    question: str
    """The question's own words, or "" where they are not known."""
    passage: str
    """The judged passage: from its document where its place is certain, else the old chunk's text."""
    places: dict[str, Span]
    """The range of each candidate chunk whose place is certain."""

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
            "candidates": candidates,
        }


def queue_item(outcome: Outcome, question: str, passage: str, places: dict[str, Span]) -> QueueItem | None:
    """The item for an outcome, or None where nobody needs to be asked."""
    if not outcome.asks:
        return None
    mine = {c.chunk_id: places[c.chunk_id] for c in outcome.covers if c.chunk_id in places}
    return QueueItem(outcome, question, passage, mine)
