"""The terms by which words are compared: stems without case and diacritics, plain numbers, bigrams where nothing is
spaced.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Tibetan, Burmese, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # kana, Han
)
"""Scripts that put no blanks between words."""

STEM = 6
"""Letters of a word that are compared: endings differ from question to answer ("discussed", "discussion"), and the
first letters carry most of a word in the languages that inflect at its end."""

BREAK = "\x7f"
"""Stands between the terms of texts that are read in one go: one long text takes less time than many short ones."""

FEW = 24
"""Different characters beyond ASCII (quotes, dashes, a few accents) up to which replacing one after another is quicker
than a pass over the text character by character."""

_TOKEN = re.compile(rf"[{UNSPACED}]+|\d+(?:[.,]\d+)*|[^\W\d_{UNSPACED}]+|{BREAK}")
_ASCII_TOKEN = re.compile(rf"[a-zA-Z]+|[0-9]+(?:[.,][0-9]+)*|{BREAK}")
"""The same for ASCII, in half the time."""
_UNSPACED = re.compile(f"[{UNSPACED}]")
_THOUSANDS = re.compile(r"[.,](?=\d{3}(?!\d))")
_NOUGHTS = re.compile(r"[.,]0+$")
_ASCII = bytes(range(128))


class _Bare(dict[int, int | None]):
    """Leaves combining marks out; filled as characters come up."""

    def __missing__(self, code: int) -> int | None:
        self[code] = bare = None if unicodedata.category(chr(code))[0] == "M" else code
        return bare


class _Plain(dict[str, str]):
    """What is left of a character without compatibility forms and marks; a blank where that belongs to no term."""

    def __missing__(self, character: str) -> str:
        form = unicodedata.normalize("NFKD", character).translate(_BARE)
        self[character] = form = form if form.isascii() or _TOKEN.search(form) else " "
        return form


_BARE = _Bare()
_PLAIN = _Plain()


class FoldedText:
    """Several texts that are read in one go."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._folded = _fold("".join([text.replace(BREAK, " ") + BREAK for text in texts]))
        self._unsigned = _unsigned(self._folded)

    def may_have(self, term: str) -> bool:
        """False only where they have not; much cheaper than to find the terms."""
        return _unsigned(term) in self._unsigned

    def terms(self) -> list[str]:
        """The terms of each text, and a BREAK behind them."""
        return _terms(_tokens(self._folded))


def terms(text: str) -> list[str]:
    """In the order of the text, with every repetition."""
    return _terms(_tokens(_fold(text.replace(BREAK, " "))))


def count_terms(text: str) -> dict[str, int]:
    """How often each term stands in a text."""
    tokens = Counter(_tokens(_fold(text.replace(BREAK, " "))))
    counts: dict[str, int] = {}
    for term, count in zip(_terms(tokens), tokens.values(), strict=True):
        counts[term] = counts.get(term, 0) + count
    return counts


def terms_in(texts: Iterable[str]) -> list[str]:
    """The different terms of some texts, in their order: sums over them are the same in every process."""
    return list(dict.fromkeys(term for text in texts for term in terms(text)))


def is_unspaced(character: str) -> bool:
    """Whether it is of a script that puts no blanks between words."""
    return character > "\u0dff" and _UNSPACED.match(character) is not None


def _fold(text: str) -> str:
    """As its terms are spelt; every term's letters or digits stand in it side by side, but for signs in a number."""
    return text.lower() if text.isascii() else _plain(text.casefold())


def _unsigned(text: str) -> str:
    return text.replace(",", "").replace(".", "")


def _tokens(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    found = _TOKEN.findall(text)
    return [part for run in found for part in _pairs(run)] if _UNSPACED.search(text) else found


def _terms(tokens: Iterable[str]) -> list[str]:
    return [
        token[:STEM] if token[0] > "9" else token if token.isdecimal() else _number(token) for token in tokens
    ]


def _plain(text: str) -> str:
    beyond = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    characters = set(beyond)
    if len(characters) > FEW:
        return unicodedata.normalize("NFKD", text).translate(_BARE)
    for character in characters:
        text = text.replace(character, _PLAIN[character])
    return text


def _pairs(run: str) -> list[str]:
    if not is_unspaced(run[0]):
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _number(term: str) -> str:
    """1,577.00 as 1577."""
    return _NOUGHTS.sub("", _THOUSANDS.sub("", term))
