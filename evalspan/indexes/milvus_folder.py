"""The folder of Milvus Lite, read without its client: a collection's properties, and a copy of one."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalspan.errors import CannotTell
from evalspan.indexes.base import no_such

COLLECTIONS = "collections"
SCHEMA = "schema.json"
ALIASES = "aliases.json"
LOCK = "LOCK"

FORMAT = 2
"""Of the description of a collection; what a later one means is not known here."""


class LiteFolder:
    """`FILE.db` is a folder: `collections/NAME/schema.json` describes a collection, `aliases.json` names it otherwise.

    Databases beside the default one are not looked at.
    """

    def __init__(self, path: Path, where: str) -> None:
        self.path = path
        self._where = where
        if path.is_file():
            raise CannotTell(
                f"{where}: is a file, and Milvus Lite keeps a folder since its version 3. If version 2 wrote it, keep "
                "the manifest in a file beside it: evalspan manifest write CHUNKING --out FILE"
            )
        if not (path / COLLECTIONS).is_dir():
            what = "holds no collections, so Milvus Lite did not write it" if path.exists() else "no such store"
            raise CannotTell(f"{where}: {what}.")

    def find(self, name: str) -> str:
        """The collection's own name, also for an alias. Raises CannotTell with the names there are."""
        known = {path.parent.name for path in (self.path / COLLECTIONS).glob(f"*/{SCHEMA}")}
        if name in known:
            return name
        aliases = self._json(self.path / ALIASES) if (self.path / ALIASES).is_file() else {}
        if aliases.get(name) in known:
            return str(aliases[name])
        raise no_such(self._where, "collection", name, [*known, *aliases])

    def properties(self, name: str) -> dict[str, Any]:
        """As the user and we wrote them."""
        schema = self._json(self.path / COLLECTIONS / name / SCHEMA)
        version = schema.get("schema_format_version", 1)
        if not isinstance(version, int) or version > FORMAT:
            raise CannotTell(
                f"{self._where}: written by a later Milvus Lite than is known here (format {version}). "
                "Upgrade: pip install -U evalspan"
            )
        found = schema.get("properties")
        return found if isinstance(found, dict) else {}

    def copy(self, name: str, target: Path) -> Path:
        """A store of this collection alone, in an empty folder."""
        store = target / "copy.db"
        shutil.copytree(self.path / COLLECTIONS / name, store / COLLECTIONS / name)
        return store

    def _json(self, path: Path) -> dict[str, Any]:
        try:
            found = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise CannotTell(f"{path}: can't be read ({error}).") from None
        if not isinstance(found, dict):
            raise CannotTell(f"{path}: is not what Milvus Lite writes there.")
        return found


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """In the block, whether nobody has the store open; then nobody can open it meanwhile, for Milvus Lite locks this
    file.
    """
    import fcntl  # Milvus Lite runs where this is

    lock = path / LOCK
    if not lock.is_file():
        yield True
        return
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True
