"""A decision applied to its question."""

from typing import Any

import pytest
from small_sets import (
    BY,
    CARD,
    FINE,
    HOURS,
    LENDING,
    LOAN,
    OTHER,
    coarse,
    decided_at,
    decision,
    judgment,
    narrow,
    question,
    span_of,
)

from evalspan.errors import BadInput
from evalspan.labels import (
    OF_ALL,
    Action,
    AnswerSource,
    Candidate,
    ChunkLabel,
    Fact,
    JudgedQuestion,
    Judgment,
    PendingLabel,
    Proposal,
    RetiredLabel,
)
from evalspan.migrator.decide import abstained, decided
from evalspan.migrator.review import ReviewItem, Source, answer_item, pending_item, proposal_item

TEXTS = {"lending": LENDING, "other": OTHER}
BOTH = f"{LOAN} {FINE}"


def text_of(doc_id: str, _: str) -> str:
    return TEXTS[doc_id]


def outcome(asked: JudgedQuestion, subject: Judgment | ChunkLabel, reason: str = "cut") -> ReviewItem:
    """A label that a mapping asks about."""
    known = subject if isinstance(subject, Judgment) else None
    return ReviewItem(
        source=Source.MIGRATION,
        reason=reason,
        query_id=asked.query_id,
        question=asked.question.text,
        fact=subject.fact,
        grade=subject.grade,
        doc_id=known.doc_id if known else "lending",
        subject=subject,
        passage=known.span.of(LENDING) if known else "",
        ranges=tuple((start, end) for start, end in known.spans) if known else (),
        snapshot_digest="now",
    )


def lost(label: Judgment | ChunkLabel, reason: str = "changed", *candidates: Candidate) -> PendingLabel:
    """A label that stood in an earlier snapshot."""
    return PendingLabel.model_validate(
        {"label": label, "snapshot_digest": "before", "reason": reason, "candidates": candidates}
    )


def offered(asked: JudgedQuestion, reason: str, about: Judgment | None, doc_id: str, passage: str) -> ReviewItem:
    start, end = span_of(TEXTS[doc_id], passage)
    proposal = Proposal.model_validate(
        {
            "query_id": asked.query_id,
            "reason": reason,
            "about": about,
            "candidates": [Candidate(doc_id=doc_id, start=start, end=end)],
            "digest": "",
            "fact": about.fact if about else "",
        }
    )
    return proposal_item(asked, proposal, "now", text_of)


def test_a_deferred_decision_changes_nothing() -> None:
    asked = question(coarse("lending", LENDING, BOTH))
    item = outcome(asked, asked.judgments[0])
    assert decided(asked, item, decision(item, Action.DEFER)) == asked


def test_a_narrowed_label_keeps_its_grade_its_fact_and_the_old_chunk() -> None:
    label = coarse("lending", LENDING, BOTH, grade=2, fact="loan", tabular=True)
    asked = question(label, facts=(Fact(fact_id="loan"),))
    item = outcome(asked, label)
    (now,) = decided(asked, item, decision(item, Action.NARROW, decided_at("lending", LENDING, LOAN))).judgments
    assert (now.span, now.grade, now.fact, now.tabular) == (span_of(LENDING, LOAN), 2, "loan", True)
    assert (now.origin, now.chunk_id, now.coarse) == ("chunk", "old-1", False)
    assert now.wide is not None
    assert now.wide.span == label.span
    assert now.provenance == BY


def test_a_span_outside_the_old_chunk_is_a_span_of_its_own() -> None:
    label = coarse("lending", LENDING, BOTH)
    asked = question(label)
    item = outcome(asked, label)
    for passage in (CARD, f"{FINE}\n\n{CARD}"):
        (now,) = decided(asked, item, decision(item, Action.SET, decided_at("lending", LENDING, passage))).judgments
        assert (now.origin, now.wide, now.chunk_id) == ("span", None, None)


