"""Offset units: code points, UTF-8 bytes, UTF-16 code units; and offsets counted from a parent's start.

Everything inside counts code points. What comes from elsewhere is converted once, at the door. An offset that lies
inside a character in its own unit is no place between two characters, and is refused rather than rounded.
"""

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum

from evalspan.errors import NoSuchOffset

ENOUGH = 0.5
"""Share of the places known otherwise that must agree before a unit or a base is believed: the rest are the wrong
twins and the drift that splitters are known for."""


class Unit(StrEnum):
    CODE_POINT = "code point"
    UTF8 = "utf-8 byte"
    UTF16 = "utf-16 code unit"


def require_code_points(offsets: Iterable[int], text: str, unit: Unit) -> list[int]:
    """The offsets in code points, in the order given; the first that is no place in the text raises NoSuchOffset."""
    offsets = list(offsets)
    found = find_code_points(offsets, text, unit)
    for offset, code_point in zip(offsets, found, strict=True):
        if code_point is None:
            raise NoSuchOffset(offset, unit)
    return [code_point for code_point in found if code_point is not None]


def find_code_points(offsets: Sequence[int | None], text: str, unit: Unit) -> list[int | None]:
    """The same with None for each that is None, inside a character, or outside the text."""
    if unit is Unit.CODE_POINT or text.isascii():
        return [offset if offset is not None and 0 <= offset <= len(text) else None for offset in offsets]
    width = 1 if unit is Unit.UTF8 else 2
    codec = "utf-8" if unit is Unit.UTF8 else "utf-16-le"
    data = text.encode(codec)
    known: dict[int, int | None] = {}
    at = count = 0
    for offset in sorted({offset for offset in offsets if offset is not None}):
        byte = offset * width
        if not 0 <= byte <= len(data) or _is_inside(data, byte, unit):
            known[offset] = None
            continue
        count += len(data[at:byte].decode(codec))
        at = byte
        known[offset] = count
    return [None if offset is None else known[offset] for offset in offsets]


def from_code_points(offsets: Sequence[int], text: str, unit: Unit) -> list[int]:
    """Code point offsets in another unit, in the order given."""
    for offset in offsets:
        if not 0 <= offset <= len(text):
            raise NoSuchOffset(offset, Unit.CODE_POINT)
    if unit is Unit.CODE_POINT or text.isascii():
        return list(offsets)
    known: dict[int, int] = {}
    at = count = 0
    for offset in sorted(set(offsets)):
        piece = text[at:offset]
        count += len(piece.encode("utf-8")) if unit is Unit.UTF8 else len(piece.encode("utf-16-le")) // 2
        at = offset
        known[offset] = count
    return [known[offset] for offset in offsets]


def detect_unit(reported: Sequence[int | None], true: Sequence[Collection[int]], text: str) -> Unit | None:
    """The unit in which most of the reported offsets are among the true ones (code points) of their passage; None where
    fewer than ENOUGH agree in any. Where several agree as well, the first of code points, bytes and code units.
    """
    asked = sum(offset is not None for offset in reported)
    best, agreeing = None, 0
    for unit in Unit:
        found = find_code_points(reported, text, unit)
        count = sum(offset is not None and offset in places for offset, places in zip(found, true, strict=True))
        if count > agreeing and count >= ENOUGH * asked:
            best, agreeing = unit, count
    return best


def find_bases(reported: Sequence[int | None], true: Sequence[int | None]) -> list[int | None]:
    """For each offset the start of the parent that it seems to be counted from: what the nearest offsets before and
    behind it, of which the true place is known, have been counted from, if both say the same. None where nothing does.
    """
    bases = [None if a is None or b is None or b < a else b - a for a, b in zip(reported, true, strict=True)]
    before = _carried(bases)
    behind = _carried(bases[::-1])[::-1]
    out: list[int | None] = []
    for previous, following in zip(before, behind, strict=True):
        agreed = previous == following or previous is None or following is None
        out.append((following if previous is None else previous) if agreed else None)
    return out


def _carried(bases: Sequence[int | None]) -> list[int | None]:
    """Each, or where it is None the last one before it."""
    out: list[int | None] = []
    for base in bases:
        out.append(out[-1] if base is None and out else base)
    return out


def _is_inside(data: bytes, byte: int, unit: Unit) -> bool:
    if byte >= len(data):
        return False
    if unit is Unit.UTF8:
        return data[byte] & 0xC0 == 0x80
    return data[byte + 1] & 0xFC == 0xDC
