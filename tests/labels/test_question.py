"""What people said about text: valid, canonical, and with a digest that changes exactly when it does."""

import json
from typing import Any

import pytest
import small_sets
from hypothesis import given
from label_strategies import BY, judged_questions
from pydantic import ValidationError
from strategies import law
from xxhash import xxh3_128_hexdigest

from evalspan.anchoring import make_anchor
from evalspan.labels import (
    AnswerSource,
    ChunkLabel,
    Fact,
    Grade,
    JudgedQuestion,
    Judgment,
    PendingLabel,
    Question,
    RetiredLabel,
    question_body,
)
from evalspan.spans import Span

TEXT = "The fee is five pounds a day."


questions = judged_questions()


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
        {"alternative": "*"},
        {"origin": "chunk", "chunk_id": "c", "wide": {"start": 0, "end": 9}},
        {"also": ({"start": 12, "end": 16, "anchor": make_anchor(TEXT, Span(12, 16))},)},
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


PENDING = PendingLabel(label=a_judgment(), snapshot_digest="0" * 32, reason="deleted")
RETIRED = RetiredLabel(label=a_judgment(), snapshot_digest="0" * 32, provenance=BY)


@pytest.mark.parametrize(
    "changes",
    [
        {"question": Question(query_id="q", filters={"country": "US"})},
        {"pending": (PENDING,)},
        {"retired_labels": (RETIRED,)},
        {"facts": (Fact(fact_id="f"),)},
        {"labels_are": "any"},
        {"must_not_use": ("d",)},
        {"acceptable_docs": ("d",)},
        {"no_answer": True},
        {"retired": True},
        {"answer_sources": (AnswerSource(doc_id="d", text_digest="0"),)},
    ],
)
def test_whatever_is_said_of_a_question_changes_its_digest(changes: dict[str, Any]) -> None:
    bare = JudgedQuestion(question=Question(query_id="q"))
    assert JudgedQuestion(**{"question": bare.question, **changes}).digest != bare.digest


@law
@given(questions)
def test_a_body_made_of_labels_that_are_json_already_is_the_same_body(question: JudgedQuestion) -> None:
    rows = question.model_dump(mode="json", exclude_defaults=True)
    judgments, labels = ([json.dumps(one) for one in rows.pop(key, [])] for key in ("judgments", "chunk_labels"))
    rows.pop("question")
    body = question_body(question.question, judgments, labels, rows)
    assert JudgedQuestion.model_validate_json(body.text) == question
    assert body[2:] == question.body()[2:]
    assert body.pending == len(question.pending)


@pytest.mark.parametrize(
    "labels",
    [
        {"judgments": (a_judgment(fact="g"),)},
        {"chunk_labels": (ChunkLabel(chunk_id="c", grade=1, fact="g"),)},
        {"pending": (PendingLabel(label=a_judgment(fact="g"), snapshot_digest="0", reason="missing"),)},
    ],
)
def test_a_label_of_an_unknown_fact_is_refused_with_those_there_are(labels: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="fact 'g' of a label is none of the question's: f"):
        JudgedQuestion(question=Question(query_id="q"), facts=(Fact(fact_id="f"),), **labels)
    with pytest.raises(ValidationError, match="it has none"):
        JudgedQuestion(question=Question(query_id="q"), **labels)


def test_a_fact_that_is_named_twice_is_refused() -> None:
    with pytest.raises(ValidationError, match="fact 'f' is named twice"):
        JudgedQuestion(question=Question(query_id="q"), facts=(Fact(fact_id="f"), Fact(fact_id="f", text="again")))


@pytest.mark.parametrize(
    "labels", [{"judgments": (a_judgment(grade=1),)}, {"chunk_labels": (ChunkLabel(chunk_id="c", grade=3),)}]
)
def test_a_question_without_an_answer_has_no_relevant_label(labels: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="without an answer has a relevant label"):
        JudgedQuestion(question=Question(query_id="q"), no_answer=True, **labels)


def test_a_question_without_an_answer_may_say_what_must_not_be_used() -> None:
    harmful = a_judgment(grade=int(Grade.HARMFUL))
    question = JudgedQuestion(
        question=Question(query_id="q"), no_answer=True, judgments=(harmful,), must_not_use=("d",), pending=(PENDING,)
    )
    assert question.no_answer


def test_only_sources_that_changed_are_stale() -> None:
    sources = (AnswerSource(doc_id="a", text_digest="0"), AnswerSource(doc_id="b", text_digest="1", stale="edited"))
    assert JudgedQuestion(question=Question(query_id="q"), answer_sources=sources).stale == sources[1:]


def test_a_question_is_bereft_once_its_last_relevant_label_is_retired() -> None:
    mine, no = small_sets.judgment("d", "One. Two.", "One."), small_sets.judgment("d", "One. Two.", "Two.", grade=0)
    gone = RetiredLabel(label=mine, snapshot_digest="0", provenance=BY)
    assert not small_sets.question(mine, retired_labels=(gone,)).bereft
    assert not small_sets.question().bereft
    assert not small_sets.question(no, retired_labels=(gone,), no_answer=True).bereft
    assert small_sets.question(no, retired_labels=(gone,)).bereft
    assert small_sets.question(retired_labels=(gone,), retired=True).bereft
    waits = PendingLabel(label=mine, snapshot_digest="0", reason="missing")
    assert not small_sets.question(retired_labels=(gone,), pending=(waits,)).bereft


def test_a_fact_is_unmet_where_no_label_reaches_its_grade() -> None:
    facts = (Fact(fact_id="fee", min_grade=3), Fact(fact_id="who"))
    weak = small_sets.judgment("d", "One. Two.", "One.", grade=2, fact="fee")
    assert small_sets.question(weak, facts=facts).unmet == ("fee", "who")
    good = small_sets.judgment("d", "One. Two.", "Two.", fact="fee")
    assert small_sets.question(weak, good, facts=facts).unmet == ("who",)
    who = small_sets.judgment("d", "One.", "One.", fact="who")
    waits = PendingLabel(label=who, snapshot_digest="0", reason="missing")
    assert small_sets.question(good, facts=facts, pending=(waits,)).unmet == ()