def test_pieces_of_which_one_stands_outside_the_old_chunk_are_no_part_of_it() -> None:
    label = coarse("lending", LENDING, BOTH)
    asked = question(label)
    item = outcome(asked, label)
    pieces = (decided_at("lending", LENDING, LOAN), decided_at("lending", LENDING, CARD))
    (now,) = decided(asked, item, decision(item, Action.SPLIT, *pieces)).judgments
    assert (now.origin, now.wide) == ("span", None)


def test_who_accepts_the_whole_old_chunk_makes_it_precise() -> None:
    label = coarse("lending", LENDING, BOTH)
    asked = question(label)
    item = outcome(asked, label)
    (now,) = decided(asked, item, decision(item, Action.ACCEPT, decided_at("lending", LENDING, BOTH))).judgments
    assert not now.coarse


def test_split_makes_one_passage_of_which_all_pieces_are_needed() -> None:
    label = coarse("lending", LENDING, f"{BOTH}\n\n{CARD}")
    asked = question(label)
    item = outcome(asked, label)
    pieces = (decided_at("lending", LENDING, CARD), decided_at("lending", LENDING, LOAN))
    (now,) = decided(asked, item, decision(item, Action.SPLIT, *pieces)).judgments
    assert now.spans == (span_of(LENDING, LOAN), span_of(LENDING, CARD))


def test_of_several_places_either_of_which_is_enough_each_becomes_an_alternative() -> None:
    label = judgment("lending", LENDING, BOTH)
    asked = question(label, judgment("other", OTHER, OTHER[:40]))
    item = outcome(asked, label, "repeated")
    places = (decided_at("lending", LENDING, LOAN), decided_at("other", OTHER, OTHER[60:]))
    first, second, other = decided(asked, item, decision(item, Action.ACCEPT, *places, either=True)).judgments
    assert first.alternative == second.alternative != ""
    assert other.alternative == ""
    with pytest.raises(BadInput, match="one document"):
        decided(asked, item, decision(item, Action.ACCEPT, *places))


def test_a_label_that_gets_several_places_stays_an_alternative_to_its_twins() -> None:
    label, twin = (judgment(doc, TEXTS[doc], TEXTS[doc][:40], alternative="twins") for doc in ("lending", "other"))
    asked = question(label, twin)
    item = outcome(asked, label, "repeated")
    places = (decided_at("lending", LENDING, LOAN), decided_at("lending", LENDING, CARD))
    after = decided(asked, item, decision(item, Action.ACCEPT, *places, either=True))
    assert {one.alternative for one in after.judgments} == {"twins"}


def test_places_of_a_fact_are_alternatives_by_the_fact() -> None:
    label = judgment("lending", LENDING, BOTH, fact="loan")
    asked = question(label, facts=(Fact(fact_id="loan"),))
    item = outcome(asked, label)
    places = (decided_at("lending", LENDING, LOAN), decided_at("lending", LENDING, CARD))
    after = decided(asked, item, decision(item, Action.ACCEPT, *places, either=True))
    assert [(one.fact, one.alternative) for one in after.judgments] == [("loan", "")] * 2


def test_a_retired_label_is_kept_with_who_and_where() -> None:
    label = judgment("lending", LENDING, LOAN)
    asked = question(label, judgment("lending", LENDING, CARD))
    item = outcome(asked, label, "repeated")
    after = decided(asked, item, decision(item, Action.RETIRE))
    assert after.judgments == asked.judgments[1:]
    assert after.retired_labels == (RetiredLabel(label=label, snapshot_digest="now", provenance=BY),)


def test_a_retired_label_that_waited_is_kept_as_of_the_corpus_that_it_stood_in() -> None:
    asked = question(pending=(lost(judgment("lending", LENDING, LOAN)),))
    item = pending_item(asked, asked.pending[0], text_of)
    after = decided(asked, item, decision(item, Action.RETIRE))
    assert not after.pending
    assert [one.snapshot_digest for one in after.retired_labels] == ["before"]


