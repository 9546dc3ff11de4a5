"""Which stretches of whole lines two versions share."""

from itertools import accumulate
from typing import NamedTuple

from evalspan.anchoring.alignment.seeds import rising, unique_pairs

TELLING = 8
"""Length of a line, without blanks around it, from which it says where it belongs when it stands once between two
others: shorter ones ("}", "---", "end") stand once by chance. They are matched as neighbours of longer ones."""

STEP = 64
"""Lines compared at once."""


class Block(NamedTuple):
    """`old[old_start:old_start+size]` equals `new[new_start:new_start+size]`."""

    old_start: int
    new_start: int
    size: int

    @property
    def old_end(self) -> int:
        return self.old_start + self.size

    @property
    def new_end(self) -> int:
        return self.new_start + self.size

    @property
    def shift(self) -> int:
        return self.new_start - self.old_start


def shared_blocks(old: str, new: str) -> list[Block]:
    """Stretches of equal whole lines, ascending in both texts, neighbours joined."""
    old_whole, new_whole = old.splitlines(keepends=True), new.splitlines(keepends=True)
    old_lines, new_lines = list(map(str.strip, old_whole)), list(map(str.strip, new_whole))
    runs: list[tuple[int, int, int]] = []
    todo = [(0, len(old_lines), 0, len(new_lines))]
    while todo:
        i, i_end, j, j_end = todo.pop()
        n = _equal(old_lines, new_lines, i, j, min(i_end - i, j_end - j))
        if n:
            runs.append((i, j, n))
            i, j = i + n, j + n
        n = _equal_back(old_lines, new_lines, i_end, j_end, min(i_end - i, j_end - j))
        if n:
            i_end, j_end = i_end - n, j_end - n
            runs.append((i_end, j_end, n))
        if i == i_end or j == j_end:
            continue
        here, there = old_lines[i:i_end], new_lines[j:j_end]
        pairs = [pair for pair in unique_pairs(here, there) if len(here[pair[0]]) >= TELLING]
        a, b = i, j
        for x, y in rising(pairs):
            x, y = x + i, y + j
            if x < a or y < b:
                continue
            start, mate = x, y
            while start > a and mate > b and old_lines[start - 1] == new_lines[mate - 1]:
                start, mate = start - 1, mate - 1
            n = x - start + _equal(old_lines, new_lines, x, y, min(i_end - x, j_end - y))
            runs.append((start, mate, n))
            if a < start and b < mate:
                todo.append((a, start, b, mate))
            a, b = start + n, mate + n
        if pairs and a < i_end and b < j_end:
            todo.append((a, i_end, b, j_end))
    return _as_blocks(sorted(runs), old_whole, new_whole)


def _equal(old: list[str], new: list[str], i: int, j: int, most: int) -> int:
    """How many lines are equal from `i` and `j` on. Slices are compared first: that is a hundred times faster."""
    n = 0
    while n + STEP <= most and old[i + n : i + n + STEP] == new[j + n : j + n + STEP]:
        n += STEP
    while n < most and old[i + n] == new[j + n]:
        n += 1
    return n


def _equal_back(old: list[str], new: list[str], i: int, j: int, most: int) -> int:
    """How many lines are equal before `i` and `j`."""
    n = 0
    while n + STEP <= most and old[i - n - STEP : i - n] == new[j - n - STEP : j - n]:
        n += STEP
    while n < most and old[i - n - 1] == new[j - n - 1]:
        n += 1
    return n


def _as_blocks(runs: list[tuple[int, int, int]], old_lines: list[str], new_lines: list[str]) -> list[Block]:
    old_places = list(accumulate(map(len, old_lines), initial=0))
    new_places = list(accumulate(map(len, new_lines), initial=0))
    out: list[Block] = []
    for i, j, n in runs:
        while n > 0:
            same = _equal(old_lines, new_lines, i, j, n)
            if same:
                _add(out, old_places[i], new_places[j], old_places[i + same] - old_places[i])
            i, j, n = i + same + 1, j + same + 1, n - same - 1
    return out


def _add(out: list[Block], start: int, mate: int, size: int) -> None:
    """A block, or the last one made longer."""
    if out and out[-1].old_end == start and out[-1].new_end == mate:
        out[-1] = Block(out[-1].old_start, out[-1].new_start, out[-1].size + size)
    else:
        out.append(Block(start, mate, size))
