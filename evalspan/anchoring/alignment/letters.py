"""The letters and digits of a text, without anything else, with the way back."""

import unicodedata
from bisect import bisect_right
from itertools import accumulate

from evalspan.spans import Span

_ALSO = {"œ": "oe", "æ": "ae", "Œ": "oe", "Æ": "ae", "ı": "i"}


class _Folds(dict[int, str]):
    """What of a character counts: letters, digits and marks, caseless and decomposed; of anything else nothing."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        form = unicodedata.normalize("NFKD", _ALSO.get(sign, sign)).casefold()
        kept = "".join(part for part in form if unicodedata.category(part)[0] in "LNM")
        if unicodedata.category(sign)[0] not in "LNM":
            kept = ""
        self[code] = kept
        return kept


_FOLDS = _Folds()


_OTHERS = bytes(code for code in range(128) if not chr(code).isalnum())


def letters(text: str) -> str:
    """Letters, digits and marks only, caseless, decomposed."""
    if text.isascii():  # twenty times faster
        return text.encode().translate(None, _OTHERS).decode().lower()
    return text.translate(_FOLDS)


class Letters:
    """`stream` holds the letters of `text`, which begins at `base` of a whole."""

    def __init__(self, text: str, base: int = 0) -> None:
        self.text, self.base = text, base
        self.stream = letters(text)
        self._places: list[int] | None = None

    def raw(self, begin: int, end: int) -> Span:
        """The range of the whole from the letter `begin` to behind the letter `end - 1`."""
        if self._places is None:
            self._places = list(accumulate(map(len, map(_FOLDS.__getitem__, map(ord, self.text)))))
        return Span(self.base + bisect_right(self._places, begin), self.base + bisect_right(self._places, end - 1) + 1)
