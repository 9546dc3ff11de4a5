"""Ranges of a text: code points, half-open."""

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """`text[start:end]`, in Unicode code points of the document exactly as read."""

    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The passage itself."""
        return text[self.start : self.end]

    def shared(self, other: "Span") -> "Span | None":
        """The part that lies in both, or None."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Span(start, end) if start < end else None

    def inside(self, other: "Span") -> bool:
        return other.start <= self.start and self.end <= other.end


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same ground in ascending spans that neither overlap nor touch."""
    out: list[Span] = []
    for span in sorted(spans):
        if out and span.start <= out[-1].end:
            out[-1] = Span(out[-1].start, max(out[-1].end, span.end))
        else:
            out.append(span)
    return out
