"""Rows of foreign files (JSON, JSON lines, CSV, parquet), every problem at its row, and typed looks into them."""

import ast
import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.files import reading
from evalspan.formats.foreign.form import ForeignQuestion, text_id
from evalspan.formats.lines import JsonLines, fits_qrels
from evalspan.formats.values import wrong_values
from evalspan.labels import JudgedQuestion, Question
from evalspan.text import find_bad_character

Row = dict[str, Any]
T = TypeVar("T")

FIELD_LIMIT = 1 << 30
"""Characters of a CSV field: a context may be a whole document, and the module's own limit is 128 kB."""


class Wrong(ValueError):
    """What is wrong with a row."""


class Numbered(NamedTuple):
    """A row, and its line or its number in the file, from 1."""

    line: int
    row: Row


def read_json(path: Path) -> Any:
    """A whole JSON file. Raises BadInput."""
    try:
        return json.loads(read_text(path), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BadInput([Problem(str(path), None, f"is not JSON ({error})")]) from None


def read_text(path: Path) -> str:
    """UTF-8, whatever the system's own encoding is, and line ends as they are. Raises BadInput."""
    with reading(path):
        data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput([Problem(str(path), line, f"not UTF-8: byte 0x{data[error.start]:02x}")]) from None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


def numbered(values: object, path: Path, what: str) -> list[Numbered]:
    """The objects of a JSON list; `what` they are. Raises BadInput where it is none."""
    if not isinstance(values, list):
        raise BadInput([Problem(str(path), None, f"holds no list of {what}")])
    bad = [at for at, value in enumerate(values, 1) if not isinstance(value, dict)]
    if bad:
        raise BadInput([Problem(str(path), at, f"is no object, in the list of {what}") for at in bad])
    return [Numbered(at, value) for at, value in enumerate(values, 1)]


def read_rows(path: Path, problems: Problems, what: str, columns: Sequence[str] = ()) -> list[Numbered]:
    """Of a JSON list, JSON lines, CSV or parquet file, by its ending and its first character.

    `columns` must be there in CSV and parquet. Raises BadInput for what is no such file at all.
    """
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        from evalspan.formats.foreign import parquet

        names = parquet.column_names(path)
        rows = parquet.read_rows(path, columns, [name for name in names if name not in columns])
        return [Numbered(at, row) for at, row in enumerate(rows, 1)]
    if suffix == ".csv":
        return list(_csv(path, columns))
    with reading(path), path.open("rb") as file:
        listed = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    if listed:
        return numbered(read_json(path), path, what)
    with JsonLines(path, problems) as lines:
        return [Numbered(line.number, row) for line, row in lines]


def _csv(path: Path, columns: Sequence[str]) -> Iterator[Numbered]:
    before = csv.field_size_limit(FIELD_LIMIT)  # the limit is the whole process's
    try:
        yield from _csv_rows(path, columns)
    finally:
        csv.field_size_limit(before)


def _csv_rows(path: Path, columns: Sequence[str]) -> Iterator[Numbered]:
    rows = csv.DictReader(io.StringIO(read_text(path), newline=""))
    missing = [name for name in columns if name not in (rows.fieldnames or ())]
    if missing:
        there = ", ".join(rows.fieldnames or ()) or "none"
        raise BadInput([Problem(str(path), 1, f"has no column {', '.join(map(repr, missing))}; it has {there}")])
    try:
        yield from (Numbered(at, row) for at, row in enumerate(rows, 1))
    except csv.Error as error:
        raise BadInput([Problem(str(path), rows.line_num, f"is no CSV ({error})")]) from None


def render_csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def render_lines(rows: Iterable[Row]) -> str:
    """JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def each(path: Path, problems: Problems, rows: Iterable[Numbered], parse: Callable[[Numbered], T | None]) -> list[T]:
    """What `parse` makes of each row; what it raises becomes a problem of that row."""
    found = []
    for row in rows:
        try:
            one = parse(row)
        except ValidationError as error:
            for what in wrong_values(error):
                problems.add(path, row.line, what)
        except Wrong as error:
            problems.add(path, row.line, str(error))
        else:
            if one is not None:
                found.append(one)
    return found


def once(path: Path, problems: Problems, asked: Iterable[ForeignQuestion]) -> tuple[ForeignQuestion, ...]:
    """Without those whose id stands before already, which are problems."""
    first: dict[str, ForeignQuestion] = {}
    for one in asked:
        before = first.setdefault(one.question.query_id, one)
        if before is not one:
            problems.add(path, one.line, f"question {one.question.query_id!r} stands in row {before.line} already")
    return tuple(first.values())


def value_of(row: Row, key: str, kind: type[T] | tuple[type[T], ...], wanted: str, default: T | None = None) -> T:
    """Raises Wrong. `default`: where it is absent or null."""
    value = row.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Wrong(f'"{key}" is missing' if key not in row else f'"{key}" is {value!r:.60}; {wanted} is wanted')
    return value


def text_of(row: Row, key: str, default: str | None = None) -> str:
    return sound(value_of(row, key, str, "text", default), f'"{key}"')


def sound(text: str, what: str) -> str:
    """Raises Wrong for characters that no text may hold."""
    bad = find_bad_character(text)
    if bad is not None:
        raise Wrong(f"{what} holds {bad[1]} at offset {bad[0]}")
    return text


def id_of(row: Row, key: str) -> str:
    """Text that is not empty; a whole number is written out."""
    return an_id(row.get(key), f'"{key}"')


def an_id(value: object, what: str) -> str:
    if type(value) is int:
        return str(value)
    if not isinstance(value, str) or not value:
        raise Wrong(f"{what} is {value!r:.60}; an id is wanted")
    if not fits_qrels(sound(value, what)):
        raise Wrong(f"{what} {value!r:.60} holds a tab or a line end")
    return value


def offset_of(row: Row, key: str) -> int:
    value: int = value_of(row, key, int, "a whole number")
    if value < 0:
        raise Wrong(f'"{key}" is {value}; no offset lies before the start')
    return value


def rows_of(row: Row, key: str) -> list[Row]:
    """A list of objects; absent is empty."""
    values = value_of(row, key, list, "a list", [])
    if not all(isinstance(value, dict) for value in values):
        raise Wrong(f'"{key}" is no list of objects')
    return values


def texts_of(row: Row, key: str) -> list[str]:
    """A list of texts, also where CSV has it as Python's or JSON's spelling of one; absent and empty are empty."""
    value = row.get(key)
    if isinstance(value, str):
        value = _spelled(value, key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Wrong(f'"{key}" is {value!r:.60}; a list of texts is wanted')
    return [sound(one, f'"{key}"') for one in value]


def _spelled(text: str, key: str) -> object:
    if not text.strip():
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise Wrong(f'"{key}" is {text!r:.60}; a list of texts is wanted') from None


def asked(query_id: str, text: str, answers: Iterable[str] = (), **more: Any) -> JudgedQuestion:
    """A question without labels."""
    mine = {key: more.pop(key) for key in ("tags", "filters") if key in more}
    question = Question(query_id=query_id, text=text, reference_answers=tuple(filter(None, answers)), **mine)
    return JudgedQuestion(question=question, **more)


class Names:
    """Ids for the questions of a format that has none, by their texts."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def __call__(self, text: str) -> str:
        return text_id(text, self._taken)


def only(files: Sequence[Path]) -> Path:
    """The one file of a format that has one. Raises BadInput."""
    if len(files) != 1:
        raise BadInput([Problem(str(path), None, "one file is wanted at a time") for path in files])
    if files[0].is_dir():
        raise BadInput([Problem(str(files[0]), None, "is a folder; a file is wanted")])
    return files[0]


def spread(files: Sequence[Path]) -> list[Path]:
    """Folders as the files below them, in order."""
    found: list[Path] = []
    for path in files:
        found += sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    return found


def named(files: Sequence[Path], *names: str) -> Path | None:
    """The file whose name is, or begins with, one of these; None where there is none. Raises BadInput for several."""
    found = [path for path in files if path.name in names]
    if len(found) > 1:
        raise BadInput([Problem(str(path), None, f"one file named {names[0]} is wanted") for path in found])
    return found[0] if found else None
