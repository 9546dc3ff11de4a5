"""Chroma: the manifest is a value of the collection's metadata.

A folder is read, and its manifest written, as the SQLite file it is. The client would load for a second, bring an older
store to its own version by opening it, wait for a quarter of an hour where another process writes, and replace all of a
collection's metadata to change one value of it.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

from evalspan.corpus import Manifest, parse_manifest
from evalspan.errors import CannotTell, Unwritable
from evalspan.indexes.address import IndexAddress
from evalspan.indexes.base import KEY, PAGE, Index, IndexChunk, no_manifest, no_such, pages
from evalspan.indexes.payload import chunk_of

FILE = "chroma.sqlite3"

WAIT = 2.0
"""Seconds for another process to finish its write: its own are short, and a guard that hangs is worse than one that
says so."""

_TEXT = "chroma:document"

_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_NO_RIGHT = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})


def open_index(address: IndexAddress, *, write: bool = False) -> Index:
    """Raises CannotTell where there is no such collection."""
    if address.is_url:
        from evalspan.indexes.chroma_server import ServedChroma

        return ServedChroma(address)
    return ChromaFolder(address, write)


class ChromaFolder:
    """A collection of a folder that `chromadb.PersistentClient` keeps."""

    def __init__(self, address: IndexAddress, write: bool) -> None:
        self._where = address.shown
        path = Path(address.path) / FILE
        if not path.is_file():
            what = "no such folder" if not Path(address.path).exists() else f"holds no {FILE}, so it is no Chroma store"
            raise CannotTell(f"{self._where}: {what}. A server is chroma:http://HOST:PORT#COLLECTION")
        uri = f"{path.resolve().as_uri()}?mode={'rw' if write else 'ro'}"
        with self._asking():
            self._connection = sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None)
        try:
            self._collection = self._find(address.name)
        except BaseException:
            self._connection.close()
            raise

    def read_manifest(self) -> Manifest:
        rows = self._rows(
            "SELECT str_value FROM collection_metadata WHERE collection_id = ? AND key = ?", self._collection, KEY
        )
        if not rows:
            raise no_manifest(self._where)
        return parse_manifest(rows[0][0] or "", self._where)

    def write_manifest(self, manifest: Manifest) -> None:
        text = manifest.to_json()
        insert = "INSERT OR REPLACE INTO collection_metadata (collection_id, key, str_value) VALUES (?, ?, ?)"
        with self._asking():
            self._connection.execute(insert, (self._collection, KEY, text))

    def count(self) -> int:
        (number,) = self._rows("SELECT count(*) FROM embeddings WHERE segment_id = ?", self._segment())[0]
        return int(number)

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        segment = self._segment()
        if chunk_ids is not None:
            for page in pages(chunk_ids):
                marks = ", ".join("?" * len(page))
                question = f"SELECT id, embedding_id FROM embeddings WHERE segment_id = ? AND embedding_id IN ({marks})"
                yield from self._filled(self._rows(question, segment, *page))
            return
        # By number, and not in one sweep: an open read would keep the store's writers waiting.
        after = -1
        question = "SELECT id, embedding_id FROM embeddings WHERE segment_id = ? AND id > ? ORDER BY id LIMIT ?"
        while rows := self._rows(question, segment, after, PAGE):
            yield from self._filled(rows)
            after = rows[-1][0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _find(self, name: str) -> str:
        found = self._rows("SELECT id FROM collections WHERE name = ?", name)
        if not found:
            raise no_such(
                self._where, "collection", name, (row[0] for row in self._rows("SELECT name FROM collections"))
            )
        if len(found) > 1:
            raise CannotTell(
                f"{self._where}: {len(found)} databases of this store have a collection of that name, and it can't be "
                "told which is meant. Keep the manifest in a file beside the store, and name that."
            )
        return str(found[0][0])

    def _segment(self) -> str:
        """Of ids, texts and metadata. Raises CannotTell where records wait to be taken into it."""
        rows = self._rows("SELECT id FROM segments WHERE collection = ? AND scope = 'METADATA'", self._collection)
        if not rows:
            raise CannotTell(f"{self._where}: the collection has no metadata segment; its store is damaged.")
        segment = str(rows[0][0])
        taken = self._rows("SELECT seq_id FROM max_seq_id WHERE segment_id = ?", segment)
        ((queued,),) = self._rows(
            "SELECT max(seq_id) FROM embeddings_queue WHERE topic LIKE ?", f"%/{self._collection}"
        )
        if queued is not None and queued > (_number(taken[0][0]) if taken else 0):
            raise CannotTell(
                f"{self._where}: records were written down that Chroma has not taken into the collection yet. "
                "Open it once with chromadb.PersistentClient and count() it."
            )
        return segment

    def _filled(self, rows: list[tuple[Any, ...]]) -> Iterator[IndexChunk]:
        payloads: dict[int, dict[str, Any]] = {row[0]: {} for row in rows}
        question = (
            "SELECT id, key, string_value, int_value, float_value, bool_value FROM embedding_metadata "
            f"WHERE id IN ({', '.join('?' * len(payloads))})"
        )
        for number, key, text, whole, real, truth in self._rows(question, *payloads):
            values = (text, whole, real, None if truth is None else bool(truth))
            payloads[number][key] = next((value for value in values if value is not None), None)
        for number, chunk_id in rows:
            payload = payloads[number]
            yield chunk_of(chunk_id, payload, payload.pop(_TEXT, None))

    def _rows(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self._asking(), closing(self._connection.execute(question, values)) as cursor:
            return cursor.fetchall()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Turns what SQLite says into errors of ours."""
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the extended codes' kind
            if code in _LOCKED:
                what = f"another process has held it for {WAIT:g} seconds. Try again when it is done."
                raise CannotTell(f"{self._where}: locked: {what}") from None
            if code in _NO_RIGHT:
                raise Unwritable(
                    f"{self._where}: can't be written ({error}). Keep the manifest in a file: evalspan manifest write "
                    "CHUNKING --out FILE"
                ) from None
            raise CannotTell(f"{self._where}: is no Chroma store that can be read ({error}).") from None


def _number(value: int | bytes) -> int:
    """Older stores keep it as bytes."""
    return int.from_bytes(value, "big") if isinstance(value, bytes) else value
