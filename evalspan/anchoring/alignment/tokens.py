"""Words of a text as numbers, with their places: what two versions are compared by below the line."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from itertools import accumulate
from operator import add

_APART = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u2e80-\u2fff\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han, kana, bopomofo
)
"""Scripts written without blanks between words: each character is a token of its own."""

_SIGNS = (
    r"!-/:-@\[-`{-~\u00a1-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7"
    r"\u060c\u061b\u061f\u06d4\u0964\u0965\u2010-\u206f\u20a0-\u20bf\u2190-\u2bff"
    r"\u3000-\u303f\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    r"\ufffd\U0001f000-\U0001faff"
)
"""Punctuation, symbols, emoji: a token each. A word is named by what it is not, because `\\w` leaves out the combining
marks and would cut Indic words in the middle."""

_TAIL = r"(?:\u200d[^\s\u200d]|[\u0300-\u036f\ufe00-\ufe0f\u20d0-\u20ff\U0001f3fb-\U0001f3ff])*"
"""What belongs to the sign before it: joined emoji, skin tones, variation selectors, accents."""

_PIECES = re.compile(
    rf"(?:[^\s{_SIGNS}{_APART}]++|[{_APART}][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a\ufe00-\ufe0f]*|\S{_TAIL})\s*+"
)
"""A token and the blanks behind it: half as many pieces as with blanks apart, and no gap between them, so that the
lengths give the places."""

_ASCII_PIECES = re.compile(r"[a-z0-9]++\s*+|\S\s*+", re.ASCII)
"""The same of lower-case ASCII, twice as fast."""

is_apart = re.compile(f"[{_APART}]").match


_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
"""Soft hyphen, zero-width marks, byte order mark: no part of a word."""


class Words(dict[str, int]):
    """A number for each word; those that differ only in case or Unicode form have one."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[str] = []
        """Of each number: the word, without case."""

    def __missing__(self, word: str) -> int:
        if word.isascii():
            form = word.lower()
        else:
            form = unicodedata.normalize("NFKC", word).casefold()
            if not form.isalnum():
                form = _UNSEEN.sub("", form)
        number = None if form == word else self.get(form)
        if number is None:
            number = self[form] = len(self.forms)
            self.forms.append(form)
        self[word] = number
        return number


def is_sign(form: str) -> bool:
    """Whether a word holds neither a letter nor a digit."""
    return not form.isalnum() and not any(map(str.isalnum, form))


class Tokens:
    """The tokens of one range of a text. `starts` and `ends` are offsets in the whole text."""

    __slots__ = ("ends", "ids", "starts")

    def __init__(self, text: str, start: int, end: int, words: Words) -> None:
        while start < end and text[start].isspace():
            start += 1
        part = text[start:end]
        pieces = _ASCII_PIECES.findall(part.lower()) if part.isascii() else _PIECES.findall(part)
        bare = list(map(str.rstrip, pieces))
        self.ids: list[int] = list(map(words.__getitem__, bare))
        self.starts: list[int] = list(accumulate(map(len, pieces), initial=start))
        self.starts.pop()
        self.ends: list[int] = list(map(add, self.starts, map(len, bare)))

    def part(self, begin: int, end: int) -> "Tokens":
        """Some of them, by their numbers."""
        part = Tokens.__new__(Tokens)
        part.ids, part.starts, part.ends = self.ids[begin:end], self.starts[begin:end], self.ends[begin:end]
        return part

    def between(self, start: int, end: int) -> tuple[int, int]:
        """The numbers of the tokens that lie in a range, wholly or in part."""
        return bisect_right(self.ends, start), bisect_left(self.starts, end)
