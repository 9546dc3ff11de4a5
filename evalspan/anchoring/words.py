"""The words of a text, to compare what is said by: in scripts that set words apart."""

import re

_INDIC = "".join(
    f"{chr(block)}-{chr(block + 3)}{chr(block + 0x3A)}-{chr(block + 0x63)}" for block in range(0x900, 0xD80, 128)
)
"""Vowel signs and the like of nine scripts whose blocks are laid out alike."""

_MARKS = rf"\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670{_INDIC}\u200c\u200d"
"""Part of a word, and no letters to `re`: accents, vowel points, joiners."""

WORD = rf"[^\W\d_]++(?:[{_MARKS}]++[^\W\d_]*+)*+(?:['’][^\W\d_]+)?"
"""A pattern."""

_WORDS = re.compile(WORD)
_ASCII_WORDS = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")


def words_of(text: str) -> list[str]:
    """In the order of the text, as they are written."""
    return (_ASCII_WORDS if text.isascii() else _WORDS).findall(text)
