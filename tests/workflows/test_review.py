"""What a person is asked, what they decide, and the version that comes of it."""

import json
from collections.abc import Iterator
from pathlib import Path
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
    judgment,
    put_chunking,
    put_set,
    put_snapshot,
    question,
    row,
    span_of,
    the_question,
    words_of,
)

from evalspan.errors import BadInput, Conflict, NotFound
from evalspan.labels import AnswerSource, Candidate, Judgment, Proposal
from evalspan.migrator.review import ReviewItem
from evalspan.store import Store, create_store
from evalspan.workflows.deciding import decide
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.rebase import rebase
from evalspan.workflows.review import Applied, apply_decisions, review_queue
from evalspan.workflows.review_files import export_queue, import_decisions
from evalspan.workflows.undo import undo_set

FIRST = {"lending": LENDING, "other": OTHER}
FOURTEEN = LENDING.replace("21 days", "14 days")
BOTH = f"{LOAN} {FINE}"
CUT = {"lending": [LENDING[: LENDING.index(FINE)], LENDING[LENDING.index(FINE) :]]}
"""Between the two sentences about loans."""


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Store]:
    """Where the database does not matter."""
    address = str(tmp_path / "lite.db")
    create_store(address)
    with Store.open(address) as opened:
        yield opened


def begin(store: Store, *labels: Judgment, min_overlap: float = 0.8, **more: Any) -> None:
    """A set mapped on a chunking that cuts the old chunk in two."""
    first = put_snapshot(store, "first", FIRST)
    put_set(store, first, question(*(labels or (coarse("lending", LENDING, BOTH),)), **more), min_overlap=min_overlap)
    put_chunking(store, "new", first, CUT)
    migrate_set("faq", "new", store=store)


def lose(store: Store, *labels: Judgment, **more: Any) -> None:
    """A set whose labels lost their place."""
    put_set(store, put_snapshot(store, "first", FIRST), question(*labels, **more))
    put_snapshot(store, "second", {**FIRST, "lending": FOURTEEN})
    rebase("faq", store=store)


def items(store: Store, **how: Any) -> tuple[ReviewItem, ...]:
    return review_queue("faq", store=store, **how).items


def the_item(store: Store, reason: str) -> ReviewItem:
    (item,) = (item for item in items(store) if item.reason == reason)
    return item


def settle(store: Store, item: ReviewItem, action: str, *candidates: int, **more: Any) -> Applied:
    decide("faq", [row(item, action, *candidates, **more)], store=store)
    return apply_decisions("faq", store=store)


def place(text: str, passage: str) -> tuple[int, int]:
    start, end = span_of(text, passage)
    return start, end


# The queue


def test_a_set_of_which_nothing_is_asked_has_an_empty_queue(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN))
    queue = review_queue("faq", store=lite)
    assert (queue.items, queue.open, queue.waiting) == ((), (), ())
    assert queue.mapping is not None


def test_what_holds_a_question_back_comes_before_what_is_offered(store: Store) -> None:
    begin(store, coarse("lending", LENDING, BOTH), coarse("lending", LENDING, f"{CARD}\n\n{HOURS}", "old-2"))
    kinds = [item.holds for item in items(store)]
    assert kinds == sorted(kinds, reverse=True)
    assert kinds[0]


def test_a_deferred_item_is_open_still_and_a_decided_one_is_not(lite: Store) -> None:
    begin(lite)
    (item,) = (item for item in items(lite) if item.holds)
    decide("faq", [row(item, "defer", note="ask Ada")], store=lite)
    assert item in review_queue("faq", store=lite).open
    decide("faq", [row(item, "accept", 1, by="Ada")], store=lite)
    queue = review_queue("faq", store=lite)
    assert item not in queue.open
    assert queue.decisions[item.name].decision.provenance.by == "Ada"


def test_only_the_newest_version_is_reviewed(lite: Store) -> None:
    lose(lite, judgment("lending", LENDING, LOAN))
    with pytest.raises(Conflict, match="faq@1 has been followed by faq@2"):
        review_queue("faq@1", store=lite)
    with pytest.raises(NotFound):
        review_queue("faq", chunking="nothing", store=lite)


