"""Sets from files: what questions say beside their labels is kept, and nothing contradicts itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalspan.errors import BadInput
from evalspan.labels import EvalSet, JudgedQuestion
from evalspan.store import Store, create_store
from evalspan.workflows.migrate_files import migrate_files
from evalspan.workflows.rubrics import chunk_rubrics
from evalspan.workflows.sets import export_set, import_labels, import_set_file

from .helpers import plain_case, write_rows
from .small_store import ask, put_set, small_store, span

SAID: dict[str, Any] = {
    "query_id": "q1",
    "text": "?",
    "filters": {"country": "US"},
    "must_not_use": ["b"],
    "acceptable_docs": ["a"],
    "labels_are": "all",
}
NO_ANSWER: dict[str, Any] = {"query_id": "q2", "text": "?", "no_answer": True}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small_store(tmp_path) as opened:
        yield opened


def labels(folder: Path, *lines: str) -> Path:
    path = folder / "qrels.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def newest(store: Store, name: str = "faq") -> EvalSet:
    return store.eval_set(store.find_version(name))


def said(question: JudgedQuestion) -> dict[str, Any]:
    row = question.model_dump(mode="json", exclude_defaults=True)
    return {**row.pop("question"), **{key: row[key] for key in row if key not in ("judgments", "chunk_labels")}}


def test_what_a_question_says_is_kept_with_its_labels(store: Store, tmp_path: Path) -> None:
    questions = write_rows(tmp_path / "questions.jsonl", [SAID, NO_ANSWER])
    given = labels(tmp_path, "q1 0 a0 1", "q2 0 a1 0", "q3 0 b0 1")
    import_labels("faq", given, chunking="chunks", questions=questions, labels_are="any", store=store)
    found = newest(store)
    assert [said(question) for question in found.questions] == [SAID, NO_ANSWER, {"query_id": "q3"}]
    assert [len(question.chunk_labels) for question in found.questions] == [1, 1, 1]
    assert found.terms.labels_are == "any"


@pytest.mark.parametrize(
    ("said", "what"),
    [
        (NO_ANSWER, "qrels.txt:2: question 'q2' is said to have no answer, and has a relevant label"),
        ({**SAID, "must_not_use": ["z"]}, "questions.jsonl:1: question 'q1': \"must_not_use\" names 'z', which is no"),
    ],
)
def test_what_contradicts_itself_is_refused_and_nothing_is_written(
    store: Store, tmp_path: Path, said: dict[str, Any], what: str
) -> None:
    questions = write_rows(tmp_path / "questions.jsonl", [said])
    given = labels(tmp_path, "q1 0 a0 1", "q2 0 a1 1")
    with pytest.raises(BadInput) as caught:
        import_labels("faq", given, chunking="chunks", questions=questions, store=store)
    assert what in str(caught.value)
    assert store.sets() == []


def test_a_set_file_says_itself_what_labels_are_or_leaves_it_to_be_said(store: Store, tmp_path: Path) -> None:
    put_set(store, tmp_path, ask("q", span("b", "Shipping takes two")))
    silent, spoken = tmp_path / "silent.jsonl", tmp_path / "spoken.jsonl"
    silent.write_text("".join(export_set("faq", store=store)), "utf-8")
    done = import_set_file(silent, name="copy", labels_are="any", store=store)
    assert done.version.terms.labels_are == "any"
    spoken.write_text("".join(export_set("copy", store=store)), "utf-8")
    assert not import_set_file(spoken, labels_are="any", store=store).new
    with pytest.raises(BadInput, match=r"spoken.jsonl:1: says that labels are any, .*set amend SET --labels-are all"):
        import_set_file(spoken, labels_are="all", store=store)


def test_every_range_of_a_set_file_must_hold_its_words(store: Store, tmp_path: Path) -> None:
    parts = span("b", "Shipping takes two", also=[{"quote": "leaves the same day."}])
    put_set(store, tmp_path, ask("q", parts))
    path = tmp_path / "set.jsonl"
    text = "".join(export_set("faq", store=store))
    path.write_text(text, "utf-8")
    assert not import_set_file(path, store=store).new
    at = newest(store).questions[0].judgments[0].also[0].start
    moved = text.replace(f'"start":{at}', f'"start":{at - 1}').replace(f'"end":{at + 20}', f'"end":{at + 19}')
    path.write_text(moved, "utf-8")
    with pytest.raises(BadInput, match="stands another text"):
        import_set_file(path, name="copy", store=store)


def test_a_migration_of_files_keeps_what_is_said_and_its_outcomes_in_the_order_of_its_labels(tmp_path: Path) -> None:
    case = plain_case()
    given = case.write(tmp_path / "files")
    shuffled = sorted(given["labels"].read_text().splitlines(), key=lambda line: line.split()[2][::-1])
    given["labels"].write_text("\n".join(shuffled) + "\n")
    queries = sorted({line.split()[0] for line in shuffled})
    said_of = {**SAID, "query_id": queries[0], "must_not_use": ["doc1"], "acceptable_docs": []}
    asked = {key: value for key, value in said_of.items() if value}
    questions = write_rows(tmp_path / "questions.jsonl", [asked])
    create_store(str(tmp_path / "evalspan.db"))
    done = migrate_files(
        **given, questions=questions, store=str(tmp_path / "evalspan.db"), set_name="faq", labels_are="all"
    )
    with Store.open(str(tmp_path / "evalspan.db")) as opened:
        found = newest(opened)
        assert found.terms.labels_are == "all"
        assert said(found.questions[0]) == asked
        (mapping,) = opened.mappings()
        named = []
        for question in found.questions:
            named += [(question.query_id, judgment.chunk_id) for judgment in question.judgments]
            named += [(question.query_id, label.chunk_id) for label in question.chunk_labels]
        assert [(outcome.query_id, outcome.chunk_id) for outcome in opened.outcomes(mapping)] == named
        assert done.recorded is not None
        rubrics = chunk_rubrics("faq", done.recorded.chunking, store=opened)
        assert {*rubrics.waiting, *rubrics.unlabelled, *(one.query_id for one in rubrics.rubrics)} == set(queries)


def test_a_migration_of_files_refuses_a_relevant_label_of_a_question_without_an_answer(tmp_path: Path) -> None:
    case = plain_case()
    given = case.write(tmp_path / "files")
    query_id = next(query for query, _, grade in case.labels if grade > 0)
    questions = write_rows(tmp_path / "questions.jsonl", [{"query_id": query_id, "text": "?", "no_answer": True}])
    with pytest.raises(BadInput, match=f"question '{query_id}' is said to have no answer"):
        migrate_files(**given, questions=questions, out=tmp_path / "out")
    done = migrate_files(**given, questions=questions, out=tmp_path / "out", skip_bad=True)
    assert done.skipped
    assert query_id in (tmp_path / "out" / "waiting.jsonl").read_text()
