"""Where a store is: a file of SQLite, or a database of PostgreSQL."""

import importlib.util
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from evalspan.errors import StoreError

DEFAULT_ADDRESS = "evalspan.db"

_SECRET_KEYS = frozenset({"password", "sslpassword", "passfile"})
"""Parameters of a PostgreSQL address that no message may show."""


@dataclass(frozen=True, slots=True)
class Address:
    """A store's address, read once. `shown` and `option` are safe to print."""

    url: URL = field(repr=False)
    """With the password."""
    shown: str
    """As it was given, without its password."""
    path: Path | None
    """Absolute, of the SQLite file; None for PostgreSQL."""

    @property
    def option(self) -> str:
        """What a command needs so as to find this store: " --store X", or nothing for the default one."""
        return "" if self.shown == DEFAULT_ADDRESS else f" --store {shlex.quote(self.shown)}"

    def command(self, words: str) -> str:
        """The command to type, for this store: `command("init")`."""
        return f"evalspan {words}{self.option}"


def parse_address(text: str) -> Address:
    """A path, `sqlite:///path`, or `postgresql://user@host/database`. Raises StoreError on anything else."""
    if not text.strip():
        raise StoreError(f"The store's address is empty. Give a file: --store {DEFAULT_ADDRESS}")
    if text == ":memory:" or text.startswith("file:"):
        raise _no_memory(text)
    if "://" not in text:
        return _file(text, text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError(f"That is no address of a store: {_scheme(text)}… {_KINDS}") from None
    backend = url.get_backend_name()
    if backend == "sqlite":
        if not url.database or url.database == ":memory:" or url.database.startswith("file:") or url.query:
            raise _no_memory(text)
        return _file(url.database, text)
    if backend in ("postgresql", "postgres"):
        return _postgres(url)
    raise StoreError(f"No store can be kept in {_scheme(text)}… {_KINDS}")


_KINDS = "It is a file (evalspan.db) or a PostgreSQL database (postgresql://user@host/database)."


def _scheme(text: str) -> str:
    return text.split("://", 1)[0] + "://"


def _no_memory(text: str) -> StoreError:
    return StoreError(
        f"{text}: a store is a file, named by its path alone: one in memory would be gone with the process, "
        f"and each connection would see another. Give a file: --store {DEFAULT_ADDRESS}"
    )


def _file(path: str, given: str) -> Address:
    if "\0" in path:
        raise StoreError("A store's path can't hold a NUL character.")
    full = Path(path).absolute()
    return Address(URL.create("sqlite", database=str(full)), given, full)


def _postgres(url: URL) -> Address:
    if importlib.util.find_spec("psycopg") is None:
        raise StoreError("PostgreSQL needs psycopg: pip install 'evalspan[postgres]'")
    bare = URL.create(
        "postgresql",
        username=url.username,
        host=url.host,
        port=url.port,
        database=url.database,
        query={key: value for key, value in url.query.items() if key not in _SECRET_KEYS},
    )
    return Address(url.set(drivername="postgresql+psycopg"), bare.render_as_string(), None)


def secrets_of(url: URL) -> list[str]:
    """What must not turn up in a message."""
    values = [url.password, *(url.query.get(key) for key in _SECRET_KEYS)]
    return [value for value in values if isinstance(value, str) and value]
