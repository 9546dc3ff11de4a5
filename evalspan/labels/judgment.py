"""Statements about text: this passage answers the question so well."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Literal, Self

from pydantic import Field, model_validator

from evalspan.anchoring import Anchor
from evalspan.provenance import Provenance
from evalspan.spans import Span
from evalspan.value import Value


class Range(Value):
    """A range of a document: code points, half-open."""

    start: int = Field(ge=0)
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.end <= self.start:
            raise ValueError(f"the span {self.start}..{self.end} is empty")
        return self


def overlapping(spans: Iterable[Span]) -> tuple[Span, Span] | None:
    """Two of them that share a code point; None where there are none."""
    return next(((one, other) for one, other in pairwise(sorted(spans)) if one.end > other.start), None)


class Part(Range):
    """A further range of a passage that stands in pieces."""

    anchor: Anchor


class Judgment(Value):
    """A statement about text: this passage of this document answers the question so well."""

    doc_id: str
    start: int = Field(ge=0)
    end: int
    """Code points, half-open."""
    grade: int
    """1 and up is relevant, 0 and below is not; `Grade` has names for them."""
    anchor: Anchor
    also: tuple[Part, ...] = ()
    """Its further ranges, where the passage stands in pieces: all of them are needed, never one instead of another."""
    fact: str = ""
    """The fact of its question that it is evidence for; several judgments of one fact are alternatives."""
    alternative: str = ""
    """Judgments of a question that name no fact and share this are alternatives of each other, as twins are; "*": an
    alternative to everything else the question has."""
    origin: Literal["span", "chunk"] = "span"
    """"chunk": the range was a whole old chunk."""
    chunk_id: str | None = None
    """The old chunk it was taken from."""
    wide: Range | None = None
    """The whole old chunk, where the range was narrowed to a part of it."""
    narrowed_by: str = ""
    """What told where in it: "answer verbatim", or a person."""
    tabular: bool = False
    """Half a table row is no answer: the span counts only where it is whole."""
    provenance: Provenance | None = None
    """None: as the version that brought it."""

    @property
    def span(self) -> Span:
        """Of its first range."""
        return Span(self.start, self.end)

    @property
    def spans(self) -> tuple[Span, ...]:
        """All its ranges."""
        return (self.span, *(part.span for part in self.also))

    @property
    def coarse(self) -> bool:
        """Whether it is a whole old chunk still, and says little about where in it the answer stands."""
        return self.origin == "chunk" and self.wide is None

    @property
    def place(self) -> tuple[str, int, int]:
        return self.doc_id, self.start, self.end

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.end <= self.start:
            raise ValueError(f"the span {self.start}..{self.end} is empty")
        two = overlapping(self.spans) if self.also else None
        if two is not None:
            (a, b), (c, d) = two
            raise ValueError(f"its ranges {a}..{b} and {c}..{d} overlap each other")
        return self


class ChunkLabel(Value):
    """A label as it came: it names a chunk, whose place in a document is not known for certain."""

    chunk_id: str = Field(min_length=1)
    grade: int
    fact: str = ""
    provenance: Provenance | None = None


class Candidate(Range):
    """A place that a label may have."""

    doc_id: str
    why: str = ""
    """What speaks for it."""


class PendingLabel(Value):
    """A label that lost its place when the set moved to another snapshot: it waits for a person."""

    label: Judgment | ChunkLabel
    """As it stood."""
    snapshot_digest: str
    """Of the corpus that it stood in."""
    reason: Literal["changed", "uncertain", "missing", "deleted", "renamed", "not_tied"]
    candidates: tuple[Candidate, ...] = ()
    """Where it may stand now, likeliest first."""


class RetiredLabel(Value):
    """A label that is no longer held against anything, and is kept all the same."""

    label: Judgment | ChunkLabel
    snapshot_digest: str
    """Of the corpus that it stood in."""
    provenance: Provenance
