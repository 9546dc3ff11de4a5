"""Manifests: written where an index is built, read before it is used."""

from evalspan.corpus import EmbeddingConfig, Manifest, make_manifest
from evalspan.workflows.stores import StoreOrAddress, opened


def manifest(chunking: str, *, embedding: EmbeddingConfig | None = None, store: StoreOrAddress = None) -> Manifest:
    """Of an index that is built now from a chunking of the store."""
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
