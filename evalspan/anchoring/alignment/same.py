"""Whether two readings of a passage still say the same: its numbers, negations and names."""

import re
from functools import lru_cache
from unicodedata import normalize

from evalspan.anchoring.alignment.breaks import SENTENCE, pause_before
from evalspan.anchoring.negation import NEGATING_SIGNS, NEGATIONS
from evalspan.anchoring.numerals import NUMBER_WORDS, as_digits, numerals
from evalspan.anchoring.words import words_of

_NUMBERS = re.compile(
    r"[-−$€£¥\d](?:(?<=\d)\d*|(?<=[$€£¥])\d+|(?<=[-−])(?<![\w)\]].)[$€£¥]?\d+)(?:[.,:/]\d+)*[%‰]?", re.DOTALL
)
"""Numbers with their sign, currency and per cent. The first character is given without alternatives, and only what it
is decides how to go on: eight times faster."""

_COMPARISONS = re.compile(
    r"[<>!=≤≥≠±](?:(?<=\w.)|(?<=\w[ ].))(?:(?<=[<>!=])=|(?<=[<>≤≥≠±]))(?= ?\w)",
    re.DOTALL,
)
"""Between two words. The sign is given first, so that others are passed over: three times faster."""

_COMPARING = "<>=≤≥≠±"
"""Signs of which every comparison has one."""

_SAYS = dict(zip(NEGATIONS, NEGATIONS, strict=True)) | NUMBER_WORDS
"""Word → what it says: a negation itself, a number word its number."""


def has_the_same_numbers(old: str, new: str) -> bool:
    """In digits, with the same signs; all that two texts of the same letters can differ in."""
    return sorted(_numbers(old)) == sorted(_numbers(new))


def _numbers(text: str) -> list[str]:
    found: list[str] = _NUMBERS.findall(text)
    if not "".join(found).isascii():
        found = list(map(as_digits, found))
    if any(map(text.__contains__, _COMPARING)):
        found += _COMPARISONS.findall(text)
    return found


@lru_cache(1)
def says_the_same(old: str, new: str) -> bool:
    """Numbers, negations and names are the same in both, in whatever order. The last answer is kept: it is asked for
    twice where a passage was sought elsewhere in vain."""
    old, new = normalize("NFC", old), normalize("NFC", new)
    old_numbers, new_numbers = sorted(_numbers(old)), sorted(_numbers(new))
    if old_numbers != new_numbers and len(old_numbers) == len(new_numbers):
        return False  # before the words are looked at: none of these came to be written in words
    here, there = words_of(old), words_of(new)
    return sorted(old_numbers + _said(old, here)) == sorted(new_numbers + _said(new, there)) and has_the_same_names(
        old, here, new, there
    )


def numbers_and_negations(text: str, words: list[str]) -> list[str]:
    """Of a text in NFC and its words, sorted."""
    return sorted(_numbers(text) + _said(text, words))


def _said(text: str, words: list[str]) -> list[str]:
    """The negations, and the numbers that are not written in digits."""
    found = list(map(_SAYS.__getitem__, filter(_SAYS.__contains__, map(str.casefold, words))))
    found += _negating_signs(text)
    return found if text.isascii() else found + numerals(text)


def negations(text: str, words: list[str]) -> list[str]:
    """Of a text in NFC and its words, sorted."""
    return sorted([*filter(NEGATIONS.__contains__, map(str.casefold, words)), *_negating_signs(text)])


def _negating_signs(text: str) -> list[str]:
    found = ["not"] * (text.count("n't") + text.count("n’t"))
    return found if text.isascii() else found + NEGATING_SIGNS.findall(text)


def has_the_same_names(old: str, old_words: list[str], new: str, new_words: list[str]) -> bool:
    """Of two texts and their words. Names are words with a capital that do not begin a sentence, and which do not occur
    at all in the other text."""
    here, there = set(old_words), set(new_words)
    return not (_names(here - there, old, there) or _names(there - here, new, here))


def _names(candidates: set[str], text: str, other: set[str]) -> bool:
    """Whether one of the words, none of which the other text has in this form, is a name the other text lacks."""
    capital = [word for word in candidates if len(word) > 1 and word[0] != word[0].lower()]
    if not capital:
        return False
    folded = set(map(str.casefold, other))
    return any(word.casefold() not in folded and _stands_within(word, text) for word in capital)


def _stands_within(word: str, text: str) -> bool:
    """Whether a word also stands elsewhere than at the beginning of a sentence."""
    at = text.find(word)
    while at >= 0:
        if pause_before(text, at) < SENTENCE:
            return True
        at = text.find(word, at + len(word))
    return False
