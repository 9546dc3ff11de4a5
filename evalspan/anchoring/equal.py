"""Passages that stand elsewhere too, equal up to white space.

A text is read without its blanks and laid out in blocks of equal size. Any stretch of twice a block's size, less one,
holds a whole block wherever it stands; so of each passage one such stretch is kept, in every phase, and a text costs
one look-up a block, however many passages there are and however they are written: no words are needed.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from evalspan.anchoring.alignment.tokens import is_apart
from evalspan.spans import Span
from evalspan.text.reading import Reading, squash

TELLING = 16
"""Columns of letters and digits from which a passage is looked for: a short sentence ("The fee is five pounds."), or a
row of a table with its figures. A year, a name, an answer of two or three words stand in many places that answer other
questions. Wide characters (Han, kana, Hangul) take two columns, as on a screen: one says about as much as two or three
letters."""

BLOCKS = (32, 16, 8, 4)
"""Sizes of blocks, in characters; of each passage the largest that it holds in every phase. A smaller one costs more
look-ups and is met more often by chance, a larger one saves nothing against reading the text. The shortest telling
passage has eight wide characters, so that it holds one of four."""

STRETCHES = 4
"""Stretches of a passage among which the one that other passages share least is chosen: chunks of one document may all
begin with its title, or end with its footer."""


class Equal(NamedTuple):
    """A place that holds a passage."""

    number: int
    """Of the passage, in the order given, from 0."""
    span: Span
    """Code points of the text read; no blanks at its ends."""


class _Kept(NamedTuple):
    """Of a passage without its blanks."""

    start: int
    """Of its chosen stretch."""
    numbers: list[int]
    """Of the passages that read so."""


class EqualPassages:
    """Finds given passages in one text after another. Can be pickled, so that processes can share the texts."""

    def __init__(self, passages: Iterable[str]) -> None:
        """Blank passages, and those of fewer than TELLING columns, are never found."""
        numbers: dict[str, list[int]] = {}
        for number, passage in enumerate(passages):
            key = squash(passage)
            if is_telling(key):
                numbers.setdefault(key, []).append(number)
        starts = _chosen_stretches(numbers)
        self._kept = {key: _Kept(start, numbers[key]) for key, start in starts.items()}
        self._blocks = _blocks(starts)

    def find(self, text: str) -> list[Equal]:
        """Every place of every passage, by passage and then by place; of places of one passage that overlap the first.

        A passage's own place is among them. A place that begins or ends within a word or number of the text says
        something else ("able to pay …" in "unable to pay …") and is left out, in scripts that set words apart.
        """
        reading = Reading(text)
        free: dict[int, int] = {}
        found: list[Equal] = []
        for begin, length, numbers in self._places(reading.squashed):
            if begin < free.get(numbers[0], 0):
                continue
            span = reading.raw(begin, begin + length)
            if _goes_on(text, span.start) or _goes_on(text, span.end):
                continue
            free[numbers[0]] = begin + length
            found += [Equal(number, span) for number in numbers]
        return sorted(found)

    def _places(self, squashed: str) -> Iterator[tuple[int, int, list[int]]]:
        """Where passages begin, their lengths and numbers; of one passage, each place once and ascending."""
        kept_of = self._kept.get
        for size, blocks in self._blocks.items():
            known = blocks.get
            places = range(0, len(squashed) - size + 1, size)
            for at, within in [(at, within) for at in places if (within := known(squashed[at : at + size]))]:
                for offset, length in within:
                    begin = at - offset
                    if not 0 <= begin <= len(squashed) - length:
                        continue
                    kept = kept_of(squashed[begin : begin + length])
                    # a block of another stretch of the same passage is left to that stretch
                    if kept and kept.start <= offset < kept.start + size:
                        yield begin, length, kept.numbers


def _chosen_stretches(keys: Iterable[str]) -> dict[str, int]:
    """Where the stretch of each passage begins that others share least."""
    shared: Counter[str] = Counter()
    for key in keys:
        shared.update({block for start in _stretches(key) for block in _phases(key, start)})
    return {
        key: min(_stretches(key), key=lambda start: sum(map(shared.__getitem__, _phases(key, start)))) for key in keys
    }


def _blocks(starts: Mapping[str, int]) -> dict[int, dict[str, list[tuple[int, int]]]]:
    """By size: block → where in a passage it stands, the largest offset first, and the passage's length.

    Passages are not named, so that ten thousand clauses of a form, of which all say nearly the same, cost one look-up.
    """
    seen: dict[int, dict[str, set[tuple[int, int]]]] = {}
    for key, start in starts.items():
        blocks = seen.setdefault(_size(key), {})
        for offset, block in enumerate(_phases(key, start), start):
            blocks.setdefault(block, set()).add((offset, len(key)))
    return {
        size: {block: sorted(within, reverse=True) for block, within in blocks.items()} for size, blocks in seen.items()
    }


def _size(key: str) -> int:
    return next(size for size in BLOCKS if 2 * size - 1 <= len(key))


def _stretches(key: str) -> list[int]:
    """Where up to STRETCHES stretches of twice the size, less one, begin: from the passage's first to its last."""
    room = len(key) - 2 * _size(key) + 1
    return sorted({room * number // (STRETCHES - 1) for number in range(STRETCHES)})


def _phases(key: str, start: int) -> list[str]:
    size = _size(key)
    return [key[at : at + size] for at in range(start, start + size)]


def is_telling(passage: str) -> bool:
    """Whether a passage is evidence by itself: it has TELLING columns of letters and digits."""
    return sum(_columns(character) for character in islice(filter(str.isalnum, passage), TELLING)) >= TELLING


def _columns(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _goes_on(text: str, at: int) -> bool:
    """Whether a word or a number stands on both sides of an offset."""
    if not 0 < at < len(text):
        return False
    before, behind = text[at - 1], text[at]
    if before in ".,":
        return behind.isdigit() and at > 1 and text[at - 2].isdigit()
    if behind in ".,":
        return before.isdigit() and text[at + 1 : at + 2].isdigit()
    return _is_of_word(before) and _is_of_word(behind) and not is_apart(before) and not is_apart(behind)


def _is_of_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"
