"""A ranking of one chunking read in another one of the same corpus, by the places of its hits."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from evalspan.scoring.evidence import Place
from evalspan.spans import Span

MOSTLY = 0.5
"""Share of the shorter of two chunks from which the one stands for the other: a hit in small chunks stands for the
large one around it, and a large one for the small ones inside it."""

Cut = Mapping[str, Sequence[tuple[Span, str]]]
"""doc_id → range and id of each chunk, ascending."""


def projected(places: Sequence[Place], cut: Cut) -> list[str]:
    """The chunks of `cut` for which the hits stand, best hit first, those of one hit in the order of the text; each
    once.
    """
    found: dict[str, None] = {}
    for doc_id, span in places:
        for other, chunk_id in _near(cut.get(doc_id, ()), span):
            shared = span.shared(other)
            if shared is not None and shared.length >= MOSTLY * min(span.length, other.length):
                found.setdefault(chunk_id)
    return list(found)


def _near(chunks: Sequence[tuple[Span, str]], span: Span) -> Sequence[tuple[Span, str]]:
    """Without those that begin behind it; the rest is few enough to be tried."""
    return chunks[: bisect_left(chunks, (Span(span.end, span.end), ""))]
