"""What differs between two versions: nothing exactly where their digests agree, and each label told of as what became
of it.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.anchoring import make_anchor
from evalspan.labels import (
    ChunkLabel,
    EvalSet,
    Fact,
    JudgedQuestion,
    Judgment,
    Part,
    PendingLabel,
    Question,
    Range,
    RetiredLabel,
    SetTerms,
    in_order,
)
from evalspan.labels.difference import QuestionDifference, SetDifference, set_difference
from evalspan.labels.pairing import Change
from evalspan.provenance import Provenance
from evalspan.spans import Span

HERE, THERE = "0" * 32, "1" * 32
TEXT = "Returns are free within 30 days. Shipping takes two days. Returns are free."
EDITED = "New. " + TEXT
ADA = Provenance(by="ada", at="2026-03-01T09:30:00Z")
BOB = Provenance(by="bob", at="2026-03-02T09:30:00Z")


def judged(words: str = "free within 30 days", text: str = TEXT, doc_id: str = "a", **more: Any) -> Judgment:
    start = text.index(words)
    span = Span(start, start + len(words))
    given = {"grade": 2, **more}
    return Judgment(doc_id=doc_id, start=span.start, end=span.end, anchor=make_anchor(text, span), **given)


def asked(*judgments: Judgment, query_id: str = "q", **more: Any) -> JudgedQuestion:
    return JudgedQuestion(question=Question(query_id=query_id, text="How?"), judgments=judgments, **more)


def a_set(*questions: JudgedQuestion, snapshot: str = HERE, **terms: Any) -> EvalSet:
    return EvalSet("faq", 1, SetTerms(snapshot_digest=snapshot, **terms), in_order(questions))


def changed(old: JudgedQuestion, new: JudgedQuestion, snapshot: str = HERE) -> QuestionDifference:
    """Of the one question; `snapshot`: of the new version."""
    (only,) = set_difference(a_set(old), a_set(new, snapshot=snapshot)).changed
    return only


def changes(old: JudgedQuestion, new: JudgedQuestion, snapshot: str = HERE) -> list[tuple[Change, ...]]:
    return [label.changes for label in changed(old, new, snapshot).labels]


def test_equal_versions_differ_in_nothing_whatever_they_are_called() -> None:
    other = EvalSet("another", 7, SetTerms(snapshot_digest=HERE), (asked(judged()),))
    assert set_difference(a_set(asked(judged())), other) == SetDifference((), (), (), (), 1)


def test_questions_that_one_side_alone_has_are_added_or_removed() -> None:
    found = set_difference(a_set(asked(query_id="a"), asked(query_id="b")), a_set(asked(query_id="b"), asked()))
    assert [question.query_id for question in found.added] == ["q"]
    assert [question.query_id for question in found.removed] == ["a"]
    assert (found.changed, found.same, found.equal) == ((), 1, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("snapshot_digest", THERE),
        ("min_overlap", 0.7),
        ("label_schema", 1),
        ("chunking_identity", THERE),
        ("guard_scope", "evidence"),
        ("labels_are", "any"),
    ],
)
def test_each_term_that_differs_is_named_with_both_values(name: str, value: Any) -> None:
    old = a_set()
    new = EvalSet("faq", 2, old.terms.model_copy(update={name: value}), ())
    (field,) = set_difference(old, new).terms
    assert (field.name, field.old, field.new) == (name, getattr(old.terms, name), value)


@pytest.mark.parametrize(
    ("asks", "says"),
    [
        ({"text": "Why?"}, {}),
        ({"tags": ("family:returns",)}, {}),
        ({"reference_answers": ("30 days",)}, {}),
        ({"filters": {"country": "US"}}, {}),
        ({}, {"facts": (Fact(fact_id="f"),)}),
        ({}, {"labels_are": "all"}),
        ({}, {"must_not_use": ("b",)}),
        ({}, {"acceptable_docs": ("b",)}),
        ({}, {"retired": True}),
        ({}, {"no_answer": True}),
    ],
    ids=lambda given: "".join(given),
)
def test_each_field_of_a_question_that_differs_is_named(asks: dict[str, Any], says: dict[str, Any]) -> None:
    old = JudgedQuestion(question=Question(query_id="q"))
    new = JudgedQuestion(question=Question(query_id="q", **asks), **says)
    found = changed(old, new)
    assert [field.name for field in found.fields] == [*asks, *says]
    assert found.labels == ()


def test_filters_that_python_takes_for_equal_differ_where_json_does() -> None:
    one, other = (JudgedQuestion(question=Question(query_id="q", filters={"new": value})) for value in (1, True))
    assert changed(one, other).fields[0].old == {"new": 1}


def test_a_label_of_one_side_is_added_or_removed() -> None:
    assert changes(asked(), asked(judged())) == [(Change.ADDED,)]
    assert changes(asked(judged()), asked()) == [(Change.REMOVED,)]


def test_another_grade_of_the_same_passage_is_re_graded() -> None:
    assert changes(asked(judged()), asked(judged(grade=3))) == [(Change.REGRADED,)]


def test_the_same_words_elsewhere_are_moved() -> None:
    moved = judged(text=EDITED)
    assert changes(asked(judged()), asked(moved), THERE) == [(Change.MOVED,)]
    assert changes(asked(judged()), asked(judged(doc_id="b"))) == [(Change.MOVED,)]
    assert changes(asked(judged()), asked(judged(text=EDITED, grade=1)), THERE) == [(Change.MOVED, Change.REGRADED)]


def test_of_two_equal_passages_the_one_that_stayed_is_not_told_of() -> None:
    first, second = judged("Returns are free"), judged("Returns are free", doc_id="b")
    assert changes(asked(first, second), asked(first, judged("Returns are free", doc_id="c"))) == [(Change.MOVED,)]


def test_a_part_of_a_passage_is_narrowed_and_the_way_back_widened() -> None:
    whole, part = judged("Returns are free within 30 days. Shipping"), judged("within 30 days")
    assert changes(asked(whole), asked(part)) == [(Change.NARROWED,)]
    assert changes(asked(part), asked(whole)) == [(Change.WIDENED,)]
    assert changes(asked(whole), asked(part), THERE) == [(Change.NARROWED,)], "by the words, where ranges say nothing"


def test_a_part_of_an_old_chunk_is_narrowed() -> None:
    chunk = judged(TEXT, origin="chunk", chunk_id="c1")
    part = judged("30 days", origin="chunk", chunk_id="c1", wide=Range(start=0, end=len(TEXT)))
    (label,) = changed(asked(chunk), asked(part)).labels
    assert (label.changes, label.fields) == ((Change.NARROWED,), ())


def test_a_passage_with_other_words_in_its_document_is_replaced() -> None:
    edited = TEXT.replace("30", "60")
    there = judged("free within 60 days", edited)
    assert changes(asked(judged()), asked(there), THERE) == [(Change.REPLACED,)]


def test_which_of_several_became_which_is_not_guessed() -> None:
    old = asked(judged("Returns are free within 30"), judged("Shipping takes"))
    new = asked(judged("two days. Returns"), judged("Returns are free", doc_id="b"))
    assert sorted(changes(old, new)) == [(Change.ADDED,)] * 2 + [(Change.REMOVED,)] * 2


def test_a_label_of_a_chunk_that_became_a_range_is_tied() -> None:
    label = ChunkLabel(chunk_id="c1", grade=2)
    tied = judged(chunk_id="c1", origin="chunk")
    assert changes(asked(chunk_labels=(label,)), asked(tied)) == [(Change.TIED,)]
    assert changes(asked(chunk_labels=(label,)), asked(chunk_labels=(ChunkLabel(chunk_id="c2", grade=2),))) == [
        (Change.REMOVED,),
        (Change.ADDED,),
    ]


def test_a_label_that_lost_its_place_waits_and_one_that_is_retired_says_so() -> None:
    waiting = PendingLabel(label=judged(), snapshot_digest=HERE, reason="missing")
    retired = RetiredLabel(label=judged(), snapshot_digest=HERE, provenance=BOB)
    counts, waits, gone = asked(judged()), asked(pending=(waiting,)), asked(retired_labels=(retired,))
    assert changes(counts, waits, THERE) == [(Change.WAITS,)]
    assert changes(counts, gone) == [(Change.RETIRED,)]
    assert changes(waits, gone) == [(Change.RETIRED,)]
    assert changes(gone, counts) == [(Change.BACK,)]
    assert changes(waits, asked(judged(text=EDITED)), THERE) == [(Change.BACK, Change.MOVED)]
    assert changed(counts, gone).last_said == BOB


def test_what_else_is_said_of_a_label_is_named() -> None:
    facts = (Fact(fact_id="f"),)
    (label,) = changed(asked(judged(), facts=facts), asked(judged(fact="f", provenance=ADA), facts=facts)).labels
    assert label.changes == (Change.ANNOTATED,)
    assert set(label.fields) == {"fact", "provenance"}
    one, other = (PendingLabel(label=judged(), snapshot_digest=HERE, reason=why) for why in ("missing", "deleted"))
    (label,) = changed(asked(pending=(one,)), asked(pending=(other,))).labels
    assert (label.changes, label.fields) == ((Change.ANNOTATED,), ("reason",))


def test_a_passage_in_pieces_moves_as_one() -> None:
    def pieces(text: str) -> Judgment:
        second = text.index("two days")
        span = Span(second, second + 8)
        return judged(text=text, also=(Part(start=span.start, end=span.end, anchor=make_anchor(text, span)),))

    assert changes(asked(pieces(TEXT)), asked(pieces(EDITED)), THERE) == [(Change.MOVED,)]


def test_another_order_of_the_same_labels_is_a_difference() -> None:
    one, other = judged(), judged("Shipping")
    found = changed(asked(one, other), asked(other, one))
    assert (found.fields, found.labels, found.reordered) == ((), (), True)
    assert found.words == "its labels stand in another order"


def test_it_is_said_in_short() -> None:
    facts = (Fact(fact_id="f"),)
    old = asked(judged(), judged("Shipping"), facts=facts)
    new = asked(judged(grade=3), judged("two", doc_id="b", provenance=ADA), judged("Returns", doc_id="c"))
    assert changed(old, new).words == "facts; 1 label re-graded, 1 removed, 2 added"
    assert changed(old, new).last_said == ADA


WORDS = ("free", "Returns are free", "30 days", "Shipping takes two days", "two days")


@st.composite
def questions(draw: st.DrawFn) -> JudgedQuestion:
    def labels(some: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        return tuple(draw(st.lists(some, max_size=2)))

    judgments = st.builds(
        judged,
        st.sampled_from(WORDS),
        st.sampled_from([TEXT, EDITED]),
        st.sampled_from("ab"),
        grade=st.integers(0, 2),
        chunk_id=st.sampled_from([None, "c1"]),
        origin=st.sampled_from(["span", "chunk"]),
        provenance=st.sampled_from([None, ADA]),
    )
    chunks = st.builds(ChunkLabel, chunk_id=st.sampled_from(["c1", "c2"]), grade=st.integers(0, 1))
    waiting = st.builds(
        PendingLabel,
        label=judgments | chunks,
        snapshot_digest=st.just(THERE),
        reason=st.sampled_from(["missing", "deleted"]),
    )
    retired = st.builds(RetiredLabel, label=judgments, snapshot_digest=st.just(THERE), provenance=st.just(BOB))
    return JudgedQuestion(
        question=Question(query_id=draw(st.sampled_from(["q1", "q2", "q3"])), text=draw(st.sampled_from(["", "Why?"]))),
        judgments=labels(judgments),
        chunk_labels=labels(chunks),
        pending=labels(waiting),
        retired_labels=labels(retired),
        retired=draw(st.booleans()),
    )


sets = st.lists(questions(), max_size=3, unique_by=lambda question: question.query_id).map(lambda some: a_set(*some))


@law
@given(sets, sets)
def test_versions_differ_exactly_where_their_digests_do(old: EvalSet, new: EvalSet) -> None:
    found = set_difference(old, new)
    assert found.equal == (old.digest == new.digest)
    assert len(found.removed) + len(found.changed) + found.same == len(old.questions)
    assert len(found.added) + len(found.changed) + found.same == len(new.questions)


@law
@given(sets, sets)
def test_every_label_is_told_of_once_at_most_and_every_change_says_something(old: EvalSet, new: EvalSet) -> None:
    for question in set_difference(old, new).changed:
        assert question.fields or question.labels or question.reordered
        for side in ("old", "new"):
            whole: JudgedQuestion = getattr(question, side)
            count = sum(map(len, (whole.judgments, whole.chunk_labels, whole.pending, whole.retired_labels)))
            assert sum(getattr(label, side) is not None for label in question.labels) <= count
        assert all(label.changes for label in question.labels)
        annotated = [label for label in question.labels if label.changes == (Change.ANNOTATED,)]
        assert all(label.fields for label in annotated)


@law
@given(sets, sets)
def test_the_way_back_adds_what_was_removed(old: EvalSet, new: EvalSet) -> None:
    there, back = set_difference(old, new), set_difference(new, old)
    assert (there.added, there.removed, there.same) == (back.removed, back.added, back.same)
    for one, other in zip(there.changed, back.changed, strict=True):
        added = [label for label in one.labels if label.old is None]
        assert sum(label.new is None for label in other.labels) == len(added)
