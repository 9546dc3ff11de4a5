"""Readings of a text that keep the way back to its code points."""

from evalspan.text.bad import find_bad_character, replace_bad_characters
from evalspan.text.ink import Ink
from evalspan.text.reading import Reading

__all__ = ["Ink", "Reading", "find_bad_character", "replace_bad_characters"]
