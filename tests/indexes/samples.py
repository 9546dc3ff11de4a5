"""What the tests of every store share: a manifest, and chunks with ids that are hard to keep."""

import hashlib
from pathlib import Path

from evalspan.corpus import ChunkingConfig, Manifest, make_manifest

CHUNKS = {
    "a#0": "Returns are accepted within thirty days.",
    "b 1": "Shipping is free — 10\u00a0000\u00a0€.",
    'it\'s "2" %s': "A 😀 face.",
    "😀": "Nothing more.",
    "x" * 10_000: "A long name.",
}
"""chunk_id → text."""


def a_manifest(chunks: int = len(CHUNKS), **parameters: object) -> Manifest:
    config = ChunkingConfig(splitter="plain", parameters={"note": 'it\'s 100 %s \\ "é"', **parameters})
    return make_manifest(corpus_digest="0" * 32, documents=2, chunking=config, chunks=chunks, chunks_digest="1" * 32)


def too_long() -> Manifest:
    return a_manifest(filler="x" * 2048)


def of_the_future(manifest: Manifest) -> str:
    return manifest.to_json().replace('"evalspan_manifest":1', '"evalspan_manifest":99')


def tampered(manifest: Manifest) -> str:
    return manifest.to_json().replace('"plain"', '"other"')


def content(path: Path) -> dict[str, str]:
    """Name → hash, of a file and what stands beside it, or of all in a folder."""
    folder = path if path.is_dir() else path.parent
    files = (one for one in sorted(folder.rglob("*")) if one.is_file())
    return {str(one.relative_to(folder)): hashlib.sha256(one.read_bytes()).hexdigest() for one in files}
