"""Eval sets for retrieval whose labels are ranges of text, so that they outlive a re-chunk."""

from importlib import import_module
from typing import Any

_HOMES = {
    "anchoring": "Anchor Match Status locate locate_chunks make_anchor relocate",
    "corpus": (
        "Chunk Chunking ChunkingConfig Document EmbeddingConfig Extractor Manifest Snapshot SnapshotDiff "
        "SnapshotEntry make_manifest parse_manifest"
    ),
    "digests": "snapshot_digest text_digest",
    "errors": "BadInput CannotTell Conflict EvalspanError NotFound Refused StoreError",
    "formats.decisions": "DecidedRange DecisionRow",
    "formats.foreign.tracing": "tracing_metadata",
    "formats.manifest": "read_manifest",
    "formats.runs": "read_any_run",
    "guard": "Verdict",
    "indexes": "open_index",
    "integrations.case": "open_case",
    "labels": "Action ChunkLabel Decision EvalSet Fact Grade JudgedQuestion Judgment Question SetTerms rubric",
    "labels.difference": "SetDifference",
    "labels.merge": "MergeConflict",
    "mapping": "Outcome Qrel Qrels",
    "provenance": "Provenance",
    "runs": "Hit Run",
    "spans": "Span",
    "store": "Store create_store upgrade_store",
    "workflows.amend": "amend_set",
    "workflows.check": "check",
    "workflows.chunkings": "add_chunking",
    "workflows.compare": "compare",
    "workflows.deciding": "decide",
    "workflows.diff_sets": "diff_sets",
    "workflows.foreign": "import_foreign",
    "workflows.foreign_export": "export_foreign",
    "workflows.gate": "gate",
    "workflows.history": "bridge history",
    "workflows.import_spans": "import_spans",
    "workflows.manifests": "IndexedChunk build_manifest manifest manifest_of write_manifest",
    "workflows.merge_sets": "merge_sets",
    "workflows.migrate_files": "migrate_files",
    "workflows.migrate_set": "migrate_set",
    "workflows.migrate_setfile": "migrate_set_file",
    "workflows.qrels": "qrels",
    "workflows.rebase": "rebase",
    "workflows.relabel": "relabel",
    "workflows.require": "Guard require",
    "workflows.review": "apply_decisions review_queue",
    "workflows.review_files": "export_queue import_decisions",
    "workflows.rubrics": "chunk_rubrics",
    "workflows.score": "score",
    "workflows.sensitivity": "sensitivity",
    "workflows.sets": "export_qrels export_set import_labels import_set_file",
    "workflows.snapshots": "add_snapshot diff_snapshots",
    "workflows.twins": "look_for_twins",
    "workflows.undo": "undo_set",
    "workflows.unpack": "unpack_corpus",
    "workflows.verify": "verify",
    "workflows.why": "why",
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
