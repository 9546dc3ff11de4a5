"""Qrels are derived: the highest grade of each chunk, and no question that is half decided."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import law, sure

from evalspan.mapping import (
    Bucket,
    Carried,
    Cover,
    Fit,
    Outcome,
    Place,
    Qrel,
    QrelsBuilder,
    Reason,
    WaitingLabel,
    carried,
    derive_qrels,
)
from evalspan.spans import Span

reasons = {Bucket.CLEAN: Reason.HELD, Bucket.AMBIGUOUS: Reason.CUT, Bucket.UNMAPPED: Reason.UNCOVERED}


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    bucket = draw(st.sampled_from([Bucket.CLEAN, Bucket.CLEAN, Bucket.CLEAN, Bucket.AMBIGUOUS, Bucket.UNMAPPED]))
    names = draw(st.lists(st.sampled_from(["c1", "c10", "c2"]), max_size=3, unique=True))
    shares = st.sampled_from([0.2, 0.5, 1.0])
    return Outcome(
        query_id=draw(st.sampled_from(["q1", "q10", "q2", "é"])),
        chunk_id=draw(st.sampled_from([None, "old"])),
        grade=draw(st.integers(-2, 3)),
        place=Place.CERTAIN,
        fit=Fit.HELD,
        bucket=bucket,
        reason=reasons[bucket],
        doc_id="d",
        match=sure(Span(0, 4)),
        coarse=False,
        min_overlap=0.5,
        covers=tuple(Cover(name, draw(shares), draw(shares), draw(st.booleans())) for name in names),
        union_coverage=1.0,
    )


@law
@given(st.lists(outcomes(), max_size=12))
def test_the_highest_grade_wins_and_questions_with_a_waiting_label_are_left_out(made: list[Outcome]) -> None:
    waiting = {o.query_id for o in made if o.bucket is not Bucket.CLEAN and o.grade > 0}
    expected: dict[str, dict[str, int]] = {}
    for o in made:
        for cover in o.covers if o.bucket is Bucket.CLEAN else ():
            reaches = cover.coverage >= 0.5 if o.grade > 0 else cover.share == 1 or (o.grade < 0 and not o.coarse)
            if o.query_id not in waiting and cover.certain and reaches:
                grades = expected.setdefault(o.query_id, {})
                grades[cover.chunk_id] = max(o.grade, grades.get(cover.chunk_id, -99))
    qrels = derive_qrels(iter(made), 0.5)
    assert qrels.as_dict() == expected
    assert list(qrels.qrels) == sorted(qrels.qrels)
    assert len(qrels.qrels) == len({(q.query_id, q.doc_id) for q in qrels.qrels})
    assert set(qrels.waiting) == waiting
    assert qrels.min_overlap == 0.5


@law
@given(st.data(), st.lists(outcomes(), max_size=12))
def test_the_order_of_the_outcomes_changes_no_qrel(data: st.DataObject, made: list[Outcome]) -> None:
    assert derive_qrels(data.draw(st.permutations(made)), 0.5).qrels == derive_qrels(made, 0.5).qrels


@law
@given(st.lists(outcomes(), max_size=12))
def test_every_waiting_label_is_named_with_its_reason_in_the_order_it_came(made: list[Outcome]) -> None:
    named = [label for labels in derive_qrels(made, 0.5).waiting.values() for label in labels]
    expected = [
        WaitingLabel(o.query_id, o.chunk_id, o.bucket.value, o.reason.value)
        for o in made
        if o.bucket is not Bucket.CLEAN and o.grade > 0
    ]
    assert sorted(expected, key=lambda label: label.query_id) == named


@law
@given(st.lists(outcomes(), max_size=12))
def test_decided_and_waiting_partition_the_questions(made: list[Outcome]) -> None:
    builder = QrelsBuilder()
    for outcome in made:
        builder.add(carried(outcome))
    assert builder.decided + builder.waiting == len({o.query_id for o in made})
    assert builder.waiting == len(builder.build(0.5).waiting)
    assert builder.build(0.5) == derive_qrels(made, 0.5)


@law
@given(outcomes())
def test_only_a_clean_label_carries_chunks(outcome: Outcome) -> None:
    light = carried(outcome)
    assert light[:5] == (outcome.query_id, outcome.chunk_id, outcome.grade, outcome.bucket, outcome.reason)
    clean = outcome.bucket is Bucket.CLEAN
    assert light.chunk_ids == (tuple(cover.chunk_id for cover in outcome.chosen) if clean else ())


def test_a_relevant_label_outdoes_one_that_is_not_on_the_same_chunk() -> None:
    builder = QrelsBuilder()
    for grade in (0, 2, 1, -1):
        builder.add(Carried("q", None, grade, Bucket.CLEAN, Reason.WHOLE, ("c",)))
    assert builder.build(0.5).qrels == (Qrel("q", "c", 2),)


def test_a_negative_grade_stays_where_it_is_alone() -> None:
    builder = QrelsBuilder()
    builder.add(Carried("q", None, -1, Bucket.CLEAN, Reason.NEGATIVE, ("c",)))
    assert builder.build(0.5).as_dict() == {"q": {"c": -1}}
