"""JSON lines: read twice where need be, every problem with its line; and written."""

import json
import os
import shutil
import tempfile
from array import array
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self

from pydantic_core import from_json, to_json

from evalspan.digests import bytes_digest
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.files import reading
from evalspan.text import find_bad_character, replace_bad_characters

_BREAKS = frozenset("\t\n\r")


def fits_qrels(text: str) -> bool:
    """Whether an id can stand in a line of a qrels file."""
    return _BREAKS.isdisjoint(text)


_BOM = b"\xef\xbb\xbf"

Row = dict[str, Any]

NUL = b"\\u0000"
"""How NUL comes in JSON, and in no other way; the fast reader refuses lone surrogates by itself."""


def parse_json(data: bytes) -> Any:
    """Three times as fast as json.loads, and as strict as RFC 8259. Raises ValueError."""
    return from_json(data, allow_inf_nan=False, cache_strings="keys")


def changed_under_us(path: Path) -> BadInput:
    """The error for a file that another process writes while we read it."""
    return BadInput([Problem(str(path), None, "was changed while it was read; run this again")])


class Line(NamedTuple):
    """A line that is not blank."""

    number: int
    """1-based."""
    offset: int
    """Of its first byte."""
    data: bytes


class LineFile:
    """A file whose lines can be read again by their offsets, so that texts need not be held.

    What can't be read twice (a pipe) is copied to a temporary file first.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        with reading(self.path):
            self._file: IO[bytes] = self.path.open("rb")
            if not self._file.seekable():
                with self._file as pipe:
                    self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
                    shutil.copyfileobj(pipe, self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[Line]:
        with reading(self.path):
            self._file.seek(0)
            offset = 0
            for number, data in enumerate(self._file, 1):
                length = len(data)
                if number == 1 and data.startswith(_BOM):
                    data = data[len(_BOM) :]
                    offset, length = len(_BOM), length - len(_BOM)
                if data.strip():
                    yield Line(number, offset, data)
                offset += length

    def at(self, offset: int, length: int) -> bytes:
        """The bytes of a line read before."""
        return os.pread(self._file.fileno(), length, offset)

    def digest(self) -> str:
        """Of the whole file's bytes."""
        return bytes_digest(self._blocks())

    def _blocks(self) -> Iterator[bytes]:
        offset = 0
        while block := self.at(offset, 1 << 20):
            yield block
            offset += len(block)


