"""The chunks of one document, placed together.

A chunk whose text stands once is placed by that. What repeats is placed by the order of the list: among all ways to
put the repeated chunks between their neighbours, the one that leaves the least text uncovered and covers the least of
it twice. Where a second way is as good, the chunk stays ambiguous; it never goes to the first place for being first.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from evalspan.anchoring.anchor import Match, Status
from evalspan.anchoring.locate import found_at
from evalspan.anchoring.search import LIMIT, occurrences
from evalspan.spans import Span
from evalspan.text import Reading
from evalspan.text.reading import squash

OVERLAP_COST = 0.3
"""Of a character covered twice, against 1 for one left out: splitters are told to overlap, never to leave text out."""

MARGIN = 1.0
"""What a second way must cost more to be no rival: one character left out. The cost of any two ways through text that
the chunks cover evenly is the same to the letter, so that anything above zero is a real difference."""

WORK_LIMIT = 2_000_000
"""Pairs of neighbouring places weighed in one document (about a second). Beyond it the text is periodic, and the
chunks concerned stay ambiguous."""

BLANK = Match(None, Status.MISSING, sure=False, reason="blank")
NOT_FOUND = Match(None, Status.MISSING, sure=False, reason="not found")


class _Site(NamedTuple):
    """A place a chunk may have; marks count non-blank characters, so that stripped edges are no gaps."""

    begin: int
    end: int
    span: Span


class _Open(NamedTuple):
    """A chunk whose text stands in several places."""

    status: Status
    spans: list[Span]


def locate_chunks(
    chunks: Sequence[str], text: str, *, starts: Sequence[int | None] | None = None, ordered: bool = True
) -> list[Match]:
    """Where each of a document's chunks stands in it, in the order given.

    `chunks` are their texts; `starts` the offsets an index reports (code points), each believed only where the text
    there is the chunk's. `ordered`: the list follows the document; otherwise what repeats is told apart by nothing.
    """
    matches: list[Match | None] = []
    undecided: dict[int, _Open] = {}
    reading: Reading | None = None
    for i, chunk in enumerate(chunks):
        if not chunk or chunk.isspace():
            matches.append(BLANK)
            continue
        first = text.find(chunk)
        if first >= 0 and text.find(chunk, first + 1) < 0:  # the usual case, kept short: one exact place
            span = Span(first, first + len(chunk))
            matches.append(Match(span, Status.EXACT, True, True, 1.0, 1.0, (span,)))
            continue
        status = Status.EXACT
        if first >= 0:
            spans = [Span(at, at + len(chunk)) for at in occurrences(chunk, text)]
        else:
            status = Status.REFORMATTED
            reading = reading or Reading(text)
            bare = squash(chunk)
            spans = [reading.raw(at, at + len(bare)) for at in occurrences(bare, reading.squashed)]
        if len(spans) == 1:
            matches.append(found_at(spans[0], chunk, text, status))
        elif spans:
            undecided[i] = _Open(status, spans)
            matches.append(None)
        else:
            matches.append(NOT_FOUND)
    if undecided:
        chosen = _settle(chunks, matches, undecided, reading or Reading(text), starts) if ordered else {}
        for i, (status, spans) in undecided.items():
            place = chosen.get(i)
            matches[i] = found_at(place, chunks[i], text, status) if place else _repeated(spans)
    return [match for match in matches if match is not None]


def _repeated(spans: list[Span]) -> Match:
    count = f"{len(spans)} places" if len(spans) < LIMIT else f"{LIMIT} places or more"
    return Match(
        None,
        Status.AMBIGUOUS,
        sure=False,
        score=1 / len(spans),
        coverage=1.0,
        rivals=tuple(spans),
        reason=f"stands in {count}, and neither order nor offset decides",
    )


def _settle(
    chunks: Sequence[str],
    matches: Sequence[Match | None],
    undecided: dict[int, _Open],
    reading: Reading,
    starts: Sequence[int | None] | None,
) -> dict[int, Span]:
    """The places of those that order decides."""

    def site(span: Span) -> _Site:
        return _Site(reading.mark(span.start), reading.mark(span.end), span)

    fixed = _backbone({i: site(m.span) for i, m in enumerate(matches) if m is not None and m.sure and m.span})
    sizes = [0 if i in fixed or i in undecided else len(squash(chunk)) for i, chunk in enumerate(chunks)]
    edges = [_Site(0, 0, Span(0, 0)), _Site(len(reading.squashed), len(reading.squashed), Span(0, 0))]
    chosen: dict[int, Span] = {}
    for island in _islands(len(chunks), fixed, undecided):
        before = max((i for i in fixed if i < island[0]), default=-1)
        after = min((i for i in fixed if i > island[-1]), default=len(chunks))
        layers = [[fixed.get(before, edges[0])]]
        layers += [[site(span) for span in undecided[i].spans] for i in island]
        layers.append([fixed.get(after, edges[1])])
        places = [before, *island, after]
        unseen = [sum(sizes[a + 1 : b]) for a, b in pairwise(places)]
        given = [None if starts is None else starts[i] for i in island]
        for i, span in zip(island, _choose(layers, unseen, given), strict=True):
            if span is not None:
                chosen[i] = span
    return chosen


def _backbone(sites: dict[int, _Site]) -> dict[int, _Site]:
    """The longest run of certain chunks whose places ascend as the list does; the others are out of order."""
    tops: list[int] = []
    ends: list[int] = []
    link: dict[int, int | None] = {}
    for i, site in sites.items():
        spot = bisect_right(tops, site.begin)
        link[i] = ends[spot - 1] if spot else None
        tops[spot : spot + 1] = [site.begin]
        ends[spot : spot + 1] = [i]
    kept: list[int] = []
    at: int | None = ends[-1] if ends else None
    while at is not None:
        kept.append(at)
        at = link[at]
    return {i: sites[i] for i in reversed(kept)}


def _islands(count: int, fixed: dict[int, _Site], undecided: dict[int, _Open]) -> list[list[int]]:
    """The undecided chunks, grouped by the certain ones between which they stand."""
    out: list[list[int]] = [[]]
    for i in range(count):
        if i in fixed and out[-1]:
            out.append([])
        elif i in undecided:
            out[-1].append(i)
    return [island for island in out if island]


def _choose(layers: list[list[_Site]], unseen: list[int], given: list[int | None]) -> list[Span | None]:
    """For each inner layer the one place that the cheapest ways through all layers share, else None.

    `unseen[i]`: non-blank characters of chunks without a place between layers i and i + 1, which may fill a gap there.
    """
    undecided: list[Span | None] = [None] * (len(layers) - 2)
    if sum(len(a) * len(b) for a, b in pairwise(layers)) > WORK_LIMIT:
        return undecided
    totals = _totals(layers, unseen)
    least = min(totals[0])
    if least == float("inf"):
        return undecided
    # Reported offsets settle what is left open, if together they are a cheapest way.
    picks = [
        [site for site in layer if start is None or site.span.start == start] or layer
        for layer, start in zip(layers[1:-1], given, strict=True)
    ]
    if picks != layers[1:-1]:
        narrowed = [layers[0], *picks, layers[-1]]
        narrow_totals = _totals(narrowed, unseen)
        if min(narrow_totals[0]) < least + MARGIN:
            layers, totals = narrowed, narrow_totals
    out: list[Span | None] = []
    for layer, costs in zip(layers[1:-1], totals[1:-1], strict=True):
        good = [site.span for site, cost in zip(layer, costs, strict=True) if cost < least + MARGIN]
        out.append(good[0] if len(good) == 1 else None)
    return out


def _totals(layers: list[list[_Site]], unseen: list[int]) -> list[list[float]]:
    """For each place of each layer, the cost of the cheapest way through all layers that uses it."""
    forward = [[0.0] * len(layers[0])]
    for i in range(1, len(layers)):
        forward.append(
            [
                min(cost + _step(a, b, unseen[i - 1]) for a, cost in zip(layers[i - 1], forward[-1], strict=True))
                for b in layers[i]
            ]
        )
    backward = [[0.0] * len(layers[-1])]
    for i in range(len(layers) - 2, -1, -1):
        backward.append(
            [
                min(cost + _step(a, b, unseen[i]) for b, cost in zip(layers[i + 1], backward[-1], strict=True))
                for a in layers[i]
            ]
        )
    backward.reverse()
    return [[f + b for f, b in zip(*both, strict=True)] for both in zip(forward, backward, strict=True)]


def _step(a: _Site, b: _Site, unseen: int) -> float:
    """What it costs that b follows a."""
    if b.begin >= a.end:
        return float(max(0, b.begin - a.end - unseen))
    if b.begin > a.begin:
        return OVERLAP_COST * (a.end - b.begin)
    return float("inf")
