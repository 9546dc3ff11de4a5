"""Questions with spans, as a person writes them."""

from typing import Any

import pytest

from evalspan.formats.spans import RELEVANT, SpannedQuestion, read_spans
from evalspan.labels import Fact, JudgedQuestion, Question

from .helpers import found, refusal, rows

SPAN = {"doc_id": "d", "start": 0, "end": 4}


def row(**said: Any) -> dict[str, Any]:
    return {"query_id": "q", "text": "Why?", **said}


def one(**said: Any) -> SpannedQuestion:
    read, bad = found(read_spans, rows(row(**said)))
    assert bad == []
    (question,) = read
    return question


def test_everything_that_is_said_of_a_question_is_read() -> None:
    more = {"tags": ["a"], "filters": {"year": 2026}, "reference_answers": ["Because."]}
    read = one(
        **more,
        facts=[{"fact_id": "f", "text": "How long", "min_grade": "supporting"}, {"fact_id": "g"}],
        spans=[{**SPAN, "fact": "f", "grade": "direct", "tabular": True}, {"doc_id": "d", "quote": "words"}],
        must_not_use=["old", {"doc_id": "d", "start": 5, "end": 9}, "older"],
        acceptable_docs=["d"],
        labels_are="any",
    )
    assert read.line == 1
    assert read.question == JudgedQuestion(
        question=Question.model_validate({"query_id": "q", "text": "Why?", **more}),
        facts=(Fact(fact_id="f", text="How long", min_grade=2), Fact(fact_id="g")),
        must_not_use=("old", "older"),
        acceptable_docs=("d",),
        labels_are="any",
    )
    first, second, harmful = read.spans.values()
    assert (first.start, first.end, first.fact, first.grade, first.tabular) == (0, 4, "f", 3, True)
    assert (second.start, second.quote, second.grade) == (None, "words", RELEVANT)
    assert (harmful.start, harmful.end, harmful.grade) == (5, 9, -1)
    assert list(read.spans) == ["spans[0]", "spans[1]", "must_not_use[1]"]


def test_a_passage_may_stand_in_several_ranges() -> None:
    (span,) = one(spans=[{**SPAN, "also": [{"start": 9, "end": 12, "quote": "two"}, {"quote": "more"}]}]).spans.values()
    assert [(part.start, part.end, part.quote) for part in span.also] == [(9, 12, "two"), (None, None, "more")]


@pytest.mark.parametrize(("grade", "figure"), [("harmful", -1), ("Irrelevant", 0), (2, 2), ("2", 2), (-3, -3)])
def test_a_grade_is_a_name_or_a_number(grade: object, figure: int) -> None:
    (span,) = one(spans=[{**SPAN, "grade": grade}]).spans.values()
    assert span.grade == figure