def test_a_question_that_is_no_longer_asked_asks_nothing(lite: Store) -> None:
    sources = (AnswerSource(doc_id="lending", text_digest="d", stale="changed: 0-9"),)
    begin(lite, retired=True, answers=["21 days"], answer_sources=sources)
    assert items(lite) == ()


# Deciding


def test_a_decision_is_recorded_with_who_when_and_why_and_changes_no_label(store: Store) -> None:
    lose(store, judgment("lending", LENDING, LOAN))
    (item,) = items(store)
    (record,) = decide("faq", [row(item, "accept", 1, by="Ada", note="read it")], store=store).records
    assert store.decisions("faq") == [record]
    said = record.decision
    assert (said.provenance.by, said.provenance.why, said.asked, said.reason) == (
        "Ada",
        "read it",
        item.asked,
        "changed",
    )
    assert [span.span.of(FOURTEEN) for span in said.spans] == [LOAN.replace("21", "14")]
    assert store.find_version("faq").number == 2


def test_a_beginning_of_a_name_is_enough_where_it_is_no_slip(lite: Store) -> None:
    lose(lite, judgment("lending", LENDING, LOAN))
    (item,) = items(lite)
    assert decide("faq", [row(item.name[:4], "defer")], store=lite).records[0].decision.item == item.name
    with pytest.raises(BadInput, match="asks nothing of this name"):
        decide("faq", [row(item.name[:3], "defer")], store=lite)