def test_a_question_that_is_not_answered_any_more_keeps_what_was_relevant_and_what_is_harmful() -> None:
    stands, harmful = judgment("lending", LENDING, LOAN), judgment("lending", LENDING, CARD, grade=-1)
    waits = judgment("lending", LENDING, FINE)
    named = ChunkLabel(chunk_id="c9", grade=1)
    asked = question(stands, harmful, named, pending=(lost(waits), lost(harmful)))
    item = pending_item(asked, asked.pending[0], text_of)
    after = decided(asked, item, decision(item, Action.ABSTAIN))
    assert after.no_answer
    assert after.judgments == (harmful,)
    assert after.pending == (lost(harmful),)
    assert [(one.label, one.snapshot_digest) for one in after.retired_labels] == [
        (stands, "now"),
        (named, "now"),
        (waits, "before"),
    ]
    assert abstained(asked, "now", BY) == after


def test_a_label_that_waits_takes_its_new_place_and_forgets_the_ranges_of_the_old_text() -> None:
    # 0-400 of the old text held the passage; the same figures mean nothing in the new one
    label = narrow("lending", LENDING, LOAN, BOTH)
    asked = question(judgment("lending", LENDING, CARD), pending=(lost(label),))
    item = pending_item(asked, asked.pending[0], text_of)
    after = decided(asked, item, decision(item, Action.ACCEPT, decided_at("lending", LENDING, LOAN)))
    assert not after.pending
    assert after.judgments[0] == asked.judgments[0]
    assert (after.judgments[1].origin, after.judgments[1].wide) == ("span", None)


def test_who_accepts_where_an_old_chunk_stands_now_does_not_make_it_precise() -> None:
    asked = question(pending=(lost(coarse("lending", LENDING, BOTH)),))
    item = pending_item(asked, asked.pending[0], text_of)
    place = decided_at("lending", LENDING, BOTH)
    (accepted,) = decided(asked, item, decision(item, Action.ACCEPT, place)).judgments
    assert accepted.coarse
    assert accepted.chunk_id == "old-1"
    (precise,) = decided(asked, item, decision(item, Action.SET, place)).judgments
    assert not precise.coarse


def test_of_a_label_that_stands_and_one_that_waits_the_one_that_is_asked_about_is_decided() -> None:
    label = judgment("lending", LENDING, LOAN)
    asked = question(label, pending=(lost(label),))
    item = pending_item(asked, asked.pending[0], text_of)
    after = decided(asked, item, decision(item, Action.RETIRE))
    assert (after.judgments, after.pending) == ((label,), ())


def test_a_label_that_waits_can_not_be_left_as_it_is() -> None:
    label = judgment("lending", LENDING, LOAN)
    asked = question(label, pending=(lost(label),))
    for item in (outcome(asked, label), pending_item(asked, asked.pending[0], text_of)):
        with pytest.raises(BadInput, match=rf"{item.name}.*waits for a place"):
            decided(asked, item, decision(item, Action.REJECT))


def test_a_label_that_is_gone_is_said_to_be() -> None:
    label = judgment("lending", LENDING, LOAN)
    asked, without = question(label, pending=(lost(label),)), question(judgment("lending", LENDING, CARD))
    for item in (outcome(asked, label), pending_item(asked, asked.pending[0], text_of)):
        with pytest.raises(BadInput, match="is gone"):
            decided(without, item, decision(item, Action.SET, decided_at("lending", LENDING, FINE)))


def test_a_decision_without_a_place_is_refused() -> None:
    asked = question(judgment("lending", LENDING, LOAN))
    item = outcome(asked, asked.judgments[0])
    with pytest.raises(BadInput, match="needs a place"):
        decided(asked, item, decision(item, Action.SET))


