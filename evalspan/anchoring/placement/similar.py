"""What resembles a passage in a text: seeds say where to look, an alignment says from where to where.

Both texts come as a reading (letters only, as a rule), so that white space, signs and case have no part in it.

1. Seeds: stretches of a few letters that stand in both. Each names a diagonal (place in the text less place in the
   quote); the seeds of one place gather on one diagonal, give or take the letters added and lost between them.
2. Alignment: the quote against the text around that diagonal, by edit distance, as blocks of equal letters and gaps.
3. Hull: the run of blocks with the best balance of equal letters against gaps, so that both ends are found as they are:
   what only the quote has in front or behind, and what of the text lies around, is no part of it.
"""

from collections import defaultdict
from itertools import pairwise
from math import ceil, log2
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

BITS_A_LETTER = 3.0
"""What one more letter of a common stretch tells. Two letters of a language are equal once in 15 (3.9 bits); a second
one after an equal first is much likelier so."""

COMMON = 64
"""Places of a seed beyond which it is boilerplate or periodic and tells no place from another."""

RARE = 0.25
"""Seeds that are not common, to one that is, which a quote needs: where nearly all is commonplace, each place is as
like as the next, and the few seeds left are slips."""

STRIDE = 3
"""Every third place of the text is a seed's. A short quote's seeds are taken at every place, so that each unaltered
stretch of `size + 2` letters is found; a long one has so many that every second or fourth will do."""

LONG = 128
"""Letters of a quote that has a dozen seeds even where one letter in twenty is altered."""

BRIDGE = 24
"""What the longest gap costs, in equal letters: a page's footer or a caption may stand inside a passage, if both sides
of it have more letters in common than a line of other text has by chance (a quarter of some 80)."""

EDGE = 5
"""Letters at either end of a quote that may differ and yet belong to the passage: the rest of a word. Of a tenth of the
quote at most, if half of it is there: an altered first or last word."""

ALL = 0.9
"""Share of the quote's letters that may be found on one diagonal for others to be looked at too."""

MOST = 0.8
"""Share of the seeds on one diagonal, and nowhere else, from which no other place is looked at."""

PLACE_BITS = 32
PLACE_MASK = (1 << PLACE_BITS) - 1

TRIED = 48
"""Places aligned for one passage at most: 30 µs each, so that a row of a long table costs no more than two pages."""


PART = 8000
"""Letters aligned at once (two milliseconds): the time of an alignment grows with the square of its length."""

CLEAR = 8
"""Equal letters, less gaps, that hardly stand at the beginning of two different texts by chance."""

Block = tuple[int, int, int]
"""Equal letters: where in the quote, where in the text, how many."""


class Likeness(NamedTuple):
    """A stretch of the text like the quote, or like a part of it."""

    begin: int
    end: int
    first: int
    """Of the quote, the part that was found."""
    last: int
    matched: int
    """Equal letters."""
    flaws: int
    """Letters that are not, on the side that has more of them; of a long gap BRIDGE at most."""
    pieces: tuple[tuple[int, int], ...]
    """The stretches of the text between the long gaps."""

    @property
    def gain(self) -> int:
        return self.matched - self.flaws


