"""Parquet files, by the extra `evalspan[parquet]`."""

import io
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from evalspan.errors import BadInput, EvalspanError, Problem
from evalspan.formats.files import reading


def _pyarrow() -> Any:
    try:
        pyarrow = import_module("pyarrow")
        import_module("pyarrow.parquet")
    except ImportError:
        raise EvalspanError("Parquet files need pyarrow: pip install 'evalspan[parquet]'") from None
    return pyarrow


def _opened(path: Path) -> Any:
    pyarrow = _pyarrow()
    with reading(path):
        path.open("rb").close()
    try:
        return pyarrow.parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        first = str(error).partition("\n")[0]
        raise BadInput([Problem(str(path), None, f"is no parquet file that can be read ({first})")]) from None


def column_names(path: Path) -> tuple[str, ...]:
    """Raises BadInput."""
    with _opened(path) as file:
        return tuple(file.schema_arrow.names)


def read_rows(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Its rows with these columns. Raises BadInput where a column is missing."""
    with _opened(path) as file:
        there = set(file.schema_arrow.names)
        missing = [name for name in columns if name not in there]
        if missing:
            what = f"has no column {', '.join(map(repr, missing))}; it has {', '.join(sorted(there)) or 'none'}"
            raise BadInput([Problem(str(path), None, what)])
        wanted = [*columns, *(name for name in optional if name in there)]
        rows: list[dict[str, Any]] = file.read(wanted).to_pylist()
        return rows


def render_rows(columns: Mapping[str, Sequence[Any]], types: Mapping[str, str]) -> bytes:
    """A parquet file. `types`: of each column "string", "int", "strings", "lists of strings", "ints" or "metadata"."""
    pyarrow = _pyarrow()
    string, number = pyarrow.string(), pyarrow.int64()
    known = {
        "string": string,
        "int": number,
        "strings": pyarrow.list_(string),
        "lists of strings": pyarrow.list_(pyarrow.list_(string)),
        "ints": pyarrow.list_(number),
        "metadata": pyarrow.struct([("last_modified_datetime", string)]),
    }
    schema = pyarrow.schema([(name, known[types[name]]) for name in columns])
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(dict(columns), schema=schema), out)
    return out.getvalue()
