"""A version of a set: its digest is its content's, whatever it is called and however it came."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from strategies import ids, law, texts
from xxhash import xxh3_128_hexdigest

from evalspan.labels import (
    DEFAULT_MIN_OVERLAP,
    LABEL_SCHEMA,
    ChunkLabel,
    EvalSet,
    JudgedQuestion,
    Question,
    SetTerms,
    in_order,
    set_digest,
)

TERMS = SetTerms(snapshot_digest="0" * 32)

question_lists = st.lists(
    st.builds(
        JudgedQuestion,
        question=st.builds(Question, query_id=st.sampled_from(["q1", "q10", "q2", "\uff21", "😀"]) | ids, text=texts),
        chunk_labels=st.lists(st.builds(ChunkLabel, chunk_id=ids, grade=st.integers(0, 2)), max_size=2).map(tuple),
    ),
    max_size=5,
    unique_by=lambda question: question.query_id,
)


@law
@given(st.data(), question_lists, texts, st.integers(1, 99))
def test_the_digest_depends_on_neither_name_nor_number_nor_the_order_of_arrival(
    data: st.DataObject, questions: list[JudgedQuestion], name: str, version: int
) -> None:
    one = EvalSet("faq", 1, TERMS, in_order(questions))
    other = EvalSet(name, version, TERMS, in_order(data.draw(st.permutations(questions))))
    assert one.questions == other.questions
    assert one.digest == other.digest


@law
@given(question_lists)
def test_the_digest_is_taken_over_terms_and_questions_in_code_point_order(questions: list[JudgedQuestion]) -> None:
    terms = {
        "snapshot_digest": "0" * 32,
        "min_overlap": 0.5,
        "label_schema": 2,
        "chunking_identity": None,
        "guard_scope": "corpus",
    }
    rows = sorted([q.query_id, xxh3_128_hexdigest(q.body().text.encode("utf-8"))] for q in questions)
    text = json.dumps([terms, *rows], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert EvalSet("faq", 1, TERMS, in_order(questions)).digest == xxh3_128_hexdigest(text.encode("utf-8"))


@law
@given(question_lists, question_lists)
def test_digests_are_equal_exactly_where_contents_are(one: list[JudgedQuestion], other: list[JudgedQuestion]) -> None:
    sets = [EvalSet("faq", 1, TERMS, in_order(questions)) for questions in (one, other)]
    assert (sets[0].digest == sets[1].digest) == (sets[0].questions == sets[1].questions)


@pytest.mark.parametrize(
    "changes",
    [
        {"snapshot_digest": "1" * 32},
        {"min_overlap": 0.6},
        {"label_schema": 1},
        {"labels_are": "all"},
        {"chunking_identity": "2" * 32},
        {"guard_scope": "evidence"},
    ],
)
def test_whatever_a_version_pins_is_in_its_digest(changes: dict[str, Any]) -> None:
    assert set_digest(TERMS.model_copy(update=changes), []) != set_digest(TERMS, [])


@law
@given(question_lists)
def test_questions_stand_in_code_point_order(questions: list[JudgedQuestion]) -> None:
    names = [question.query_id for question in in_order(questions)]
    assert names == sorted(names, key=lambda name: [*map(ord, name)])


@pytest.mark.parametrize("value", [0, -0.1, 1.01, float("nan")])
def test_a_min_overlap_is_above_nothing_and_at_most_all(value: float) -> None:
    with pytest.raises(ValidationError):
        SetTerms(snapshot_digest="", min_overlap=value)


def test_the_defaults_are_the_documented_ones() -> None:
    assert (TERMS.min_overlap, TERMS.label_schema, TERMS.guard_scope) == (DEFAULT_MIN_OVERLAP, LABEL_SCHEMA, "corpus")
    assert (DEFAULT_MIN_OVERLAP, LABEL_SCHEMA) == (0.5, 2)
    assert SetTerms(snapshot_digest="", min_overlap=1).min_overlap == 1


def test_a_set_is_named_with_its_version() -> None:
    version = EvalSet("faq", 2, TERMS, ())
    assert version.label == "faq@2"
    assert replace(version, version=3).label == "faq@3"