def resemble(quote: str, text: str, low: int, high: int) -> Likeness | None:
    """The part of `text[low:high]` that is most like the quote, or the longest part of it that is there."""
    low, high = max(0, low), min(len(text), high)
    run = _best_run(_blocks(quote, text, low, high))
    if not run:
        return None
    (first, begin, _), (a, b, size) = run[0], run[-1]
    last, end = a + size, b + size
    matched = sum(block[2] for block in run)
    flaws = sum(_gap(a2 - a1 - size1, b2 - b1 - size1) for (a1, b1, size1), (a2, b2, _) in pairwise(run))
    pieces = _parts(run)
    slack = max(EDGE, len(quote) // 10)
    if 0 < first <= slack:
        more, cost = _rest(quote[:first][::-1], text[low:begin][: -first - EDGE - 1 : -1])
        if first <= EDGE or 2 * cost <= first:
            begin, flaws, first = begin - more, flaws + cost, 0
    rest = len(quote) - last
    if 0 < rest <= slack:
        more, cost = _rest(quote[last:], text[end : min(high, end + rest + EDGE)])
        if rest <= EDGE or 2 * cost <= rest:
            end, flaws, last = end + more, flaws + cost, len(quote)
    pieces[0] = begin, pieces[0][1]
    pieces[-1] = pieces[-1][0], end
    return Likeness(begin, end, first, last, matched, flaws, tuple(pieces))


def _rest(rest: str, text: str) -> tuple[int, int]:
    """How much of the text's beginning the rest of a quote is, and in how many letters they differ."""
    cost, size = min((Levenshtein.distance(rest, text[:size]), size) for size in range(len(text) + 1))
    return size, cost


def follow(rest: str, text: str) -> tuple[int, int]:
    """How far the rest of a quote can be followed from the beginning of the text: (of the rest, of the text)."""
    balance = best = end_rest = end_text = 0
    at_rest = at_text = 0
    for block in Levenshtein.editops(rest, text).as_matching_blocks():
        if not block.size:
            break
        balance += block.size - _gap(block.a - at_rest, block.b - at_text)
        at_rest, at_text = block.a + block.size, block.b + block.size
        if balance > best:
            best, end_rest, end_text = balance, at_rest, at_text
    return (end_rest, end_text) if best >= CLEAR or 2 * end_rest >= len(rest) else (0, 0)


def _gap(quote: int, text: int) -> int:
    return min(BRIDGE, max(quote, text))


def _best_run(blocks: list[Block]) -> list[Block]:
    """The blocks, in order, with the most equal letters less the gaps between them. A gap costs BRIDGE at most: what
    few letters are equal by chance in the other text within it are left out."""
    best = furthest = end_a = end_b = 0
    best_at = furthest_at = -1
    balances: list[int] = []
    before: list[int] = []
    for i, (a, b, size) in enumerate(blocks):
        balance, link = 0, -1
        if i:
            missing, other = a - end_a, b - end_b
            gap = missing if missing > other else other
            balance, link = balances[-1] - (gap if gap < BRIDGE else BRIDGE), i - 1
            if furthest - BRIDGE > balance:
                balance, link = furthest - BRIDGE, furthest_at
            if balance <= 0:
                balance, link = 0, -1
        balance += size
        end_a, end_b = a + size, b + size
        balances.append(balance)
        before.append(link)
        if balance >= furthest:
            furthest, furthest_at = balance, i
        if balance > best:
            best, best_at = balance, i
    run: list[Block] = []
    while best_at >= 0:
        run.append(blocks[best_at])
        best_at = before[best_at]
    return run[::-1]


def _blocks(quote: str, text: str, low: int, high: int) -> list[Block]:
    """What is equal, in order. A very long quote is aligned part by part, each from where the last one ended."""
    out: list[Block] = []
    slack = min(PART, max(0, high - low - len(quote)) + BRIDGE)
    at = low
    for start in range(0, len(quote), PART):
        part = quote[start : start + PART]
        end = high if start + 2 * PART > len(quote) + PART else min(high, at + len(part) + slack)
        found = [
            (block.a + start, block.b + at, block.size)
            for block in Levenshtein.editops(part, text[at:end]).as_matching_blocks()
            if block.size
        ]
        out += found
        at = found[-1][1] + found[-1][2] if found else min(high, at + len(part))
    return out


def _parts(run: list[Block]) -> list[tuple[int, int]]:
    """The stretches of the text between the gaps in which other text was put in."""
    out = []
    opened = run[0][1]
    for (a1, b1, size1), (a2, b2, _) in pairwise(run):
        if (b2 - b1) - (a2 - a1) > BRIDGE:
            out.append((opened, b1 + size1))
            opened = b2
    out.append((opened, run[-1][1] + run[-1][2]))
    return out


class Seeds:
    """The places of all short stretches of a text."""

    def __init__(self, text: str, longest: int, stride: int = STRIDE) -> None:
        self.text = text
        self.size = max(4, ceil(log2(max(2, len(text)) * max(2, longest)) / BITS_A_LETTER))
        """So long that hardly any is common to text and quote by chance."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        size = self.size
        for at in range(0, len(text) - size + 1, stride):
            places[text[at : at + size]].append(at)
        self._common = {seed for seed, found in places.items() if len(found) > COMMON}
        self._places = (
            {seed: found for seed, found in places.items() if len(found) <= COMMON} if self._common else places
        )

    def like(self, quote: str) -> list[Likeness]:
        """All places that resemble the quote, the best first."""
        drift = max(2, len(quote) // 32)  # a random walk of one added or lost letter in ten strays half as far
        clusters = self._clusters(quote, drift)
        if not clusters:
            return []
        found: dict[tuple[int, int], Likeness] = {}
        for cluster in clusters:
            one = resemble(quote, self.text, cluster.least - drift, cluster.most + len(quote) + drift)
            if one and one.matched < ALL * len(quote):
                wide = self._wider(quote, cluster, clusters, drift)
                one = wide if wide and wide.gain > one.gain else one
            if one:
                found[one.begin, one.end] = one
        return _distinct(sorted(found.values(), key=lambda one: (-one.gain, one.begin)), drift)

    def _counted(self, quote: str, step: int) -> int:
        """How many of the quote's seeds stand in the text too often."""
        size, common = self.size, self._common
        return sum(quote[at : at + size] in common for at in range(0, len(quote) - size + 1, step))

    def _wider(self, quote: str, cluster: "_Cluster", clusters: "list[_Cluster]", drift: int) -> Likeness | None:
        """From the part of the quote on one diagonal to that on another: something was put in between, or taken out."""
        size = len(quote)
        near = [c for c in clusters if abs(c.least - cluster.least) <= size]
        head, tail = min(near, key=lambda c: c.first), max(near, key=lambda c: c.last)
        if len(near) == 1 or head is tail:
            return None
        return resemble(quote, self.text, head.least - drift, tail.most + size + drift)

    def _clusters(self, quote: str, drift: int) -> "list[_Cluster]":
        """The strongest groups of seeds on neighbouring diagonals. A long quote needs more than a seed by chance."""
        get, size, step = self._places.get, self.size, 1 if len(quote) < LONG else 2 if len(quote) < 2 * LONG else 4
        found = [(at, places) for at in range(0, len(quote) - size + 1, step) if (places := get(quote[at : at + size]))]
        if self._common and len(found) < RARE * self._counted(quote, step):
            return []
        single = sorted(places[0] - at for at, places in found if len(places) == 1)
        if 2 * len(single) > len(found):
            middle = single[len(single) // 2]
            near = [diagonal for diagonal in single if abs(diagonal - middle) <= drift]
            if MOST * len(found) < len(near):  # what it shares stands in one place only, the same one
                return [_Cluster(len(near), near[0], near[-1], 0, len(quote))]
        # Diagonal and place in the quote as one number, which sorts faster than a pair.
        seeds = sorted(((place - at) << PLACE_BITS) + at for at, places in found for place in places)
        groups: list[tuple[int, int]] = []
        start = 0
        for i in range(1, len(seeds) + 1):
            if i == len(seeds) or (seeds[i] >> PLACE_BITS) - (seeds[i - 1] >> PLACE_BITS) > drift:
                groups.append((i - start, start))
                start = i
        needed = max(1 + len(quote) // LONG, max(groups)[0] / 4) if groups else 0
        groups = sorted((group for group in groups if group[0] >= needed), key=lambda group: (-group[0], group[1]))
        return [_cluster(seeds[start : start + count]) for count, start in groups[:TRIED]]


def _cluster(seeds: list[int]) -> "_Cluster":
    spots = [seed & PLACE_MASK for seed in seeds]
    return _Cluster(len(seeds), seeds[0] >> PLACE_BITS, seeds[-1] >> PLACE_BITS, min(spots), max(spots))


class _Cluster(NamedTuple):
    """Seeds on neighbouring diagonals."""

    seeds: int
    least: int
    """Diagonal."""
    most: int
    first: int
    """Place in the quote."""
    last: int


def _distinct(likenesses: list[Likeness], drift: int) -> list[Likeness]:
    """Without those that begin or end where a better one does. In periodic text, places may well overlap."""
    out: list[Likeness] = []
    for one in likenesses:
        if all(abs(one.begin - better.begin) > drift and abs(one.end - better.end) > drift for better in out):
            out.append(one)
    return out
