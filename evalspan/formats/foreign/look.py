"""What a file seems to be, from its first bytes: enough to guess its format without reading it to its end."""

import csv
import json
from functools import cached_property
from pathlib import Path
from typing import Any

from evalspan.formats.files import reading

HEAD = 1 << 16
"""Bytes that are looked at: several rows of any format."""


class Look:
    """The beginning of a file."""

    def __init__(self, head: bytes, path: Path) -> None:
        self.path = path
        self._bytes = head
        self.head = head.decode("utf-8-sig", "replace")

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()

    @cached_property
    def value(self) -> Any:
        """The JSON value at its beginning (the first line, or as much of the whole as stands in the head), or None."""
        first = self.head.lstrip().partition("\n")[0]
        for text in (first, self.head):
            try:
                return json.loads(text)
            except ValueError:
                continue
        return _mended(self.head)

    @property
    def row(self) -> dict[str, Any]:
        """The value, or the first of a list; {} where that is no object."""
        value = self.value[0] if isinstance(self.value, list) and self.value else self.value
        return value if isinstance(value, dict) else {}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Of a CSV file's first line, or a parquet file."""
        if self._bytes[:4] == b"PAR1":
            from evalspan.formats.foreign.parquet import column_names

            return column_names(self.path)
        rows = csv.reader(self.head.splitlines()[:1], delimiter="\t" if self.suffix == ".tsv" else ",")
        return tuple(next(rows, ())) if self.suffix in (".csv", ".tsv") else ()

    def has(self, *keys: str) -> bool:
        """Whether its first row, or its columns, have all of these."""
        return set(keys) <= self.row.keys() or set(keys) <= set(self.columns)


def look_at(path: Path) -> Look:
    """Raises BadInput where it can't be read."""
    with reading(path), path.open("rb") as file:
        return Look(file.read(HEAD), path)


def _mended(text: str) -> Any:
    """The JSON value whose beginning the text is, up to its last whole member; None where it is no JSON."""
    stack: list[str] = []
    cut, at_cut, quoted, escaped = -1, "", False, False
    for at, character in enumerate(text):
        if quoted:
            quoted, escaped = (character != '"' or escaped), character == "\\" and not escaped
        elif character == '"':
            quoted = True
        elif character in "{[":
            stack.append("}" if character == "{" else "]")
            cut, at_cut = at + 1, "".join(reversed(stack))
        elif character in "}]" and stack:
            stack.pop()
        elif character == "," and stack:
            cut, at_cut = at, "".join(reversed(stack))
    try:
        return json.loads(text[:cut] + at_cut) if cut > 0 else None
    except ValueError:
        return None
