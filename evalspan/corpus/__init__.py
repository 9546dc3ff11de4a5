"""Documents, their snapshots, how they were cut, and what an index says of itself."""

from evalspan.corpus.chunking import (
    Chunk,
    Chunking,
    ChunkingConfig,
    EmbeddingConfig,
    Placed,
    chunks_digest,
    count_placed,
)
from evalspan.corpus.document import Document, Extractor, Snapshot, SnapshotDiff, SnapshotEntry, difference
from evalspan.corpus.manifest import MANIFEST_VERSION, Manifest, make_manifest, parse_manifest
from evalspan.corpus.placing import RawChunk, as_chunks, place_chunks

__all__ = [
    "MANIFEST_VERSION",
    "Chunk",
    "Chunking",
    "ChunkingConfig",
    "Document",
    "EmbeddingConfig",
    "Extractor",
    "Manifest",
    "Placed",
    "RawChunk",
    "Snapshot",
    "SnapshotDiff",
    "SnapshotEntry",
    "as_chunks",
    "chunks_digest",
    "count_placed",
    "difference",
    "make_manifest",
    "parse_manifest",
    "place_chunks",
]
