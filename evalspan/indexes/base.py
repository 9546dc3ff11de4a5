"""What every index is asked: its manifest, and its chunks back."""

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol, Self

from evalspan.corpus import Manifest
from evalspan.errors import CannotTell

KEY = "evalspan"
"""Under which the manifest lies wherever a store keeps values by name."""

PAGE = 500
"""Chunks asked for at once: memory stays small, and SQLite before 3.32 takes 999 values in a question."""

LISTED = 20
"""How many collections a message names."""


class IndexChunk(NamedTuple):
    """A chunk as the index holds it."""

    chunk_id: str
    text: str | None
    """None where the index keeps no texts."""
    doc_id: str | None = None
    """None where it does not say."""
    start: int | None = None
    """Code points, as its metadata says; nobody has checked it."""
    end: int | None = None


class Index(Protocol):
    """An open index. Used in a `with` block; opened by `evalspan.indexes.open_index`.

    Reading changes nothing in the user's store. What can't be read raises CannotTell, with what to type.
    """

    def read_manifest(self) -> Manifest:
        """Raises CannotTell where there is none, or none that can be read."""
        ...

    def write_manifest(self, manifest: Manifest) -> None:
        """Replaces the one that was; what else the user keeps beside it stays as it is."""
        ...

    def count(self) -> int:
        """How many chunks it holds."""
        ...

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        """All of them, or those of these ids that it holds, in any order, page by page."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


def library(module: str, extra: str) -> Any:
    """A store's own client, loaded now. Raises CannotTell, with the extra to install, where it is not there."""
    try:
        return import_module(module)
    except ImportError as error:
        raise CannotTell(f"{module} can't be loaded ({error}). Install it: pip install 'evalspan[{extra}]'") from None


def no_manifest(where: str) -> CannotTell:
    """`where`: the index's address as shown."""
    return CannotTell(f"{where}: holds no manifest. Write one: evalspan manifest write CHUNKING --index {where}")


def no_such(where: str, kind: str, name: str, known: Iterable[str]) -> CannotTell:
    """`kind`: "collection" or "table"; `known`: the names of those that exist."""
    names = sorted(known)
    there = ", ".join(names[:LISTED]) + (f" … {len(names)} in all" if len(names) > LISTED else "")
    return CannotTell(f"{where}: no {kind} {name!r}. {f'There is: {there}' if names else f'There is no {kind} in it'}.")


def pages(items: Sequence[str]) -> Iterator[Sequence[str]]:
    """Of at most `PAGE` each."""
    for at in range(0, len(items), PAGE):
        yield items[at : at + PAGE]
