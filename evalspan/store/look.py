"""A look before anything is touched: what lies at an address, and whether it is a store that we can use."""

import shlex
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from sqlalchemy import Connection, text

from evalspan.errors import NoStore, NotAStore, StoreError, StoreTooNew, StoreTooOld
from evalspan.store.address import DEFAULT_ADDRESS, Address
from evalspan.store.engine import Mode, has_content, make_engine, reading, sqlite_uri
from evalspan.store.failures import failure_of, not_a_database
from evalspan.store.schema import PREFIX, REVISIONS, VERSION_TABLE


class Kind(Enum):
    NOTHING = "nothing"
    """No file, an empty one, or a database without tables of ours: a store can be made there."""
    FOREIGN = "foreign"
    STORE = "store"


@dataclass(frozen=True, slots=True)
class Found:
    kind: Kind
    revision: str | None = None
    """None in a store whose schema was taken back to nothing."""

    @property
    def current(self) -> bool:
        return self.kind is Kind.STORE and self.revision == REVISIONS[-1]


MAGIC = b"SQLite format 3\0"

ONE_PAGE = 4096
"""A file of SQLite up to this size holds no table yet. With a journal beside it, its creation was killed."""

NOTHING = Found(Kind.NOTHING)
FOREIGN = Found(Kind.FOREIGN)


def look(address: Address) -> Found:
    """What lies there. Nothing is changed by it, byte for byte."""
    if address.path is not None:
        return _look_at_file(address, address.path)
    engine = make_engine(address)
    try:
        with reading(engine) as connection:
            return look_inside(connection)
    finally:
        engine.dispose()


def look_inside(connection: Connection) -> Found:
    """The same through a connection, which may hold a lock."""
    if connection.dialect.name == "postgresql":
        ours = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND starts_with(tablename, :prefix)"
        tables = set(connection.execute(text(ours), {"prefix": PREFIX}).scalars())
    else:
        tables = set(connection.execute(text("SELECT name FROM sqlite_master")).scalars())
    if VERSION_TABLE not in tables:
        return FOREIGN if tables else NOTHING
    revision = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalars().first()
    return Found(Kind.STORE, revision)


def require_current(found: Found, address: Address) -> None:
    """Raises NoStore, NotAStore, StoreTooOld or StoreTooNew, with the command to type."""
    if found.current:
        return
    if found.kind is Kind.NOTHING:
        raise NoStore(f"There is no store at {address.shown}. Make one: {address.command('init')}")
    if found.kind is Kind.FOREIGN:
        raise NotAStore(
            f"{address.shown} is no evalspan store: it holds other tables. "
            "Name another place: evalspan init --store OTHER"
        )
    if is_older(found):
        raise StoreTooOld(
            f"The store at {address.shown} has an older schema ({found.revision or 'none'}; this evalspan wants "
            f"{REVISIONS[-1]}). Make a copy of it, then: {address.command('store upgrade')}"
        )
    raise StoreTooNew(
        f"The store at {address.shown} has schema {found.revision}, and this evalspan knows up to {REVISIONS[-1]}. "
        "Upgrade it: pip install -U evalspan"
    )


def is_older(found: Found) -> bool:
    return found.kind is Kind.STORE and (found.revision is None or found.revision in REVISIONS[:-1])


def _look_at_file(address: Address, path: Path) -> Found:
    try:
        if path.is_dir():
            place = shlex.quote(f"{address.shown.rstrip('/')}/{DEFAULT_ADDRESS}")
            raise NotAStore(f"{address.shown} is a folder. Name a file in it: evalspan init --store {place}")
        before = _signature(path)
    except OSError as error:
        raise StoreError(f"{address.shown}: {error.strerror}") from error
    if before is None or before[0] == 0:
        return NOTHING
    if not _begins_like_sqlite(path):  # SQLite itself takes a short file for an empty one, and writes over it
        raise not_a_database(address)
    if before[0] <= ONE_PAGE and has_content(path, "-journal"):
        return NOTHING
    # A file that no one is writing to is read without opening its log, which would leave files beside it.
    quiet = not (has_content(path, "-wal") or has_content(path, "-journal"))
    found, failure = _try(address, path, "immutable" if quiet else "ro")
    if quiet and (found is None or not found.current) and _busy_since(path, before):
        found, failure = _try(address, path, "ro")  # somebody wrote meanwhile: what we read may be torn
    if found is None:
        assert failure is not None
        raise failure
    return found


def _begins_like_sqlite(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error


def _try(address: Address, path: Path, mode: Mode) -> tuple[Found | None, Exception | None]:
    try:
        with closing(sqlite3.connect(sqlite_uri(path, mode), uri=True)) as connection:
            return _look_with_sqlite(connection), None
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB":
            return None, not_a_database(address)
        if mode == "ro":
            return None, StoreError(
                f"{address.shown}: it holds changes that were not finished, and they can't be read here ({error}). "
                "Open it once where its folder can be written to."
            )
        return None, failure_of(error, address)


def _look_with_sqlite(connection: sqlite3.Connection) -> Found:
    """`look_inside` without SQLAlchemy's engine, whose set-up costs more than the look."""
    connection.execute("BEGIN")
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if VERSION_TABLE not in tables:
        return FOREIGN if tables else NOTHING
    row = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
    return Found(Kind.STORE, row[0] if row else None)


def _signature(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_size, status.st_mtime_ns


def _busy_since(path: Path, before: tuple[int, int] | None) -> bool:
    return _signature(path) != before or has_content(path, "-wal") or has_content(path, "-journal")
