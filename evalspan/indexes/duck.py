"""DuckDB: a table or view of a database file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from evalspan.errors import CannotTell
from evalspan.indexes.address import IndexAddress
from evalspan.indexes.base import PAGE, Index, library, no_such
from evalspan.indexes.sqltable import META_TABLE, SqlTable

EXTRA = "duckdb"

MAGIC_AT, MAGIC = 8, b"DUCK"
"""What every DuckDB file has behind its first checksum."""


class _Table(NamedTuple):
    schema: str
    name: str
    kind: str
    """TABLE or VIEW."""
    comment: str | None


_FIND = """
SELECT schema_name, table_name, 'TABLE', comment FROM duckdb_tables() WHERE database_name = current_database()
UNION ALL
SELECT schema_name, view_name, 'VIEW', comment FROM duckdb_views() WHERE database_name = current_database()
    AND NOT internal
"""


class DuckTable(SqlTable):
    """Opened to read unless `write`; read, the file stays as it is, byte for byte."""

    mark = "?"

    def __init__(self, path: Path, name: str, where: str, write: bool = False) -> None:
        super().__init__(where)
        if not path.is_file():
            raise CannotTell(f"{path}: no such DuckDB file")
        _require_duck(path)
        self._duckdb = library("duckdb", EXTRA)
        self._connection = self._connect(path, write)
        try:
            self._table = self._find(name)
        except BaseException:
            self.close()
            raise

    def _connect(self, path: Path, write: bool) -> Any:
        with self._telling():
            try:
                return self._duckdb.connect(str(path), read_only=not write)
            except self._duckdb.ConnectionException:
                # This process holds it open for writing: DuckDB then gives it out in that way alone.
                return self._duckdb.connect(str(path))

    def _find(self, name: str) -> _Table:
        tables = [_Table(*row) for row in self.rows(_FIND)]
        found = [one for one in tables if name in (one.name, f"{one.schema}.{one.name}")]
        if len(found) == 1:
            return found[0]
        if found:
            both = ", ".join(f"{one.schema}.{one.name}" for one in found)
            raise CannotTell(f"{self.where}: several tables are called so ({both}). Say SCHEMA.TABLE")
        raise no_such(self.where, "table", name, (one.name for one in tables if one.name != META_TABLE))

    @property
    def table(self) -> str:
        return f"{self.quoted(self._table.schema)}.{self.quoted(self._table.name)}"

    @property
    def meta_table(self) -> str:
        return f"{self.quoted(self._table.schema)}.{META_TABLE}"

    @property
    def name(self) -> str:
        return self._table.name

    def quoted(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return list(self.stream(sql, parameters))

    def stream(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        with self._telling():
            cursor = self._connection.cursor()
            cursor.execute(sql, parameters)
            while page := cursor.fetchmany(PAGE):
                yield from page

    def columns(self) -> list[str]:
        sql = "SELECT column_name FROM duckdb_columns() WHERE schema_name = ? AND table_name = ? ORDER BY column_index"
        return [row[0] for row in self.rows(sql, (self._table.schema, self._table.name))]

    def comment(self) -> str | None:
        return self._table.comment

    def set_comment(self, text: str) -> None:
        self.change((f"COMMENT ON {self._table.kind} {self.table} IS '{text.replace(chr(39), chr(39) * 2)}'", ()))
        self._table = self._table._replace(comment=text)

    def has_meta_table(self) -> bool:
        return any((one.schema, one.name) == (self._table.schema, META_TABLE) for one in map(_of, self.rows(_FIND)))

    def change(self, *statements: tuple[str, Sequence[Any]]) -> None:
        with self._telling():
            cursor = self._connection.cursor()
            cursor.begin()
            try:
                for sql, parameters in statements:
                    cursor.execute(sql, parameters)
            except BaseException:
                cursor.rollback()
                raise
            cursor.commit()

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Turns what DuckDB says into CannotTell."""
        try:
            yield
        except self._duckdb.Error as error:
            first = str(error).partition("\n")[0]
            if "lock" in first:
                first = f"another process holds it open for writing ({first}). Close that, or name a copy of the file"
            raise CannotTell(f"{self.where}: {first}") from None


def _require_duck(path: Path) -> None:
    """DuckDB opens CSV, JSON and parquet files as views of a database in memory, and loads an extension for SQLite."""
    try:
        with path.open("rb") as file:
            head = file.read(MAGIC_AT + len(MAGIC))
    except OSError as error:
        raise CannotTell(f"{path}: can't be read ({error.strerror})") from None
    if not head.endswith(MAGIC):
        raise CannotTell(f"{path}: is no DuckDB file")


def _of(row: tuple[Any, ...]) -> _Table:
    return _Table(*row)


def open_index(address: IndexAddress, *, write: bool = False) -> Index:
    """Raises CannotTell where there is no such file or table, or where another process holds it."""
    return DuckTable(Path(address.path), address.name, address.shown, write)
