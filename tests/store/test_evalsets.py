"""Eval sets: versions are appended on the newest one, and hold what their digest was taken over."""

from pathlib import Path

import pytest
from hypothesis import given

from evalspan.errors import BadInput, Conflict, NotFound
from evalspan.labels import EvalSet, JudgedQuestion, Question, SetTerms, in_order
from evalspan.store import Store

from . import strategies
from .helpers import execute, in_one_store, put_snapshot, put_version, query, question
from .strategies import BY

TERMS = SetTerms(snapshot_digest="0" * 32, min_overlap=0.1 + 0.2, chunking_identity="1" * 32, guard_scope="evidence")


@in_one_store
@given(strategies.question_lists())
def test_a_version_comes_out_as_it_went_in(store: Store, questions: list[JudgedQuestion]) -> None:
    name = f"n{len(store.sets())}"
    with store.writing() as tx:
        record = tx.add_version(name, None, TERMS, [one.body() for one in questions], BY)
    expected = EvalSet(name, 1, TERMS, in_order(questions))
    assert store.eval_set(record) == expected
    assert (record.label, record.digest, record.terms) == (f"{name}@1", expected.digest, TERMS)
    assert record.questions == len(questions)
    assert record.judgments == sum(len(one.judgments) for one in questions)
    assert record.chunk_labels == sum(len(one.chunk_labels) for one in questions)
    assert store.check_digest(record)
    assert store.find_version(name) == record


def test_versions_are_numbered_and_found(store: Store) -> None:
    snapshot = put_snapshot(store)
    first = put_version(store, "faq", None, snapshot)
    second = put_version(store, "faq", 1, snapshot, question(), question("q2", "two days", "b.md"))
    other = put_version(store, "another", None, snapshot)
    assert [(one.number, one.parent) for one in store.versions("faq")] == [(1, None), (2, 1)]
    assert store.sets() == [other, second]
    assert store.find_version("faq") == second
    assert store.find_version("faq@1") == first
    assert len(store.eval_set(first).questions) == 1


def test_a_version_that_is_not_there_is_answered_with_those_that_are(store: Store) -> None:
    with pytest.raises(NotFound, match="no eval set yet"):
        store.find_version("faq")
    put_version(store, "faq", None, put_snapshot(store))
    with pytest.raises(NotFound, match="There is: faq@1"):
        store.find_version("faq@2")
    with pytest.raises(NotFound, match="There is: faq"):
        store.versions("other")


def test_a_stale_parent_writes_nothing(store: Store) -> None:
    snapshot = put_snapshot(store)
    put_version(store, "faq", None, snapshot)
    put_version(store, "faq", 1, snapshot, question("q2"))
    before = store.info()
    with pytest.raises(Conflict, match=r"version 2 by now \(by a tester, 2026.*made from 1.*set log faq") as caught:
        put_version(store, "faq", 1, snapshot, question("q3"))
    assert "nothing was written" in str(caught.value)
    with pytest.raises(Conflict, match="to be its first"):
        put_version(store, "faq", None, snapshot)
    with pytest.raises(Conflict, match="made from 7"):
        put_version(store, "faq", 7, snapshot)
    with pytest.raises(NotFound):
        put_version(store, "other", 1, snapshot)
    assert store.info() == before


def test_an_unchanged_question_costs_no_second_body(store: Store, address: str) -> None:
    snapshot = put_snapshot(store)
    put_version(store, "faq", None, snapshot, question("q1"), question("q2"))
    put_version(store, "faq", 1, snapshot, question("q1"), question("q2", "30 days"))
    put_version(store, "copy", None, snapshot, question("q1"), question("q2"))
    assert query(address, "SELECT count(*) FROM evalspan_question") == [(3,)]


def test_a_question_comes_once(store: Store) -> None:
    with pytest.raises(BadInput, match="two questions have the id 'q1'"):
        put_version(store, "faq", None, put_snapshot(store), question(), question())
    assert store.sets() == []


def test_what_has_no_utf8_is_refused(store: Store) -> None:
    bad = JudgedQuestion(question=Question(query_id="q1", text="half \ud800"))
    with pytest.raises(BadInput, match="question 'q1' holds a lone surrogate"), store.writing() as tx:
        tx.add_version("faq", None, TERMS, [bad.body()], BY)
    assert store.sets() == []


@pytest.mark.parametrize("name", ["", "latest", "faq@1", "faq.jsonl"])
def test_a_name_can_be_typed_back(store: Store, name: str) -> None:
    with pytest.raises(BadInput):
        put_version(store, name, None, put_snapshot(store))


def test_a_changed_body_a_lost_question_and_changed_terms_are_noticed(store: Store, address: str) -> None:
    record = put_version(store, "faq", None, put_snapshot(store), question("q1"), question("q2"))
    assert store.check_digest(record)
    changed = question("q1", "30 days")
    execute(address, f"UPDATE evalspan_question SET body = '{changed.body().text}' WHERE body LIKE '%q1%'")
    assert not store.check_digest(record)
    execute(address, f"UPDATE evalspan_question SET body = '{question('q1').body().text}' WHERE body LIKE '%q1%'")
    assert store.check_digest(record)
    execute(address, "UPDATE evalspan_set_version SET min_overlap = 0.25")
    assert not store.check_digest(store.find_version("faq"))
    execute(address, "UPDATE evalspan_set_version SET min_overlap = 0.5")
    execute(address, "DELETE FROM evalspan_set_question WHERE query_id = 'q2'")
    assert not store.check_digest(record)


def test_evidence_is_the_documents_that_judgments_stand_in(store: Store) -> None:
    snapshot = put_snapshot(store)
    record = put_version(store, "faq", None, snapshot, question("q1"), question("q2", "two days", "b.md"))
    assert store.evidence_documents(record) == {"a.md", "b.md"}


def test_a_file_that_is_given_for_a_set_is_refused_with_what_to_type(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("faq.jsonl", "faq.set"):
        Path(name).write_text("{}")
        with pytest.raises(BadInput, match=f"evalspan set import NAME --file {name}"):
            store.find_version(name)
    for name in ("nowhere.jsonl", "x" * 5000):
        with pytest.raises(NotFound):
            store.find_version(name)