def test_a_question_needs_no_spans() -> None:
    assert one(no_answer=True).spans == {}
    assert one(spans=None, facts=None).spans == {}


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ({"span": []}, 'has no field "span"; there are '),
        ({"relevant_spans": []}, 'has no field "relevant_spans"'),
        ({"spans": {}}, "spans is no list"),
        ({"spans": ["d"]}, "spans[0]: "),
        ({"spans": [{"start": 0, "end": 1}]}, "spans[0].doc_id: is missing"),
        ({"spans": [{"doc_id": ""}]}, "spans[0].doc_id: "),
        ({"spans": [{"doc_id": "d"}]}, 'spans[0]: wants "start" and "end", or a "quote" by which it is found'),
        ({"spans": [{"doc_id": "d", "start": 1, "quote": "x"}]}, 'spans[0]: "start" and "end" go together'),
        ({"spans": [{"doc_id": "d", "start": 4, "end": 4}]}, "spans[0]: the span 4..4 is empty"),
        ({"spans": [{"doc_id": "d", "start": -1, "end": 4}]}, "spans[0].start: "),
        ({"spans": [{"doc_id": "d", "start": 1.5, "end": 4}]}, "spans[0].start: "),
        ({"spans": [{"doc_id": "d", "start": True, "end": 4}]}, "spans[0].start: "),
        ({"spans": [{"doc_id": "d", "quote": ""}]}, "spans[0].quote: "),
        ({"spans": [SPAN, {**SPAN, "gade": 1}]}, "spans[1].gade: there is no such field"),
        ({"spans": [{**SPAN, "grade": "good"}]}, "spans[0].grade: 'good' is no grade; one of direct, supporting, "),
        ({"spans": [{**SPAN, "grade": 1.5}]}, "spans[0].grade: 1.5 is no grade"),
        ({"spans": [{**SPAN, "tabular": "yes"}]}, "spans[0].tabular: "),
        ({"spans": [{**SPAN, "also": [{"start": 9}]}]}, 'spans[0].also[0]: "start" and "end" go together'),
        ({"spans": [{**SPAN, "also": [{**SPAN, "start": 9, "end": 12}]}]}, "spans[0].also[0].doc_id: there is no such"),
        ({"spans": [{**SPAN, "fact": "g"}]}, "spans[0]: fact 'g' is none of the question's: it has none"),
        ({"facts": [{"fact_id": "f"}], "spans": [{**SPAN, "fact": "g"}]}, "spans[0]: fact 'g' is none of the"),
        ({"facts": [{"fact_id": "f"}, {"fact_id": "f"}]}, "fact 'f' is named twice"),
        ({"facts": [{"fact_id": "f", "min_grade": 0}]}, "facts[0].min_grade: "),
        ({"facts": [{"fact_id": ""}]}, "facts[0].fact_id: "),
        ({"facts": [{"id": "f"}]}, "facts[0].fact_id: is missing"),
        ({"no_answer": True, "spans": [SPAN]}, "spans[0]: is relevant, and the question is said to have no answer"),
        ({"must_not_use": [{"doc_id": "d"}]}, "must_not_use[0]: wants"),
        ({"must_not_use": ["a", {**SPAN, "grade": 1}]}, "must_not_use[1].grade: there is no such field"),
    ],
)
def test_what_can_not_be_meant_is_named_with_its_line_and_the_question_left_out(said: Any, what: str) -> None:
    read, bad = found(read_spans, rows({"query_id": "q1", "text": "x"}, row(**said)))
    assert [question.question.query_id for question in read] == ["q1"]
    assert any(problem.startswith(f"2: question 'q': {what}") for problem in bad), bad


def test_every_problem_of_a_question_is_told() -> None:
    said = {"colour": 1, "facts": [{"fact_id": 1}], "spans": [{"doc_id": 1, "start": 1}, {**SPAN, "fact": "f"}]}
    _, bad = found(read_spans, rows(row(**said)))
    assert [problem.removeprefix("1: question 'q': ").split(": ")[0] for problem in bad[:-1]] == [
        'has no field "colour"; there are acceptable_docs, facts, filters, labels_are, must_not_use, no_answer, '
        "query_id, reference_answers, spans, tags, text",
        "facts[0].fact_id",
        "spans[0].doc_id",
        "spans[1]",
    ]
    assert bad[-1].endswith("holds no question")


def test_what_a_question_without_an_answer_must_not_be_answered_from_is_fine() -> None:
    read = one(no_answer=True, must_not_use=["old", SPAN], spans=[{**SPAN, "grade": "irrelevant", "end": 9}])
    assert [span.grade for span in read.spans.values()] == [0, -1]


@pytest.mark.parametrize("span", ['{"doc_id": "a\\u0000", "quote": "x"}', '{"doc_id": "d", "quote": "\\ud800"}'])
def test_no_text_of_a_span_may_hold_a_bad_character(span: str) -> None:
    read, bad = found(read_spans, rows(f'{{"query_id": "q", "text": "x", "spans": [{span}]}}'))
    assert read == []
    assert bad[0] == "1: question 'q' holds NUL or a lone surrogate"


def test_a_question_stands_once() -> None:
    _, bad = found(read_spans, rows(row(), row()))
    assert bad == ["2: question 'q' stands on line 1 already"]


def test_a_file_without_a_question_is_refused() -> None:
    assert "holds no question" in str(refusal(read_spans, b"\n"))
