"""A file of chunks as a library dumps it: JSON, JSON lines, or AutoRAG's parquet. It is held in memory whole."""

import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from evalspan.errors import BadInput, EvalspanError, Problem, Problems
from evalspan.formats.chunkers.autorag import COLUMNS
from evalspan.formats.chunkers.registry import ParsedChunks, Told, parse_rows
from evalspan.formats.files import reading

PARQUET = b"PAR1"
"""The first four bytes of every parquet file, whatever it is called."""


def read_chunks(
    path: str | os.PathLike[str],
    told: Told | None = None,
    problems: Problems | None = None,
    replace_bad_text: bool = False,
) -> ParsedChunks:
    """What the chunks of a file report. Problems of rows are noted in `problems`, or raised where there is none."""
    path = Path(path)
    noted = problems or Problems()
    with reading(path):
        data = path.read_bytes()
    told = told or Told()
    objects = _parquet(path) if data.startswith(PARQUET) else _json(path, data)
    parsed = parse_rows(objects, told, noted, str(path), replace_bad_text)
    if problems is None:
        noted.raise_if_any()
    return parsed


def _json(path: Path, data: bytes) -> Any:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _bad(path, None, f"neither parquet nor UTF-8: byte 0x{data[error.start]:02x} at {error.start}") from None
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise _bad(path, None, "nested too deeply") from None
    except ValueError:
        return list(_lines(path, text))


def _lines(path: Path, text: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line, parse_constant=_no_number)
            except (ValueError, RecursionError) as error:
                raise _bad(path, number, f"not JSON: {error}") from None


def _no_number(constant: str) -> None:
    """NaN, which pandas writes for what is not there, and infinities, which no field of a chunk may be."""


def _parquet(path: Path) -> list[dict[str, Any]]:
    if find_spec("pyarrow") is None:
        raise EvalspanError(f"{path} is a parquet file; to read it: pip install 'evalspan[parquet]'")
    import pyarrow
    import pyarrow.parquet

    try:
        names = pyarrow.parquet.read_schema(path).names
        missing = [name for name in ("doc_id", "contents") if name not in names]
        if missing:
            what = f"has the columns {', '.join(names)}; AutoRAG's corpus needs {', '.join(COLUMNS)}"
            raise _bad(path, None, what)
        table = pyarrow.parquet.read_table(path, columns=[n for n in (*COLUMNS, "metadata") if n in names])
        rows: list[dict[str, Any]] = table.to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise _bad(path, None, f"can't be read as parquet: {error}") from None
    return rows


def _bad(path: Path, line: int | None, what: str) -> BadInput:
    return BadInput([Problem(str(path), line, what)])
