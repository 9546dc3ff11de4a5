"""PostgreSQL: a table or view of a database, of pgvector or any other."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from evalspan.errors import CannotTell
from evalspan.indexes.address import IndexAddress
from evalspan.indexes.base import PAGE, Index, library, no_such
from evalspan.indexes.sqltable import META_TABLE, SqlTable

WAIT = 10
"""Seconds to reach the server, unless the address says otherwise: the system's own are two minutes."""

_KINDS = {
    "r": "TABLE",
    "p": "TABLE",
    "f": "FOREIGN TABLE",
    "v": "VIEW",
    "m": "MATERIALIZED VIEW",
}
"""`pg_class.relkind`, and how COMMENT calls it."""


class _Table(NamedTuple):
    oid: int
    schema: str
    name: str
    relkind: str
    visible: bool
    """Whether it is found without its schema."""


_TABLES = """
SELECT c.oid, n.nspname, c.relname, c.relkind::text, pg_table_is_visible(c.oid)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
ORDER BY n.nspname, c.relname
"""

_COLUMNS = "SELECT attname FROM pg_attribute WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum"


class PostgresTable(SqlTable):
    """Opened in read-only transactions unless `write`."""

    mark = "%s"

    def __init__(self, url: str, name: str, where: str, write: bool = False) -> None:
        super().__init__(where)
        self._psycopg = library("psycopg", "postgres")
        scheme, _, rest = url.partition("://")
        settings = {} if "connect_timeout" in url else {"connect_timeout": WAIT}
        with self._telling():
            self._connection = self._psycopg.connect(
                f"{scheme.partition('+')[0]}://{rest}", autocommit=True, **settings
            )
            self._connection.read_only = not write
        try:
            self._table = self._find(name)
        except BaseException:
            self.close()
            raise

    def _find(self, name: str) -> _Table:
        tables = [_Table(*row) for row in self.rows(_TABLES)]
        found = [one for one in tables if name == f"{one.schema}.{one.name}" or (one.visible and name == one.name)]
        if len(found) == 1:
            return found[0]
        if found:  # a table whose own name has a dot in it
            raise CannotTell(f"{self.where}: several tables are called so. Rename one, or make a view")
        known = (one.name if one.visible else f"{one.schema}.{one.name}" for one in tables if one.name != META_TABLE)
        raise no_such(self.where, "table", name, known)

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
        return '"' + name.replace('"', '""').replace("%", "%%") + '"'

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._telling(), self._connection.transaction(), self._connection.cursor() as cursor:
            return list(cursor.execute(sql, parameters))

    def stream(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        # A named cursor is the server's: the client would fetch everything for any other.
        with self._telling(), self._connection.transaction(), self._connection.cursor(name="evalspan") as cursor:
            cursor.execute(sql, parameters)
            while page := cursor.fetchmany(PAGE):
                yield from page

    def columns(self) -> list[str]:
        return [row[0] for row in self.rows(_COLUMNS, (self._table.oid,))]

    def comment(self) -> str | None:
        [(text,)] = self.rows("SELECT obj_description(%s, 'pg_class')", (self._table.oid,))
        return None if text is None else str(text)

    def set_comment(self, text: str) -> None:
        literal = self._psycopg.sql.Literal(text).as_string(self._connection).replace("%", "%%")
        self.change((f"COMMENT ON {_KINDS[self._table.relkind]} {self.table} IS {literal}", ()))

    def has_meta_table(self) -> bool:
        sql = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = %s"
        return bool(self.rows(sql, (self._table.schema, META_TABLE)))

    def change(self, *statements: tuple[str, Sequence[Any]]) -> None:
        with self._telling(), self._connection.transaction(), self._connection.cursor() as cursor:
            for sql, parameters in statements:
                cursor.execute(sql, parameters)

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Turns what PostgreSQL says into CannotTell."""
        try:
            yield
        except self._psycopg.Error as error:
            first = (str(error) or type(error).__name__).partition("\n")[0]
            raise CannotTell(f"{self.where}: {first}") from None


def open_index(address: IndexAddress, *, write: bool = False) -> Index:
    """Raises CannotTell where the server can't be reached, or holds no such table."""
    return PostgresTable(address.path, address.name, address.shown, write)
