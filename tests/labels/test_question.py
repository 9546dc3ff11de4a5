"""What people said about text: valid, canonical, and with a digest that changes exactly when it does."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from strategies import ids, inked_texts, law, spans_of, texts
from xxhash import xxh3_128_hexdigest

from evalspan.anchoring import make_anchor
from evalspan.labels import ChunkLabel, JudgedQuestion, Judgment, Question
from evalspan.provenance import Provenance
from evalspan.spans import Span

BY = Provenance(by="a tester", at="2026-03-01T09:30:00Z")
TEXT = "The fee is five pounds a day."


@st.composite
def judgments(draw: st.DrawFn) -> Judgment:
    text = draw(inked_texts)
    span = draw(spans_of(text))
    return Judgment(
        doc_id=draw(ids),
        start=span.start,
        end=span.end,
        grade=draw(st.integers(-2, 4)),
        anchor=make_anchor(text, span),
        origin=draw(st.sampled_from(["span", "chunk"])),
        chunk_id=draw(st.none() | ids),
        tabular=draw(st.booleans()),
        provenance=draw(st.sampled_from([None, BY])),
    )


questions = st.builds(
    JudgedQuestion,
    question=st.builds(Question, query_id=ids, text=texts, tags=st.lists(ids, max_size=2).map(tuple)),
    judgments=st.lists(judgments(), max_size=2).map(tuple),
    chunk_labels=st.lists(st.builds(ChunkLabel, chunk_id=ids, grade=st.integers(-1, 3)), max_size=2).map(tuple),
)


def a_judgment(**changes: Any) -> Judgment:
    values = {"doc_id": "d", "start": 0, "end": 7, "grade": 1, "anchor": make_anchor(TEXT, Span(0, 7))}
    return Judgment.model_validate({**values, **changes})


@law
@given(questions)
def test_a_question_comes_back_from_its_line_as_it_was(question: JudgedQuestion) -> None:
    body = question.body()
    again = JudgedQuestion.model_validate_json(body.text)
    assert (again, again.body(), again.digest) == (question, body, question.digest)
    assert "\n" not in body.text
    assert body.query_id == question.query_id
    assert (body.judgments, body.chunk_labels) == (len(question.judgments), len(question.chunk_labels))


@law
@given(questions, questions)
def test_digests_are_equal_exactly_where_questions_are(one: JudgedQuestion, other: JudgedQuestion) -> None:
    assert (one.digest == other.digest) == (one == other)


@law
@given(questions)
def test_a_line_is_canonical_json_without_defaults_and_its_digest_is_taken_over_it(question: JudgedQuestion) -> None:
    values = question.model_dump(mode="json", exclude_defaults=True)
    line = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert question.body().text == line
    assert question.digest == xxh3_128_hexdigest(line.encode("utf-8"))


def test_the_line_of_a_bare_question() -> None:
    assert JudgedQuestion(question=Question(query_id="q1")).body().text == '{"question":{"query_id":"q1"}}'


def test_a_default_that_is_written_out_is_no_other_question() -> None:
    spelt = {"question": {"query_id": "q1", "text": "", "tags": []}, "judgments": [], "chunk_labels": []}
    assert JudgedQuestion.model_validate(spelt).digest == JudgedQuestion(question=Question(query_id="q1")).digest


@pytest.mark.parametrize(
    "changes",
    [
        {"doc_id": "e"},
        {"end": 8},
        {"grade": 2},
        {"grade": 0},
        {"origin": "chunk"},
        {"chunk_id": "c"},
        {"tabular": True},
        {"provenance": BY},
    ],
)
def test_whatever_changes_in_a_judgment_changes_the_digest(changes: dict[str, Any]) -> None:
    question = Question(query_id="q")
    one, other = (JudgedQuestion(question=question, judgments=(j,)) for j in (a_judgment(), a_judgment(**changes)))
    assert one.digest != other.digest


@pytest.mark.parametrize(
    "changes", [{"start": -1}, {"end": 0}, {"start": 7}, {"start": 9}, {"origin": "guess"}, {"grade": 1.5}, {"mood": 1}]
)
def test_a_judgment_that_says_nothing_sound_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        a_judgment(**changes)


def test_an_empty_id_is_refused() -> None:
    with pytest.raises(ValidationError):
        Question(query_id="")
    with pytest.raises(ValidationError):
        ChunkLabel(chunk_id="", grade=1)


def test_a_judgment_names_its_span() -> None:
    assert a_judgment(start=3, end=7).span == Span(3, 7)
