"""What people decided about review items, from the JSON lines or the CSV that they filled in."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from evalspan.errors import Problems
from evalspan.formats.files import reading
from evalspan.formats.lines import JsonLines
from evalspan.formats.review import FILLED, plain_cell
from evalspan.labels import Action, parse_grade
from evalspan.text import find_bad_character

_DECIDES = ("candidate", "document", "start", "end", "either", "grade", "answer")
"""What says nothing without a decision: where it is filled in alone, the decision was forgotten."""

_WHOLE = re.compile(r"([0-9]{1,18})(?:\.0)?")
"""A number; `12.0` is what tables of other tools make of one in a column with empty cells."""

_YES = frozenset({"yes", "y", "true", "1", "x"})
_NO = frozenset({"", "no", "n", "false", "0"})


class DecidedRange(NamedTuple):
    """Code points of the set's own snapshot."""

    doc_id: str | None
    """None: the document that is asked about."""
    start: int
    end: int


class DecisionRow(NamedTuple):
    """What somebody decided about an item. Whether it fits what is asked is seen where it is decided."""

    item: str
    action: Action
    candidates: tuple[int, ...] = ()
    """Numbers from 1, as they are listed."""
    spans: tuple[DecidedRange, ...] = ()
    either: bool = False
    """Of several candidates or ranges one is enough; else all are needed."""
    grade: int | None = None
    answer: str | None = None
    """A new reference answer."""
    note: str = ""
    by: str = ""
    """"": whoever reads the file in."""
    line: int = 0
    """Of the file, from 1."""
    seen: str = ""
    """`ReviewItem.seen` of the item as it was exported; "": not known."""


def read_jsonl_decisions(path: str | PathLike[str], problems: Problems) -> list[DecisionRow]:
    """Rows of `render_jsonl` with `decision` filled in, in file order; those without are passed over.

    `candidate`, `start` and `end` are numbers or lists of numbers. Other fields than `item` and `FILLED` are ignored.
    """
    reader = _Reader(Path(path), problems)
    with JsonLines(path, problems) as lines:
        for line, row in lines:
            if "item" not in row:
                lines.bad(line, '"item" is missing: is it a file of `evalspan review SET export`?')
            elif lines.plain(line, row, "the row"):
                reader.add(line.number, row)
    return reader.rows


def read_csv_decisions(path: str | PathLike[str], problems: Problems) -> list[DecisionRow]:
    """The same of `render_csv`, as spreadsheets save it: with commas, semicolons or tabs, in any order of columns.

    Several candidates or ranges stand in one cell with ; between them.
    """
    source = Path(path)
    reader = _Reader(source, problems)
    with reading(source):
        data = source.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.add(source, line, f"not UTF-8 (byte 0x{data[error.start]:02x}): save it as “CSV UTF-8”")
        return []
    rows = _csv_rows(text, source, problems)
    names = [name.strip().lower() for name in next(rows, (1, []))[1]]
    missing = [name for name in ("item", "decision") if name not in names]
    if missing:
        what = f"has no column {' or '.join(map(repr, missing))}: is it a file of `evalspan review SET export`?"
        problems.add(source, None, what)
        return []
    twice = next((name for name in (*FILLED, "item") if names.count(name) > 1), None)
    if twice is not None:
        problems.add(source, None, f"has two columns {twice!r}")
        return []
    for line, cells in rows:
        if len(cells) > len(names) and any(cells[len(names) :]):
            what = f"{len(cells)} cells where the header has {len(names)}: is a quotation mark missing?"
            problems.add(source, line, what)
        else:
            reader.add(line, {name: plain_cell(cell) for name, cell in zip(names, cells, strict=False)})
    return reader.rows


