"""Manifests: written where an index is built, read before it is used."""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from evalspan.corpus import (
    Chunk,
    ChunkingConfig,
    EmbeddingConfig,
    Extractor,
    Manifest,
    RawChunk,
    as_chunks,
    chunks_digest,
    make_manifest,
    place_chunks,
)
from evalspan.digests import ArrayDigest, snapshot_digest, text_digest
from evalspan.errors import BadInput, CannotTell, Problem, Problems
from evalspan.formats.manifest import read_manifest
from evalspan.indexes import is_index, open_index, parse_address

if TYPE_CHECKING:
    # Not loaded to read one: a store is half of what `verify` takes.
    from evalspan.workflows.stores import StoreOrAddress

IndexReference = Manifest | str | PathLike[str]
"""A manifest, the path of one, or where an index is: "chroma:PATH#COLLECTION" and the like."""


class IndexedChunk(NamedTuple):
    """A chunk as it goes into an index."""

    chunk_id: str
    doc_id: str
    text: str
    start: int | None = None
    """Where it begins in its document, in code points, if the splitter says so."""


def manifest(chunking: str, *, embedding: EmbeddingConfig | None = None, store: "StoreOrAddress" = None) -> Manifest:
    """Of an index that is built now from a chunking of the store."""
    from evalspan.workflows.stores import opened

    with opened(store) as opened_store:
        record = opened_store.find_chunking(chunking)
        return make_manifest(
            corpus_digest=record.snapshot.digest,
            documents=record.snapshot.documents,
            chunking=record.config,
            chunks=record.chunks,
            chunks_digest=record.digest,
            chunks_identity=record.identity,
            embedding=embedding,
            extractor=record.snapshot.extractor,
        )


def build_manifest(
    documents: Mapping[str, str],
    chunks: Iterable[IndexedChunk],
    *,
    chunking: ChunkingConfig,
    embedding: EmbeddingConfig | None = None,
    extractor: Extractor | None = None,
) -> Manifest:
    """Of an index that is built now from these texts; needs no store. `documents`: doc_id → text.

    The chunks of a document come in its order. They are placed in it as `evalspan chunking add` would place them, so
    that the manifest is the one `manifest` makes of the same chunking in a store.
    Raises BadInput on a chunk whose document is not there, or an id that two chunks have.
    """
    placed = _placed(documents, chunks)
    return make_manifest(
        corpus_digest=snapshot_digest((doc_id, text_digest(text)) for doc_id, text in documents.items()),
        documents=len(documents),
        chunking=chunking,
        chunks=len(placed),
        chunks_digest=chunks_digest(placed),
        chunks_identity=_identity(placed),
        embedding=embedding,
        extractor=extractor,
    )


def _placed(documents: Mapping[str, str], chunks: Iterable[IndexedChunk]) -> list[Chunk]:
    problems = Problems()
    by_document: dict[str, list[RawChunk]] = {}
    seen: set[str] = set()
    for number, chunk in enumerate(chunks, 1):
        if chunk.doc_id not in documents:
            problems.add(
                "chunks", number, f"chunk {chunk.chunk_id!r} is of {chunk.doc_id!r}, which is no document here"
            )
        if chunk.chunk_id in seen:
            problems.add("chunks", number, f"chunk id {chunk.chunk_id!r} was there before")
        seen.add(chunk.chunk_id)
        by_document.setdefault(chunk.doc_id, []).append(RawChunk(chunk.chunk_id, chunk.text, chunk.start))
    problems.raise_if_any()
    return [
        chunk
        for doc_id, raw in by_document.items()
        for chunk in as_chunks(doc_id, raw, place_chunks(raw, documents[doc_id]))
    ]


def _identity(chunks: Iterable[Chunk]) -> str:
    digest = ArrayDigest()
    for row in sorted((one.doc_id, *(one.span or (-1, -1)), one.text_digest, one.chunk_id) for one in chunks):
        digest.add(row)
    return digest.hexdigest()


def manifest_of(index: IndexReference) -> Manifest:
    """Reads it where it is.

    Raises CannotTell where there is none, or none that can be read, BadInput on an address of an unknown kind.
    """
    if isinstance(index, Manifest):
        return index
    if isinstance(index, str) and is_index(index):
        with open_index(index) as opened_index:
            return opened_index.read_manifest()
    return read_manifest(index)


def require_replaceable(path: Path) -> None:
    """Raises BadInput where a manifest can't be written without destroying a file that is none."""
    if not path.is_file():
        return
    try:
        read_manifest(path)
    except CannotTell as error:
        what = f"is there, and is no manifest ({error}). Name another file, or remove this one"
        raise BadInput([Problem(str(path), None, what)]) from None


def write_manifest(manifest: Manifest, index: str) -> str:
    """Keeps it with the index at this address, in place of the one that was there. Returns the address without its
    password.

    Raises BadInput on what is no address, CannotTell and Unwritable where it can't be written.
    """
    with open_index(index, write=True) as opened_index:
        opened_index.write_manifest(manifest)
    return parse_address(index).shown
