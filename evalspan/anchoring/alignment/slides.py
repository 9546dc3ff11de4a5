"""Which of several equal readings of an insertion or a deletion: the one that begins where the text pauses."""

from typing import Protocol

from evalspan.anchoring.alignment.breaks import pause_before
from evalspan.anchoring.alignment.seeds import Run


class Row(Protocol):
    """Words by number, and where they begin."""

    ids: list[int]
    starts: list[int]


def slid(runs: list[Run], old: Row, new: Row, old_text: str, new_text: str) -> list[Run]:
    """Where words were only put in (or only taken out) between two runs, and the first of them equals the word behind
    them, or the last the word before, the same edit reads in several ways: of "a. b." before "c." as "[a. ]b." or
    "a[. b]."."""
    out = runs[:1]
    for two in runs[1:]:
        one = out[-1]
        i, j = one.i + one.n, one.j + one.n
        if i == two.i and j < two.j:
            step = _step(new.ids, j, two.j, one.n, two.n, new, new_text)
        elif j == two.j and i < two.i:
            step = _step(old.ids, i, two.i, one.n, two.n, old, old_text)
        else:
            step = 0
        if step:
            out[-1] = Run(one.i, one.j, one.n + step)
            two = Run(two.i + step, two.j + step, two.n - step)
            if not out[-1].n:
                out.pop()
        if two.n:
            out.append(two)
    return out


def _step(ids: list[int], start: int, end: int, before: int, behind: int, tokens: Row, text: str) -> int:
    """By how many words the stretch from `start` to `end` is best moved."""
    left = 0
    while left < before and ids[start - 1 - left] == ids[end - 1 - left]:
        left += 1
    right = 0
    while right < behind and ids[start + right] == ids[end + right]:
        right += 1
    if not left and not right:
        return 0
    starts = tokens.starts

    if right == behind:  # nothing is left of the second run: one piece less
        return right
    if left == before:
        return -left

    # words and closing marks go with what precedes them: of equal pauses the last
    def rank(step: int) -> tuple[int, int]:
        cut = pause_before(text, starts[start + step])
        if end + step < len(starts):
            cut += pause_before(text, starts[end + step])
        return cut, step

    return max(range(-min(left, 64), min(right, 64) + 1), key=rank)
