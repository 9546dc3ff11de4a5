"""Qdrant: the manifest is a value of the collection's metadata, kept as a text.

As nested JSON it would pass through the server's own number formats, and its fingerprints would no longer fit.
"""

import json
import os
import tempfile
import uuid
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from evalspan.corpus import Manifest, parse_manifest
from evalspan.errors import CannotTell, EvalspanError, Unwritable
from evalspan.indexes.address import IndexAddress
from evalspan.indexes.base import KEY, PAGE, Index, IndexChunk, library, no_manifest, no_such, pages
from evalspan.indexes.payload import chunk_of
from evalspan.indexes.qdrant_folder import LocalFolder

CHUNK_ID = "chunk_id"
"""Qdrant's own ids are numbers and UUIDs alone: where a payload has this field, it is the chunk's."""

API_KEY = "QDRANT_API_KEY"
"""The environment variable for a server that wants one: addresses end up in logs."""

TIMEOUT = 10
"""Seconds for one answer of a server."""


def open_index(address: IndexAddress, *, write: bool = False) -> Index:
    """Raises CannotTell where there is no such collection, or `write` and the store is in another process's hands."""
    if address.is_url:
        return QdrantServer(address)
    return QdrantLocal(address, write)


class QdrantServer:
    """A collection of a server."""

    def __init__(self, address: IndexAddress) -> None:
        self._where, self._name = address.shown, address.name
        with _asking(self._where):
            self._client: Any = library("qdrant_client", "qdrant").QdrantClient(
                url=address.path, api_key=os.environ.get(API_KEY), timeout=TIMEOUT, check_compatibility=False
            )
        try:
            with _asking(self._where):
                known = self._known()
            if self._name not in known:
                raise no_such(self._where, "collection", self._name, known)
        except BaseException:
            self._client.close()
            raise

    def _known(self) -> list[str]:
        """Collections and aliases."""
        names = [one.name for one in self._client.get_collections().collections]
        return names + [one.alias_name for one in self._client.get_aliases().aliases]

    def read_manifest(self) -> Manifest:
        return _manifest(self._metadata(), self._where)

    def write_manifest(self, manifest: Manifest) -> None:
        text = manifest.to_json()
        with _asking(self._where):
            self._client.update_collection(self._name, metadata={KEY: text})
        if self._metadata().get(KEY) != text:
            raise Unwritable(
                f"{self._where}: the server did not keep the manifest; collections have metadata from Qdrant 1.16 on. "
                "Keep it in a file: evalspan manifest write CHUNKING --out FILE"
            )

    def count(self) -> int:
        with _asking(self._where):
            return _count(self._client, self._name)

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        with _asking(self._where):
            yield from _chunks(self._client, self._name, chunk_ids)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def _metadata(self) -> dict[str, Any]:
        with _asking(self._where):
            return getattr(self._client.get_collection(self._name).config, "metadata", None) or {}


class QdrantLocal:
    """A collection of a folder that `QdrantClient(path=…)` keeps.

    The client takes the folder for itself alone and rewrites rows of older versions while it loads: so the manifest is
    read from the folder's own list of collections, and points from a copy.
    """

    def __init__(self, address: IndexAddress, write: bool) -> None:
        self._where = address.shown
        self._folder = LocalFolder(Path(address.path), self._where)
        self._name = self._folder.find(address.name)
        self._copy: Any = None
        self._place: tempfile.TemporaryDirectory[str] | None = None
        if write:
            with self._client_of(self._folder.path):
                pass  # that it can be taken

    def read_manifest(self) -> Manifest:
        return _manifest(self._folder.metadata(self._name), self._where)

    def write_manifest(self, manifest: Manifest) -> None:
        text = manifest.to_json()
        with self._client_of(self._folder.path) as client:
            client.update_collection(self._name, metadata={KEY: text})
        if self._folder.metadata(self._name).get(KEY) != text:
            raise Unwritable(f"{self._where}: the manifest was not kept. Upgrade: pip install 'qdrant-client>=1.16'")

    def count(self) -> int:
        with _asking(self._where):
            return _count(self._copied(), self._name)

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        with _asking(self._where):
            yield from _chunks(self._copied(), self._name, chunk_ids)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._copy is not None:
            self._copy.close()
        if self._place is not None:
            self._place.cleanup()

    def _copied(self) -> Any:
        """A client on a copy of this collection, made once."""
        if self._copy is None:
            self._place = tempfile.TemporaryDirectory(prefix="evalspan-", ignore_cleanup_errors=True)
            self._folder.copy(self._name, Path(self._place.name))
            self._copy = _local_client(Path(self._place.name))
        return self._copy

    @contextmanager
    def _client_of(self, path: Path) -> Iterator[Any]:
        with _asking(self._where):
            client = _local_client(path)
            try:
                yield client
            finally:
                client.close()


def _local_client(path: Path) -> Any:
    with warnings.catch_warnings():
        # That a server is better for many points, and that rows of older versions were joined: no news for a guard.
        warnings.simplefilter("ignore")
        return library("qdrant_client", "qdrant").QdrantClient(path=str(path))


def _manifest(metadata: dict[str, Any], where: str) -> Manifest:
    value = metadata.get(KEY)
    if value is None:
        raise no_manifest(where)
    return parse_manifest(value if isinstance(value, str) else json.dumps(value), where)


def _count(client: Any, name: str) -> int:
    return int(client.count(name, exact=True).count)


def _chunks(client: Any, name: str, chunk_ids: Sequence[str] | None) -> Iterator[IndexChunk]:
    if chunk_ids is None:
        yield from _scrolled(client, name, None)
        return
    models = library("qdrant_client.models", "qdrant")
    for page in pages(chunk_ids):
        wanted = set(page)
        conditions = [models.FieldCondition(key=CHUNK_ID, match=models.MatchAny(any=list(page)))]
        own = [one for one in map(_own_id, page) if one is not None]
        if own:
            conditions.append(models.HasIdCondition(has_id=own))
        found = _scrolled(client, name, models.Filter(should=conditions))
        yield from (chunk for chunk in found if chunk.chunk_id in wanted)


def _scrolled(client: Any, name: str, condition: Any) -> Iterator[IndexChunk]:
    offset = None
    while True:
        points, offset = client.scroll(
            name, scroll_filter=condition, limit=PAGE, offset=offset, with_payload=True, with_vectors=False
        )
        for point in points:
            payload = point.payload or {}
            named = payload.get(CHUNK_ID)
            yield chunk_of(named if isinstance(named, str) else str(point.id), payload)
        if offset is None:
            return


def _own_id(chunk_id: str) -> int | str | None:
    """As a point's id, where it can be one."""
    if chunk_id.isascii() and chunk_id.isdigit() and int(chunk_id) < 2**64:
        return int(chunk_id)
    try:
        return str(uuid.UUID(chunk_id))
    except ValueError:
        return None


@contextmanager
def _asking(where: str) -> Iterator[None]:
    """Turns what the client says into errors of ours."""
    try:
        yield
    except EvalspanError:
        raise
    except RuntimeError as error:
        if "already accessed" not in str(error):
            raise CannotTell(f"{where}: Qdrant can't be asked ({error}).") from None
        raise CannotTell(
            f"{where}: another process has this store open, and Qdrant's local mode lets in one at a time. "
            "Close it there, or try again when it is done."
        ) from None
    except PermissionError as error:
        raise Unwritable(f"{where}: can't be written ({error.strerror}).") from None
    except Exception as error:  # what the client, httpx and pydantic raise has no base but this
        raise CannotTell(f"{where}: Qdrant can't be asked ({error}).") from None
