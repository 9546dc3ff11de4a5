"""Eval sets for retrieval whose labels are ranges of text, so that they outlive a re-chunk."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalspan.anchoring import Anchor, Match, Status, locate, locate_chunks, make_anchor, relocate
    from evalspan.corpus import (
        Chunk,
        Chunking,
        ChunkingConfig,
        Document,
        EmbeddingConfig,
        Extractor,
        Manifest,
        Snapshot,
        SnapshotDiff,
        SnapshotEntry,
    )
    from evalspan.digests import snapshot_digest, text_digest
    from evalspan.errors import BadInput, CannotTell, Conflict, EvalspanError, NotFound, Refused, StoreError
    from evalspan.guard import Verdict
    from evalspan.labels import ChunkLabel, EvalSet, JudgedQuestion, Judgment, Question, SetTerms
    from evalspan.mapping import Outcome, Qrel, Qrels
    from evalspan.provenance import Provenance
    from evalspan.spans import Span
    from evalspan.store import Store, create_store, upgrade_store
    from evalspan.workflows.check import check
    from evalspan.workflows.chunkings import add_chunking
    from evalspan.workflows.manifests import manifest, read_manifest
    from evalspan.workflows.migrate_files import migrate_files
    from evalspan.workflows.migrate_set import migrate_set
    from evalspan.workflows.qrels import qrels
    from evalspan.workflows.sets import export_qrels, export_set, import_labels, import_set_file
    from evalspan.workflows.snapshots import add_snapshot, diff_snapshots
    from evalspan.workflows.verify import require, verify

_HOMES = {
    "anchoring": "Anchor Match Status locate locate_chunks make_anchor relocate",
    "corpus": (
        "Chunk Chunking ChunkingConfig Document EmbeddingConfig Extractor Manifest Snapshot SnapshotDiff SnapshotEntry"
    ),
    "digests": "snapshot_digest text_digest",
    "errors": "BadInput CannotTell Conflict EvalspanError NotFound Refused StoreError",
    "guard": "Verdict",
    "labels": "ChunkLabel EvalSet JudgedQuestion Judgment Question SetTerms",
    "mapping": "Outcome Qrel Qrels",
    "provenance": "Provenance",
    "spans": "Span",
    "store": "Store create_store upgrade_store",
    "workflows.check": "check",
    "workflows.chunkings": "add_chunking",
    "workflows.manifests": "manifest read_manifest",
    "workflows.migrate_files": "migrate_files",
    "workflows.migrate_set": "migrate_set",
    "workflows.qrels": "qrels",
    "workflows.sets": "export_qrels export_set import_labels import_set_file",
    "workflows.snapshots": "add_snapshot diff_snapshots",
    "workflows.verify": "require verify",
}
"""Each public name is loaded from its home when it is first asked for, so that `import evalspan` costs nothing."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 - the names above, once


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'evalspan' has no attribute {name!r}")
    value = getattr(import_module(f"evalspan.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
