"""LlamaIndex: a folder of `StorageContext.persist`; the manifest is a sidecar of its vectors.

Where a vector store of its own holds the nodes, that one is read instead: `chroma:`, `qdrant:` and the like.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic_core import from_json

from evalspan.corpus import Manifest
from evalspan.errors import CannotTell
from evalspan.indexes.address import IndexAddress
from evalspan.indexes.base import Index, IndexChunk
from evalspan.indexes.jsonfile import read_object
from evalspan.indexes.payload import NO_DOCUMENT, chunk_of
from evalspan.indexes.sidecar import Sidecar

NODES = "docstore.json"
NODE_CONTENT = "_node_content"
"""A whole node as JSON text, among the fields of stores that keep flat ones."""

VECTORS = "__vector_store.json"
"""Behind the namespace: "default", or "image" of what holds pictures."""

DOCUMENT = "4"
"""`__type__` of a whole document, which stands among the nodes where somebody put it there."""

SOURCE, PARENT = "1", "4"
"""Keys of `relationships`: the document, and the larger node that a node was cut from."""

DEPTH = 100
"""Parents followed at most: a file may name them in a ring."""

Node = Mapping[str, Any]


class LlamaIndexFolder:
    """The nodes that have a vector, with their texts out of the docstore; without vectors, the docstore's nodes."""

    def __init__(self, path: Path, where: str) -> None:
        folder, vectors = _files(path, where)
        texts = folder / NODES
        self._documents: dict[str, Any] = {}
        self._fields: dict[str, Any] = {}
        data = _stored(read_object(texts, where), where) if texts.exists() else {}
        ids = [one for one, row in data.items() if isinstance(row, dict) and str(row.get("__type__")) != DOCUMENT]
        self._nodes = {one: _parsed(row.get("__data__")) for one, row in data.items() if isinstance(row, dict)}
        if vectors is not None:
            store = read_object(vectors, where)
            ids = list(_part(store, "embedding_dict", where))
            documents = _part(store, "text_id_to_ref_doc_id", where)
            self._documents = {one: doc_id for one, doc_id in documents.items() if doc_id != NO_DOCUMENT}
            self._fields = _part(store, "metadata_dict", where)
        self._ids = dict.fromkeys(ids)
        self._sidecar = Sidecar([one for one in (vectors, texts) if one is not None and one.exists()], where)

    def read_manifest(self) -> Manifest:
        return self._sidecar.read(self.count())

    def write_manifest(self, manifest: Manifest) -> None:
        self._sidecar.write(manifest, self.count())

    def count(self) -> int:
        return len(self._ids)

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        """Offsets that are relative to a parent node are resolved where the docstore holds it; else there is none."""
        for chunk_id in self._ids if chunk_ids is None else dict.fromkeys(chunk_ids):
            if chunk_id in self._ids:
                yield self._chunk(chunk_id)

    def _chunk(self, chunk_id: str) -> IndexChunk:
        said = self._fields.get(chunk_id)
        fields = said if isinstance(said, dict) else {}
        node = self._nodes.get(chunk_id) or _parsed(fields.get(NODE_CONTENT))
        chunk = chunk_of(chunk_id, {**node, **fields}, _text(node))
        shift = self._shift(node)
        return chunk._replace(
            doc_id=_related(node, SOURCE) or self._documents.get(chunk_id) or chunk.doc_id,
            start=None if chunk.start is None or shift is None else chunk.start + shift,
            end=None if chunk.end is None or shift is None else chunk.end + shift,
        )

    def _shift(self, node: Node) -> int | None:
        """Where the text begins that the node's offsets count from; None where that is not known."""
        shift = 0
        for _ in range(DEPTH):
            parent = _related(node, PARENT)
            if parent is None:
                return shift
            node = self._nodes.get(parent, {})
            start = node.get("start_char_idx")
            if not isinstance(start, int):
                return None
            shift += start
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._nodes, self._fields, self._documents = {}, {}, {}


def _files(path: Path, where: str) -> tuple[Path, Path | None]:
    """The folder, and the file of vectors where there is one. `path`: of the folder, or of that file."""
    if path.is_file() and path.name.endswith(VECTORS):
        return path.parent, path
    if not path.is_dir():
        raise CannotTell(f"{where}: no such folder of StorageContext.persist")
    found = [one for one in sorted(path.glob(f"*{VECTORS}")) if _part(read_object(one, where), "embedding_dict", where)]
    if len(found) > 1:
        names = ", ".join(one.name for one in found)
        raise CannotTell(f"{where}: holds several vector stores ({names}). Say which: llamaindex:{found[0]}")
    if not found and not (path / NODES).exists():
        raise CannotTell(f"{where}: neither vectors nor {NODES} in it, so it is no folder of StorageContext.persist")
    return path, found[0] if found else None


def _stored(docstore: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """Node id → node, of the one namespace that holds any."""
    found = [data for key, data in docstore.items() if key.endswith("/data") and isinstance(data, dict) and data]
    if len(found) > 1:
        raise CannotTell(f"{where}: {NODES} holds several namespaces, and which one is the index's it does not say")
    return found[0] if found else {}


def _parsed(value: Any) -> Node:
    """A node, which may be kept as JSON text."""
    if isinstance(value, str):
        try:
            value = from_json(value)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}


def _text(node: Node) -> str | None:
    text = node.get("text")
    if text is None and isinstance(resource := node.get("text_resource"), dict):
        text = resource.get("text")
    return text if isinstance(text, str) else None


def _related(node: Node, kind: str) -> str | None:
    relations = node.get("relationships")
    related = relations.get(kind) if isinstance(relations, dict) else None
    name = related.get("node_id") if isinstance(related, dict) else related
    return name if isinstance(name, str) and name else None


def _part(store: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    part = store.get(key, {})
    if not isinstance(part, dict):
        raise CannotTell(f'{where}: "{key}" is no JSON object')
    return part


def open_index(address: IndexAddress, *, write: bool = False) -> Index:  # noqa: ARG001 — the sidecar is another file
    """Raises CannotTell where it is no such folder."""
    return LlamaIndexFolder(Path(address.path), address.shown)
