"""`evalspan.__all__` is the promise."""

import ast
import inspect
from pathlib import Path

import pytest

import evalspan

PROMISE = [
    *("Action", "Anchor", "BadInput", "CannotTell", "Chunk", "ChunkLabel", "Chunking", "ChunkingConfig"),
    *("Conflict", "DecidedRange", "Decision", "DecisionRow", "Document", "EmbeddingConfig", "EvalSet"),
    *("EvalspanError", "Extractor", "Fact", "Grade", "Guard", "Hit", "IndexedChunk", "JudgedQuestion"),
    *("Judgment", "Manifest", "Match", "MergeConflict", "NotFound", "Outcome", "Provenance", "Qrel", "Qrels"),
    *("Question", "Refused", "Run", "SetDifference", "SetTerms", "Snapshot", "SnapshotDiff", "SnapshotEntry"),
    *("Span", "Status", "Store", "StoreError", "Verdict", "add_chunking", "add_snapshot", "amend_set"),
    *("apply_decisions", "bridge", "build_manifest", "check", "chunk_rubrics", "compare", "create_store"),
    *("decide", "diff_sets", "diff_snapshots", "export_foreign", "export_qrels", "export_queue"),
    *("export_set", "gate", "history", "import_decisions", "import_foreign", "import_labels"),
    *("import_set_file", "import_spans", "locate", "locate_chunks", "look_for_twins", "make_anchor"),
    *("make_manifest", "manifest", "manifest_of", "merge_sets", "migrate_files", "migrate_set"),
    *("migrate_set_file", "open_case", "open_index", "parse_manifest", "qrels", "read_any_run"),
    *("read_manifest", "rebase", "relabel", "relocate", "require", "review_queue", "rubric", "score"),
    *("sensitivity", "snapshot_digest", "text_digest", "tracing_metadata", "undo_set", "unpack_corpus"),
    *("upgrade_store", "verify", "why", "write_manifest"),
]


def test_the_public_names_are_the_promised_ones() -> None:
    assert list(evalspan.__all__) == PROMISE
    assert dir(evalspan) == PROMISE


@pytest.mark.parametrize("name", PROMISE)
def test_a_public_name_is_there_and_says_what_it_is(name: str) -> None:
    value = getattr(evalspan, name)
    assert value is not None
    assert value.__name__ == name
    said = inspect.getdoc(value)
    assert said
    assert not said.startswith(f"{name}(")


def test_the_public_names_are_known_to_type_checkers() -> None:
    stub = Path(evalspan.__file__).with_suffix(".pyi")
    names = {
        alias.asname or alias.name
        for node in ast.walk(ast.parse(stub.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert names >= set(PROMISE)


def test_what_is_promised_can_be_imported_at_once() -> None:
    names: dict[str, object] = {}
    exec("from evalspan import *", names)
    assert set(PROMISE) <= set(names)


def test_every_public_error_is_an_evalspan_error() -> None:
    errors = [getattr(evalspan, name) for name in PROMISE if inspect.isclass(getattr(evalspan, name))]
    for error in errors:
        if issubclass(error, Exception):
            assert issubclass(error, evalspan.EvalspanError)
