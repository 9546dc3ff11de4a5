"""A text in NFC with line ends as LF, and the way there and back for offsets."""

import unicodedata
from bisect import bisect_left
from functools import cached_property

from evalspan.errors import NoSuchOffset

UNIT = "NFC code point"


def canonical(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")


class Canonical:
    """`text` is the canonical form of the source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.text = canonical(source)

    @cached_property
    def _same(self) -> bool:
        return self.text == self.source

    def offset(self, at: int) -> int:
        """Of a source offset. Raises NoSuchOffset for one inside what becomes one character."""
        if self._same:
            return at
        before = canonical(self.source[:at])
        if before + canonical(self.source[at:]) != self.text:
            raise NoSuchOffset(at, "code point")
        return len(before)

    def source_offset(self, at: int) -> int:
        """The way back. Raises NoSuchOffset; between several source offsets of one, the first that is no place inside a
        character.
        """
        if self._same:
            if at > len(self.source):
                raise NoSuchOffset(at, UNIT)
            return at
        places = range(len(self.source) + 1)
        first = bisect_left(places, at, key=lambda place: len(canonical(self.source[:place])))
        for place in places[first:]:
            before = canonical(self.source[:place])
            if len(before) != at:
                break
            if before + canonical(self.source[place:]) == self.text:
                return place
        raise NoSuchOffset(at, UNIT)
