"""What is said of a set by hand, said again in a new version."""

from pathlib import Path
from typing import Any

import pytest

from evalspan.errors import BadInput, Conflict
from evalspan.labels import JudgedQuestion
from evalspan.store import Store
from evalspan.workflows.amend import amend_set
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.sets import import_labels

from .small_store import TABLE, ask, put_set, small_store, span

WHOLE = "Shipping takes two working days."


def put(store: Store, folder: Path) -> None:
    put_set(
        store,
        folder,
        ask("q1", span("b", WHOLE), span("a", TABLE)),
        ask("q2", span("a", TABLE, grade="direct"), span("a", "Ask us first whether", grade="harmful")),
        ask("q3", no_answer=True),
    )


def now(store: Store) -> dict[str, JudgedQuestion]:
    return {q.query_id: q for q in store.eval_set(store.find_version("faq")).questions}


def tabular(store: Store) -> dict[str, list[bool]]:
    return {query_id: [j.tabular for j in question.judgments] for query_id, question in now(store).items()}


def test_labels_are_said_of_the_set_or_of_questions(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put(store, tmp_path)
        of_set = amend_set("faq", labels_are="any", store=store, why="asked the authors")
        assert (of_set.new, of_set.questions, of_set.version.number) == (True, 0, 2)
        assert of_set.version.terms.labels_are == "any"
        assert of_set.version.provenance.why == "asked the authors"
        of_one = amend_set("faq", labels_are="all", questions=["q1"], store=store)
        assert (of_one.questions, of_one.version.terms.labels_are) == (1, "any")
        assert of_one.version.provenance.why == "amended: labels are all (q1)"
        assert {query_id: question.labels_are for query_id, question in now(store).items()} == {
            "q1": "all",
            "q2": None,
            "q3": None,
        }


def test_spans_are_tabular_by_hand_or_by_the_rule(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put(store, tmp_path)
        by_rule = amend_set("faq", tabular_by_rule=True, store=store)
        assert (by_rule.questions, by_rule.spans) == (2, 2)
        assert tabular(store) == {"q1": [False, True], "q2": [True, False], "q3": []}
        amend_set("faq", tabular=False, questions=["q1"], store=store)
        assert tabular(store) == {"q1": [False, False], "q2": [True, False], "q3": []}
        amend_set("faq", tabular=True, store=store)
        assert tabular(store) == {"q1": [True, True], "q2": [True, True], "q3": []}


def test_the_rule_takes_nothing_back_that_was_said_by_hand(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put(store, tmp_path)
        amend_set("faq", tabular=True, questions=["q1"], store=store)
        amend_set("faq", tabular_by_rule=True, store=store)
        assert tabular(store)["q1"] == [True, True]


def test_a_whole_old_chunk_is_no_table_by_the_rule(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a1 1\n")  # most of the chunk's lines are rows
    with small_store(tmp_path) as store:
        import_labels("faq", tmp_path / "qrels", chunking="chunks", store=store)
        migrate_set("faq", "chunks", store=store)
        assert not amend_set("faq", tabular_by_rule=True, store=store).new


def test_a_question_is_retired_with_its_labels_as_they_are(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put(store, tmp_path)
        before = now(store)["q1"]
        amend_set("faq", questions=["q1"], retire=True, store=store)
        assert now(store)["q1"] == before.model_copy(update={"retired": True})


def test_relevant_labels_of_a_question_without_an_answer_are_retired_and_kept(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put(store, tmp_path)
        relevant, harmful = now(store)["q2"].judgments
        amended = amend_set("faq", questions=["q2"], no_answer=True, store=store, why="the page is gone")
        question = now(store)["q2"]
        assert question.no_answer
        assert question.judgments == (harmful,)
        (retired,) = question.retired_labels
        assert (retired.label, retired.snapshot_digest) == (relevant, amended.version.terms.snapshot_digest)
        assert retired.provenance.why == "the page is gone"
        assert JudgedQuestion.model_validate(question.model_dump()) == question


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ({}, "set amend: what is to be said? Give --labels-are"),
        (
            {"labels_are": "any", "questions": ["q9", "q1", "q8"]},
            "faq@1: has no question 'q8'\nfaq@1: has no question 'q9'",
        ),
        ({"tabular": True, "tabular_by_rule": True}, "--tabular-by-rule: goes without"),
        ({"retire": True}, "--retire: which questions?"),
        ({"no_answer": True}, "--no-answer: which questions?"),
    ],
)
def test_what_can_not_be_meant_is_refused_and_nothing_is_written(
    tmp_path: Path, said: dict[str, Any], what: str
) -> None:
    with small_store(tmp_path) as store:
        put(store, tmp_path)
        with pytest.raises(BadInput) as caught:
            amend_set("faq", store=store, **said)
        assert str(caught.value).startswith(what)
        assert len(store.versions("faq")) == 1


@pytest.mark.parametrize(
    "said",
    [
        {"labels_are": "all"},
        {"tabular": False},
        {"questions": ["q3"], "no_answer": True},
        {"questions": ["q3"], "tabular": True},
    ],
)
def test_what_is_said_already_is_not_written_again(tmp_path: Path, said: dict[str, Any]) -> None:
    with small_store(tmp_path) as store:
        put(store, tmp_path)
        amend_set("faq", labels_are="all", store=store)
        amended = amend_set("faq", store=store, **said)
        assert (amended.new, amended.questions, amended.version.number) == (False, 0, 2)
        assert len(store.versions("faq")) == 2


def test_a_version_that_has_been_followed_is_a_conflict(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put(store, tmp_path)
        amend_set("faq", labels_are="all", store=store)
        with pytest.raises(Conflict, match=r"followed by faq@2\. Type: evalspan set amend faq"):
            amend_set("faq@1", labels_are="any", store=store)
