"""Which set is meant: one of the store, or a set file, which needs no store."""

from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from evalspan.errors import Problems
from evalspan.formats.setfile import SUFFIX, read_set
from evalspan.labels import EvalSet

if TYPE_CHECKING:
    from evalspan.store import VersionRecord
    from evalspan.workflows.stores import StoreOrAddress

SetReference = str | PathLike[str]
"""NAME (its newest version), NAME@VERSION, or the path of a set file."""


@dataclass(frozen=True, slots=True)
class FoundSet:
    """A set, wherever it was."""

    label: str
    """How the command line names it: "faq@2", or the path of its file."""
    eval_set: EvalSet
    record: "VersionRecord | None"
    """None for a set file, which no store need know."""


def is_set_file(reference: SetReference) -> bool:
    """Whether a file is meant: a path that exists and is no folder, or one that ends in .jsonl."""
    if not isinstance(reference, str) or reference.endswith(SUFFIX):
        return True
    try:
        path = Path(reference)
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):  # what no file can be called: too long, a NUL in it
        return False


def read_set_file(path: SetReference) -> FoundSet:
    """Raises BadInput with every problem of the file."""
    problems = Problems()
    found = read_set(path, problems)
    problems.raise_if_any()
    return FoundSet(fspath(path), found.eval_set, None)


def find_set(reference: SetReference, store: "StoreOrAddress" = None) -> FoundSet:
    """`store` is not looked at for a file. Raises BadInput for the file, NotFound and StoreError for the store."""
    if is_set_file(reference):
        return read_set_file(reference)
    # Not above: without a store nothing of it is loaded, which is half of what `verify` takes.
    from evalspan.workflows.stores import opened

    with opened(store) as opened_store:
        record = opened_store.find_version(fspath(reference))
        return FoundSet(record.label, opened_store.eval_set(record), record)