def test_a_decision_that_the_question_can_not_hold_is_refused_and_not_a_crash() -> None:
    harmful = judgment("lending", LENDING, LOAN, grade=-1)
    asked = question(pending=(lost(harmful),), no_answer=True)
    item = pending_item(asked, asked.pending[0], text_of)
    with pytest.raises(BadInput, match=rf"{item.name}.*without an answer"):
        decided(asked, item, decision(item, Action.SET, decided_at("lending", LENDING, LOAN), grade=3))


def test_a_chunk_label_becomes_a_judgment_where_somebody_says() -> None:
    named = ChunkLabel(chunk_id="c9", grade=2, fact="loan")
    asked = question(named, facts=(Fact(fact_id="loan"),))
    item = outcome(asked, named, "repeated")
    after = decided(asked, item, decision(item, Action.SET, decided_at("lending", LENDING, LOAN)))
    assert not after.chunk_labels
    assert [(one.span, one.grade, one.fact) for one in after.judgments] == [(span_of(LENDING, LOAN), 2, "loan")]


# Merging


def merged(*labels: Judgment, **more: Any) -> JudgedQuestion:
    """The first with all that lies in the two sentences about loans."""
    asked = question(*labels)
    item = outcome(asked, labels[0])
    return decided(asked, item, decision(item, Action.MERGE, decided_at("lending", LENDING, BOTH), **more))


def test_merged_labels_are_one_passage_as_relevant_as_the_best_of_them() -> None:
    loan, fine, card = (judgment("lending", LENDING, one, grade=n) for n, one in enumerate((LOAN, FINE, CARD), 1))
    one, other = merged(loan, fine, card).judgments
    assert (one.span, one.grade, other) == (span_of(LENDING, BOTH), 2, card)
    assert merged(loan, fine, grade=1).judgments[0].grade == 1


def test_what_is_not_relevant_or_harmful_is_not_swallowed_by_a_merge() -> None:
    labels = [judgment("lending", LENDING, LOAN), judgment("lending", LENDING, FINE)]
    bad = [judgment("lending", LENDING, FINE[:20], grade=-1), judgment("lending", LENDING, FINE[30:], grade=0)]
    assert set(bad) < set(merged(*labels, *bad).judgments)


def test_a_merge_with_nothing_is_refused() -> None:
    with pytest.raises(BadInput, match="no other label"):
        merged(judgment("lending", LENDING, LOAN), judgment("lending", LENDING, FINE, grade=-1))


def test_a_label_that_waits_is_not_merged_since_its_ranges_are_of_another_text() -> None:
    asked = question(judgment("lending", LENDING, FINE), pending=(lost(judgment("lending", LENDING, LOAN)),))
    item = pending_item(asked, asked.pending[0], text_of)
    with pytest.raises(BadInput, match="waits for a place"):
        decided(asked, item, decision(item, Action.MERGE, decided_at("lending", LENDING, BOTH)))


# Offers


def test_an_accepted_twin_is_an_alternative_and_no_old_chunk() -> None:
    label = coarse("lending", LENDING, HOURS, tabular=True)
    asked = question(judgment("lending", LENDING, LOAN), label)
    item = offered(asked, "twin", label, "other", OTHER[:40])
    place = decided_at("other", OTHER, OTHER[:40])
    _, same, twin = decided(asked, item, decision(item, Action.ACCEPT, place)).judgments
    assert same == label.model_copy(update={"alternative": same.alternative})
    assert same.alternative == twin.alternative != ""
    assert (twin.doc_id, twin.origin, twin.wide, twin.tabular) == ("other", "span", None, True)


def test_a_twin_of_a_label_that_is_an_alternative_by_now_still_finds_it() -> None:
    label = judgment("lending", LENDING, LOAN)
    asked = question(label)
    item = offered(asked, "twin", label, "other", OTHER[:40])
    moved_on = question(label.model_copy(update={"alternative": "abc", "provenance": BY}))
    place = decided_at("other", OTHER, OTHER[:40])
    after = decided(moved_on, item, decision(item, Action.ACCEPT, place))
    assert [one.alternative for one in after.judgments] == ["abc", "abc"]
    assert decided(after, item, decision(item, Action.ACCEPT, place)) == after


