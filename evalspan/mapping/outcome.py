"""What became of a judgment under a chunking: place × fit, and the bucket that follows."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple

from evalspan.anchoring import Match
from evalspan.spans import Span


class Place(StrEnum):
    """Where the passage is."""

    CERTAIN = "certain"
    UNCERTAIN = "uncertain"
    """Several equal places, a weak match, or the text changed."""
    GONE = "gone"


class Fit(StrEnum):
    """How the chunking holds the passage."""

    WHOLE = "whole"
    """A chunk holds all of it."""
    HELD = "held"
    """A chunk reaches min_overlap."""
    CUT = "cut"
    """None does; together they overlap it."""
    UNCOVERED = "uncovered"


class Bucket(StrEnum):
    """The user's three buckets."""

    CLEAN = "clean"
    AMBIGUOUS = "ambiguous"
    UNMAPPED = "unmapped"


class Reason(StrEnum):
    """Why a label is in its bucket."""

    WHOLE = "whole"
    HELD = "held"
    EVIDENCE_HELD = "evidence_held"
    """No chunk holds min_overlap of the old chunk, but its evidence is held."""
    EVIDENCE_ELSEWHERE = "evidence_elsewhere"
    """A chunk holds min_overlap of the old chunk, but the sentences that answer stand, or may stand, in others."""
    NEGATIVE = "negative"
    """Judged not relevant: it is carried to the chunks that lie inside the judged text, and to no other; there may be
    none. A precise passage that must not be used (below 0) is carried to every chunk that overlaps it."""
    CUT = "cut"
    REPEATED = "repeated"
    """The passage stands in several places, and nothing says which is meant."""
    WEAK_MATCH = "weak_match"
    CHANGED = "changed"
    """The passage stands in one place, but digits, negation or names in it differ."""
    SCATTERED = "scattered"
    """The old chunk was joined from several places of its document."""
    CHUNK_UNCERTAIN = "chunk_uncertain"
    """Only chunks whose own place is uncertain, or which say something else than the document, could hold it."""
    NOT_FOUND = "not_found"
    """The old chunk's text is not in its document."""
    BLANK = "blank"
    """The old chunk holds white space only."""
    UNCOVERED = "uncovered"


class Cover(NamedTuple):
    """One chunk over one span."""

    chunk_id: str
    coverage: float
    """|chunk ∩ span| / |span|, non-blank characters."""
    share: float
    """|chunk ∩ span| / |chunk|."""
    certain: bool = True
    """Whether the chunk's own place is."""
    evidence: float | None = None
    """Weight of the evidence that it holds, 0 to 1; None where nothing is known of where the evidence stands."""


class Outcome(NamedTuple):
    """What became of one judgment."""

    query_id: str
    chunk_id: str | None
    """The old chunk the label named, if it did."""
    grade: int
    place: Place
    fit: Fit
    bucket: Bucket
    reason: Reason
    doc_id: str
    match: Match
    coarse: bool
    """The span is a whole old chunk."""
    min_overlap: float
    covers: tuple[Cover, ...]
    """Every chunk that overlaps, best first: by the evidence it holds where that is known, then by coverage."""
    union_coverage: float
    """Share of the span that all chunks together hold."""
    wide: Span | None = None
    """The whole old chunk, where the span was narrowed."""
    taken: int | None = None
    """How many of the covers, from the first, a clean label goes to by its evidence; None: those that reach
    min_overlap."""

    @property
    def span(self) -> Span | None:
        return self.match.span if self.place is Place.CERTAIN else None

    @property
    def chosen(self) -> tuple[Cover, ...]:
        """clean: the chunks that take the label over; ambiguous: the candidates, best first; unmapped: none."""
        if self.bucket is not Bucket.CLEAN:
            return self.covers
        if self.grade < 0 and not self.coarse:
            return tuple(c for c in self.covers if c.certain)  # what must not be used is not to be had in part either
        if self.grade <= 0:
            return tuple(c for c in self.covers if c.certain and c.share >= 1)
        if self.taken is not None:
            return self.covers[: self.taken]
        return tuple(c for c in self.covers if c.certain and c.coverage >= self.min_overlap)

    @property
    def asks(self) -> bool:
        """Whether a person is asked. A precise span that is cut is a finding about the chunking, not a question."""
        if self.bucket is Bucket.CLEAN or self.grade <= 0:
            return False
        return self.coarse or self.reason is not Reason.CUT

    def to_row(self) -> dict[str, Any]:
        """The line of outcomes.jsonl."""
        chosen = self.chosen
        span = self.span
        row: dict[str, Any] = {
            "query_id": self.query_id,
            "old_chunk_id": self.chunk_id,
            "grade": self.grade,
            "bucket": self.bucket.value,
            "reason": self.reason.value,
            "place": self.place.value,
            "fit": self.fit.value,
            "doc_id": self.doc_id,
            "start": span.start if span else None,
            "end": span.end if span else None,
            "match": {"status": self.match.status.value, "score": round(self.match.score, 4)},
            "min_overlap": self.min_overlap,
            "chunks": [c.chunk_id for c in chosen],
            "coverage": [round(c.coverage, 4) for c in chosen],
            "share_of_chunk": [round(c.share, 4) for c in chosen],
            "union_coverage": round(self.union_coverage, 4),
        }
        if any(c.evidence is not None for c in chosen):
            row["evidence"] = [None if c.evidence is None else round(c.evidence, 4) for c in chosen]
        if self.wide is not None:
            row["wide"] = list(self.wide)
        if self.place is Place.UNCERTAIN:
            row["rivals"] = [list(place) for place in self.match.places]
        return row


class Tally(NamedTuple):
    """How many labels are in each bucket, and why."""

    clean: int
    ambiguous: int
    unmapped: int
    reasons: dict[str, int]
    """`bucket/reason` → labels."""

    @property
    def total(self) -> int:
        return self.clean + self.ambiguous + self.unmapped


def tally(pairs: Iterable[tuple[Bucket, Reason]]) -> Tally:
    """Of the buckets and reasons of outcomes."""
    counts = Counter(pairs)
    buckets: Counter[Bucket] = Counter()
    for (bucket, _), count in counts.items():
        buckets[bucket] += count
    reasons = {f"{bucket}/{reason}": count for (bucket, reason), count in sorted(counts.items())}
    return Tally(buckets[Bucket.CLEAN], buckets[Bucket.AMBIGUOUS], buckets[Bucket.UNMAPPED], reasons)
