"""What two sequences of numbers share, in order: unique stretches first, then what lies between them."""

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

STRETCHES = (8, 4, 2, 1)
"""Lengths of the stretches that are looked for, long ones first: what is rare by its length alone outranks what is
rare by its words, and halving leaves few lengths to try."""

PAGES = 1024
"""Words from which the longest stretches are looked for: in less text four words in a row hardly repeat by chance."""

SMALL = 1024 * 1024
"""Area up to which a gap is compared directly: 1,024 rows of 16 machine words take a tenth of the time that looking for
seeds takes."""

LARGE = 3000 * 3000
"""Area up to which a gap without any seed is still compared directly (a few milliseconds). Beyond it two stretches of
such size without one unique word in common are no versions of each other, or are periodic."""


class Run(NamedTuple):
    """`old[i:i+n]` equals `new[j:j+n]`."""

    i: int
    j: int
    n: int


def rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, given by ascending first, whose seconds ascend too."""
    seconds = [pair[1] for pair in pairs]
    if all(map(int.__lt__, seconds, seconds[1:])):
        return list(pairs)
    tails: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for index, second in enumerate(seconds):
        rank = bisect_left(tails, second)
        before.append(at[rank - 1] if rank else -1)
        if rank == len(tails):
            tails.append(second)
            at.append(index)
        else:
            tails[rank] = second
            at[rank] = index
    out: list[tuple[int, int]] = []
    index = at[-1] if at else -1
    while index >= 0:
        out.append(pairs[index])
        index = before[index]
    return out[::-1]


def unique_pairs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Places of what stands once in each of both."""
    here = dict(zip(old, range(len(old)), strict=True))
    there = dict(zip(new, range(len(new)), strict=True))
    both = here.keys() & there.keys()
    if not both:
        return []
    if len(here) < len(old):
        first = dict(zip(reversed(old), range(len(old) - 1, -1, -1), strict=True))
        both = {item for item in both if first[item] == here[item]}
    if len(there) < len(new):
        first = dict(zip(reversed(new), range(len(new) - 1, -1, -1), strict=True))
        both = {item for item in both if first[item] == there[item]}
    return sorted(zip(map(here.__getitem__, both), map(there.__getitem__, both), strict=True))


def shared_runs(old: list[int], new: list[int]) -> list[Run]:
    """Runs both share, ascending in both."""
    out: list[Run] = []
    todo = [(0, len(old), 0, len(new), 0 if max(len(old), len(new)) > PAGES else 1)]
    while todo:
        i, i_end, j, j_end, level = todo.pop()
        head = i
        while i < i_end and j < j_end and old[i] == new[j]:
            i += 1
            j += 1
        if i > head:
            out.append(Run(head, j - (i - head), i - head))
        tail = i_end
        while i_end > i and j_end > j and old[i_end - 1] == new[j_end - 1]:
            i_end -= 1
            j_end -= 1
        if tail > i_end:
            out.append(Run(i_end, j_end, tail - i_end))
        if i == i_end or j == j_end:
            continue
        area = (i_end - i) * (j_end - j)
        if area > SMALL:
            level, seeds = _seeds(old[i:i_end], new[j:j_end], level)
            if seeds:
                todo.extend(_between(old, new, seeds, (i, i_end, j, j_end), level, out))
                continue
        if area <= LARGE:
            shared = LCSseq.opcodes(old[i:i_end], new[j:j_end]).as_matching_blocks()
            out += [Run(i + a, j + b, n) for a, b, n in shared if n]
    out.sort()
    return _joined(out)


def _seeds(old: list[int], new: list[int], level: int) -> tuple[int, list[tuple[int, int]]]:
    """Places of the longest stretches that stand once in each, ascending in both, and the level they were found on."""
    for depth in range(level, len(STRETCHES)):
        size = STRETCHES[depth]
        if size == 1:
            pairs = unique_pairs(old, new)
        else:
            pairs = unique_pairs(
                list(zip(*(old[k:] for k in range(size)), strict=False)),
                list(zip(*(new[k:] for k in range(size)), strict=False)),
            )
        if pairs:
            return depth, rising(pairs)
    return len(STRETCHES), []


def _between(
    old: list[int],
    new: list[int],
    seeds: list[tuple[int, int]],
    bounds: tuple[int, int, int, int],
    level: int,
    out: list[Run],
) -> list[tuple[int, int, int, int, int]]:
    """Adds the seeds, grown over their equal neighbours, to `out`; gives the gaps left between them."""
    i, i_end, j, j_end = bounds
    gaps = []
    for a, b in seeds:
        a += bounds[0]
        b += bounds[2]
        if a < i or b < j:
            continue
        start = a
        while a > i and b > j and old[a - 1] == new[b - 1]:
            a -= 1
            b -= 1
        if a > i or b > j:
            gaps.append((i, a, j, b, level))
        n = start - a
        while a + n < i_end and b + n < j_end and old[a + n] == new[b + n]:
            n += 1
        out.append(Run(a, b, n))
        i, j = a + n, b + n
    if i < i_end or j < j_end:
        gaps.append((i, i_end, j, j_end, level))
    return gaps


def _joined(runs: list[Run]) -> list[Run]:
    """Touching runs as one."""
    out: list[Run] = []
    for run in runs:
        if out and out[-1].i + out[-1].n == run.i and out[-1].j + out[-1].n == run.j:
            out[-1] = Run(out[-1].i, out[-1].j, out[-1].n + run.n)
        else:
            out.append(run)
    return out
