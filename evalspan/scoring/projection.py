"""A ranking of one chunking read in another one of the same corpus, by the places of its hits."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from evalspan.scoring.evidence import Place
from evalspan.spans import Span

MOSTLY = 0.5
"""Share of the shorter of two chunks from which the one stands for the other: a hit in small chunks stands for the
large one around it, and a large one for the small ones inside it."""


class Cut:
    """The chunks of some documents, found by place."""

    def __init__(self, chunks: Mapping[str, Iterable[tuple[Span, str]]]) -> None:
        """`chunks`: doc_id → range and id of each, in any order."""
        self._chunks = {doc_id: sorted(mine) for doc_id, mine in chunks.items()}
        self._reach = {
            doc_id: list(accumulate((span.end for span, _ in mine), max)) for doc_id, mine in self._chunks.items()
        }

    def near(self, doc_id: str, span: Span) -> Sequence[tuple[Span, str]]:
        """Ascending; all that share a code point with the range, and perhaps others."""
        chunks = self._chunks.get(doc_id)
        if chunks is None:
            return ()
        return chunks[
            bisect_right(self._reach[doc_id], span.start) : bisect_left(chunks, (Span(span.end, span.end), ""))
        ]


def projected(places: Iterable[Place], cut: Cut) -> list[str]:
    """The chunks of `cut` for which the hits stand, best hit first, those of one hit in the order of the text; each
    once.
    """
    found: dict[str, None] = {}
    for doc_id, span in places:
        for other, chunk_id in cut.near(doc_id, span):
            shared = span.shared(other)
            if shared is not None and shared.length >= MOSTLY * min(span.length, other.length):
                found.setdefault(chunk_id)
    return list(found)
