"""The chunks of one document at their places, whatever order the file has them in."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from evalspan.anchoring import Match, Status, locate_chunks
from evalspan.corpus.chunking import Chunk
from evalspan.digests import text_digest

CONFIRMED_BY = 5
"""Chunks that stand in one place each and ascend with the list, from which the list is believed to follow the document:
by chance they would do so once in 120 lists."""

_NUMBER = re.compile(r"([0-9]{1,18})")


class RawChunk(NamedTuple):
    """A chunk as an index dumps it."""

    chunk_id: str
    text: str
    start: int | None = None
    """The offset reported for it, which may be wrong."""


def place_chunks(chunks: Sequence[RawChunk], text: str) -> list[Match]:
    """The place of each chunk, in the order given.

    The order of a dump is believed only where the chunks that stand once confirm it, or where the numbers in the chunk
    ids say the same; else the order of those numbers is tried, then that of the reported offsets. Without an order,
    chunks that repeat stay ambiguous.
    """
    matches = locate_chunks([chunk.text for chunk in chunks], text, ordered=False)
    if all(match.status is not Status.AMBIGUOUS for match in matches):
        return matches
    order = _believable_order(chunks, matches)
    if order is None:
        return matches
    placed = locate_chunks([chunks[i].text for i in order], text, starts=[chunks[i].start for i in order])
    out = list(matches)
    for i, match in zip(order, placed, strict=True):
        out[i] = match
    return out


def as_chunks(doc_id: str, raw: Sequence[RawChunk], matches: Sequence[Match]) -> list[Chunk]:
    """The chunks of a chunking, from their texts and places."""
    return [
        Chunk(chunk.chunk_id, doc_id, match, text_digest(chunk.text)) for chunk, match in zip(raw, matches, strict=True)
    ]


def _believable_order(chunks: Sequence[RawChunk], matches: Sequence[Match]) -> list[int] | None:
    """Indexes of `chunks` in the order of the document, or None where nothing vouches for one."""
    lines = list(range(len(chunks)))
    numbers = sorted(lines, key=lambda i: _natural(chunks[i].chunk_id))
    if lines == numbers and _ascending(lines, matches) is not None:
        return lines
    for order in (lines, numbers):
        if (_ascending(order, matches) or 0) >= CONFIRMED_BY:
            return order
    if all(chunk.start is not None and chunk.start >= 0 for chunk in chunks):
        offsets = sorted(lines, key=lambda i: chunks[i].start or 0)
        if _ascending(offsets, matches) is not None:
            return offsets
    return None


def _ascending(order: Sequence[int], matches: Sequence[Match]) -> int | None:
    """How many certain chunks stand in this order, or None where one of them stands out of it."""
    starts = [match.span.start for match in (matches[i] for i in order) if match.sure and match.span]
    return len(starts) if all(a <= b for a, b in pairwise(starts)) else None


def _natural(chunk_id: str) -> list[tuple[int, str]]:
    """Numbers in an id compare as numbers: c9 before c10."""
    return [(int(part), "") if part.isdecimal() and part.isascii() else (-1, part) for part in _NUMBER.split(chunk_id)]
