"""Passages that were cut here and pasted there, perhaps edited too: sought in new text that nothing else explains."""

from itertools import pairwise
from typing import NamedTuple

from evalspan.anchoring.alignment.chance import by_more_than_chance
from evalspan.anchoring.alignment.place import Frame, Place, Words, make_place
from evalspan.anchoring.alignment.project import Projection
from evalspan.anchoring.alignment.seeds import shared_runs
from evalspan.anchoring.alignment.slides import slid
from evalspan.anchoring.alignment.versions import Versions
from evalspan.spans import Span

TILE, HAN_TILE = 16, 6
"""Letters of a tile. A passage is looked for by its tiles, laid end to end: some three words or, in scripts without
blanks, six characters, which say 24 bits and more. A passage with an edit in every tile is no longer found."""

LARGE = 50_000
"""Letters of new text from which it is worth knowing its words before it is searched for a tile."""

FEWEST = 4
"""One tile in so many must stand somewhere: with an edit in three of four, less than half of the passage is left."""

COPIES = 8
"""Places of a tile that are looked at; what stands more often is a phrase, not a trace."""

NEAR = 0.8
"""A second place with more than this share of the best one's tiles fits about as well."""


class Found(NamedTuple):
    place: Place
    words: Words
    share: float
    """Of the passage."""
    rivals: tuple[Span, ...]
    """Other places that fit about as well."""


class _Hit(NamedTuple):
    gap: int
    offset: int
    """In the new text."""
    tile: int
    """Offset in the passage."""


def find_moved(text: Versions, seen: Projection, known: Span, *, free: bool) -> Found | None:
    """The best place for a passage outside the main alignment, but for the one that is known.

    `free`: only in text that no other old text became; otherwise in all that is not in equal lines.
    """
    hits = _hits(text, seen, known, free)
    if not hits:
        return None
    size = seen.end - seen.start
    best, low, tiles = (0, 0, 0), 0, dict[int, int]()
    places: list[tuple[int, int, int]] = []
    for high, hit in enumerate(hits):
        tiles[hit.tile] = tiles.get(hit.tile, 0) + 1
        while hits[low].gap != hit.gap or hit.offset - hits[low].offset > 2 * size:
            tiles[hits[low].tile] -= 1
            if not tiles[hits[low].tile]:
                del tiles[hits[low].tile]
            low += 1
        places.append((len(tiles), low, high))
    best = max(places, key=lambda place: (place[0], -place[1]))
    first, last = hits[best[1]].offset, hits[best[2]].offset
    rest = [place for place in places if hits[place[1]].offset > last + size or hits[place[2]].offset < first - size]
    second = max(rest, default=(0, 0, 0))
    rivals: tuple[Span, ...] = ()
    if second[0] > NEAR * best[0]:
        rivals = (Span(hits[second[1]].offset, min(len(text.new), hits[second[2]].offset + TILE)),)
    return _align(text, seen, hits[best[1]].gap, first - size, last + size, free, rivals)


def _hits(text: Versions, seen: Projection, known: Span, free: bool) -> list[_Hit]:
    """All places of the passage's tiles in new text that no other old text became."""
    passage = text.old[seen.start : seen.end]
    step = TILE if passage.isascii() or len(seen.ids) * 3 < len(passage) else HAN_TILE
    where = text.unexplained
    large = len(where) > LARGE
    hits: list[_Hit] = []
    tiles = 0
    starts = range(0, max(1, len(passage) - step + 1), step)
    least = len(passage) // step
    for left, at in zip(range(len(starts), 0, -1), starts, strict=True):
        if FEWEST * (tiles + left) < least:  # too few even with all that are left
            return []
        tile = passage[at : at + step]
        if large and not _may_be_there(tile, text.unexplained_words):
            continue
        place = where.find(tile)
        if place < 0:
            continue
        places: list[int] = []  # `occurrences` would begin anew
        while place >= 0 and len(places) <= COPIES:
            places.append(place)
            place = where.find(tile, place + 1)
        if len(places) > COPIES:
            continue
        found = [_Hit(*text.place_of(each), at) for each in places]
        found = [hit for hit in found if not known.start <= hit.offset < known.end]
        tiles += bool(found)
        hits += found
    if FEWEST * tiles < least:
        return []
    if free:
        hits = [hit for hit in hits if not text.claimed(Span(hit.offset, hit.offset + step), seen.start, seen.end)]
    return sorted(hits)


def _may_be_there(tile: str, words: set[str | tuple[str, str]]) -> bool:
    """Whether the whole words within a tile stand side by side anywhere."""
    inner = tile.split()[1:-1]
    return words.issuperset(inner) and words.issuperset(pairwise(inner))


def _align(
    text: Versions, seen: Projection, number: int, low: int, high: int, free: bool, rivals: tuple[Span, ...]
) -> Found | None:
    """The words of the passage against those of one stretch of the new text."""
    gap, size = text.gap(number), len(seen.ids)
    begin, end = gap.new.between(low, high)
    ids = [
        word if mate < 0 or not free or seen.holds(gap.old.starts[mate]) else -1
        for word, mate in zip(gap.new.ids[begin:end], gap.mates[begin:end], strict=True)
    ]
    runs = shared_runs(seen.ids, ids)
    if runs:
        runs = by_more_than_chance(runs, seen.ids, len(ids), text.bits, held=False)
        runs = slid(runs, seen, gap.new.part(begin, end), text.old, text.new)
    if not runs:
        return None
    new_starts, new_ends = [-1] * size, [-1] * size
    for i, j, n in runs:
        new_starts[i : i + n] = gap.new.starts[begin + j : begin + j + n]
        new_ends[i : i + n] = gap.new.ends[begin + j : begin + j + n]
    words = Words(seen.starts, seen.ends, new_starts, new_ends)
    found = [k for k in range(size) if new_starts[k] >= 0]
    before = runs[0].j
    while before and ids[before - 1] >= 0:
        before -= 1
    after = runs[-1].j + runs[-1].n
    while after < len(ids) and ids[after] >= 0:
        after += 1
    frame = Frame(seen.start, gap.new.starts[begin + before], seen.end, gap.new.ends[begin + after - 1])
    place = make_place(text.old, text.new, Span(seen.start, seen.end), words, found, frame)
    return Found(place, words, seen.share(place.among(found)), rivals)