def _csv_rows(text: str, source: Path, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """(line at which it begins, cells) of each row that is not blank, the header among them."""
    header = text.splitlines()[0] if text else ""
    delimiter = max(",;\t", key=header.count)  # spreadsheets write what their country takes for a comma
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begins = 1
    try:
        for cells in rows:
            bad = find_bad_character("".join(cells))
            if bad is not None:
                problems.add(source, begins, f"holds {bad[1]}")
            elif any(cell.strip() for cell in cells):
                yield begins, cells
            begins = rows.line_num + 1
    except csv.Error as error:
        problems.add(source, begins, f"can't be read as CSV ({error})")


class _Reader:
    """Makes decisions of rows, whose values are text, or JSON."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self._path, self._problems = path, problems
        self._lines: dict[str, int] = {}
        self.rows: list[DecisionRow] = []

    def add(self, line: int, row: Mapping[str, Any]) -> None:
        try:
            found = _decision(line, row)
        except ValueError as error:
            self._problems.add(self._path, line, str(error))
            return
        if found is None:
            return
        first = self._lines.setdefault(found.item, line)
        if first != line:
            self._problems.add(self._path, line, f"item {found.item!r} is decided on line {first} already")
        else:
            self.rows.append(found)


def _decision(line: int, row: Mapping[str, Any]) -> DecisionRow | None:
    """None where nothing was decided. Raises ValueError with what is wrong."""
    said = _text(row, "decision").lower()
    if not said:
        filled = [name for name in _DECIDES if row.get(name) not in (None, "", []) and row.get(name) is not False]
        if filled:
            raise ValueError(f"{filled[0]!r} is filled in, and no decision: one of {_ACTIONS}")
        return None
    if said not in Action.__members__.values():
        raise ValueError(f"decision {said!r} is none of {_ACTIONS}")
    item = _text(row, "item")
    if not item:
        raise ValueError("a decision without its item")
    given = row.get("grade")
    grade = parse_grade(int(given) if isinstance(given, float) and given.is_integer() else given)
    if grade is None and given not in (None, ""):
        raise ValueError(f"grade {given!r} is none: direct, supporting, tangential, irrelevant, harmful or a number")
    return DecisionRow(
        item=item,
        action=Action(said),
        candidates=_numbers(row, "candidate"),
        spans=_spans(row),
        either=_either(row),
        grade=grade,
        answer=_text(row, "answer") or None,
        note=_text(row, "note"),
        by=_text(row, "by"),
        line=line,
        seen=_text(row, "seen"),
    )


_ACTIONS = ", ".join(Action)


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{name!r} is no text")
    return value.strip()


def _either(row: Mapping[str, Any]) -> bool:
    value = row.get("either")
    said = str(value).strip().lower() if isinstance(value, str | bool | int) else "" if value is None else "?"
    if said in _YES | _NO:
        return said in _YES
    raise ValueError(f"'either' is {value!r}: yes where one of several is enough; else leave it blank")


def _numbers(row: Mapping[str, Any], name: str) -> tuple[int, ...]:
    """Of text as "3; 5", of a number, or of a list of numbers."""
    value = row.get(name)
    parts = value.replace(";", " ").split() if isinstance(value, str) else value if isinstance(value, list) else [value]
    numbers = []
    for part in parts:
        if part is None:
            continue
        found = None if isinstance(part, bool) else _WHOLE.fullmatch(str(part))
        if found is None:
            raise ValueError(f"{name!r} is {value!r}: whole numbers are wanted, with ; between several")
        numbers.append(int(found.group(1)))
    return tuple(numbers)


def _spans(row: Mapping[str, Any]) -> tuple[DecidedRange, ...]:
    starts, ends = _numbers(row, "start"), _numbers(row, "end")
    document = _text(row, "document") or None
    if len(starts) != len(ends):
        raise ValueError(f"{len(starts)} starts and {len(ends)} ends: each range wants both")
    if document and not starts:
        raise ValueError("a document without a start and an end")
    for start, end in zip(starts, ends, strict=True):
        if end <= start:
            raise ValueError(f"the range {start}..{end} is empty: the end is the offset behind the last character")
    return tuple(DecidedRange(document, start, end) for start, end in zip(starts, ends, strict=True))
