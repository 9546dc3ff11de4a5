"""Manifests: written where an index is built, read before it is used."""

from os import PathLike
from pathlib import Path

from evalspan.corpus import EmbeddingConfig, Manifest, make_manifest, parse_manifest
from evalspan.errors import CannotTell
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


def read_manifest(path: str | PathLike[str]) -> Manifest:
    """Raises CannotTell where there is none, or none that can be read."""
    source = Path(path)
    try:
        text = source.read_text("utf-8")
    except FileNotFoundError:
        raise CannotTell(f"{source}: no such manifest. Write one beside the index: evalspan manifest write") from None
    except (OSError, UnicodeDecodeError) as error:
        raise CannotTell(f"{source}: can't be read ({error})") from None
    return parse_manifest(text, str(source))
