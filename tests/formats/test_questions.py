"""Questions: JSON lines."""

from typing import Any

import pytest

from evalspan.formats.questions import read_questions
from evalspan.labels import Question

from .helpers import found, rows

GOOD = {"query_id": "q1", "text": "Why?"}


def test_every_field_of_a_question_is_read_and_foreign_ones_are_passed_over() -> None:
    row = {"query_id": "q1", "text": "Why?", "tags": ["a"], "reference_answers": ["Because."], "colour": "red"}
    read, bad = found(read_questions, rows(row))
    assert read == {"q1": Question(query_id="q1", text="Why?", tags=("a",), reference_answers=("Because.",))}
    assert bad == []


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
        ("[]", "not a JSON object"),
    ],
)
def test_a_bad_question_is_named_with_its_line_and_left_out(row: Any, what: str) -> None:
    read, bad = found(read_questions, rows(GOOD, row))
    assert list(read) == ["q1"]
    assert len(bad) == 1
    assert bad[0].startswith(f"2: {what}")


@pytest.mark.parametrize("field", ['"tags": ["\\ud800"]', '"reference_answers": ["\\udc00"]', '"tags": ["\\u0000"]'])
def test_no_field_of_a_question_may_hold_a_bad_character(field: str) -> None:
    read, bad = found(read_questions, rows(GOOD, f'{{"query_id": "q", "text": "x", {field}}}'))
    assert list(read) == ["q1"]
    assert len(bad) == 1
