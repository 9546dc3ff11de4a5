"""Columns of a table, laid out for a width: no cell is cut, and what finds no room stands on a further line."""

from collections.abc import Collection, Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

GAP = 2
"""Blanks between two columns."""

INDENT = "  "
"""Before the further lines of a row."""

LEAST = 20
"""Places that a column of long texts gets at least: three words or so. With less it is set on a line of its own."""


class Layout(NamedTuple):
    """A table as lines."""

    header: list[str]
    """Several lines, where a row takes several."""
    rows: list[str]


class _Column(NamedTuple):
    at: int
    width: int


def laid_out(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Collection[int],
    long: Collection[int],
    width: int | None = None,
) -> Layout:
    """`right`: numbers of the columns that are set flush right; `long`: of those that give way where the table is wider
    than `width` places. All others keep their width, so that ids and versions can be copied. None: as wide as it takes.
    """
    naturals = [max(map(places, column)) for column in zip(headers, *rows, strict=True)]
    lines = _broken(naturals, long, width)

    def row(cells: Sequence[str]) -> list[str]:
        out = []
        for number, columns in enumerate(lines):
            parts = [_folded(cells[at], size) for at, size in columns]
            for depth in range(max(map(len, parts))):
                padded = [
                    _pad(part[depth] if depth < len(part) else "", size, at in right)
                    for part, (at, size) in zip(parts, columns, strict=True)
                ]
                text = (INDENT if number else "") + (" " * GAP).join(padded).rstrip()
                if text.strip() or not number:
                    out.append(text)
        return out

    return Layout(row(headers), [line for cells in rows for line in row(cells)])


def _broken(naturals: Sequence[int], long: Collection[int], width: int | None) -> list[list[_Column]]:
    """The columns of each line of a row, in their order."""
    if width is None:
        return [[_Column(at, natural) for at, natural in enumerate(naturals)]]
    lines: list[list[_Column]] = [[]]
    for at, natural in enumerate(naturals):
        least = min(natural, LEAST) if at in long else natural
        if lines[-1] and _taken(lines[-1]) + GAP + least > _room(lines, width):
            lines.append([])
        lines[-1].append(_Column(at, max(1, min(least, _room(lines, width)))))
    return [
        _widened(columns, naturals, _room(lines[: number + 1], width) - _taken(columns))
        for number, columns in enumerate(lines)
    ]


def _room(lines: Sequence[object], width: int) -> int:
    """Of the last of these lines."""
    return width - (len(INDENT) if len(lines) > 1 else 0)


def _taken(columns: Sequence[_Column]) -> int:
    return sum(column.width for column in columns) + GAP * (len(columns) - 1)


def _widened(columns: Sequence[_Column], naturals: Sequence[int], left: int) -> list[_Column]:
    """What is left of the line goes to its long columns, the first ones first."""
    out = []
    for column in columns:
        more = max(0, min(left, naturals[column.at] - column.width))
        left -= more
        out.append(column._replace(width=column.width + more))
    return out


def places(text: str) -> int:
    """How many a terminal gives it: two for each wide character."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int, right: bool) -> str:
    blanks = " " * (width - places(text))
    return blanks + text if right else text + blanks


def _folded(text: str, width: int) -> list[str]:
    """Lines of at most so many places, broken at blanks where that can be."""
    lines = []
    while places(text) > width:
        cut = _fitting(text, width)
        blank = text.rfind(" ", 0, cut + 1)
        if blank > 0:
            cut = blank
        lines.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*lines, text]


def _fitting(text: str, width: int) -> int:
    """How many of its characters fit, one at least."""
    taken = 0
    for count, character in enumerate(text):
        taken += places(character)
        if taken > width:
            return max(1, count)
    return len(text)
