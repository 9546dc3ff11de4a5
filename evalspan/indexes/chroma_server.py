"""Chroma behind HTTP: asked by its own client."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self
from urllib.parse import urlsplit

from evalspan.corpus import Manifest, parse_manifest
from evalspan.errors import CannotTell
from evalspan.indexes.address import IndexAddress
from evalspan.indexes.base import KEY, PAGE, IndexChunk, library, no_manifest, no_such, pages
from evalspan.indexes.payload import chunk_of

_DISTANCE = "hnsw:space"

DEFAULT_PORTS = {"http": 8000, "https": 443}
"""Chroma's own, and what hosts behind TLS answer on."""


class ServedChroma:
    """A collection of a server, in its default database. Credentials come by the client's own environment variables."""

    def __init__(self, address: IndexAddress) -> None:
        self._where = address.shown
        chroma = library("chromadb", "chroma")
        url = urlsplit(address.path)
        with self._asking():
            settings = library("chromadb.config", "chroma").Settings(anonymized_telemetry=False)
            port = url.port or DEFAULT_PORTS[url.scheme]
            self._client: Any = chroma.HttpClient(
                host=url.hostname or "", port=port, ssl=url.scheme == "https", settings=settings
            )
        self._absent: type[Exception] = library("chromadb.errors", "chroma").NotFoundError
        self._name = address.name
        try:
            self._collection: Any = self._find()
        except BaseException:
            self._client.close()
            raise

    def read_manifest(self) -> Manifest:
        text = (self._collection.metadata or {}).get(KEY)
        if text is None:
            raise no_manifest(self._where)
        return parse_manifest(str(text), self._where)

    def write_manifest(self, manifest: Manifest) -> None:
        """`modify` replaces all metadata: what is there is read now, and written back with it."""
        text = manifest.to_json()
        self._collection = self._find()
        kept = self._collection.metadata or {}
        if _DISTANCE in kept:
            raise CannotTell(
                f"{self._where}: its metadata holds {_DISTANCE!r}, which Chroma's client refuses to write back, and "
                "would lose. Write where the store's folder is (chroma:PATH#COLLECTION), or keep the manifest in a "
                "file: evalspan manifest write CHUNKING --out FILE"
            )
        with self._asking():
            self._collection.modify(metadata={**kept, KEY: text})

    def count(self) -> int:
        with self._asking():
            return int(self._collection.count())

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        if chunk_ids is not None:
            for page in pages(chunk_ids):
                yield from self._got(ids=list(page))
            return
        for offset in range(0, self.count(), PAGE):
            yield from self._got(limit=PAGE, offset=offset)

    def _got(self, **which: Any) -> Iterator[IndexChunk]:
        with self._asking():
            found = self._collection.get(include=["documents", "metadatas"], **which)
        for chunk_id, text, payload in zip(found["ids"], found["documents"], found["metadatas"], strict=True):
            yield chunk_of(chunk_id, payload or {}, text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def _find(self) -> Any:
        with self._asking():
            try:
                # Without an embedding function: the one that made the vectors may want a model that is not here.
                return self._client.get_collection(self._name, embedding_function=None)
            except self._absent:
                known = [one.name for one in self._client.list_collections()]
        raise no_such(self._where, "collection", self._name, known)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Turns what the client says into errors of ours."""
        try:
            yield
        except CannotTell:
            raise
        except Exception as error:  # Chroma's own errors, httpx's and ValueError have no base but this
            raise CannotTell(f"{self._where}: Chroma can't be asked ({error}).") from None
