"""Whether a passage is a table."""

import re

_BAR = re.compile(r"(?<!\|)\|(?!\|)")
"""A bar between cells; two in a row are an operator of a programming language."""

BARS = 2
"""Bars from which a line is a row: one stands in prose and in headings too ("Returns | Fernhill")."""

_TAG = re.compile(r"</?t[rdh](\s[^<>]*)?>", re.IGNORECASE)


def is_table(passage: str) -> bool:
    """Whether more than half of its lines that are not blank are rows of a table: two bars or more, or two cells or
    more between tabs, or an HTML tag of a row or cell.

    Half a row is no answer, so such a passage counts only where it is whole. The rule looks at lines alone, since
    a passage may begin and end inside of a table. Columns that are set with blanks are not seen: prose has those too.
    """
    lines = [line for line in passage.splitlines() if line.strip()]
    return 2 * sum(map(_is_row, lines)) > len(lines)


def _is_row(line: str) -> bool:
    cells = sum(bool(cell.strip()) for cell in line.split("\t"))
    return cells > 1 or len(_BAR.findall(line)) >= BARS or _TAG.search(line) is not None
