"""Widening readings of a text: what two forms of one passage have in common, each with the exact way back.

Each reading folds character by character, then leaves out what it turned into blanks:

- folded: compatibility forms, case, quotes, dashes; invisible characters gone: ``“Oﬃce—İ”`` reads ``"office-i"``.
- letters: of that, letters and digits with their combining marks. A hyphen at a line's end is so read both ways.
- unlinked, plain: of that, without link targets; and without tags and entities too, as a page shows it.

Nearly every character folds to one character. The few that do not ("ß", "ﬁ", "e" + U+0301) are atoms: their folded
characters all lead back to the whole atom, so that no range ever begins or ends inside a character.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import accumulate

from evalspan.spans import Span
from evalspan.text.reading import Reading, squash

_SINGLE = dict.fromkeys("‘’‚‛ʼʹ′`´＇", "'")
_DOUBLE = dict.fromkeys("“”„‟«»″〝〞＂", '"')
_DASHES = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
_LETTERS = {"œ": "oe", "æ": "ae", "ı": "i", "ð": "d", "ø": "o", "ł": "l"}
_SIGNS = _SINGLE | _DOUBLE | _DASHES

TARGET = re.compile(r"\]\([^()]{0,500}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?\)")
"""A link's target. The bounds, here and below, keep one stray sign from reading a page to its end."""

MARKUP = re.compile(rf"{TARGET.pattern}|</?[A-Za-z][^<>]{{0,500}}>|&#?\w{{1,12}};")
"""A link's target, a tag, an entity."""


KEPT = 8
"""Forms kept at hand: one passage is asked for several times while its place is sought."""


class _Folding(dict[int, str]):
    """Code point → what it reads as; " " for what is left out. Filled as characters come up."""

    def __init__(self, letters_only: bool) -> None:
        self.letters_only = letters_only
        for code in range(128):  # so that ASCII text takes the interpreter's fast way
            self[code] = self.__missing__(code)

    def __missing__(self, code: int) -> str:
        form = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", chr(code)).casefold())
        form = "".join(map(self._one, form)).replace("i\u0307", "i") or " "
        if form.isspace():
            form = " "
        self[code] = form
        return form

    def _one(self, character: str) -> str:
        character = _SIGNS.get(character, character)
        character = _LETTERS.get(character, character)
        kind = unicodedata.category(character[0])
        if kind[0] in "CZ" and kind != "Co":
            return " "
        return " " if self.letters_only and kind[0] not in "LMN" else character


FOLDED = _Folding(letters_only=False)
LETTERS = _Folding(letters_only=True)


def fold(text: str, table: _Folding) -> str:
    """The folded form of `text` with blanks for what is left out, without the way back."""
    if not text.isascii() and not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    return text.translate(table).replace("i\u0307", "i")


@lru_cache(KEPT)
def folded(text: str) -> str:
    return squash(fold(text, FOLDED))


@lru_cache(KEPT)
def letters(text: str) -> str:
    return squash(fold(text, LETTERS))


def unlinked(text: str) -> str:
    return squash(fold(TARGET.sub(" ", text), LETTERS))


def plain(text: str) -> str:
    return squash(fold(MARKUP.sub(" ", text), LETTERS))


def _atom(cluster: str, table: _Folding) -> str:
    form = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", cluster).casefold())
    return form.translate(table).replace("i\u0307", "i")


def _composes(character: str) -> bool:
    """Whether it may melt with the character before it."""
    if character < "\u0300":
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    return bool(unicodedata.combining(first)) or "\u1161" <= first <= "\u11ff"


def _irregular(text: str, table: _Folding) -> tuple[re.Pattern[str] | None, set[str]]:
    """A pattern of the stretches of `text` that may not fold one to one, or None."""
    beyond = {character for character in set(text) if character > "\x7f"}
    wide = {character for character in beyond if len(table[ord(character)]) != 1}
    marks = {character for character in beyond if _composes(character)}
    if not wide and not marks:
        return None, wide
    parts = []
    if marks:
        joined = "".join(map(re.escape, sorted(marks)))
        parts.append(f"[^{joined}][{joined}]+")
    if wide:
        parts.append(f"[{''.join(map(re.escape, sorted(wide)))}]")
    return re.compile("|".join(parts), re.DOTALL), wide


class Folded:
    """A reading of a whole text. Positions in `squashed` are called marks."""

    def __init__(self, text: str, table: _Folding, without: re.Pattern[str] | None = None) -> None:
        pieces: list[str] = []
        """Regular stretch, atom, regular stretch, …"""
        sizes: list[int] = []
        at = 0
        for start, end, form in self._atoms(text, table, without):
            pieces += [text[at:start].translate(table), form]
            sizes += [start - at, end - start]
            at = end
        pieces.append(text[at:].translate(table))
        sizes.append(len(text) - at)
        self._starts = list(accumulate(sizes, initial=0))
        self._forms = list(accumulate(map(len, pieces), initial=0))
        self._inner = Reading("".join(pieces))
        self.squashed = self._inner.squashed

    @staticmethod
    def _atoms(text: str, table: _Folding, without: re.Pattern[str] | None) -> Iterator[tuple[int, int, str]]:
        pattern = None if text.isascii() else _irregular(text, table)[0]
        if without:
            pattern = re.compile(f"{without.pattern}|{pattern.pattern}", re.DOTALL) if pattern else without
        if pattern is None:
            return
        seen: dict[str, str | None] = {}
        for found in pattern.finditer(text):
            cluster = found.group()
            if cluster not in seen:
                form = " " if without and without.fullmatch(cluster) else _atom(cluster, table) or " "
                seen[cluster] = None if form == cluster.translate(table) and len(form) == len(cluster) else form
            known = seen[cluster]
            if known is not None:
                yield found.start(), found.end(), known

    def raw(self, begin: int, end: int) -> Span:
        """The range of the text from the mark `begin` to just behind the mark `end - 1` (begin < end)."""
        inner = self._inner.raw(begin, end)
        return Span(self._raw(inner.start)[0], self._raw(inner.end - 1)[1])

    def _raw(self, form: int) -> tuple[int, int]:
        """The range that a position of the folded form comes from."""
        piece = bisect_right(self._forms, form) - 1
        if piece % 2:
            return self._starts[piece], self._starts[piece + 1]
        at = self._starts[piece] + form - self._forms[piece]
        return at, at + 1

    def mark(self, offset: int) -> int:
        """How many characters of the reading come from before `offset`; an atom's all count from its start."""
        piece = max(0, bisect_left(self._starts, offset) - 1)
        if piece % 2:
            return self._inner.mark(self._forms[piece + 1])
        return self._inner.mark(self._forms[piece] + offset - self._starts[piece])


class Readings:
    """All readings of one text, each built when it is first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def ink(self) -> Reading:
        return Reading(self.text)

    @cached_property
    def folded(self) -> Folded:
        return Folded(self.text, FOLDED)

    @cached_property
    def letters(self) -> Folded:
        return Folded(self.text, LETTERS)

    @cached_property
    def unlinked(self) -> Folded:
        return Folded(self.text, LETTERS, TARGET)

    @cached_property
    def plain(self) -> Folded:
        return Folded(self.text, LETTERS, MARKUP)
