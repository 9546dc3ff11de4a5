"""The terms by which words are compared: stems without case and diacritics, plain numbers, bigrams where nothing is
spaced.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

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
_SPACED_TOKEN = re.compile(rf"[a-zA-Z\x80-\U0010ffff]+|[0-9]+(?:[.,][0-9]+)*|{BREAK}")
"""The same, in half the time, where every character beyond ASCII is a letter of a script that is spaced."""
_OTHER = re.compile(rf"(?![\0-\x7f])[\W\d_{UNSPACED}]")
"""What is beyond ASCII and no such letter."""
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
    """Several texts, read in one go."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._folded = _fold("".join([text.replace(BREAK, " ") + BREAK for text in texts]))
        self._unsigned = _unsigned(self._folded.text)

    def may_have(self, term: str) -> bool:
        """False only where none of them has it; much cheaper than to find the terms."""
        return _unsigned(term) in self._unsigned

    def terms(self) -> list[str]:
        """Of each text, and a BREAK behind them."""
        return _terms(_tokens(self._folded))


def terms(text: str) -> list[str]:
    """In the order of the text, with every repetition."""
    return _terms(_tokens(_fold(text.replace(BREAK, " "))))


def count_terms(text: str) -> dict[str, int]:
    """How often each term stands in a text; a long text has far fewer different tokens than tokens."""
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


class _Folded(NamedTuple):
    """A text in which each term's letters or digits stand side by side, but for the signs in a number."""

    text: str
    token: re.Pattern[str]


def _fold(text: str) -> _Folded:
    if text.isascii():
        return _Folded(text.lower(), _SPACED_TOKEN)
    text = text.casefold()
    beyond = set(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))
    if len(beyond) > FEW:
        return _Folded(unicodedata.normalize("NFKD", text).translate(_BARE), _TOKEN)
    for character in beyond:
        text = text.replace(character, _PLAIN[character])
    left = "".join([_PLAIN[character] for character in beyond])
    return _Folded(text, _TOKEN if _OTHER.search(left) else _SPACED_TOKEN)


def _unsigned(text: str) -> str:
    return text.replace(",", "").replace(".", "")


def _tokens(folded: _Folded) -> list[str]:
    text, token = folded
    found = token.findall(text)
    if token is _TOKEN and _UNSPACED.search(text):
        return [part for run in found for part in _pairs(run)]
    return found


def _terms(tokens: Iterable[str]) -> list[str]:
    return [token[:STEM] if token[0] > "9" else token if token.isdecimal() else _number(token) for token in tokens]


def _pairs(run: str) -> list[str]:
    if not is_unspaced(run[0]):
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _number(term: str) -> str:
    """1,577.00 as 1577."""
    return _NOUGHTS.sub("", _THOUSANDS.sub("", term))
