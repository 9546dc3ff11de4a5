"""Many rows at once: written by the driver itself, and looked up in batches."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Table, select
from sqlalchemy.sql.elements import ColumnClause

from evalspan.store.failures import failure_of

T = TypeVar("T")

LOOKUP = 500
"""Keys of one IN list: enough that the statement's own cost is small, below every driver's limit."""

ROWS = 5000
"""Rows of one insert: more are no faster, and these take a megabyte or two."""


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def insert_rows(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Rows are tuples in the order of the table's columns. Ten times as fast as one statement's parameters each."""
    if not rows:
        return
    if connection.dialect.name == "postgresql":
        _copy(connection, table, rows)
        return
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    marks = ", ".join("?" * len(table.columns))
    connection.exec_driver_sql(f"INSERT INTO {table.name} ({columns}) VALUES ({marks})", list(rows))


def _copy(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """PostgreSQL's COPY goes past SQLAlchemy, so what it raises is translated here."""
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    driver: Any = connection.connection.driver_connection
    try:
        with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    except Exception as error:
        failure = failure_of(error, connection.get_execution_options()["evalspan_address"])
        if failure is None:
            raise
        raise failure from error


def known_keys(connection: Connection, column: ColumnElement[str] | ColumnClause[str], keys: Iterable[str]) -> set[str]:
    """Which of the keys the column holds."""
    found: set[str] = set()
    for batch in batches(keys, LOOKUP):
        found.update(connection.execute(select(column).where(column.in_(batch))).scalars())
    return found
