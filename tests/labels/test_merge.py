"""Two edits of one set: what one side alone changed is taken, and what both changed otherwise is told of at once."""

import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from strategies import law

from evalspan.errors import Conflict
from evalspan.labels import ChunkLabel, EvalSet, JudgedQuestion, Question
from evalspan.labels.merge import SHOWN, Clash, MergeConflict, merge_sets

from .test_difference import ADA, EDITED, THERE, a_set, asked, judged, sets

A, B, C = (asked(judged(), query_id=query_id) for query_id in "abc")
OTHER = "2" * 32


def regraded(question: JudgedQuestion, grade: int, **more: Any) -> JudgedQuestion:
    return question.model_copy(update={"judgments": (judged(grade=grade, **more),)})


def worded(question: JudgedQuestion, text: str) -> JudgedQuestion:
    return question.model_copy(update={"question": Question(query_id=question.query_id, text=text)})


def clashes(base: EvalSet | None, ours: EvalSet, theirs: EvalSet) -> list[Clash]:
    with pytest.raises(MergeConflict) as caught:
        merge_sets(base, ours, theirs)
    return list(caught.value.clashes)


def test_what_each_side_alone_did_comes_together() -> None:
    ours = a_set(regraded(A, 3), B, C, asked(query_id="new"), min_overlap=0.7)
    theirs = a_set(A, worded(C, "Why?"), labels_are="any")
    merged = merge_sets(a_set(A, B, C), ours, theirs)
    assert merged.questions == (regraded(A, 3), worded(C, "Why?"), asked(query_id="new"))
    assert (merged.terms.min_overlap, merged.terms.labels_are) == (0.7, "any")
    assert (merged.name, merged.version) == ("faq", 0)


def test_every_true_conflict_is_told_at_once_and_names_both() -> None:
    base = a_set(A, B, C)
    ours = a_set(regraded(A, 3, provenance=ADA), C, asked(query_id="d"), min_overlap=0.7)
    theirs = a_set(regraded(A, 1), worded(B, "Why?"), C, asked(judged("Shipping"), query_id="d"), min_overlap=0.8)
    with pytest.raises(Conflict) as caught:
        merge_sets(base, ours, theirs, names=("faq@3", "theirs.jsonl"))
    assert str(caught.value).split("\n") == [
        "faq@3 (ours) and theirs.jsonl (theirs) changed the same, each otherwise; nothing was merged.",
        "min_overlap",
        "  ours: 0.7 (before: 0.5)",
        "  theirs: 0.8 (before: 0.5)",
        "question 'a'",
        "  ours: 1 label re-graded (by ada, 2026-03-01T09:30:00Z)",
        "  theirs: 1 label re-graded",
        "question 'b'",
        "  ours: removed",
        "  theirs: text",
        "question 'd'",
        "  ours: added",
        "  theirs: added",
        "Settle these in one of the two, and merge again.",
    ]


def test_of_many_conflicts_the_first_are_shown_and_the_rest_counted() -> None:
    ids = [f"q{number:03}" for number in range(SHOWN + 5)]
    base, ours, theirs = (a_set(*(asked(judged(grade=grade), query_id=one) for one in ids)) for grade in (1, 2, 3))
    with pytest.raises(MergeConflict, match="… and 5 more") as caught:
        merge_sets(base, ours, theirs)
    assert len(caught.value.clashes) == SHOWN + 5
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.clashes) == (str(caught.value), caught.value.clashes)


def test_without_a_version_in_common_both_must_say_the_same_of_what_both_have() -> None:
    merged = merge_sets(None, a_set(A, B), a_set(B, C))
    assert merged.questions == (A, B, C)
    assert [clash.what for clash in clashes(None, a_set(A), a_set(regraded(A, 3)))] == ["question 'a'"]
    assert [clash.what for clash in clashes(None, a_set(A), a_set(A, min_overlap=0.6))] == ["min_overlap"]


MOVED = judged(text=EDITED)
BASE = a_set(A, B)
REBASED = a_set(asked(MOVED, query_id="a"), B, snapshot=THERE)


def test_a_side_that_moved_to_another_snapshot_is_taken_where_the_other_brings_no_place() -> None:
    ours = a_set(A, regraded(worded(B, "Why?"), 3), asked(query_id="d"))
    merged = merge_sets(BASE, ours, REBASED)
    assert merged.terms.snapshot_digest == THERE
    assert merged.questions == (REBASED.questions[0], ours.questions[1], ours.questions[2])
    assert merge_sets(BASE, REBASED, ours) == merged


