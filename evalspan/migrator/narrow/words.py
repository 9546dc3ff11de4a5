"""The terms by which words are compared: stems without case and diacritics, plain numbers, bigrams where nothing is
spaced.
"""

import re
import unicodedata
from collections.abc import Iterable

UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Tibetan, Burmese, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # kana, Han
)
"""Scripts that put no blanks between words."""

STEM = 6
"""Letters of a word that are compared: endings differ from question to answer ("discussed", "discussion"), and the
first letters carry most of a word in the languages that inflect at its end."""

_TOKEN = re.compile(rf"[{UNSPACED}]+|\d+(?:[.,]\d+)*|[^\W\d_{UNSPACED}]+")
_ASCII_TOKEN = re.compile(r"[a-z]+|\d+(?:[.,]\d+)*")
"""The same for lower-case ASCII, in half the time."""
_UNSPACED = re.compile(f"[{UNSPACED}]")
_THOUSANDS = re.compile(r"[.,](?=\d{3}(?!\d))")
_NOUGHTS = re.compile(r"[.,]0+$")


class _Bare(dict[int, int | None]):
    """Leaves combining marks out; filled as characters come up."""

    def __missing__(self, code: int) -> int | None:
        self[code] = bare = None if unicodedata.category(chr(code))[0] == "M" else code
        return bare


_BARE = _Bare()


def terms(text: str) -> list[str]:
    """In the order of the text, with every repetition."""
    if text.isascii():
        found = _ASCII_TOKEN.findall(text.lower())
    else:
        text = unicodedata.normalize("NFKD", text.casefold()).translate(_BARE)
        found = _TOKEN.findall(text)
        if _UNSPACED.search(text):
            found = [part for run in found for part in _pairs(run)]
    return [term[:STEM] if term[0] > "9" else _number(term) for term in found]


def terms_in(texts: Iterable[str]) -> frozenset[str]:
    """The different terms of some texts."""
    return frozenset(term for text in texts for term in terms(text))


def is_unspaced(character: str) -> bool:
    """Whether it is of a script that puts no blanks between words."""
    return character > "\u0dff" and _UNSPACED.match(character) is not None


def _pairs(run: str) -> list[str]:
    if not is_unspaced(run[0]):
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _number(term: str) -> str:
    """1,577.00 as 1577."""
    return term if term.isalnum() else _NOUGHTS.sub("", _THOUSANDS.sub("", term))