def test_a_rejected_offer_changes_nothing() -> None:
    label = coarse("lending", LENDING, BOTH)
    asked = question(label)
    for reason, doc_id, passage in (("twin", "other", OTHER[:40]), ("narrowing", "lending", LOAN)):
        item = offered(asked, reason, label, doc_id, passage)
        assert decided(asked, item, decision(item, Action.REJECT)) == asked


@pytest.mark.parametrize("action", [Action.RETIRE, Action.MERGE])
def test_what_is_said_of_a_label_is_not_said_of_an_offer(action: Action) -> None:
    label = judgment("lending", LENDING, LOAN)
    asked = question(label)
    place = decided_at("other", OTHER, OTHER[:40])
    for item in (
        offered(asked, "twin", label, "other", OTHER[:40]),
        offered(asked, "unjudged", None, "other", OTHER[:40]),
    ):
        with pytest.raises(BadInput, match="is an offer"):
            decided(asked, item, decision(item, action, place, grade=2))


def test_a_passage_that_nobody_had_judged_is_an_alternative_to_all_the_others() -> None:
    asked = question(judgment("lending", LENDING, LOAN))
    item = offered(asked, "unjudged", None, "other", OTHER[:40])
    place = decided_at("other", OTHER, OTHER[:40])
    after = decided(asked, item, decision(item, Action.ACCEPT, place, grade=2))
    assert [(one.doc_id, one.grade, one.alternative) for one in after.judgments] == [
        ("lending", 3, ""),
        ("other", 2, OF_ALL),
    ]
    rejected = decided(asked, item, decision(item, Action.REJECT, place))
    assert [(one.grade, one.alternative) for one in rejected.judgments] == [(3, ""), (0, "")]
    with pytest.raises(BadInput, match="needs a grade"):
        decided(asked, item, decision(item, Action.ACCEPT, place))


def test_a_question_without_an_answer_takes_no_relevant_passage() -> None:
    asked = question(no_answer=True)
    item = offered(asked, "unjudged", None, "other", OTHER[:40])
    place = decided_at("other", OTHER, OTHER[:40])
    with pytest.raises(BadInput, match="no answer"):
        decided(asked, item, decision(item, Action.ACCEPT, place, grade=2))
    assert decided(asked, item, decision(item, Action.ACCEPT, place, grade=-1)).judgments[0].grade == -1


# Reference answers


def stale() -> JudgedQuestion:
    sources = (AnswerSource(doc_id="lending", text_digest="d", stale="changed: 0-9"),)
    return question(judgment("lending", LENDING, LOAN), answers=("21 days",), answer_sources=sources)


def test_an_answer_that_is_confirmed_or_rewritten_is_not_stale() -> None:
    asked = stale()
    item = answer_item(asked, "now")
    assert item is not None
    assert not item.holds
    confirmed = decided(asked, item, decision(item, Action.ACCEPT))
    assert (confirmed.answer_sources, confirmed.question) == ((), asked.question)
    rewritten = decided(asked, item, decision(item, Action.SET, answer="14 days"))
    assert (rewritten.stale, rewritten.question.reference_answers) == ((), ("14 days",))
    assert answer_item(rewritten, "now") is None


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        (Action.SET, None),
        (Action.SET, " "),
        (Action.ACCEPT, "14 days"),
        (Action.RETIRE, None),
        (Action.ABSTAIN, None),
    ],
)
def test_of_a_stale_answer_nothing_else_can_be_said(action: Action, answer: str | None) -> None:
    asked = stale()
    item = answer_item(asked, "now")
    assert item is not None
    with pytest.raises(BadInput, match="answer"):
        decided(asked, item, decision(item, action, answer=answer))
