"""The public names, for type checkers and editors: `__init__.py` loads each when it is asked for."""

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
from evalspan.formats.manifest import read_manifest
from evalspan.guard import Verdict
from evalspan.labels import ChunkLabel, EvalSet, JudgedQuestion, Judgment, Question, SetTerms
from evalspan.mapping import Outcome, Qrel, Qrels
from evalspan.provenance import Provenance
from evalspan.spans import Span
from evalspan.store import Store, create_store, upgrade_store
from evalspan.workflows.check import check
from evalspan.workflows.chunkings import add_chunking
from evalspan.workflows.manifests import manifest
from evalspan.workflows.migrate_files import migrate_files
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.qrels import qrels
from evalspan.workflows.sets import export_qrels, export_set, import_labels, import_set_file
from evalspan.workflows.snapshots import add_snapshot, diff_snapshots
from evalspan.workflows.verify import require, verify

__all__ = [
    "Anchor",
    "BadInput",
    "CannotTell",
    "Chunk",
    "ChunkLabel",
    "Chunking",
    "ChunkingConfig",
    "Conflict",
    "Document",
    "EmbeddingConfig",
    "EvalSet",
    "EvalspanError",
    "Extractor",
    "JudgedQuestion",
    "Judgment",
    "Manifest",
    "Match",
    "NotFound",
    "Outcome",
    "Provenance",
    "Qrel",
    "Qrels",
    "Question",
    "Refused",
    "SetTerms",
    "Snapshot",
    "SnapshotDiff",
    "SnapshotEntry",
    "Span",
    "Status",
    "Store",
    "StoreError",
    "Verdict",
    "add_chunking",
    "add_snapshot",
    "check",
    "create_store",
    "diff_snapshots",
    "export_qrels",
    "export_set",
    "import_labels",
    "import_set_file",
    "locate",
    "locate_chunks",
    "make_anchor",
    "manifest",
    "migrate_files",
    "migrate_set",
    "qrels",
    "read_manifest",
    "relocate",
    "require",
    "snapshot_digest",
    "text_digest",
    "upgrade_store",
    "verify",
]
