"""What stood before and after a passage: how much of it stands around a place, and where it stands itself."""

from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from evalspan.anchoring.placement.ladder import Document
from evalspan.anchoring.placement.similar import BRIDGE
from evalspan.anchoring.placement.site import SHORT
from evalspan.anchoring.search import occurrences
from evalspan.spans import Span
from evalspan.text.readings import folded, letters

TELLING = 2 * SHORT
"""Letters of the context next to the passage that are looked for by themselves: some four words, which rarely occur
twice in a document."""

PLACES = 8
"""Places of the context looked at: what stands in more tells nothing."""


class Agreement(NamedTuple):
    """Characters of the context, in order outwards, that stand around a place."""

    left: int
    right: int

    @property
    def total(self) -> int:
        return self.left + self.right


class Context:
    """The given prefix and suffix of one quote."""

    def __init__(self, prefix: str, suffix: str, document: Document) -> None:
        self.document = document
        self.left, self.right = folded(prefix), folded(suffix)
        self._prefix, self._suffix = letters(prefix), letters(suffix)

    @property
    def given(self) -> int:
        return len(self.left) + len(self.right)

    def around(self, span: Span) -> Agreement:
        """How much of it stands around the span."""
        text = self.document.text
        before = folded(text[max(0, span.start - 4 * len(self.left) - 8) : span.start])
        after = folded(text[span.end : span.end + 4 * len(self.right) + 8])
        return Agreement(_agreeing(self.left[::-1], before[::-1]), _agreeing(self.right, after))

    def share(self, agreement: Agreement) -> tuple[float, float]:
        """The same as shares of what was given; a side that was not given has none."""
        left = agreement.left / len(self.left) if self.left else 0.0
        right = agreement.right / len(self.right) if self.right else 0.0
        return left, right

    def windows(self, size: int) -> list[tuple[int, int, bool]]:
        """Where a passage of `size` letters would stand by its context, as marks of the letters: (begin, end, both
        sides found). Empty windows say that the context is there and the passage is not."""
        text = self.document.readings.letters.squashed
        ends = [at + len(form) for form in [self._prefix[-TELLING:]] for at in _told(form, text)]
        begins = _told(self._suffix[:TELLING], text)
        reach = 2 * size + 2 * BRIDGE
        out: list[tuple[int, int, bool]] = []
        for end in ends:
            behind = [begin for begin in begins if 0 <= begin - end <= reach]
            out += [(end, begin, True) for begin in behind[:1]] or [(end, min(len(text), end + reach), False)]
        met = {end for _, end, both in out if both}
        out += [(max(0, begin - reach), begin, False) for begin in begins if begin not in met]
        return out


def _told(form: str, text: str) -> list[int]:
    found = occurrences(form, text, PLACES + 1) if len(form) >= SHORT else []
    return found if len(found) <= PLACES else []


def _agreeing(given: str, there: str) -> int:
    """How much of the given context is there, read outwards: to the first difference, or with slips that cost twice."""
    count = 0
    for a, b in zip(given, there, strict=False):
        if a != b:
            break
        count += 1
    if count < len(given):
        slips = Levenshtein.distance(given, there[: len(given)])
        return max(count, len(given) - 2 * slips)
    return count
