"""LangChain: what `InMemoryVectorStore.dump` and `FAISS.save_local` write; the manifest is a sidecar.

Other stores of LangChain are read where they keep their data: `chroma:`, `qdrant:`, `postgresql://` and the like.
The texts of `FAISS.save_local` are a pickle, which may run anything when it is loaded: it is hashed, never loaded.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from evalspan.corpus import Manifest
from evalspan.errors import CannotTell
from evalspan.indexes.address import IndexAddress
from evalspan.indexes.base import Index, IndexChunk
from evalspan.indexes.faiss import FaissIndex
from evalspan.indexes.jsonfile import read_object
from evalspan.indexes.payload import chunk_of
from evalspan.indexes.sidecar import Sidecar

VECTORS, TEXTS = ".faiss", ".pkl"
"""What `save_local` calls its two files."""


class LangChainDump:
    """The JSON file of `InMemoryVectorStore.dump`."""

    def __init__(self, path: Path, where: str) -> None:
        self._rows = read_object(path, where)
        if not all(isinstance(row, dict) and isinstance(row.get("text"), str) for row in self._rows.values()):
            raise CannotTell(f"{where}: not what InMemoryVectorStore.dump writes (a row has no text)")
        self._sidecar = Sidecar([path], where)

    def read_manifest(self) -> Manifest:
        return self._sidecar.read(self.count())

    def write_manifest(self, manifest: Manifest) -> None:
        self._sidecar.write(manifest, self.count())

    def count(self) -> int:
        return len(self._rows)

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        for chunk_id in self._rows if chunk_ids is None else dict.fromkeys(chunk_ids):
            row = self._rows.get(chunk_id)
            if row is not None:
                yield chunk_of(chunk_id, _metadata(row), row["text"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._rows = {}


def _metadata(row: dict[str, Any]) -> dict[str, Any]:
    metadata = row.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


class SavedFaiss(FaissIndex):
    """The files of `FAISS.save_local`, by the one that holds the vectors."""

    def __init__(self, path: Path, where: str) -> None:
        texts = path.with_suffix(TEXTS)
        super().__init__(path, where, [texts] if texts.exists() else [])

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:  # noqa: ARG002
        """Raises CannotTell."""
        raise CannotTell(
            f"{self.where}: FAISS.save_local keeps ids and texts as a pickle, which may run anything when it is "
            "loaded: nothing is read back of it. The manifest beside it vouches for the content of both files and the "
            "count, which every verify checks. InMemoryVectorStore.dump, Chroma or LanceDB can be read back."
        )


def open_index(address: IndexAddress, *, write: bool = False) -> Index:  # noqa: ARG001 — the sidecar is another file
    """Of a dump, a folder of `save_local`, or its NAME.faiss. Raises CannotTell where it is none of them."""
    path = Path(address.path)
    if path.is_dir():
        found = sorted(path.glob(f"*{VECTORS}"))
        if len(found) > 1:
            names = ", ".join(one.name for one in found)
            raise CannotTell(f"{address.shown}: holds several indexes ({names}). Say which: langchain:{found[0]}")
        if not found:
            raise CannotTell(f"{address.shown}: no {VECTORS} file in it, so it is no folder of FAISS.save_local")
        path = found[0]
    if path.suffix == VECTORS:
        return SavedFaiss(path, address.shown)
    return LangChainDump(path, address.shown)
