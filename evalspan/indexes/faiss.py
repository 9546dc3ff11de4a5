"""FAISS: a file of vectors, which holds no texts; the manifest is a sidecar."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from evalspan.corpus import Manifest
from evalspan.errors import CannotTell
from evalspan.indexes.address import IndexAddress
from evalspan.indexes.base import Index, IndexChunk, library
from evalspan.indexes.sidecar import Sidecar


class FaissIndex:
    """`where`: how messages call it; `also`: files that belong to it, whose content the sidecar is about as well."""

    def __init__(self, path: Path, where: str, also: Sequence[Path] = ()) -> None:
        if path.is_dir():
            raise CannotTell(
                f"{path} is a folder, and a FAISS index is a file. A folder of LangChain or LlamaIndex: "
                f"langchain:{path}, llamaindex:{path}"
            )
        if not path.is_file():
            raise CannotTell(f"{path}: no such FAISS index")
        self._path = path
        self.where = where
        self._sidecar = Sidecar([path, *also], where)

    def read_manifest(self) -> Manifest:
        return self._sidecar.read(self.count())

    def write_manifest(self, manifest: Manifest) -> None:
        self._sidecar.write(manifest, self.count())

    def count(self) -> int:
        return int(self._index.ntotal)

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        """Ids alone, of an index that has them (IndexIDMap); else raises CannotTell: positions name no chunk."""
        id_map = getattr(self._index, "id_map", None)
        if id_map is None:
            raise CannotTell(
                f"{self.where} holds vectors by position, without ids or texts: no chunk can be read back. The "
                "manifest beside it vouches for the file's content and its count, which every verify checks; read "
                "back the store that keeps the texts, or build the index as an IndexIDMap over numeric chunk ids."
            )
        held = map(str, _faiss().vector_to_array(id_map).tolist())
        wanted = None if chunk_ids is None else set(chunk_ids)
        return (IndexChunk(one, None) for one in held if wanted is None or one in wanted)

    @cached_property
    def _index(self) -> Any:
        try:
            return _faiss().read_index(str(self._path))
        except RuntimeError as error:
            raise CannotTell(f"{self._path}: not a FAISS index ({_short(error)})") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.__dict__.pop("_index", None)


def _short(error: RuntimeError) -> str:
    """What FAISS says without the place in its own source."""
    return str(error).partition(": Error: ")[2] or str(error).rpartition("cpp:")[2].partition(": ")[2] or str(error)


def _faiss() -> Any:
    return library("faiss", "faiss")


def open_index(address: IndexAddress, *, write: bool = False) -> Index:  # noqa: ARG001 — the sidecar is a file of its own
    """Raises CannotTell where there is no such file."""
    return FaissIndex(Path(address.path), address.shown)
