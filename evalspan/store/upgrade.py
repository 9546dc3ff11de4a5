"""Stores made and brought up to date: alembic's revisions, under one lock, in one transaction."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection, text

from evalspan.errors import StoreError, Unwritable
from evalspan.store import engine as engines
from evalspan.store.address import DEFAULT_ADDRESS, Address, parse_address
from evalspan.store.failures import failure_of, read_only
from evalspan.store.look import Kind, is_older, look, look_inside, require_current
from evalspan.store.schema import REVISIONS

_ONE_AT_A_TIME = threading.Lock()
"""Alembic keeps what it works on in a module's variables: two threads would get each other's connection."""

_PAUSE = 0.02
"""Seconds between two tries to set the journal mode, for which SQLite itself does not wait."""


def create_store(address: str = DEFAULT_ADDRESS) -> bool:
    """A new store there: True, or False where there is one already. Any number of processes may do so at once.

    Raises NotAStore where something else lies there (in PostgreSQL other tables may stand beside ours), StoreTooOld,
    StoreTooNew, Unwritable.
    """
    parsed = parse_address(address)
    found = look(parsed)
    if found.kind is not Kind.NOTHING:
        require_current(found, parsed)
        return False
    if parsed.path is not None:
        _make_file(parsed, parsed.path)
    with upgrading(parsed) as connection:
        found = look_inside(connection)  # again, now that nobody else can write
        if found.kind is not Kind.NOTHING:
            require_current(found, parsed)
            return False
        _require_utf8(connection, parsed)
        _run_revisions(connection)
    return True


def upgrade_store(address: str = DEFAULT_ADDRESS) -> tuple[str | None, str]:
    """From which revision to which; equal where there was nothing to do. Raises as `Store.open`."""
    parsed = parse_address(address)
    found = look(parsed)
    if not is_older(found):
        require_current(found, parsed)
        return found.revision, REVISIONS[-1]
    if parsed.path is not None:
        engines.require_writable(parsed, engines.reading_mode(parsed.path))
    with upgrading(parsed) as connection:
        found = look_inside(connection)
        if is_older(found):
            _run_revisions(connection)
        else:
            require_current(found, parsed)
    return found.revision, REVISIONS[-1]


@contextmanager
def upgrading(address: Address) -> Iterator[Connection]:
    """A transaction for changes of the schema, with no other writer. Foreign keys hold again at its end.

    They are off meanwhile on SQLite: a table is changed there by a copy that takes its place, and dropping the old one
    would take the rows that point to it along.
    """
    engine = engines.make_engine(address, foreign_keys=False)
    try:
        with _ONE_AT_A_TIME, engines.writing(engine) as connection:
            yield connection
            if connection.dialect.name == "sqlite":
                _require_foreign_keys(connection, address)
    finally:
        engine.dispose()


def migrations_folder() -> Path:
    """In a wheel they lie inside the package, in a checkout beside it."""
    package = Path(__file__).resolve().parents[1]
    packaged = package / "_migrations"
    return packaged if packaged.is_dir() else package.parent / "migrations"


def _run_revisions(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(f"The store's schema can't be brought up to date: {error}") from error


def _make_file(address: Address, path: Path) -> None:
    """An empty database with a write-ahead log, so that readers and a writer do not wait for each other."""
    if not path.parent.is_dir():
        raise StoreError(f"{address.shown}: there is no folder {path.parent}. Make it: mkdir -p {path.parent}")
    if not (engines.may_write(path.parent) and (engines.may_write(path) or not path.exists())):
        raise read_only(address)
    deadline = time.monotonic() + engines.BUSY_SECONDS
    while True:
        try:
            with closing(sqlite3.connect(engines.sqlite_uri(path, "rwc"), uri=True)) as connection:
                (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
        except sqlite3.Error as error:
            busy = error.sqlite_errorname.startswith("SQLITE_BUSY")
            if busy and time.monotonic() < deadline:
                time.sleep(_PAUSE)
                continue
            raise failure_of(error, address) or error from error
        if mode != "wal":
            raise Unwritable(f"{address.shown}: this file system can't share memory, which a store needs. Use another.")
        return


def _require_utf8(connection: Connection, address: Address) -> None:
    if connection.dialect.name == "postgresql":
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        if encoding != "UTF8":
            raise StoreError(
                f"{address.shown} is encoded in {encoding}, which can't hold every text. "
                "Make a database for it: createdb --encoding=UTF8 --template=template0 NAME"
            )


def _require_foreign_keys(connection: Connection, address: Address) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise StoreError(
            f"{address.shown}: after the upgrade a row of {broken[0]} would point to a row of {broken[2]} that is not "
            "there. Nothing was changed; please report this."
        )
