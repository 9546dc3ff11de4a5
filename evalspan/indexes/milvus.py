"""Milvus Lite: the manifest is a property of the collection."""

import logging
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from evalspan.corpus import Manifest, parse_manifest
from evalspan.errors import CannotTell, EvalspanError, Unwritable
from evalspan.indexes.address import IndexAddress
from evalspan.indexes.base import KEY, Index, IndexChunk, library, no_manifest, pages
from evalspan.indexes.milvus_folder import LiteFolder, locked
from evalspan.indexes.payload import chunk_of

_UNQUOTABLE = frozenset("'\"\\")
"""Milvus Lite reads none of these back out of a filter as they were put in; ids with one are looked for in all rows."""

_QUIET = 100
"""Above every level: the client prints each error with its traceback before it raises it."""

_VECTOR = "VECTOR"
"""In the name of every type of vector."""


def open_index(address: IndexAddress, *, write: bool = False) -> Index:
    """Raises CannotTell where there is no such collection, or `write` and the store is in another process's hands."""
    if address.is_url:
        raise CannotTell(
            f"{address.shown}: of Milvus, files of Milvus Lite are read here (milvus:FILE.db#COLLECTION). From a "
            'server, take describe_collection(NAME)["properties"]["evalspan"] into a file, and name that.'
        )
    return LiteCollection(address, write)


class LiteCollection:
    """A collection of the default database of a file that `MilvusClient("FILE.db")` keeps.

    The client takes the store for itself alone and tidies it up when it leaves: so the manifest is read from the
    collection's own description, and chunks from a copy.
    """

    def __init__(self, address: IndexAddress, write: bool) -> None:
        self._where = address.shown
        self._folder = LiteFolder(Path(address.path), self._where)
        self._name = self._folder.find(address.name)
        self._place: tempfile.TemporaryDirectory[str] | None = None
        self._reader: _Lite | None = None
        if write:
            _Lite(self._folder.path, self._where).close()  # that it can be taken

    def read_manifest(self) -> Manifest:
        text = self._folder.properties(self._name).get(KEY)
        if text is None:
            raise no_manifest(self._where)
        return parse_manifest(str(text), self._where)

    def write_manifest(self, manifest: Manifest) -> None:
        text = manifest.to_json()
        lite = _Lite(self._folder.path, self._where)
        try:
            with lite.asking():
                lite.client.alter_collection_properties(self._name, properties={KEY: text})
        finally:
            lite.close()
        if self._folder.properties(self._name).get(KEY) != text:
            raise Unwritable(f"{self._where}: Milvus did not keep the manifest. Upgrade: pip install -U milvus-lite")

    def count(self) -> int:
        lite = self._reading()
        with lite.asking():
            return int(lite.client.query(self._name, filter="", output_fields=["count(*)"])[0]["count(*)"])

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        lite = self._reading()
        with lite.asking():
            key, whole, fields = self._fields(lite.client)
            if chunk_ids is None:
                rows = self._all(fields)
            elif any(_UNQUOTABLE & set(one) for one in chunk_ids):
                wanted = set(chunk_ids)
                rows = [row for row in self._all(fields) if str(row[key]) in wanted]
            else:
                rows = []
                for page in pages(chunk_ids):
                    ids = [int(one) for one in page if one.isascii() and one.isdigit()] if whole else list(page)
                    rows += lite.client.query(self._name, ids=ids, output_fields=fields) if ids else []
        for row in rows:
            payload = dict(row)
            yield chunk_of(str(payload.pop(key)), payload)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._reader is not None:
            self._reader.close()
        if self._place is not None:
            self._place.cleanup()

    def _reading(self) -> "_Lite":
        """The collection, loaded: a copy's, or this process's own open one."""
        if self._reader is None:
            with locked(self._folder.path) as alone:
                path = self._copy() if alone else self._folder.path
            self._reader = _Lite(path, self._where)
            with self._reader.asking():
                self._reader.client.load_collection(self._name)
        return self._reader

    def _copy(self) -> Path:
        self._place = tempfile.TemporaryDirectory(prefix="evalspan-", ignore_cleanup_errors=True)
        return self._folder.copy(self._name, Path(self._place.name))

    def _fields(self, client: Any) -> tuple[str, bool, list[str]]:
        """The primary key, whether it is a number, and all fields that are no vectors."""
        described = client.describe_collection(self._name)
        key = next(field for field in described["fields"] if field.get("is_primary"))
        fields = [field["name"] for field in described["fields"] if _VECTOR not in field["type"].name]
        if described.get("enable_dynamic_field"):
            fields.append("$meta")
        return key["name"], key["type"].name.startswith("INT"), fields

    def _all(self, fields: list[str]) -> list[dict[str, Any]]:
        """In one answer: the client's own paging puts the last id of a page into a filter, unquoted as it is."""
        number = self.count()
        if not number:
            return []
        rows: list[dict[str, Any]] = self._reading().client.query(
            self._name, filter="", limit=number, output_fields=fields
        )
        return rows


class _Lite:
    """A client with the server it starts inside this process, which is stopped again unless it ran before."""

    def __init__(self, path: Path, where: str) -> None:
        self._path, self._where = path, where
        self._ran = _is_held(path)
        milvus = library("pymilvus", "milvus")
        library("milvus_lite", "milvus")
        try:
            with self.asking():
                self.client: Any = milvus.MilvusClient(str(path))
        except CannotTell:
            if not self._ran:
                raise
            raise CannotTell(
                f"{where}: another process has this store open, and Milvus Lite lets in one at a time. "
                "Close it there, or try again when it is done."
            ) from None

    def close(self) -> None:
        self.client.close()
        if not self._ran:
            server = library("milvus_lite.server_manager", "milvus").server_manager_instance
            server.release_server(str(self._path))

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Turns what the client says into errors of ours."""
        loggers = [logging.getLogger(name) for name in ("pymilvus", "milvus_lite", "grpc")]
        levels = [logger.level for logger in loggers]
        for logger in loggers:
            logger.setLevel(_QUIET)
        try:
            yield
        except EvalspanError:
            raise
        except Exception as error:  # of the client, of gRPC, of the server in this process: no base but this
            raise CannotTell(f"{self._where}: Milvus can't be asked ({error}).") from None
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)


def _is_held(path: Path) -> bool:
    with locked(path) as alone:
        return not alone
