"""The folder of Qdrant's local mode, read without its client: which collections there are, and a copy of one."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from evalspan.errors import CannotTell
from evalspan.indexes.base import no_such

META = "meta.json"
POINTS = Path("storage.sqlite")
COLLECTIONS = "collection"


class LocalFolder:
    """`meta.json` lists collections and aliases; `collection/NAME/storage.sqlite` holds a collection's points."""

    def __init__(self, path: Path, where: str) -> None:
        self.path = path
        self._where = where
        if not (path / META).is_file():
            what = f"holds no {META}, so Qdrant's local mode did not write it" if path.exists() else "no such folder"
            raise CannotTell(f"{where}: {what}. A server is qdrant:http://HOST:PORT#COLLECTION")

    def find(self, name: str) -> str:
        """The collection's own name, also for an alias. Raises CannotTell with the names there are."""
        collections, aliases = self._listed()
        own = name if name in collections else aliases.get(name)
        if own not in collections:
            raise no_such(self._where, "collection", name, [*collections, *aliases])
        return str(own)

    def metadata(self, name: str) -> dict[str, Any]:
        """As the user and we wrote it."""
        collections, _ = self._listed()
        if name not in collections:  # it was there when we opened it
            raise no_such(self._where, "collection", name, collections)
        found = collections[name].get("metadata")
        return found if isinstance(found, dict) else {}

    def copy(self, name: str, target: Path) -> None:
        """A store of this collection alone, in an empty folder. Consistent also while another process writes."""
        collections, _ = self._listed()
        meta = {"collections": {name: collections[name]}, "aliases": {}}
        (target / META).write_text(json.dumps(meta), "utf-8")
        here = Path(COLLECTIONS, name)
        (target / here).mkdir(parents=True)
        source = (self.path / here / POINTS).resolve()
        if not source.is_file():
            raise CannotTell(f"{self._where}: its points are not there ({here / POINTS}); the store is damaged.")
        try:
            with (
                closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as original,
                closing(sqlite3.connect(target / here / POINTS)) as copied,
            ):
                original.backup(copied)
        except sqlite3.Error as error:
            raise CannotTell(f"{self._where}: its points can't be read ({error}).") from None

    def _listed(self) -> tuple[dict[str, Any], dict[str, str]]:
        path = self.path / META
        try:
            meta = json.loads(path.read_text("utf-8"))
            collections, aliases = meta["collections"], meta["aliases"]
            if all(isinstance(one, dict) for one in (aliases, collections, *collections.values())):
                return collections, aliases
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise CannotTell(f"{path}: can't be read ({type(error).__name__}: {error}).") from None
        raise CannotTell(f"{path}: is no list of Qdrant's collections.")
