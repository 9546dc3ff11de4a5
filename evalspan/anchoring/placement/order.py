"""Order decides: among all ways to put passages that may stand in several places between their certain neighbours, the
one that leaves the least text uncovered, covers the least of it twice, and alters the passages least."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import add
from typing import NamedTuple

OVERLAP_COST = 0.3
"""Of a character covered twice, against 1 for one left out: splitters are told to overlap, never to leave text out."""

MARGIN = 1.0
"""What a second way must cost more to be no rival: one character left out. The cost of any two ways through text that
the chunks cover evenly is the same to the letter, so that anything above zero is a real difference."""

SLIP = 0.1
"""Of the letters that differ, the share that may speak for the wrong place by chance: a slip makes a letter into one of
some ten that are frequent."""

WORK_LIMIT = 2_000_000
"""Pairs of neighbouring places weighed in one document (about a second). Beyond it the text is periodic, and the
chunks concerned stay ambiguous."""


_NO_WAY = float("inf")


def edge(place: int, begin: int | None = None) -> "Stop":
    """The beginning or the end of the stretch to be filled."""
    return Stop(place if begin is None else begin, place, 0, 0, place)


class Stop(NamedTuple):
    """A place on the way; begin and end count non-blank characters, so that stripped edges are no gaps."""

    begin: int
    end: int
    flaws: int
    """Letters of the passage that differ there."""
    start: int
    """In the text."""
    reach: int
    """How far the text is covered with it and what came before: a parent reaches beyond its first child."""


def backbone(starts: Mapping[int, int]) -> list[int]:
    """The longest run of certain passages whose places ascend as the list does; the others are out of order."""
    tops: list[int] = []
    ends: list[int] = []
    link: dict[int, int | None] = {}
    for i, start in starts.items():
        spot = bisect_right(tops, start)
        link[i] = ends[spot - 1] if spot else None
        tops[spot : spot + 1] = [start]
        ends[spot : spot + 1] = [i]
    kept: list[int] = []
    at: int | None = ends[-1] if ends else None
    while at is not None:
        kept.append(at)
        at = link[at]
    return kept[::-1]


class Work:
    """What is left of WORK_LIMIT for one document."""

    def __init__(self) -> None:
        self.left = WORK_LIMIT

    def affords(self, layers: list[list[Stop]]) -> bool:
        """Whether these can be weighed; what they cost is taken."""
        cost = sum(len(a) * len(b) for a, b in pairwise(layers))
        if cost > self.left:
            return False
        self.left -= cost
        return True


def choose(layers: list[list[Stop]], unseen: list[int], given: list[int | None], work: Work) -> list[list[int]]:
    """For each inner layer the places that the cheapest ways through all layers use; [] where nothing was decided.

    `unseen[i]`: non-blank characters of chunks without a place between layers i and i + 1, which may fill a gap there.
    `given`: for each inner layer, the start that an index reports for it.
    """
    undecided: list[list[int]] = [[] for _ in layers[1:-1]]
    if not work.affords(layers):
        return undecided
    totals = _totals(layers, unseen)
    least = min(totals[0])
    if least == _NO_WAY:
        return undecided
    margin = MARGIN + SLIP * sum(min(stop.flaws for stop in layer) for layer in layers)
    allowed = [_reported(layer, start) for layer, start in zip(layers[1:-1], given, strict=True)]
    if any(allowed):
        # Reported offsets settle what is left open, if together they are a cheapest way.
        narrowed = [
            [stop for k, stop in enumerate(layer) if not keep or k in keep]
            for layer, keep in zip(layers[1:-1], allowed, strict=True)
        ]
        narrow_totals = _totals([layers[0], *narrowed, layers[-1]], unseen)
        if min(narrow_totals[0]) < least + margin:
            return [
                [k if not keep else keep[k] for k in _good(costs, least + margin)]
                for costs, keep in zip(narrow_totals[1:-1], allowed, strict=True)
            ]
    return [_good(costs, least + margin) for costs in totals[1:-1]]


def _reported(layer: Sequence[Stop], start: int | None) -> list[int]:
    return [] if start is None else [k for k, stop in enumerate(layer) if stop.start == start]


def _good(costs: Sequence[float], limit: float) -> list[int]:
    return [k for k, cost in enumerate(costs) if cost < limit]


def _totals(layers: list[list[Stop]], unseen: list[int]) -> list[list[float]]:
    """For each place of each layer, the cost of the cheapest way through all layers that uses it."""
    steps = [
        [[_step(one, other, allowed) for one in before] for other in behind]
        for (before, behind), allowed in zip(pairwise(layers), unseen, strict=True)
    ]
    forward = [[0.0] * len(layers[0])]
    for layer, rows in zip(layers[1:], steps, strict=True):
        reached = forward[-1]
        forward.append([stop.flaws + min(map(add, reached, row)) for stop, row in zip(layer, rows, strict=True)])
    backward = [[0.0] * len(layers[-1])]
    for layer, rows in zip(reversed(layers[1:]), reversed(steps), strict=True):
        left = [cost + stop.flaws for cost, stop in zip(backward[-1], layer, strict=True)]
        backward.append([min(map(add, left, column)) for column in zip(*rows, strict=True)])
    backward.reverse()
    return [list(map(add, *both)) for both in zip(forward, backward, strict=True)]


def _step(a: Stop, b: Stop, unseen: int) -> float:
    """What it costs that b follows a."""
    begin, end = b.begin, a.reach
    if begin >= end:
        gap = begin - end - unseen
        return float(gap) if gap > 0 else 0.0
    # Two that begin with the same character: a parent and its first child, or a blank in front of one of them.
    if begin > a.begin or (begin == a.begin and (b.end != a.end or b.start > a.start)):
        return OVERLAP_COST * ((end if end < b.end else b.end) - begin)
    return _NO_WAY
