"""Which store is meant, and opening it."""

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalspan.errors import BadInput, Problem
from evalspan.store import DEFAULT_ADDRESS, Store

StoreOrAddress = Store | str | None
"""An open store, an address, or None for the configured one."""


def store_address(given: str | None = None) -> str:
    """`given`, else EVALSPAN_STORE, else `[tool.evalspan] store` of the nearest pyproject.toml, else evalspan.db."""
    return given or os.environ.get("EVALSPAN_STORE") or _configured() or DEFAULT_ADDRESS


def _configured() -> str | None:
    for folder in (Path.cwd(), *Path.cwd().parents):
        path = folder / "pyproject.toml"
        if not path.is_file():
            continue
        store = _setting(path)
        if store is not None:
            # A plain path is meant from where it is written, not from where the command is typed.
            return store if "://" in store else os.path.relpath(folder / store)
    return None


def _setting(path: Path) -> str | None:
    """`[tool.evalspan] store` of a pyproject.toml, or None where it says nothing."""
    try:
        settings: Any = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput([Problem(str(path), None, f"can't be read ({error})")]) from None
    for key in ("tool", "evalspan", "store"):
        if not isinstance(settings, dict):
            raise BadInput([Problem(str(path), None, f"{key!r} is looked for in what is no table")])
        if key not in settings:
            return None
        settings = settings[key]
    if not isinstance(settings, str) or not settings:
        raise BadInput([Problem(str(path), None, "[tool.evalspan] store is no address")])
    return settings


@contextmanager
def opened(store: StoreOrAddress) -> Iterator[Store]:
    """The store itself, or the one at the address, closed at the end."""
    if isinstance(store, Store):
        yield store
        return
    with Store.open(store_address(store)) as opening:
        yield opening