BAD = {
    "gone": (row("0123456789ab", "retire"), "asks nothing of this name"),
    "no such candidate": (row("ITEM", "accept", 2), "no candidate 2"),
    "outside": (row("ITEM", "set", at=[(10, 9_999)]), "no range of 'lending'"),
    "empty": (row("ITEM", "set", at=[(10, 10)]), "no range of 'lending'"),
    "blank": (row("ITEM", "set", at=[place(FOURTEEN, "\n\n")]), "white space only"),
    "no such document": (row("ITEM", "set", at=[(0, 9)], doc_id="nowhere"), "not in the set's snapshot"),
    "a candidate with set": (row("ITEM", "set", 1, at=[(0, 9)]), "a candidate goes with accept"),
    "a range with accept": (row("ITEM", "accept", 1, at=[(0, 9)]), "a range goes with set"),
    "a range with retire": (row("ITEM", "retire", at=[(0, 9)]), "neither a candidate nor a range"),
    "set without": (row("ITEM", "set"), "needs a range"),
    "narrow beyond": (row("ITEM", "narrow", at=[(0, 200)]), "inside the passage"),
    "widen within": (row("ITEM", "widen", at=[(90, 100)]), "holds the passage"),
    "split in one": (row("ITEM", "split", at=[(90, 100)]), "two ranges or more"),
    "reject": (row("ITEM", "reject"), "waits for a place"),
    "merge": (row("ITEM", "merge", at=[(0, 200)]), "waits for a place"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_decision_that_does_not_fit_is_refused_and_nothing_is_written(lite: Store, bad: str) -> None:
    lose(lite, judgment("lending", LENDING, LOAN))
    (item,) = items(lite)
    typed, why = BAD[bad]
    wrong = typed._replace(item=typed.item.replace("ITEM", item.name))
    with pytest.raises(BadInput, match=why):
        decide("faq", [row(item, "defer"), wrong], store=lite)
    assert lite.decisions("faq") == []


def test_all_that_is_wrong_in_a_file_is_told_at_once_with_its_lines(lite: Store) -> None:
    lose(lite, judgment("lending", LENDING, LOAN))
    (item,) = items(lite)
    rows = [row(item, "accept", 7, line=3), row("feedfeed", "retire", line=9)]
    with pytest.raises(BadInput) as caught:
        decide("faq", rows, file="decided.csv", store=lite)
    assert [(one.file, one.line) for one in caught.value.problems] == [("decided.csv", 3), ("decided.csv", 9)]


# Applying


def test_applying_makes_a_version_and_maps_it_again(store: Store) -> None:
    begin(store)
    (item,) = (item for item in items(store) if item.holds)
    first = store.find_snapshot("first")
    applied = settle(store, item, "set", at=[place(LENDING, LOAN)])
    assert applied.version.number == store.find_version("faq").number
    assert applied.migration is not None
    assert (applied.migration.tally.clean, applied.migration.waiting) == (1, 0)
    assert [words_of(store, one, first) for one in the_question(store).judgments] == [[LOAN]]
    assert store.decisions("faq")[0].versions == (applied.version.number,)
    assert not any(one.holds for one in items(store))


def test_without_a_decision_nothing_is_applied(lite: Store) -> None:
    begin(lite)
    (item,) = (item for item in items(lite) if item.holds)
    with pytest.raises(BadInput, match="no decision waits"):
        apply_decisions("faq", store=lite)
    decide("faq", [row(item, "defer")], store=lite)
    with pytest.raises(BadInput, match="no decision waits"):
        apply_decisions("faq", store=lite)


def test_the_last_word_is_applied_and_the_first_waits_for_nothing_afterwards(lite: Store) -> None:
    lose(lite, judgment("lending", LENDING, LOAN))
    (item,) = items(lite)
    decide("faq", [row(item, "retire")], store=lite)
    applied = settle(lite, item, "accept", 1)
    assert [one.decision.action.value for one in applied.decisions] == ["accept"]
    assert review_queue("faq", store=lite).waiting == ()
    with pytest.raises(BadInput, match="no decision waits"):
        apply_decisions("faq", store=lite)


def test_a_decision_whose_item_is_gone_is_refused_or_left_and_listed(lite: Store) -> None:
    begin(lite, coarse("lending", LENDING, BOTH), query_id="q1")
    (item,) = (item for item in items(lite) if item.holds)
    decide("faq", [row(item, "accept", 1)], store=lite)
    undone = lite.find_version("faq")
    with lite.writing() as tx:  # somebody brings a set without the label
        tx.add_version("faq", undone.number, undone.terms, [question().body()], BY)
    with pytest.raises(BadInput, match="is not asked any more"):
        apply_decisions("faq", store=lite)
    applied = apply_decisions("faq", skip_gone=True, store=lite)
    assert (applied.decisions, len(applied.left)) == ((), 1)
    assert lite.find_version("faq").number == undone.number + 1


def test_two_people_apply_at_once_the_second_writes_nothing(store: Store) -> None:
    lose(store, judgment("lending", LENDING, LOAN))
    (item,) = items(store)
    decide("faq", [row(item, "accept", 1)], store=store)
    version = store.find_version("faq")
    with store.writing() as tx:
        tx.add_version("faq", version.number, version.terms, [question().body()], BY)
    with pytest.raises(Conflict, match="followed by"):
        apply_decisions(version.label, store=store)
    assert [one.versions for one in store.decisions("faq")] == [()]


def test_what_was_decided_before_a_rebase_follows_its_text_or_is_refused(lite: Store) -> None:
    lose(lite, judgment("lending", LENDING, LOAN))
    (item,) = items(lite)
    decide("faq", [row(item, "accept", 1)], store=lite)
    third = put_snapshot(lite, "third", {**FIRST, "lending": f"Something new stands here.\n\n{FOURTEEN}"})
    rebase("faq", store=lite)
    apply_decisions("faq", store=lite)
    (label,) = the_question(lite).judgments
    assert words_of(lite, label, third) == [LOAN.replace("21", "14")]
    assert lite.decisions("faq")[0].decision.spans[0].start != label.start


def test_a_place_that_changed_since_it_was_decided_on_is_not_taken(lite: Store) -> None:
    lose(lite, judgment("lending", LENDING, LOAN))
    (item,) = items(lite)
    decide("faq", [row(item, "accept", 1)], store=lite)
    put_snapshot(lite, "third", {**FIRST, "lending": LENDING.replace("21 days", "7 days")})
    rebase("faq", store=lite)
    with pytest.raises(BadInput, match="have changed since"):
        apply_decisions("faq", store=lite)
    assert len(apply_decisions("faq", skip_gone=True, store=lite).left) == 1
    assert the_question(lite).pending
    assert review_queue("faq", store=lite).open == items(lite)
    (again,) = items(lite)
    settle(lite, again, "accept", 1)
    assert not the_question(lite).pending


def test_an_answer_that_was_confirmed_against_an_older_text_is_not_confirmed_against_the_newest(lite: Store) -> None:
    lose(lite, judgment("lending", LENDING, LOAN), answers=["21 days"])
    decide("faq", [row(the_item(lite, "stale_answer"), "accept")], store=lite)
    put_snapshot(lite, "third", {**FIRST, "lending": LENDING.replace("21 days", "7 days")})
    rebase("faq", store=lite)
    with pytest.raises(BadInput, match="have changed since"):
        apply_decisions("faq", store=lite)
    assert the_question(lite).stale


def test_decisions_about_an_earlier_mapping_are_applied_too(lite: Store) -> None:
    begin(lite)
    put_chunking(lite, "whole", lite.find_snapshot("first"), {"lending": [LENDING]})
    migrate_set("faq", "whole", store=lite)
    assert not any(item.holds for item in items(lite))
    (item,) = (item for item in items(lite, chunking="new") if item.holds)
    decide("faq", [row(item, "set", at=[place(LENDING, LOAN)])], chunking="new", store=lite)
    applied = apply_decisions("faq", store=lite)
    assert len(applied.decisions) == 1
    assert [one.span.of(LENDING) for one in the_question(lite).judgments] == [LOAN]


def test_a_rejected_offer_is_not_asked_again_and_makes_no_version(lite: Store) -> None:
    first = put_snapshot(lite, "first", {"lending": LENDING, "other": f"{OTHER}{LOAN}\n"})
    put_set(lite, first, question(judgment("lending", LENDING, LOAN)))
    put_chunking(lite, "new", first, {"lending": [LENDING]})
    put_chunking(lite, "newer", first, {"lending": [LENDING[:300]]})
    migrate_set("faq", "new", store=lite)
    applied = settle(lite, the_item(lite, "twin"), "reject")
    assert (applied.version.number, applied.migration, len(applied.decisions)) == (1, None, 1)
    assert items(lite) == ()
    for chunking in ("new", "newer"):
        migrate_set("faq", chunking, store=lite)
        assert items(lite) == ()
    assert lite.find_version("faq").number == 1


def test_that_no_narrowing_is_right_stops_no_later_migration(lite: Store) -> None:
    first = put_snapshot(lite, "first", FIRST)
    put_set(lite, first, question(coarse("lending", LENDING, BOTH)), min_overlap=0.8)
    put_chunking(lite, "whole", first, {"lending": [LENDING]})
    put_chunking(lite, "new", first, CUT)
    migrate_set("faq", "whole", store=lite)
    settle(lite, the_item(lite, "narrowing"), "reject")
    migrate_set("faq", "new", store=lite)
    assert [item.holds for item in items(lite)] == [True]
    assert len(lite.versions("faq")) == 1


def test_copies_are_taken_before_the_label_that_they_are_copies_of_is_placed_anew(lite: Store) -> None:
    first = put_snapshot(lite, "first", {"lending": LENDING, "other": f"{OTHER}{BOTH}\n"})
    put_set(lite, first, question(coarse("lending", LENDING, BOTH)), min_overlap=0.8)
    put_chunking(lite, "new", first, CUT)
    migrate_set("faq", "new", store=lite)
    held = next(item for item in items(lite) if item.holds)
    rows = [row(held, "set", at=[place(LENDING, LOAN)]), row(the_item(lite, "twin"), "accept")]
    decide("faq", rows, store=lite)
    assert len(apply_decisions("faq", store=lite).decisions) == 2
    one, copy = the_question(lite).judgments
    assert (one.span.of(LENDING), copy.doc_id) == (LOAN, "other")
    assert one.alternative == copy.alternative != ""


def test_two_decisions_that_contradict_each_other_are_refused_together(lite: Store) -> None:
    lose(lite, judgment("lending", LENDING, LOAN), judgment("lending", LENDING, BOTH))
    one, other = items(lite)
    decide("faq", [row(one, "abstain"), row(other, "accept", 1)], store=lite)
    with pytest.raises(BadInput, match="is gone"):
        apply_decisions("faq", store=lite)
    assert len(the_question(lite).pending) == 2


def test_an_undone_decision_is_asked_again_and_its_redo_brings_it_back(lite: Store) -> None:
    begin(lite)
    (item,) = (item for item in items(lite) if item.holds)
    settle(lite, item, "set", at=[place(LENDING, LOAN)])
    after = lite.find_version("faq")
    undo_set("faq", store=lite)
    migrate_set("faq", "new", store=lite)
    assert item.name in {one.name for one in items(lite)}
    assert review_queue("faq", store=lite).waiting == ()
    undo_set("faq", to=after.number, store=lite)
    migrate_set("faq", "new", store=lite)
    assert [one.span.of(LENDING) for one in the_question(lite).judgments] == [LOAN]
    assert not any(one.holds for one in items(lite))


# Decisions that last


def test_a_decision_holds_on_the_next_chunking_and_when_the_wide_chunk_is_another(lite: Store) -> None:
    begin(lite)
    (item,) = (item for item in items(lite) if item.holds)
    settle(lite, item, "set", at=[place(LENDING, LOAN)])
    wider = coarse("lending", LENDING, f"{BOTH}\n\n{CARD}", "older-9")
    version = lite.find_version("faq")
    with lite.writing() as tx:  # the same question comes anew, with labels of an older chunking
        tx.add_version("faq", version.number, version.terms, [question(wider).body()], BY)
    result = migrate_set("faq", "new", store=lite)
    assert result.offers is not None
    assert (result.offers.settled, result.waiting) == (1, 0)
    (label,) = the_question(lite).judgments
    assert label.span.of(LENDING) == LOAN
    assert lite.decisions("faq")[0].versions[-1] == lite.find_version("faq").number


@pytest.mark.parametrize("text", ["", "How long may I keep a book?"])
def test_decisions_of_which_one_ends_what_the_other_is_about_do_not_stop_a_migration(lite: Store, text: str) -> None:
    first = put_snapshot(lite, "first", FIRST)
    labels = coarse("lending", LENDING, BOTH), coarse("lending", LENDING, f"{CARD}\n\n{HOURS}", "old-2")
    put_set(lite, first, question(*labels, text=text), min_overlap=0.8)
    at = LENDING.index(FINE), LENDING.index(HOURS)
    put_chunking(lite, "new", first, {"lending": [LENDING[: at[0]], LENDING[slice(*at)], LENDING[at[1] :]]})
    migrate_set("faq", "new", store=lite)
    loan, card = sorted((item for item in items(lite) if item.holds), key=lambda item: item.ranges)
    settle(lite, card, "set", at=[place(LENDING, CARD)])
    settle(lite, loan, "abstain")
    version, newest = lite.eval_set(lite.find_version("faq@1")), lite.find_version("faq")
    with lite.writing() as tx:
        tx.add_version("faq", newest.number, version.terms, [one.body() for one in version.questions], BY)
    migrate_set("faq", "new", store=lite)
    assert the_question(lite).no_answer
    assert not any(item.holds for item in items(lite))


# Files


def test_a_number_in_a_file_is_not_taken_for_another_candidate(lite: Store, tmp_path: Path) -> None:
    begin(lite, coarse("lending", LENDING, f"{BOTH}\n\n{CARD}"), text="")
    path = tmp_path / "queue.jsonl"
    export_queue("faq", path, store=lite)
    filled = [{**json.loads(line), "decision": "accept", "candidate": 1} for line in path.read_text().splitlines()]
    put_chunking(lite, "newest", lite.find_snapshot("first"), {"lending": [LENDING[:120], LENDING[120:200]]})
    migrate_set("faq", "newest", store=lite)
    (now,) = items(lite)
    assert [one["item"] for one in filled] == [now.name]
    path.write_text("".join(json.dumps(one) + "\n" for one in filled), "utf-8")
    with pytest.raises(BadInput):
        import_decisions("faq", path, store=lite)


# Offers of runs


def test_an_unjudged_passage_is_judged_once(lite: Store) -> None:
    first = put_snapshot(lite, "first", FIRST)
    version = put_set(lite, first, question(judgment("lending", LENDING, LOAN)))
    start, end = span_of(LENDING, CARD)
    offer = Proposal(
        query_id="q1",
        reason="unjudged",
        candidates=(Candidate(doc_id="lending", start=start, end=end),),
        digest=judgment("lending", LENDING, CARD).anchor.digest,
        weight=0.5,
    )
    with lite.writing() as tx:
        tx.add_proposals(version, [offer])
    with pytest.raises(BadInput, match="needs a grade"):
        decide("faq", [row(the_item(lite, "unjudged"), "accept", 1)], store=lite)
    settle(lite, the_item(lite, "unjudged"), "accept", 1, grade=2)
    assert [(one.span.of(LENDING), one.grade) for one in the_question(lite).judgments] == [(LOAN, 3), (CARD, 2)]
    assert items(lite) == ()
