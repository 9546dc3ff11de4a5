"""What became of a passage whose place is known: edited, cut short, or parted by something put in."""

from itertools import pairwise
from operator import sub
from typing import NamedTuple

from evalspan.anchoring.alignment.place import SLACK, Words
from evalspan.anchoring.anchor import Status
from evalspan.spans import Span

WHOLE = 0.95
"""Share of a passage that counts as all of it: a lost comma or article makes no other status."""

SHORT = 0.75
"""A passage of which a quarter or more is gone in one stretch was cut short; less is an edit of a sentence."""


class Kept(NamedTuple):
    status: Status
    pieces: tuple[Span, ...]


def what_was_kept(words: Words, found: list[int], place: Span) -> Kept:
    """`found` are the numbers of the words at the place."""
    sizes = list(map(sub, words.ends, words.starts))
    total = sum(sizes)
    kept = sum(map(sizes.__getitem__, found))
    cuts: list[int] = []
    lost_at_once = 0
    for n, (before, k) in enumerate(pairwise(found), start=1):
        put_in = words.new_starts[k] - words.new_ends[before]
        if k == before + 1:
            if put_in > SLACK:
                cuts.append(n)
        elif put_in <= SLACK:
            lost_at_once = max(lost_at_once, sum(sizes[before + 1 : k]))
    if cuts and kept >= WHOLE * total:
        return Kept(Status.SPLIT, _pieces(words, found, cuts, place))
    if place.start == words.new_starts[found[0]]:
        lost_at_once = max(lost_at_once, sum(sizes[: found[0]]))
    if place.end == words.new_ends[found[-1]]:
        lost_at_once = max(lost_at_once, sum(sizes[found[-1] + 1 :]))
    if lost_at_once >= (1 - SHORT) * total and kept + lost_at_once >= WHOLE * total:
        return Kept(Status.TRUNCATED, (place,))
    return Kept(Status.EDITED, (place,))


def _pieces(words: Words, found: list[int], cuts: list[int], place: Span) -> tuple[Span, ...]:
    bounds = [0, *cuts, len(found)]
    pieces = [Span(words.new_starts[found[a]], words.new_ends[found[b - 1]]) for a, b in pairwise(bounds)]
    pieces[0] = Span(place.start, pieces[0].end)
    pieces[-1] = Span(pieces[-1].start, place.end)
    return tuple(pieces)
