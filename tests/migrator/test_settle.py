"""What was decided once is applied again where the same is asked, and nowhere else."""

from collections.abc import Mapping

import pytest
from small_sets import BY, CARD, FINE, HOURS, LENDING, LOAN, coarse, decided_at, decision, judgment, question, span_of

from evalspan.errors import NotFound
from evalspan.labels import Action, DecidedSpan, Decision, Judgment, PendingLabel
from evalspan.migrator.review import ReviewItem, Source, pending_item
from evalspan.migrator.settle import Settled, carried_spans

BOTH = f"{LOAN} {FINE}"
LATER = "This page was revised in spring.\n\n" + LENDING.replace(CARD, "Cards are free.")
"""Everything is 34 characters further on, and the card costs nothing."""

CORPORA: Mapping[str, Mapping[str, str]] = {
    "now": {"lending": LENDING, "copy": LENDING},
    "later": {"lending": LATER, "copy": LENDING},
    "changed": {"lending": LENDING.replace("21 days", "14 days"), "copy": LENDING},
    "gone": {"copy": LENDING},
}


def text_of(doc_id: str, snapshot: str) -> str:
    try:
        return CORPORA[snapshot][doc_id]
    except KeyError:
        raise NotFound("document", doc_id) from None


def asking(
    snapshot: str = "now", passage: str = BOTH, reason: str = "cut", doc_id: str = "lending", fact: str = ""
) -> ReviewItem:
    """A mapping asks about a passage of the snapshot."""
    text = CORPORA[snapshot][doc_id]
    subject = coarse(doc_id, text, passage)
    return ReviewItem(
        source=Source.MIGRATION,
        reason=reason,
        query_id="q1",
        question="",
        fact=fact,
        grade=3,
        doc_id=doc_id,
        subject=subject,
        passage=passage,
        ranges=((subject.start, subject.end),),
        snapshot_digest=snapshot,
    )


def losing(label: Judgment, stood_in: str = "now") -> ReviewItem:
    """A label that lost its place."""
    pending = PendingLabel(label=label, snapshot_digest=stood_in, reason="changed")
    return pending_item(question(pending=(pending,)), pending, text_of)


def given(item: ReviewItem, action: Action = Action.NARROW, *spans: DecidedSpan, at: str = "now") -> Decision:
    where = spans or ((decided_at("lending", CORPORA[at]["lending"], LOAN),) if action is not Action.RETIRE else ())
    return decision(item, action, *where, snapshot_digest=at)


def settled(*decisions: Decision) -> Settled:
    return Settled(decisions, text_of)


def where(item: ReviewItem, snapshot: str, *decisions: Decision) -> list[str] | None:
    """What stands where the answer says."""
    answer = settled(*decisions).find(item, snapshot)
    if answer is None:
        return None
    assert answer.given in decisions
    assert answer.here.snapshot_digest == snapshot
    return [span.span.of(text_of(span.doc_id, snapshot)) for span in answer.here.spans]


def test_nothing_is_settled_where_nothing_was_decided() -> None:
    assert not settled()
    assert settled().find(asking(), "now") is None


def test_what_was_decided_is_the_answer_where_the_same_is_asked() -> None:
    assert where(asking(), "now", given(asking())) == [LOAN]


def test_a_decision_follows_its_evidence_to_another_snapshot() -> None:
    assert where(asking("later"), "later", given(asking())) == [LOAN]


def test_a_decision_whose_evidence_says_something_else_now_answers_nothing() -> None:
    decided = given(asking())
    assert where(asking("changed", LENDING[:20]).model_copy(update={"passage": BOTH}), "changed", decided) is None


def test_a_decision_whose_document_or_corpus_is_gone_answers_nothing() -> None:
    assert settled(given(asking())).find(asking(), "gone") is None
    assert settled(given(asking()).model_copy(update={"snapshot_digest": "lost"})).find(asking(), "now") is None


def test_where_the_evidence_is_also_answers_for_another_old_chunk_around_it() -> None:
    wider = f"{BOTH}\n\n{CARD}"
    assert where(asking(passage=wider, reason="evidence_elsewhere"), "now", given(asking())) == [LOAN]
    assert where(asking("later", f"spring.\n\n{LENDING[:20]}"), "later", given(asking())) is None