class JsonLines:
    """Rows of a JSON lines file; problems go to `problems`, and their rows are left out."""

    def __init__(self, path: str | os.PathLike[str], problems: Problems, replace_bad_text: bool = False) -> None:
        self.file = LineFile(path)
        self.problems = problems
        self._replace = replace_bad_text
        self.rows = 0
        """Lines read so far, bad ones among them."""
        self.sound = True
        """Whether the row read last can't hold a character that texts may not: asked once a line, not once a text."""
        self.all_sound = True
        """Whether that held for every row so far."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    @property
    def path(self) -> Path:
        return self.file.path

    def __iter__(self) -> Iterator[tuple[Line, Row]]:
        self.rows = 0
        for line in self.file:
            self.rows += 1
            row = self._parse(line)
            if row is not None:
                yield line, row

    def again(self, offset: int, length: int) -> Row:
        """A row read before."""
        row = self._parse(Line(0, offset, self.file.at(offset, length)))
        if row is None:
            raise changed_under_us(self.path)
        return row

    def bad(self, line: Line, what: str) -> None:
        """Notes a problem of this line."""
        self.problems.add(self.path, line.number, what)

    def _parse(self, line: Line) -> Row | None:
        self.sound = NUL not in line.data
        try:
            row = parse_json(line.data)
        except ValueError:
            self.sound = self.all_sound = False
            return self._parse_slowly(line)
        if not self.sound:
            self.all_sound = False
        return self._object(line, row)

    def _parse_slowly(self, line: Line) -> Row | None:
        """What the fast reader refuses: says why, or reads it where only its characters are bad."""
        try:
            row = json.loads(line.data.decode("utf-8"), parse_constant=_refuse)
        except UnicodeDecodeError as error:
            self.bad(line, f"not UTF-8: byte 0x{line.data[error.start]:02x} at byte {error.start} of the line")
            return None
        except RecursionError:
            self.bad(line, "nested too deeply")
            return None
        except ValueError as error:
            self.bad(line, f"not JSON: {error}")
            return None
        return self._object(line, row)

    def _object(self, line: Line, row: object) -> Row | None:
        if isinstance(row, dict):
            if all(map(_is_finite, row.values())):
                return row
            self.bad(line, "holds a number that is too large")
            return None
        self.bad(line, 'not a JSON object: {"…": …} is wanted on each line')
        return None

    def text(self, line: Line, row: Row, key: str, subject: str) -> str | None:
        """The string under `key`, fit to be stored; None, with the problem noted, where it is not."""
        value = row.get(key)
        if not isinstance(value, str):
            self.bad(line, f'"{key}" is {_kind(value) if key in row else "missing"}; text is wanted')
            return None
        bad = None if self.sound else find_bad_character(value)
        if bad is None:
            return value
        if self._replace:
            return replace_bad_characters(value)
        offset, name = bad
        self.bad(line, f"{subject} holds {name} at offset {offset}; to put U+FFFD there: --replace-bad-text")
        return None

    def plain(self, line: Line, value: object, subject: str) -> bool:
        """Whether a JSON value holds no character that a text may not; else the problem is noted."""
        if self.sound:
            return True
        written = json.dumps(value, ensure_ascii=False)
        if NUL.decode() not in written and find_bad_character(written) is None:
            return True
        self.bad(line, f"{subject} holds NUL or a lone surrogate")
        return False

    def name(self, line: Line, row: Row, key: str) -> str | None:
        """The id under `key`: text that is not empty."""
        value = row.get(key)
        if isinstance(value, str) and value and (self.sound or find_bad_character(value) is None):
            if fits_qrels(value):
                return value
            self.bad(line, f'"{key}" {value!r} holds a tab or a line end, which a qrels file can\'t hold')
            return None
        if key not in row:
            self.bad(line, f'"{key}" is missing')
        elif isinstance(value, str):
            self.bad(line, f'"{key}" is empty' if not value else f'"{key}" holds a character that no id may hold')
        else:
            self.bad(line, f'"{key}" is {_kind(value)}; an id is text, in quotes')
        return None


def _is_finite(value: object) -> bool:
    """Whether no number in a JSON value was too large to be held, as 1e999 is."""
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, list):
        return all(map(_is_finite, value))
    return not isinstance(value, dict) or all(map(_is_finite, value.values()))


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


def _kind(value: object) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds.get(type(value), "null" if value is None else "of the wrong kind")


def json_line(row: Row) -> bytes:
    """One line of JSON, non-ASCII as itself."""
    return to_json(row) + b"\n"


class OrderedLines:
    """Lines that come in any order and are written in that of their numbers, without being held in memory."""

    def __init__(self, folder: Path) -> None:
        handle, name = tempfile.mkstemp(dir=folder)
        self._spool = Path(name)
        self._file = os.fdopen(handle, "wb", buffering=1 << 20)
        self._numbers, self._offsets, self._lengths = array("Q"), array("Q"), array("Q")
        self._end = 0

    def put(self, number: int, line: bytes) -> None:
        self._file.write(line)
        self._numbers.append(number)
        self._offsets.append(self._end)
        self._lengths.append(len(line))
        self._end += len(line)

    def close(self) -> None:
        self._file.close()

    def write_to(self, path: Path) -> None:
        """Once, at the end."""
        self.close()
        with self._spool.open("rb") as spool, path.open("wb", buffering=1 << 20) as out:
            for i in sorted(range(len(self._numbers)), key=self._numbers.__getitem__):
                out.write(os.pread(spool.fileno(), self._lengths[i], self._offsets[i]))
        self._spool.unlink()
