"""The set file: equal sets give equal bytes, and what is written is read again."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_strategies import judged_questions

from evalspan.anchoring import make_anchor
from evalspan.errors import Problems
from evalspan.formats.setfile import read_set, render_set
from evalspan.labels import LABEL_SCHEMA, EvalSet, SetTerms, in_order
from evalspan.spans import Span

from .helpers import found, ids, in_file, refusal, rows

questions = judged_questions()
terms = st.builds(
    SetTerms,
    snapshot_digest=st.just("0" * 32),
    min_overlap=st.sampled_from([0.1, 0.5, 1.0]),
    chunking_identity=st.none() | st.just("1" * 32),
    guard_scope=st.sampled_from(["corpus", "evidence"]),
    labels_are=st.sampled_from([None, "any", "all"]),
    label_schema=st.integers(1, LABEL_SCHEMA),
)
sets = st.builds(
    EvalSet, ids, st.just(0), terms, st.lists(questions, max_size=4, unique_by=lambda q: q.query_id).map(in_order)
)


@given(sets)
@settings(deadline=None)
def test_a_set_that_is_written_is_read_again_with_the_same_digest(eval_set: EvalSet) -> None:
    lines = list(render_set(eval_set))
    assert all(line.endswith("\n") and "\n" not in line[:-1] for line in lines)
    with in_file("".join(lines).encode()) as path:
        problems = Problems()
        read, numbers = read_set(path, problems)
        problems.raise_if_any()
    assert read == eval_set
    assert numbers == {question.query_id: line for line, question in enumerate(eval_set.questions, 2)}
    assert read.digest == eval_set.digest
    assert list(render_set(read)) == lines


@given(sets, st.randoms())
@settings(deadline=None)
def test_the_order_of_questions_in_a_file_does_not_matter(eval_set: EvalSet, random: Random) -> None:
    header, *lines = render_set(eval_set)
    random.shuffle(lines)
    read, bad = found(read_set, "".join([header, "\n", *lines]).encode())
    assert read.eval_set == eval_set
    assert [json.loads(lines[read.lines[q.query_id] - 3])["question"]["query_id"] for q in eval_set.questions] == [
        q.query_id for q in eval_set.questions
    ]
    assert bad == []


HEADER = {"evalspan_set": 1, "name": "faq", "terms": {"snapshot_digest": "0" * 32}}


@pytest.mark.parametrize(
    ("header", "what"),
    [
        ({"query_id": "q1"}, 'not a set file: its first line has no "evalspan_set"'),
        ({**HEADER, "evalspan_set": True}, "not a set file"),
        ({**HEADER, "evalspan_set": 2}, "written by a newer evalspan; upgrade"),
        ({**HEADER, "terms": {**HEADER["terms"], "label_schema": LABEL_SCHEMA + 1}}, "written by a newer evalspan"),  # type: ignore[dict-item]
        ({**HEADER, "terms": {**HEADER["terms"], "label_schema": 3}}, "written by a newer evalspan; upgrade: pip"),  # type: ignore[dict-item]
        ({**HEADER, "terms": {**HEADER["terms"], "labels_are": "some"}}, "terms.labels_are: "),  # type: ignore[dict-item]
        ({**HEADER, "terms": {}}, "terms.snapshot_digest: "),
        ({**HEADER, "terms": []}, "terms: "),
        ({**HEADER, "terms": {"snapshot_digest": "0", "min_overlap": 0}}, "terms.min_overlap: "),
        ({**HEADER, "terms": {"snapshot_digest": "0", "min_overlap": 1.5}}, "terms.min_overlap: "),
        ({**HEADER, "terms": {"snapshot_digest": "0", "colour": "red"}}, "terms.colour: "),
    ],
)
@pytest.mark.parametrize("skip", [False, True])
def test_a_header_that_is_not_ours_is_refused(header: object, what: str, skip: bool) -> None:
    error = refusal(read_set, rows(header, {"question": {"query_id": "q"}}), skip)
    assert len(error.problems) == 1
    assert error.problems[0].line == 1
    assert error.problems[0].what.startswith(what)


@pytest.mark.parametrize("skip", [False, True])
def test_an_empty_file_is_no_set(skip: bool) -> None:
    error = refusal(read_set, b"\n", skip)
    assert [(problem.line, problem.what) for problem in error.problems] == [(None, "holds no eval set")]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({}, "question: "),
        ({"question": {"query_id": ""}}, "question.query_id: "),
        ({"question": {"query_id": "q", "color": 1}}, "question.color: "),
        ({"question": {"query_id": "q1"}}, "question 'q1' stands on line 2 already"),
        ({"question": {"query_id": "q"}, "judgments": [{"doc_id": "d"}]}, "judgments[0].start: is missing"),
        ({"question": {"query_id": "q"}, "facts": [{"fact_id": "f"}, {"fact_id": "f"}]}, "fact 'f' is named twice"),
        (
            {"question": {"query_id": "q"}, "no_answer": True, "chunk_labels": [{"chunk_id": "c", "grade": 1}]},
            "a question without an answer has a relevant label",
        ),
        ({"question": {"query_id": "q"}, "must_not_use": "d"}, "must_not_use: "),
        ({"question": {"query_id": "q"}, "labels_are": "some"}, "labels_are: "),
        ({"question": {"query_id": "q"}, "chunk_labels": [{"chunk_id": "c", "grade": "x"}]}, "chunk_labels[0].grade: "),
    ],
)
def test_a_bad_question_is_named_with_its_line_and_left_out(row: object, what: str) -> None:
    read, bad = found(read_set, rows(HEADER, {"question": {"query_id": "q1"}}, row))
    assert [question.query_id for question in read.eval_set.questions] == ["q1"]
    assert len(bad) == 1
    assert bad[0].startswith(f"3: {what}")


def test_an_empty_span_is_refused() -> None:
    anchor = json.loads(make_anchor("abc", Span(0, 1)).model_dump_json())
    row = {"question": {"query_id": "q"}, "judgments": [{"doc_id": "d", "start": 4, "end": 4, "grade": 1}]}
    row["judgments"][0]["anchor"] = anchor  # type: ignore[index]
    _, bad = found(read_set, rows(HEADER, row))
    assert "the span 4..4 is empty" in bad[0]


def test_a_file_of_bad_lines_is_not_called_empty() -> None:
    error = refusal(read_set, b"nope\n")
    assert len(error.problems) == error.count == 1
    assert error.problems[0].line == 1
    assert "not JSON" in error.problems[0].what


@pytest.mark.parametrize(
    "row",
    [
        {"question": {"query_id": "a\tb"}},
        {"question": {"query_id": "a\nb"}},
        {"question": {"query_id": "q"}, "chunk_labels": [{"chunk_id": "a\tb", "grade": 1}]},
    ],
)
def test_an_id_that_no_qrels_file_can_hold_is_refused(row: object) -> None:
    read, bad = found(read_set, rows(HEADER, row))
    assert read.eval_set.questions == ()
    assert len(bad) == 1


def test_a_header_that_is_no_json_is_named_itself() -> None:
    error = refusal(read_set, rows("nope", {"question": {"query_id": "q"}}))
    assert error.problems[0].line == 1
    assert "not JSON" in error.problems[0].what


DAMAGE: dict[str, tuple[dict[str, Any], str]] = {
    "a range that is longer": ({"end": 9}, "0..9 of 'd' is 9 code points long, and its passage 7"),
    "a range that is shorter": ({"start": 1}, "1..7 of 'd' is 6 code points long, and its passage 7"),
    "other words": ({"exact": "The fee"[::-1]}, "the passage at 0..7 of 'd' is not what its digest says"),
    "fewer words": ({"exact": "The"}, "the passage at 0..7 of 'd' is not what its digest says"),
    "another digest": ({"digest": "0" * 32}, "the passage at 0..7 of 'd' is not what its digest says"),
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("where", ["judgments", "also", "pending", "retired_labels"])
def test_a_passage_that_was_tampered_with_is_told_with_its_line(damage: str, where: str) -> None:
    text = "The fee is five pounds a day."
    change, what = DAMAGE[damage]
    plain: dict[str, Any] = {
        "doc_id": "d",
        "start": 0,
        "end": 7,
        "grade": 1,
        "anchor": make_anchor(text, Span(0, 7)).model_dump(),
    }
    anchor: dict[str, Any] = {key: change[key] for key in ("exact", "digest") if key in change}
    ranges: dict[str, Any] = {key: change[key] for key in ("start", "end") if key in change}
    bad: dict[str, Any] = {**plain, **ranges, "anchor": {**plain["anchor"], **anchor}}
    more: dict[str, Any] = {"snapshot_digest": "0"}
    labels: dict[str, dict[str, Any]] = {
        "judgments": {"judgments": [bad]},
        "also": {
            "judgments": [
                {
                    **plain,
                    "start": 20,
                    "end": 27,
                    "also": [{key: bad[key] for key in ("start", "end", "anchor")}],
                }
            ]
        },
        "pending": {"pending": [{"label": bad, "reason": "missing", **more}]},
        "retired_labels": {
            "retired_labels": [{"label": bad, "provenance": {"by": "a", "at": "2026-03-01T09:30:00Z"}, **more}]
        },
    }
    row = {"question": {"query_id": "q1"}, **labels[where]}
    assert refusal(read_set, rows(HEADER, row)).problems[0].what == f"question 'q1': {what}"
    assert refusal(read_set, rows(HEADER, row)).problems[0].line == 2