@pytest.mark.parametrize(
    "change",
    [
        B.model_copy(update={"judgments": (judged("Shipping"),)}),
        B.model_copy(update={"judgments": (*B.judgments, judged("Shipping"))}),
        B.model_copy(update={"chunk_labels": (ChunkLabel(chunk_id="c1", grade=1),)}),
    ],
    ids=["another place", "a further place", "a chunk"],
)
def test_places_of_two_snapshots_do_not_mix_and_the_way_is_to_move_one_first(change: JudgedQuestion) -> None:
    (clash,) = clashes(BASE, a_set(A, change), REBASED)
    assert clash.what == "the snapshot"
    assert f"evalspan rebase SET --to {THERE[:12]}" in clash.ours
    assert "'b'" in clash.ours
    (other,) = clashes(BASE, REBASED, a_set(A, change))
    assert (other.theirs, other.ours) == (clash.ours, clash.theirs)


def test_two_sides_on_two_new_snapshots_conflict() -> None:
    found = clashes(BASE, a_set(A, B, snapshot=OTHER), REBASED)
    assert [clash.what for clash in found] == ["snapshot_digest"]


def test_labels_that_name_chunks_keep_the_chunking_that_they_name() -> None:
    label = ChunkLabel(chunk_id="c1", grade=1)
    named = [JudgedQuestion(question=Question(query_id=one), chunk_labels=(label,)) for one in "ab"]
    base = a_set(*named, chunking_identity=OTHER)
    tied = a_set(A, named[1], chunking_identity=OTHER)
    assert merge_sets(base, tied, a_set(named[0], B, chunking_identity=OTHER)).terms.chunking_identity == OTHER
    gone = a_set(A, chunking_identity=None)
    kept = a_set(named[0], worded(named[1], ""), asked(query_id="d"), chunking_identity=OTHER)
    assert merge_sets(base, gone, kept).terms.chunking_identity is None
    anew = a_set(named[0], named[1], JudgedQuestion(question=Question(query_id="d"), chunk_labels=(label,)))
    anew = replace(anew, terms=anew.terms.model_copy(update={"chunking_identity": OTHER}))
    assert merge_sets(base, gone, anew).terms.chunking_identity == OTHER


def test_labels_that_name_chunks_of_two_chunkings_do_not_mix() -> None:
    def of(query_id: str, identity: str) -> EvalSet:
        label = ChunkLabel(chunk_id="c1", grade=1)
        return a_set(
            JudgedQuestion(question=Question(query_id=query_id), chunk_labels=(label,)), chunking_identity=identity
        )

    (clash,) = clashes(a_set(), of("a", OTHER), of("b", THERE))
    assert (OTHER in clash.ours, THERE in clash.theirs) == (True, True)


def attempt(base: EvalSet | None, ours: EvalSet, theirs: EvalSet) -> EvalSet | list[str]:
    try:
        return merge_sets(base, ours, theirs)
    except MergeConflict as conflict:
        return sorted(clash.what for clash in conflict.clashes)


@law
@given(sets, sets)
def test_where_one_side_changed_nothing_the_other_is_the_result(base: EvalSet, side: EvalSet) -> None:
    assert merge_sets(base, side, base).digest == side.digest
    assert merge_sets(base, base, side).digest == side.digest
    assert merge_sets(base, side, side).digest == side.digest
    assert merge_sets(None, side, side).digest == side.digest


@law
@given(sets, sets, sets)
def test_whose_side_is_ours_does_not_matter(base: EvalSet, one: EvalSet, other: EvalSet) -> None:
    there, back = attempt(base, one, other), attempt(base, other, one)
    assert (there.digest if isinstance(there, EvalSet) else there) == (
        back.digest if isinstance(back, EvalSet) else back
    )


@law
@given(sets, sets, sets)
def test_a_conflict_is_told_exactly_where_both_changed_a_question_otherwise(
    base: EvalSet, ours: EvalSet, theirs: EvalSet
) -> None:
    was, mine, other = ({q.query_id: q.digest for q in side.questions} for side in (base, ours, theirs))
    both = sorted(
        f"question {one!r}" for one in {*was, *mine, *other} if len({was.get(one), mine.get(one), other.get(one)}) == 3
    )
    found = attempt(base, ours, theirs)
    if isinstance(found, list):
        assert found == both
    else:
        assert both == []
        for question in found.questions:
            assert question.digest in (mine.get(question.query_id), other.get(question.query_id))
