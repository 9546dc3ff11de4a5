"""Two scores are compared where they may be, and else it is said which run would allow it."""

from pathlib import Path

import pytest

from evalspan.errors import BadInput, Incomparable, NotFound
from evalspan.store import Store
from evalspan.workflows.amend import amend_set
from evalspan.workflows.compare import compare
from evalspan.workflows.history import bridge
from evalspan.workflows.manifests import manifest
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.score import score

from .scored import NOON, a_run, put_two_questions
from .small_store import ask, put_chunking, small_store, span

OLD, NEW = a_run({"q1": "a0", "q2": "b1 b0"}, "old"), a_run({"q1": "a0", "q2": "b0"}, "new")


def put_score(store: Store, run: object, chunking: str = "chunks") -> str:
    record = score("faq", run, chunking=chunking, measures=["RR"], store=store).record  # type: ignore[arg-type]
    assert record is not None
    return str(record.id)


def test_fixes_regressions_and_ties_by_family(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        found = compare("faq", put_score(store, OLD), put_score(store, NEW), measure="RR", store=store)
    everything, *families = found.slices
    assert (everything.fixes, everything.regressions, everything.ties) == (("q2",), (), 1)
    assert everything.difference == 0.25
    assert [one.name for one in families] == ["family:returns", "family:shipping"]
    assert not found.confounded


def test_stages_that_differ_are_named_and_more_than_one_confounds(tmp_path: Path) -> None:
    pipelines = [{"retriever": "bm25", "reranker": None}, {"retriever": "dense", "reranker": "cross", "rewriter": 1}]
    runs = [a_run({"q1": "a0", "q2": "b0"}, pipeline=pipeline) for pipeline in pipelines]
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        found = compare("faq", *(put_score(store, run) for run in runs), measure="RR", store=store)
    assert found.stages == ("reranker", "retriever", "rewriter")
    assert found.confounded


def test_nothing_is_subtracted_across_a_break(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        old = put_score(store, OLD)
        put_chunking(store, "large", 200)
        migrate_set("faq", "large", store=store)
        new = put_score(store, NEW, "large")
        with pytest.raises(Incomparable, match=r"chunking: chunks .* → large .*\n.*evalspan bridge faq --run OLD_RUN"):
            compare("faq", old, new, measure="RR", store=store)


def test_scores_of_two_versions_of_a_set_are_not_compared(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        old = put_score(store, OLD)
        amend_set("faq", questions=["q1"], tabular=True, store=store)
        migrate_set("faq", "chunks", store=store)
        with pytest.raises(Incomparable, match="set version: faq@1 → faq@2"):
            compare("faq", old, put_score(store, NEW), measure="RR", store=store)


def test_a_bridge_may_be_compared(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        migrate_set("faq", "large", store=store)
        old, new = manifest("chunks", store=store), manifest("large", store=store)
        made = bridge("faq", old_run=OLD, old_index=old, new_run=NEW, new_index=new, measures=["RR"], store=store)
        found = compare("faq", str(made.bridge.old), str(made.bridge.new), measure="RR", store=store)
    assert found.bridged
    assert found.slices[0].difference == 0.25


def test_questions_that_wait_are_left_out_and_counted(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path, ask("q3", span("b", NOON, tabular=True)))
        found = compare("faq", put_score(store, OLD), put_score(store, NEW), measure="RR", store=store)
    assert (found.left_out, found.slices[0].questions) == (1, 2)


def test_a_measure_that_one_score_lacks_is_not_found_and_those_it_has_are_named(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        old, new = put_score(store, OLD), put_score(store, NEW)
        with pytest.raises(NotFound, match=rf"'AP'.* RR\..*score {old} measured.*--measure AP"):
            compare("faq", old, new, measure="AP", store=store)


def test_a_question_that_one_run_lacks_is_no_tie(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        old, new = put_score(store, OLD), put_score(store, a_run({"q1": "a0"}, "short"))
        with pytest.raises(BadInput, match=rf"score {new} \(short\): its run lacks question q2\n"):
            compare("faq", old, new, measure="RR", store=store)


def test_a_question_with_an_empty_result_was_run(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        old, new = put_score(store, OLD), put_score(store, a_run({"q1": "a0", "q2": ""}))
        assert compare("faq", old, new, measure="RR", store=store).slices[0].regressions == ("q2",)