def test_of_pieces_all_must_lie_in_the_other_chunk() -> None:
    pieces = (decided_at("lending", LENDING, LOAN), decided_at("lending", LENDING, CARD))
    split = given(asking(passage=f"{BOTH}\n\n{CARD}"), Action.SPLIT, *pieces)
    assert where(asking(), "now", split) is None
    assert where(asking(passage=f"{BOTH}\n\n{CARD}"), "now", split) == [LOAN, CARD]


def test_ranges_of_another_snapshot_say_nothing_of_where_the_evidence_lies() -> None:
    # the loan stands 34 characters further on now: where the label that is lost had stood
    was = LENDING[span_of(LENDING, LOAN).start + 20 :]
    label = judgment("lending", LENDING, was)
    assert span_of(LATER, LOAN).inside(label.span)
    decided = given(losing(judgment("lending", LENDING, FINE)), Action.SET)
    assert where(losing(label), "later", decided) is None


def test_another_question_fact_document_or_reason_is_another_matter() -> None:
    decided = given(asking())
    for other in (
        asking().model_copy(update={"query_id": "q2"}),
        asking(fact="loan"),
        asking(doc_id="copy"),
        asking(reason="repeated"),
    ):
        assert where(other, "now", decided) is None


def test_the_last_word_counts() -> None:
    first = given(asking(), Action.SET, decided_at("lending", LENDING, CARD))
    assert where(asking(), "now", first, given(asking())) == [LOAN]
    retired = settled(first, given(asking(), Action.RETIRE)).find(asking(), "now")
    assert retired is not None
    assert retired.here.action is Action.RETIRE


def test_a_word_that_was_taken_back_is_not_taken_up_where_the_last_one_can_not_be_applied() -> None:
    taken_back = given(asking(), Action.SET, decided_at("lending", LENDING, HOURS))
    last = given(asking(), Action.SET, decided_at("lending", LENDING, CARD))  # is changed later
    assert where(asking("later"), "later", taken_back) == [HOURS]
    assert where(asking("later"), "later", taken_back, last) is None


def test_a_label_that_is_retired_is_retired_wherever_the_same_is_asked() -> None:
    decided = given(asking(), Action.RETIRE, at="now")
    answer = settled(decided).find(asking("later"), "later")
    assert answer is not None
    assert (answer.here.action, answer.here.spans, answer.here.snapshot_digest) == (Action.RETIRE, (), "later")
    assert settled(decided).find(asking(passage=LOAN), "now") is None


def test_that_no_narrowing_is_right_does_not_answer_for_a_label_that_waits() -> None:
    rejected = given(asking(reason="narrowing"), Action.REJECT, decided_at("lending", LENDING, BOTH))
    assert settled(rejected).find(asking(reason="narrowing"), "now") is not None
    assert settled(rejected).find(asking(reason="cut"), "now") is None


@pytest.mark.parametrize("action", [Action.DEFER, Action.MERGE])
def test_what_was_put_off_or_merged_settles_nothing(action: Action) -> None:
    assert settled(given(asking(), action)).find(asking(), "now") is None


def test_who_and_when_stay_with_what_was_decided() -> None:
    answer = settled(given(asking())).find(asking("later"), "later")
    assert answer is not None
    assert (answer.here.provenance, answer.here.item) == (BY, answer.given.item)


TWICE = "On nine the nine on."
TWO = (
    f"Return days of lost. {TWICE} Within on fee. Of beta within nine. Days is ten. Return is on a card. {TWICE} "
    "Fee is alpha."
)
ONE = f"Return days of lost. Within on fee. Of beta within nine. {TWICE} Return is on a card. Fee is alpha."


@pytest.mark.parametrize("either", [False, True])
def test_pieces_that_come_to_lie_over_each_other_settle_nothing_unless_either_is_enough(either: bool) -> None:
    texts = {"two": TWO, "one": ONE}
    spans = decided_at("d", TWO, TWICE), decided_at("d", TWO, TWICE, 1)
    item = asking()
    said = decision(item, Action.SET, *spans, snapshot_digest="two", either=either)
    carried = carried_spans(said, "one", lambda _, snapshot: texts[snapshot])
    assert [span.span.of(ONE) for span in carried] == ([TWICE] if either else [])
