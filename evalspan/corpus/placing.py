"""The chunks of one document at their places, whatever order the file has them in."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from evalspan import anchoring
from evalspan.anchoring import Match
from evalspan.corpus.chunking import Chunk
from evalspan.digests import text_digest

CONFIRMED_BY = 5
"""Chunks that stand in one place each and ascend with the list, from which the list is believed to follow the document:
by chance they would do so once in 120 lists."""

SPARSE = 4
"""Numbers in ids count the chunks if at least one in so many is used: dumps leave some out, and random numbers hit a
range that narrow by no chance."""

_NUMBER = re.compile(r"([0-9]{1,18})")


class RawChunk(NamedTuple):
    """A chunk as an index dumps it."""

    chunk_id: str
    text: str
    start: int | None = None
    """The offset reported for it, which may be wrong."""


def place_chunks(chunks: Sequence[RawChunk], text: str) -> list[Match]:
    """The place of each chunk, in the order given.

    A dump may have any order. Numbers in the chunk ids are believed unless a chunk that stands once contradicts them,
    if enough of those confirm them, or if they count the chunks and no right offset says otherwise; else the list is,
    where enough confirm it; else the offsets, if each has its chunk's text. Without an order, chunks that repeat stay
    ambiguous.
    """
    texts = [chunk.text for chunk in chunks]
    exact = anchoring.place_exact(texts, text)
    if not exact.unplaced:
        return [match for match in exact.matches if match is not None]
    order = _believable_order(chunks, exact.matches, text)
    if order is None:
        return anchoring.locate_chunks(texts, text, ordered=False)
    placed = anchoring.locate_chunks([texts[i] for i in order], text, starts=[chunks[i].start for i in order])
    out = dict(zip(order, placed, strict=True))
    return [out[i] for i in range(len(chunks))]


def as_chunks(doc_id: str, raw: Sequence[RawChunk], matches: Sequence[Match]) -> list[Chunk]:
    """The chunks of a chunking, from their texts and places."""
    return [
        Chunk(chunk.chunk_id, doc_id, match, text_digest(chunk.text)) for chunk, match in zip(raw, matches, strict=True)
    ]


def _believable_order(chunks: Sequence[RawChunk], matches: Sequence[Match | None], text: str) -> list[int] | None:
    """Indexes of `chunks` in the order of the document, or None where nothing vouches for one."""
    lines = list(range(len(chunks)))
    numbers, count = _by_numbers([chunk.chunk_id for chunk in chunks])
    offsets = _by_offsets(chunks, text)
    confirmed = _ascending(numbers, matches)
    if confirmed is not None and (confirmed >= CONFIRMED_BY or (count and offsets in (None, numbers))):
        return numbers
    if (_ascending(lines, matches) or 0) >= CONFIRMED_BY:
        return lines
    agreed = offsets is not None and _ascending(offsets, matches) is not None and (not count or offsets == numbers)
    return offsets if agreed else None


def _ascending(order: Sequence[int] | None, matches: Sequence[Match | None]) -> int | None:
    """How many certain chunks stand in this order, or None where one of them stands out of it."""
    if order is None:
        return None
    starts = [match.span.start for match in (matches[i] for i in order) if match is not None and match.span]
    return len(starts) if all(a <= b for a, b in pairwise(starts)) else None


def _by_numbers(chunk_ids: Sequence[str]) -> tuple[list[int] | None, bool]:
    """The order of ids that differ in their numbers only, as c9 before c10, and whether those numbers count the chunks.
    None where ids differ otherwise, as random ones do.
    """
    parts = [_NUMBER.split(chunk_id) for chunk_id in chunk_ids]
    if len({tuple(part[::2]) for part in parts}) != 1:
        return None, False
    numbers = [tuple(map(int, part[1::2])) for part in parts]
    if len(set(numbers)) != len(numbers):
        return None, False
    columns = [set(column) for column in zip(*numbers, strict=True)]
    varying = [column for column in columns if len(column) > 1]
    count = len(varying) == 1 and max(varying[0]) - min(varying[0]) < SPARSE * len(numbers)
    return sorted(range(len(numbers)), key=numbers.__getitem__), count


def _by_offsets(chunks: Sequence[RawChunk], text: str) -> list[int] | None:
    """The order of reported offsets, if each is another one and has its chunk's text."""
    starts = [chunk.start for chunk in chunks if chunk.start is not None and chunk.start >= 0]
    if len(starts) != len(chunks) or len(set(starts)) != len(starts):
        return None
    if not all(text.startswith(chunk.text, start) for chunk, start in zip(chunks, starts, strict=True)):
        return None
    return sorted(range(len(starts)), key=starts.__getitem__)
