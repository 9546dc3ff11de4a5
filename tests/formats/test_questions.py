"""Questions: JSON lines."""

from typing import Any

import pytest

from evalspan.formats.questions import contradicted, read_questions
from evalspan.formats.trec import LabelRow
from evalspan.labels import JudgedQuestion, Question

from .helpers import found, rows

GOOD = {"query_id": "q1", "text": "Why?"}


def test_every_field_of_a_question_is_read_and_foreign_ones_are_passed_over() -> None:
    asked = {"query_id": "q1", "text": "Why?", "filters": {"country": "US", "year": 2026}}
    lists = {"tags": ["a"], "reference_answers": ["Because."]}
    said = {"must_not_use": ["old"], "acceptable_docs": ["new", "faq"], "no_answer": True, "labels_are": "all"}
    read, bad = found(read_questions, rows({**asked, **lists, **said, "colour": "red"}))
    question = Question.model_validate({**asked, **lists})
    assert read == {"q1": JudgedQuestion.model_validate({"question": question, **said})}
    assert bad == []


def test_a_field_that_is_null_is_not_there() -> None:
    nothing = dict.fromkeys(["tags", "filters", "must_not_use", "no_answer", "labels_are", "facts", "spans"])
    read, bad = found(read_questions, rows({**GOOD, **nothing}))
    assert read == {"q1": JudgedQuestion(question=Question(query_id="q1", text="Why?"))}
    assert bad == []


def test_documents_that_it_names_must_be_there() -> None:
    row = {"query_id": "q", "text": "x", "must_not_use": ["a", "b"], "acceptable_docs": ["c"]}
    read, bad = found(lambda path, problems: read_questions(path, problems, {"a"}), rows(GOOD, row))
    assert list(read) == ["q1"]
    assert bad == [
        "2: question 'q': \"must_not_use\" names 'b', which is no document of the corpus",
        "2: question 'q': \"acceptable_docs\" names 'c', which is no document of the corpus",
    ]


def test_relevant_labels_of_a_question_without_an_answer_contradict_it() -> None:
    bare = JudgedQuestion(question=Question(query_id="q1"))
    questions = {"q1": bare.model_copy(update={"no_answer": True}), "q2": bare}
    grades = [("q1", 1), ("q1", 0), ("q2", 1), ("q3", 1)]
    labels = [LabelRow(query_id, f"c{line}", grade, line) for line, (query_id, grade) in enumerate(grades, 1)]
    assert list(contradicted(labels, questions)) == [labels[0]]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"text": "x"}, '"query_id" is missing'),
        ({"query_id": "q"}, '"text" is missing'),
        ({"query_id": 1, "text": "x"}, '"query_id" is a number'),
        ({"query_id": "q1", "text": "x"}, "question 'q1' stands on line 1 already"),
        ({"query_id": "q", "text": "x", "tags": "a"}, "\"tags\" of question 'q' is no list of texts"),
        ({"query_id": "q", "text": "x", "reference_answers": [1]}, "\"reference_answers\" of question 'q' is no list"),
        ({"query_id": "q", "text": "a\0"}, "question 'q' holds NUL at offset 1"),
        ({"query_id": "q", "text": "x", "filters": [1]}, "\"filters\" of question 'q' is no object"),
        ({"query_id": "q", "text": "x", "no_answer": 1}, "\"no_answer\" of question 'q' is neither true nor false"),
        ({"query_id": "q", "text": "x", "labels_are": "one"}, "\"labels_are\" of question 'q' is neither"),
        (
            {"query_id": "q", "text": "x", "must_not_use": [{"doc_id": "d"}]},
            "\"must_not_use\" of question 'q' is no list",
        ),
        ({"query_id": "q", "text": "x", "acceptable_docs": "d"}, "\"acceptable_docs\" of question 'q' is no list"),
        ({"query_id": "q", "text": "x", "spans": [{"doc_id": "d"}]}, "\"spans\" of question 'q' belongs to a file of"),
        ({"query_id": "q", "text": "x", "facts": [{"fact_id": "f"}]}, "\"facts\" of question 'q' belongs to a file of"),
        ("[]", "not a JSON object"),
    ],
)
def test_a_bad_question_is_named_with_its_line_and_left_out(row: Any, what: str) -> None:
    read, bad = found(read_questions, rows(GOOD, row))
    assert list(read) == ["q1"]
    assert len(bad) == 1
    assert bad[0].startswith(f"2: {what}")


@pytest.mark.parametrize(
    "field",
    [
        '"tags": ["\\ud800"]',
        '"reference_answers": ["\\udc00"]',
        '"tags": ["\\u0000"]',
        '"filters": {"a": "\\ud800"}',
        '"filters": {"\\u0000": 1}',
        '"must_not_use": ["\\ud800"]',
    ],
)
def test_no_field_of_a_question_may_hold_a_bad_character(field: str) -> None:
    read, bad = found(read_questions, rows(GOOD, f'{{"query_id": "q", "text": "x", {field}}}'))
    assert list(read) == ["q1"]
    assert len(bad) == 1
