"""What an index says of itself: which corpus, cut how, embedded how. The guard judges by it."""

import json
from datetime import UTC, datetime
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from evalspan.corpus.chunking import ChunkingConfig, EmbeddingConfig
from evalspan.corpus.document import Extractor
from evalspan.errors import CannotTell
from evalspan.value import Value

MANIFEST_VERSION = 1
SIZE_LIMIT = 2048
"""Bytes: some stores keep no longer value beside a collection."""


class Manifest(Value):
    """Travels with the index as ASCII JSON under `SIZE_LIMIT` bytes. Fields that we do not know are kept."""

    model_config = ConfigDict(extra="allow")

    evalspan_manifest: int = MANIFEST_VERSION
    corpus_digest: str
    """Of the snapshot: see `snapshot_digest`."""
    documents: int = Field(ge=0)
    chunking: ChunkingConfig
    chunking_fingerprint: str
    chunks: int = Field(ge=0)
    chunks_digest: str
    """Over the chunks' ranges and texts: see `chunks_digest`."""
    chunks_identity: str | None = None
    """Over the chunk ids too; None where whoever wrote the manifest did not take it."""
    embedding: EmbeddingConfig | None = None
    embedding_fingerprint: str | None = None
    extractor: Extractor | None = None
    created_at: str

    def to_json(self) -> str:
        """ASCII, keys sorted, one line. Raises CannotTell where it would be too long for an index to keep."""
        text = json.dumps(
            self.model_dump(mode="json"), ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":")
        )
        if len(text) > SIZE_LIMIT:
            raise CannotTell(
                f"The manifest takes {len(text)} bytes and an index may keep {SIZE_LIMIT}: "
                "shorten the parameters of the chunking or the prefixes of the embedding."
            )
        return text


def make_manifest(
    *,
    corpus_digest: str,
    documents: int,
    chunking: ChunkingConfig,
    chunks: int,
    chunks_digest: str,
    chunks_identity: str | None = None,
    embedding: EmbeddingConfig | None = None,
    extractor: Extractor | None = None,
) -> Manifest:
    """The manifest of an index that is built now."""
    return Manifest(
        corpus_digest=corpus_digest,
        documents=documents,
        chunking=chunking,
        chunking_fingerprint=chunking.fingerprint,
        chunks=chunks,
        chunks_digest=chunks_digest,
        chunks_identity=chunks_identity,
        embedding=embedding,
        embedding_fingerprint=embedding.fingerprint if embedding else None,
        extractor=extractor,
        created_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def parse_manifest(text: str, source: str) -> Manifest:
    """Raises CannotTell, naming `source`, on anything that is no manifest of a version we know."""
    raw: Any
    try:
        raw = json.loads(text)
        json.dumps(raw, ensure_ascii=False).encode("utf-8")  # lone surrogates come in escapes too
    except (ValueError, RecursionError) as error:
        raise CannotTell(f"{source}: not JSON ({error}). Write it anew: evalspan manifest write") from None
    version = raw.get("evalspan_manifest") if isinstance(raw, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise CannotTell(f'{source}: not a manifest (no "evalspan_manifest" in it). Write one: evalspan manifest write')
    if version > MANIFEST_VERSION:
        raise CannotTell(
            f"{source}: manifest version {version}, and this evalspan reads up to {MANIFEST_VERSION}. "
            "Upgrade: pip install -U evalspan"
        )
    try:
        manifest = Manifest.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CannotTell(f"{source}: {where}: {first['msg']}. Write it anew: evalspan manifest write") from None
    embedding = manifest.embedding.fingerprint if manifest.embedding else None
    if (manifest.chunking_fingerprint, manifest.embedding_fingerprint) != (manifest.chunking.fingerprint, embedding):
        raise CannotTell(
            f"{source}: a fingerprint does not belong to its configuration: the manifest was changed by hand. "
            "Write it anew: evalspan manifest write"
        )
    return manifest
