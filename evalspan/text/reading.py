"""A text without its white space, with the way back."""

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate

from evalspan.spans import Span

_BLANKS = re.compile(r"(\s+)")


def squash(text: str) -> str:
    """All non-blank characters, in order."""
    return "".join(text.split())


class Reading:
    """`squashed` holds the non-blank characters of `text`; positions in it are called marks."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.squashed = squash(text)

    @cached_property
    def _words(self) -> tuple[list[int], list[int]]:
        """Where each word begins: in the text, and in the squashed one (one more entry, its length)."""
        lengths = list(map(len, _BLANKS.split(self.text)))  # word, blanks, word, …; the outer words may be empty
        places = list(accumulate(lengths, initial=0))
        return places[0:-1:2], list(accumulate(lengths[::2], initial=0))

    def raw(self, begin: int, end: int) -> Span:
        """The range of the text from the mark `begin` to just behind the mark `end - 1` (begin < end)."""
        return Span(self._raw(begin), self._raw(end - 1) + 1)

    def _raw(self, mark: int) -> int:
        starts, marks = self._words
        word = bisect_right(marks, mark) - 1
        return starts[word] + mark - marks[word]

    def mark(self, offset: int) -> int:
        """How many non-blank characters stand before `offset`."""
        starts, marks = self._words
        word = bisect_left(starts, offset) - 1
        if word < 0:
            return 0
        return min(marks[word] + offset - starts[word], marks[word + 1])
