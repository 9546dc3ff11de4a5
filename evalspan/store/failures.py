"""What a database says when it fails, as errors of ours: one clear line, and what to do."""

import sqlite3
from typing import Any

from evalspan.errors import BadInput, EvalspanError, NotAStore, Problem, StoreBusy, StoreError, Unwritable
from evalspan.store.address import Address, secrets_of

_BUSY_STATES = frozenset({"55P03", "40001", "40P01"})
"""PostgreSQL: lock not available, serialization failure, deadlock."""

_UNWRITABLE_STATES = frozenset({"53100", "42501", "25006"})
"""PostgreSQL: disk full, no privilege, read-only transaction."""


def failure_of(error: BaseException, address: Address) -> EvalspanError | None:
    """None where the error says nothing about a store."""
    if isinstance(error, EvalspanError):
        return error
    if isinstance(error, UnicodeEncodeError):
        return BadInput([Problem(address.shown, None, "a text holds a lone surrogate, which has no UTF-8")])
    if isinstance(error, sqlite3.Error):
        return _of_sqlite(error, address)
    if type(error).__module__.split(".")[0] == "psycopg":
        return _of_postgres(error, address)
    return None


def _of_sqlite(error: sqlite3.Error, address: Address) -> EvalspanError:
    name = getattr(error, "sqlite_errorname", "") or ""
    shown = address.shown
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusy(f"{shown}: another process has been writing for too long. Try again when it is done.")
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM")):
        return read_only(address)
    if name.startswith("SQLITE_FULL"):
        return Unwritable(f"{shown}: the disk is full; nothing was written. Make room and run the command again.")
    if name.startswith("SQLITE_NOTADB"):
        return not_a_database(address)
    if name.startswith("SQLITE_CORRUPT"):
        return StoreError(f"{shown}: the file is damaged ({error}). Restore a copy of it, or make another store.")
    return StoreError(f"{shown}: {error}")


def read_only(address: Address) -> Unwritable:
    what = "the file or its folder is" if address.path else "the database is"
    return Unwritable(
        f"{address.shown}: nothing can be written there: {what} read-only. "
        "Give yourself the right to write, or work on a copy: --store COPY"
    )


def not_a_database(address: Address) -> NotAStore:
    return NotAStore(
        f"{address.shown} is no evalspan store: not even a SQLite database. "
        "Name another file: evalspan init --store OTHER"
    )


def _of_postgres(error: Any, address: Address) -> EvalspanError:
    state = getattr(error, "sqlstate", None) or ""
    line = _first_line(error, address)
    if state in _BUSY_STATES:
        return StoreBusy(f"{address.shown}: another process has been writing for too long. Try again when it is done.")
    if state in _UNWRITABLE_STATES:
        return Unwritable(f"{address.shown}: {line}. Nothing was written; ask for the right or the room.")
    if type(error).__name__ == "DataError" or state.startswith("22"):
        return BadInput([Problem(address.shown, None, line)])
    return StoreError(f"{address.shown}: {line}")


def _first_line(error: BaseException, address: Address) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else type(error).__name__
    for secret in secrets_of(address.url):
        text = text.replace(secret, "***")
    return text
