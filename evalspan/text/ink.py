"""How many non-blank characters a range of a text holds."""

from collections.abc import Iterable
from itertools import accumulate, pairwise


class Ink:
    """Counts non-blank characters between offsets that are named beforehand.

    A prefix sum over every character costs more than all else a migration does; the ranges asked for begin and end at
    few places, so each stretch between two neighbouring places is counted once.
    """

    def __init__(self, text: str, offsets: Iterable[int]) -> None:
        places = sorted({0, *offsets})
        counts = [len("".join(text[a:b].split())) for a, b in pairwise(places)]
        self.before: dict[int, int] = dict(zip(places, accumulate(counts, initial=0), strict=True))
        """Non-blank characters before each of the offsets."""

    def between(self, start: int, end: int) -> int:
        """`start` and `end` are among the offsets given, start <= end."""
        return self.before[end] - self.before[start]
