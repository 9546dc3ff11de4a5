"""Connections: how a SQLite file or a PostgreSQL database is opened, read and written."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, text
from sqlalchemy.engine import ExceptionContext

from evalspan.errors import StoreError
from evalspan.store.address import Address
from evalspan.store.failures import failure_of, read_only

BUSY_SECONDS = 60.0
"""How long a writer waits for another: a large import takes half a minute, and a lost one costs more than a wait."""

CONNECT_SECONDS = 10
"""How long a PostgreSQL server may take to answer: a wrong host is told before one gives up."""

CACHE_KIB = 16 * 1024
"""SQLite's page cache: an import writes the index over text digests in random order, and the default is 2 MB."""

WRITER_LOCK = 0x65766C73
"""PostgreSQL's advisory lock of a store's writers ("evls"); the second key is the schema's name."""

Mode = Literal["rw", "rwc", "ro", "immutable"]
"""As in SQLite's URIs. "immutable" is a read-only file in whose folder no lock or index can be made."""


def sqlite_uri(path: Path, mode: Mode) -> str:
    return f"{path.as_uri()}?{'mode=ro&immutable=1' if mode == 'immutable' else f'mode={mode}'}"


def has_content(path: Path, suffix: str) -> bool:
    """Whether a log of SQLite ("-wal", "-journal") with something in it lies beside the file."""
    try:
        return path.with_name(path.name + suffix).stat().st_size > 0
    except OSError:
        return False


def may_write(place: Path) -> bool:
    return os.access(place, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def reading_mode(path: Path) -> Mode:
    """How a store can be opened: for writing too where the file system lets us.

    An immutable file is read without any lock: right as long as nobody writes to it, and all a read-only folder allows.
    """
    if all(may_write(place) for place in (path, path.parent)):
        return "rw"
    return "ro" if has_content(path, "-wal") else "immutable"


def make_engine(address: Address, mode: Mode = "rw", foreign_keys: bool = True) -> Engine:
    """`foreign_keys` are off while an upgrade rebuilds tables. SQLite only looks at `mode`."""
    path = address.path
    engine = _postgres_engine(address) if path is None else _sqlite_engine(path, mode, foreign_keys)
    engine.update_execution_options(evalspan_address=address)

    @event.listens_for(engine, "handle_error")
    def translate(context: ExceptionContext) -> None:
        failure = failure_of(context.original_exception, address)
        if failure is not None:
            raise failure from context.original_exception

    return engine


def _sqlite_engine(path: Path, mode: Mode, foreign_keys: bool) -> Engine:
    def connect() -> sqlite3.Connection:
        # isolation_level None: the driver begins nothing by itself; `begin` below does.
        connection = sqlite3.connect(
            sqlite_uri(path, mode), uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A reader that turns writer is refused at once when somebody else wrote in between: writers say so first.
        writes = connection.get_execution_options().get("evalspan_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgres_engine(address: Address) -> Engine:
    arguments: dict[str, Any] = {"client_encoding": "utf8"}
    if "connect_timeout" not in address.url.query:
        arguments["connect_timeout"] = CONNECT_SECONDS
    try:
        return create_engine(address.url, connect_args=arguments)
    except ImportError:
        raise StoreError("PostgreSQL needs psycopg: pip install 'evalspan[postgres]'") from None


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One consistent view of the store."""
    with engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with connection.begin():
            yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction, alone: it lands as a whole when the block ends well, and not at all otherwise.

    A store has one writer at a time on PostgreSQL too. Writers add texts and questions in any order, so locks on rows
    could wait for each other in a ring; and what was looked up beforehand (the newest version, a name) stays true.
    """
    with engine.connect() as connection:
        connection.execution_options(evalspan_writes=True)
        with connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SET LOCAL lock_timeout = '{int(BUSY_SECONDS * 1000)}ms'"))
                connection.execute(
                    text("SELECT pg_advisory_xact_lock(:key, hashtext(current_schema()))"), {"key": WRITER_LOCK}
                )
            yield connection


def require_writable(address: Address, mode: Mode) -> None:
    """Raises Unwritable for a store that could only be opened for reading."""
    if mode in ("ro", "immutable"):
        raise read_only(address)
