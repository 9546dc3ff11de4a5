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
    make_manifest,
    parse_manifest,
)
from evalspan.digests import snapshot_digest, text_digest
from evalspan.errors import BadInput, CannotTell, Conflict, EvalspanError, NotFound, Refused, StoreError
from evalspan.formats.decisions import DecidedRange, DecisionRow
from evalspan.formats.foreign.tracing import tracing_metadata
from evalspan.formats.manifest import read_manifest
from evalspan.formats.runs import read_any_run
from evalspan.guard import Verdict
from evalspan.indexes import open_index
from evalspan.integrations.case import open_case
from evalspan.labels import (
    Action,
    ChunkLabel,
    Decision,
    EvalSet,
    Fact,
    Grade,
    JudgedQuestion,
    Judgment,
    Question,
    SetTerms,
    rubric,
)
from evalspan.labels.difference import SetDifference
from evalspan.labels.merge import MergeConflict
from evalspan.mapping import Outcome, Qrel, Qrels
from evalspan.provenance import Provenance
from evalspan.runs import Hit, Run
from evalspan.spans import Span
from evalspan.store import Store, create_store, upgrade_store
from evalspan.workflows.amend import amend_set
from evalspan.workflows.check import check
from evalspan.workflows.chunkings import add_chunking
from evalspan.workflows.compare import compare
from evalspan.workflows.deciding import decide
from evalspan.workflows.diff_sets import diff_sets
from evalspan.workflows.foreign import import_foreign
from evalspan.workflows.foreign_export import export_foreign
from evalspan.workflows.gate import gate
from evalspan.workflows.history import bridge, history
from evalspan.workflows.import_spans import import_spans
from evalspan.workflows.manifests import IndexedChunk, build_manifest, manifest, manifest_of, write_manifest
from evalspan.workflows.merge_sets import merge_sets
from evalspan.workflows.migrate_files import migrate_files
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.migrate_setfile import migrate_set_file
from evalspan.workflows.qrels import qrels
from evalspan.workflows.rebase import rebase
from evalspan.workflows.relabel import relabel
from evalspan.workflows.require import Guard, require
from evalspan.workflows.review import apply_decisions, review_queue
from evalspan.workflows.review_files import export_queue, import_decisions
from evalspan.workflows.rubrics import chunk_rubrics
from evalspan.workflows.score import score
from evalspan.workflows.sensitivity import sensitivity
from evalspan.workflows.sets import export_qrels, export_set, import_labels, import_set_file
from evalspan.workflows.snapshots import add_snapshot, diff_snapshots
from evalspan.workflows.twins import look_for_twins
from evalspan.workflows.undo import undo_set
from evalspan.workflows.unpack import unpack_corpus
from evalspan.workflows.verify import verify
from evalspan.workflows.why import why

__all__ = [
    "Action",
    "Anchor",
    "BadInput",
    "CannotTell",
    "Chunk",
    "ChunkLabel",
    "Chunking",
    "ChunkingConfig",
    "Conflict",
    "DecidedRange",
    "Decision",
    "DecisionRow",
    "Document",
    "EmbeddingConfig",
    "EvalSet",
    "EvalspanError",
    "Extractor",
    "Fact",
    "Grade",
    "Guard",
    "Hit",
    "IndexedChunk",
    "JudgedQuestion",
    "Judgment",
    "Manifest",
    "Match",
    "MergeConflict",
    "NotFound",
    "Outcome",
    "Provenance",
    "Qrel",
    "Qrels",
    "Question",
    "Refused",
    "Run",
    "SetDifference",
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
    "amend_set",
    "apply_decisions",
    "bridge",
    "build_manifest",
    "check",
    "chunk_rubrics",
    "compare",
    "create_store",
    "decide",
    "diff_sets",
    "diff_snapshots",
    "export_foreign",
    "export_qrels",
    "export_queue",
    "export_set",
    "gate",
    "history",
    "import_decisions",
    "import_foreign",
    "import_labels",
    "import_set_file",
    "import_spans",
    "locate",
    "locate_chunks",
    "look_for_twins",
    "make_anchor",
    "make_manifest",
    "manifest",
    "manifest_of",
    "merge_sets",
    "migrate_files",
    "migrate_set",
    "migrate_set_file",
    "open_case",
    "open_index",
    "parse_manifest",
    "qrels",
    "read_any_run",
    "read_manifest",
    "rebase",
    "relabel",
    "relocate",
    "require",
    "review_queue",
    "rubric",
    "score",
    "sensitivity",
    "snapshot_digest",
    "text_digest",
    "tracing_metadata",
    "undo_set",
    "unpack_corpus",
    "upgrade_store",
    "verify",
    "why",
    "write_manifest",
]
