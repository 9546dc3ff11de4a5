"""What two sequences of numbers share, in order: unique stretches first, then what lies between them."""

from array import array
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from itertools import repeat, starmap
from operator import lt
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
    if all(map(lt, seconds, seconds[1:])):
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
    # a dict keeps the order of what it met first, so that what stands once comes out ascending, without sorting
    last = dict(zip(old, range(len(old)), strict=True))
    there = dict(zip(new, range(len(new)), strict=True))
    first: Iterable[int] = last.values()
    if len(last) < len(old):
        first = sorted(dict(zip(reversed(old), range(len(old) - 1, -1, -1), strict=True)).values())
    if len(there) < len(new):
        once = dict(zip(reversed(new), range(len(new) - 1, -1, -1), strict=True))
        there = {item: j for item, j in there.items() if once[item] == j}
    mates = map(there.get, last, repeat(-1))
    return [(i, j) for i, k, j in zip(last.values(), first, mates, strict=True) if j >= 0 and i == k]


def shared_runs(old: list[int], new: list[int]) -> list[Run]:
    """Runs both share, ascending in both."""
    out: list[tuple[int, int, int]] = []
    todo = [(0, len(old), 0, len(new), 0 if max(len(old), len(new)) > PAGES else 1)]
    while todo:
        i, i_end, j, j_end, level = todo.pop()
        head = i
        while i < i_end and j < j_end and old[i] == new[j]:
            i += 1
            j += 1
        if i > head:
            out.append((head, j - (i - head), i - head))
        tail = i_end
        while i_end > i and j_end > j and old[i_end - 1] == new[j_end - 1]:
            i_end -= 1
            j_end -= 1
        if tail > i_end:
            out.append((i_end, j_end, tail - i_end))
        area = (i_end - i) * (j_end - j)
        if area <= 1:  # one word became another
            continue
        if area > SMALL:
            level, seeds = _seeds(old[i:i_end], new[j:j_end], level)
            if seeds:
                todo.extend(_between(old, new, seeds, (i, i_end, j, j_end), level, out))
                continue
        if area <= LARGE:
            shared = LCSseq.opcodes(old[i:i_end], new[j:j_end]).as_matching_blocks()
            out += [(i + a, j + b, n) for a, b, n in shared if n]
    out.sort()
    return _joined(out)


def _seeds(old: list[int], new: list[int], level: int) -> tuple[int, list[tuple[int, int]]]:
    """Places of the longest stretches that stand once in each, ascending in both, and the level they were found on."""
    for depth in range(level, len(STRETCHES)):
        size = STRETCHES[depth]
        pairs = unique_pairs(old, new) if size == 1 else unique_pairs(_stretches(old, size), _stretches(new, size))
        if pairs:
            return depth, rising(pairs)
    return len(STRETCHES), []


def _stretches(ids: list[int], size: int) -> list[bytes]:
    """All stretches of a size. As bytes, which keep their hash: three times faster than tuples."""
    packed = array("i", ids).tobytes()
    step = len(packed) // len(ids)
    return [packed[at : at + size * step] for at in range(0, len(packed) - (size - 1) * step, step)]


def _between(
    old: list[int],
    new: list[int],
    seeds: list[tuple[int, int]],
    bounds: tuple[int, int, int, int],
    level: int,
    out: list[tuple[int, int, int]],
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
        out.append((a, b, n))
        i, j = a + n, b + n
    if i < i_end or j < j_end:
        gaps.append((i, i_end, j, j_end, level))
    return gaps


def _joined(runs: list[tuple[int, int, int]]) -> list[Run]:
    """Touching runs as one."""
    out: list[tuple[int, int, int]] = []
    i_end = j_end = -1
    for i, j, n in runs:
        if i == i_end and j == j_end:
            first_i, first_j, size = out[-1]
            out[-1] = (first_i, first_j, size + n)
        else:
            out.append((i, j, n))
        i_end, j_end = i + n, j + n
    return list(starmap(Run, out))
