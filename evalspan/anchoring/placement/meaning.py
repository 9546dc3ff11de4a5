"""Whether two forms of a passage still say the same: numbers, negation, names."""

import re
from collections import Counter
from typing import NamedTuple
from unicodedata import normalize

from rapidfuzz.fuzz import ratio

from evalspan.anchoring.negation import NEGATING_SIGNS, NEGATIONS
from evalspan.anchoring.numerals import NUMBER_WORDS, numerals
from evalspan.anchoring.words import WORD
from evalspan.text.readings import folded

_HYPHENATED = re.compile(r"(?<=\w)[-\u00ad\u2010]\s*\n\s*(?=\w)")
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*")
_TOKEN = re.compile(rf"{_NUMBER.pattern}|{WORD}")

LIKE = 60.0
"""Share of equal letters, of 100, from which one word is another with a slip in it."""


class Difference(NamedTuple):
    """The words and numbers that stand in one of two passages only."""

    lost: list[str]
    new: list[str]

    @property
    def numbers(self) -> tuple[set[str], set[str]]:
        lost, new = ({token for token in side if token[-1].isdigit()} for side in self)
        return lost - new, new - lost

    @property
    def names(self) -> tuple[set[str], set[str]]:
        """Capitalised words of one that the other has in no form."""
        lost, new = ({token.casefold() for token in side} for side in self)
        return (
            {low for t in self.lost if t[0].isupper() and len(t) > 1 and (low := t.casefold()) not in new},
            {low for t in self.new if t[0].isupper() and len(t) > 1 and (low := t.casefold()) not in lost},
        )

    @property
    def number_words(self) -> tuple[list[str], list[str]]:
        """Their values, sorted."""
        lost, new = (sorted(filter(None, map(NUMBER_WORDS.get, map(str.casefold, side)))) for side in self)
        return lost, new

    @property
    def negations(self) -> tuple[int, int]:
        return _negations(self.lost), _negations(self.new)


def difference(quote: str, passage: str) -> Difference:
    """What only one of the two has, counted."""
    one, other = _joined(quote).split(), _joined(passage).split()
    here, there = set(one), set(other)
    lost, new = [word for word in one if word not in there], [word for word in other if word not in here]
    # Only words that are not in both, punctuation and all, need a closer look; and those that are not as often in both.
    both = sorted(word for word in one if word in there), sorted(word for word in other if word in here)
    if both[0] != both[1]:
        counts = Counter(both[0]), Counter(both[1])
        lost += (counts[0] - counts[1]).elements()
        new += (counts[1] - counts[0]).elements()
    return Difference(_TOKEN.findall(" ".join(lost)), _TOKEN.findall(" ".join(new)))


def _joined(text: str) -> str:
    return _HYPHENATED.sub("", text) if "\n" in text else text


def same_meaning(quote: str, passage: str) -> bool:
    """Whether numbers, negation and names agree."""
    quote, passage = normalize("NFC", quote), normalize("NFC", passage)
    found = difference(quote, passage)
    if any(found.numbers) or any(found.names) or found.negations[0] != found.negations[1]:
        return False
    if found.number_words[0] != found.number_words[1] or Counter(numerals(quote)) != Counter(numerals(passage)):
        return False
    return len(NEGATING_SIGNS.findall(quote)) == len(NEGATING_SIGNS.findall(passage))


def same_numbers(quote: str, passage: str) -> bool:
    """Whether the digits agree, where the letters are known to; white space between digits is not looked at."""
    return _NUMBER.findall(folded(_joined(quote))) == _NUMBER.findall(folded(_joined(passage)))


def replaced_names(quote: str, passage: str) -> bool:
    """Whether a name or number of the quote stands there as quite another: the mark of a lookalike."""
    found = difference(quote, passage)
    if all(found.numbers):
        return True
    lost, new = found.names
    return bool(new) and any(max(ratio(a, b) for b in new) < LIKE for a in lost)


def _negations(tokens: list[str]) -> int:
    return sum(token.casefold() in NEGATIONS or token[-3:].casefold() in ("n't", "n’t") for token in tokens)
