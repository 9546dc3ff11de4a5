"""Eval sets for retrieval whose labels are ranges of text, so that they outlive a re-chunk."""

from importlib import import_module
from typing import Any

_HOMES = {
    "anchoring": "Anchor Match Status locate locate_chunks make_anchor relocate",
    "corpus": (
        "Chunk Chunking ChunkingConfig Document EmbeddingConfig Extractor Manifest Snapshot SnapshotDiff SnapshotEntry"
    ),
    "digests": "snapshot_digest text_digest",
    "errors": "BadInput CannotTell Conflict EvalspanError NotFound Refused StoreError",
    "formats.manifest": "read_manifest",
    "guard": "Verdict",
    "labels": "ChunkLabel EvalSet JudgedQuestion Judgment Question SetTerms",
    "mapping": "Outcome Qrel Qrels",
    "provenance": "Provenance",
    "spans": "Span",
    "store": "Store create_store upgrade_store",
    "workflows.check": "check",
    "workflows.chunkings": "add_chunking",
    "workflows.manifests": "manifest",
    "workflows.migrate_files": "migrate_files",
    "workflows.migrate_set": "migrate_set",
    "workflows.qrels": "qrels",
    "workflows.sets": "export_qrels export_set import_labels import_set_file",
    "workflows.snapshots": "add_snapshot diff_snapshots",
    "workflows.verify": "require verify",
}
"""Each public name is loaded from its home when it is first asked for, so that `import evalspan` costs nothing."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'evalspan' has no attribute {name!r}")
    value = getattr(import_module(f"evalspan.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
