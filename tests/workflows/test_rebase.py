"""A set moves to another snapshot: nothing is lost without a trace, and nothing is surely at a wrong place."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_sets import (
    CARD,
    FINE,
    HOURS,
    LENDING,
    LOAN,
    OTHER,
    coarse,
    judgment,
    narrow,
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
from evalspan.labels import ChunkLabel, JudgedQuestion, Judgment, Part, PendingLabel
from evalspan.migrator.carry import Fate
from evalspan.store import Store, create_store
from evalspan.workflows.deciding import decide
from evalspan.workflows.manifests import manifest
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.rebase import rebase
from evalspan.workflows.review import apply_decisions, review_queue
from evalspan.workflows.undo import undo_set
from evalspan.workflows.verify import verify

FOURTEEN = LENDING.replace("21 days", "14 days")
SEVEN = LENDING.replace("21 days", "7 days")
BOTH = f"{LOAN} {FINE}"
FIRST = {"lending": LENDING, "other": OTHER}


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Store]:
    """Where the database does not matter."""
    address = str(tmp_path / "lite.db")
    create_store(address)
    with Store.open(address) as opened:
        yield opened


def begin(store: Store, *labels: Judgment, **more: Any) -> None:
    """A set about the first snapshot."""
    put_set(store, put_snapshot(store, "first", FIRST), question(*labels, **more))


def decide_and_apply(store: Store, action: str, *candidates: int, **more: Any) -> None:
    """Of the one thing that is open."""
    (item,) = review_queue("faq", store=store).open
    decide("faq", [row(item, action, *candidates, **more)], store=store)
    apply_decisions("faq", store=store)


def bring_again(store: Store) -> None:
    """As an import of the first version's set file does."""
    old, newest = store.find_version("faq@1"), store.find_version("faq")
    with store.writing() as tx:
        bodies = [one.body() for one in store.eval_set(old).questions]
        tx.add_version("faq", newest.number, old.terms, bodies, old.provenance)


# The new version


def test_a_rebase_writes_a_new_version_and_the_old_one_stays(store: Store) -> None:
    begin(store, judgment("lending", LENDING, LOAN), judgment("lending", LENDING, CARD))
    before = store.eval_set(store.find_version("faq@1"))
    second = put_snapshot(store, "second", {"lending": f"New.\n{FOURTEEN}", "other": OTHER})
    result = rebase("faq", "second", store=store, why="spring")
    assert result.new
    assert (result.version.label, result.version.provenance.why) == ("faq@2", "spring")
    assert result.version.terms.snapshot_digest == second.digest
    assert result.fates == {Fate.MOVED: 1, Fate.CHANGED: 1}
    assert (result.waiting, result.version.pending, result.retired) == (1, 1, 0)
    assert store.eval_set(store.find_version("faq@1")) == before
    assert store.check_digest(result.version)
    told = next(one for one in result.moved if one.fate is Fate.CHANGED)
    assert (told.old, told.new) == (LOAN, LOAN.replace("21", "14"))
    (label,) = the_question(store).judgments
    assert words_of(store, label, second) == [CARD]


def test_the_same_texts_write_nothing(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN))
    put_snapshot(lite, "second", {**FIRST, "new": "More.\n"})
    result = rebase("faq", put_snapshot(lite, "again", FIRST).label, store=lite)
    assert (result.new, result.version.number, result.fates) == (False, 1, {Fate.KEPT: 1})


def test_documents_that_are_only_added_ask_nothing(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN), answers=["21 days"])
    put_snapshot(lite, "second", {**FIRST, "new": f"{LOAN}\n"})
    result = rebase("faq", store=lite)
    assert (result.waiting, result.moved, result.stale, result.fates) == (0, (), (), {Fate.KEPT: 1})
    assert the_question(lite) == lite.eval_set(lite.find_version("faq@1")).questions[0]
    assert review_queue("faq", store=lite).items == ()


def test_what_waits_or_was_confirmed_is_not_asked_anew_by_a_rebase_that_only_adds(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN), answers=["21 days"])
    put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    assert rebase("faq", store=lite).stale == ("q1",)
    answer = next(item for item in review_queue("faq", store=lite).items if item.reason == "stale_answer")
    decide("faq", [row(answer, "accept")], store=lite)
    apply_decisions("faq", store=lite)
    (before,) = review_queue("faq", store=lite).items
    put_snapshot(lite, "third", {"lending": FOURTEEN, "other": OTHER, "new": "One more document.\n"})
    result = rebase("faq", store=lite)
    assert (result.stale, result.moved, result.fates, result.waiting) == ((), (), {Fate.CHANGED: 1}, 1)
    (after,) = review_queue("faq", store=lite).items
    assert (after.name, after.candidates) == (before.name, before.candidates)


def test_two_rebases_at_once_the_second_writes_nothing_and_says_so(store: Store) -> None:
    begin(store, judgment("lending", LENDING, LOAN))
    put_snapshot(store, "second", {**FIRST, "lending": f"New.\n{LENDING}"})
    others: list[int] = []

    def meanwhile(items: object, _what: str, _total: int) -> Iterator[object]:
        if not others:
            others.append(0)
            others.append(rebase("faq", "second", store=store).version.number)
        return iter(items)  # type: ignore[call-overload,no-any-return]

    with pytest.raises(Conflict, match="nothing was written"):
        rebase("faq", "second", store=store, progress=meanwhile)  # type: ignore[arg-type]
    assert others == [0, 2]
    assert [one.number for one in store.versions("faq")] == [1, 2]


def test_only_the_newest_version_is_rebased_and_only_to_what_is_there(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN))
    put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    rebase("faq", store=lite)
    with pytest.raises(Conflict, match="faq@1 has been followed by faq@2"):
        rebase("faq@1", store=lite)
    with pytest.raises(NotFound, match="third"):
        rebase("faq", "third", store=lite)
    assert len(lite.versions("faq")) == 2


def test_labels_of_chunks_that_could_be_tied_are_tied_first(lite: Store) -> None:
    first = put_snapshot(lite, "first", FIRST)
    old = put_chunking(lite, "old", first, {"lending": [BOTH, CARD]}, unplaced=["old-2"])
    labels = [ChunkLabel(chunk_id=f"old-{n}", grade=grade) for n, grade in ((1, 3), (2, 2))]
    put_set(lite, first, question(*labels), chunking_identity=old.identity)
    put_snapshot(lite, "second", {**FIRST, "new": "One more document.\n"})
    with pytest.raises(BadInput, match="evalspan migrate faq --to old"):
        rebase("faq", store=lite)
    assert len(lite.versions("faq")) == 1
    migrate_set("faq", "old", store=lite)
    result = rebase("faq", store=lite)
    assert result.fates == {Fate.KEPT: 1, Fate.NOT_TIED: 1}
    assert result.version.terms.chunking_identity is None
    asked = the_question(lite)
    assert ([one.chunk_id for one in asked.judgments], asked.chunk_labels) == (["old-1"], ())
    assert [one.label for one in asked.pending] == [labels[1]]
    item = next(one for one in review_queue("faq", store=lite).items if one.holds)
    decide("faq", [row(item, "set", at=[span_of(LENDING, CARD)])], store=lite)
    apply_decisions("faq", store=lite)
    asked = the_question(lite)
    assert [(one.grade, one.span.of(LENDING)) for one in asked.judgments if not one.coarse] == [(2, CARD)]


# Deleted and renamed documents


def test_the_labels_of_a_document_that_is_gone_wait_and_come_back_with_it(lite: Store) -> None:
    label = judgment("lending", LENDING, LOAN)
    begin(lite, label, answers=["21 days"])
    put_snapshot(lite, "second", {"other": OTHER})
    result = rebase("faq", store=lite)
    assert (result.fates, result.stale) == ({Fate.DELETED: 1}, ("q1",))
    third = put_snapshot(lite, "third", {"other": OTHER, "more": "More.\n"})
    assert rebase("faq", store=lite).fates == {Fate.DELETED: 1}
    assert the_question(lite).stale
    put_snapshot(lite, "fourth", {**FIRST, "more": "More.\n"})
    assert rebase("faq", store=lite).fates == {Fate.KEPT: 1}
    assert the_question(lite) == question(label, answers=["21 days"])
    assert third.documents == 2


@pytest.mark.parametrize(("policy", "said"), [("retire", "retired"), ("abstain", "no_answer")])
def test_deleted_evidence_is_retired_where_that_is_wanted_and_also_what_waited_for_it(
    lite: Store, policy: str, said: str
) -> None:
    begin(lite, judgment("lending", LENDING, LOAN), judgment("lending", LENDING, CARD))
    put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    rebase("faq", store=lite)
    put_snapshot(lite, "third", {"other": OTHER})
    result = rebase("faq", deleted=policy, store=lite)  # type: ignore[arg-type]
    assert (result.waiting, result.retired, result.fates) == (0, 2, {Fate.DELETED: 2})
    asked = the_question(lite)
    assert getattr(asked, said)
    assert len({one.snapshot_digest for one in asked.retired_labels}) == 2
    assert review_queue("faq", store=lite).items == ()


def test_what_waits_for_a_missing_passage_is_retired_later_where_nothing_of_it_is_left(lite: Store) -> None:
    gone, half = judgment("lending", LENDING, LOAN), judgment("lending", LENDING, LOAN, also=[CARD])
    begin(lite, gone, half)
    text = LENDING.replace(LOAN, "")
    put_snapshot(lite, "second", {**FIRST, "lending": text})
    assert rebase("faq", store=lite).waiting == 2
    put_snapshot(lite, "third", {"lending": text, "other": OTHER, "new": "More.\n"})
    assert rebase("faq", deleted="retire", store=lite).retired == 1
    asked = the_question(lite)
    assert [one.label for one in asked.retired_labels] == [gone]
    assert [one.label for one in asked.pending] == [half]


def test_a_renamed_document_is_offered_and_taken_where_that_is_wanted(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN), coarse("lending", LENDING, f"{CARD}\n\n{HOURS}"))
    second = put_snapshot(lite, "second", {"loans": f"New.\n{LENDING}", "other": OTHER})
    asked = rebase("faq", store=lite)
    assert (asked.fates, [one.new_id for one in asked.renames]) == ({Fate.RENAMED: 2}, ["loans"])
    undo_set("faq", store=lite)
    taken = rebase("faq", renamed="accept", store=lite)
    assert (taken.fates, taken.taken, taken.waiting) == ({}, 2, 0)
    assert (set(taken.accepted), [one.taken for one in taken.moved]) == ({"lending"}, [True, True])
    assert [words_of(lite, one, second) for one in the_question(lite).judgments] == [[LOAN], [f"{CARD}\n\n{HOURS}"]]
    assert {one.doc_id for one in the_question(lite).judgments} == {"loans"}


def test_who_accepts_a_renamed_document_keeps_an_old_chunk_an_old_chunk(lite: Store) -> None:
    begin(lite, coarse("lending", LENDING, BOTH))
    second = put_snapshot(lite, "second", {"loans": LENDING, "other": OTHER})
    rebase("faq", store=lite)
    decide_and_apply(lite, "accept", 1)
    (label,) = the_question(lite).judgments
    assert (label.doc_id, label.coarse, words_of(lite, label, second)) == ("loans", True, [BOTH])


def test_an_answer_is_stale_where_a_document_came_back_renamed_with_other_figures(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN), answers=["21 days"])
    put_snapshot(lite, "second", {"loans": FOURTEEN, "other": OTHER})
    assert rebase("faq", store=lite).stale == ("q1",)
    undo_set("faq", store=lite)
    put_snapshot(lite, "third", {"loans": LENDING, "other": OTHER})
    assert rebase("faq", store=lite).stale == ()


def test_a_label_that_waited_in_a_document_that_is_renamed_now_is_offered_its_new_place(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN))
    put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    rebase("faq", store=lite)
    put_snapshot(lite, "third", {"loans": FOURTEEN, "other": OTHER})
    assert rebase("faq", deleted="retire", store=lite).fates == {Fate.RENAMED: 1}
    (waits,) = the_question(lite).pending
    assert [(one.doc_id, one.span.of(FOURTEEN)) for one in waits.candidates] == [("loans", LOAN.replace("21", "14"))]


def test_what_is_said_of_whole_documents_goes_with_a_renamed_one(lite: Store) -> None:
    begin(lite, judgment("other", OTHER, OTHER[:40]), must_not_use=("lending",), acceptable_docs=("lending", "other"))
    put_snapshot(lite, "second", {"loans": LENDING, "other": OTHER})
    assert [one.old_id for one in rebase("faq", renamed="accept", store=lite).renames] == ["lending"]
    asked = the_question(lite)
    assert (asked.must_not_use, asked.acceptable_docs) == (("loans",), ("loans", "other"))


def test_a_label_that_waits_for_a_text_that_is_not_here_can_be_rebased_and_decided(lite: Store) -> None:
    waits = PendingLabel(label=judgment("lending", LENDING, LOAN), snapshot_digest="elsewhere", reason="missing")
    put_set(lite, put_snapshot(lite, "first", FIRST), question(pending=(waits,)))
    second = put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    assert rebase("faq", store=lite).fates == {Fate.MISSING: 1}
    assert the_question(lite).pending == (waits,)
    decide_and_apply(lite, "set", at=[span_of(FOURTEEN, CARD)])
    assert words_of(lite, the_question(lite).judgments[0], second) == [CARD]


# Answers


def test_an_answer_is_stale_until_its_document_is_what_it_was(lite: Store) -> None:
    labels = [judgment("lending", LENDING, one) for one in (LOAN, FINE, CARD)]
    begin(lite, *labels, answers=["21 days"])
    put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    assert rebase("faq", store=lite).stale == ("q1",)
    put_snapshot(lite, "third", {**FIRST, "new": "More.\n"})
    assert rebase("faq", store=lite).stale == ()
    assert the_question(lite) == question(*labels[1:], labels[0], answers=["21 days"])


# Questions that are no longer asked


def test_a_question_that_is_no_longer_asked_makes_nobody_wait(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN), answers=["21 days"], retired=True)
    put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    result = rebase("faq", store=lite)
    assert (result.waiting, result.stale) == (0, ())
    assert len(the_question(lite).pending) == 1
    assert review_queue("faq", store=lite).items == ()


def test_the_guard_lets_a_set_pass_whose_retired_questions_wait(lite: Store) -> None:
    asked = judgment("other", OTHER, OTHER[:40])
    first = put_snapshot(lite, "first", FIRST)
    put_set(lite, first, question(asked), question(judgment("lending", LENDING, LOAN), query_id="q2", retired=True))
    second = put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    rebase("faq", store=lite)
    put_chunking(lite, "new", second, {"other": [OTHER]})
    migrate_set("faq", "new", store=lite)
    verdict = verify("faq", manifest("new", store=lite), store=lite)
    assert verdict.passed, verdict.text


# Decisions


def test_a_decision_about_a_label_that_waits_places_it_in_the_new_text(store: Store) -> None:
    label = narrow("lending", LENDING, LOAN, BOTH)
    begin(store, label)
    second = put_snapshot(store, "second", {"lending": SEVEN[50:], "other": OTHER})
    rebase("faq", store=store)
    decide_and_apply(store, "accept", 1)
    (now,) = the_question(store).judgments
    assert words_of(store, now, second) == [LOAN.replace("21", "7")]
    third = put_snapshot(store, "third", {"lending": SEVEN[80:], "other": OTHER})
    assert rebase("faq", store=store).waiting == 0
    assert words_of(store, the_question(store).judgments[0], third) == [LOAN.replace("21", "7")]


def test_what_was_decided_holds_where_the_same_set_is_brought_again(lite: Store) -> None:
    label = judgment("lending", LENDING, LOAN)
    begin(lite, label)
    second = put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    rebase("faq", store=lite)
    decide_and_apply(lite, "set", at=[span_of(FOURTEEN, CARD)])
    bring_again(lite)
    third = put_snapshot(lite, "third", {"lending": f"New.\n{FOURTEEN}", "other": OTHER})
    result = rebase("faq", store=lite)
    assert (result.settled, result.waiting) == (1, 0)
    assert words_of(lite, the_question(lite).judgments[0], third) == [CARD]
    assert lite.decisions("faq")[0].versions == (3, 5)
    assert second.digest != third.digest


def test_decisions_of_which_one_ends_what_the_other_is_about_do_not_stop_a_rebase(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN), judgment("lending", LENDING, BOTH))
    put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    rebase("faq", store=lite)
    loan, both = sorted(review_queue("faq", store=lite).items, key=lambda item: item.ranges)
    for item, action in ((both, "accept"), (loan, "abstain")):
        decide("faq", [row(item, action, *([1] if action == "accept" else []))], store=lite)
        apply_decisions("faq", store=lite)
    bring_again(lite)
    result = rebase("faq", store=lite)
    assert (result.waiting, the_question(lite).no_answer) == (0, True)
    assert len(the_question(lite).retired_labels) == 2


def test_a_decision_that_is_undone_is_not_applied_again_and_comes_back_with_it(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN))
    put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    rebase("faq", store=lite)
    decide_and_apply(lite, "accept", 1)
    assert len(undo_set("faq", to=1, store=lite).set_aside) == 1
    assert rebase("faq", store=lite).waiting == 1
    undo_set("faq", to=3, store=lite)
    assert the_question(lite).pending == ()
    assert lite.find_version("faq").digest == lite.find_version("faq@3").digest


def test_of_two_labels_of_the_same_words_one_decision_does_not_place_both(lite: Store) -> None:
    twice = f"{LENDING}\nOnce more, since it matters to many of our members here.\n\n{LOAN}\n"
    labels = [judgment("lending", twice, LOAN, nth=nth) for nth in (0, 1)]
    put_set(lite, put_snapshot(lite, "first", {"lending": twice}), question(*labels))
    first_changed = twice.replace("21", "14", 1)
    put_snapshot(lite, "second", {"lending": first_changed})
    rebase("faq", store=lite)
    decide_and_apply(lite, "accept", 1)
    put_snapshot(lite, "third", {"lending": twice.replace("21", "14")})
    assert rebase("faq", store=lite).waiting == 1
    assert len({one.place for one in the_question(lite).judgments}) == 1


def test_a_label_is_a_harmful_passage_still_when_it_was_placed_anew(lite: Store) -> None:
    begin(lite, judgment("lending", LENDING, LOAN, grade=-1))
    put_snapshot(lite, "second", {**FIRST, "lending": FOURTEEN})
    assert rebase("faq", store=lite).waiting == 1
    decide_and_apply(lite, "accept", 1)
    assert [one.grade for one in the_question(lite).judgments] == [-1]


def test_every_label_is_somewhere_after_every_rebase(lite: Store) -> None:
    labels = [judgment("lending", LENDING, one, grade=grade) for one, grade in ((LOAN, 3), (FINE, 0), (CARD, -1))]
    begin(lite, *labels, judgment("lending", LENDING, HOURS, also=[LOAN]))
    for number, text in enumerate([FOURTEEN, LENDING.replace(FINE, ""), OTHER, LENDING]):
        snapshot = put_snapshot(lite, f"s{number}", {"lending": text, "other": OTHER})
        rebase("faq", snapshot.label, store=lite)
        assert labels_of(the_question(lite)) == 4


def labels_of(asked: JudgedQuestion) -> int:
    return len(asked.judgments) + len(asked.chunk_labels) + len(asked.pending) + len(asked.retired_labels)


TWICE = "On nine the nine on."
BEFORE = (
    f"Return days of lost due return. {TWICE} Within on fee the of. Ten within on alpha. On is the book return beta "
    "within ten is. Fee is alpha fee fee. Of beta within nine. Ten within on alpha. Days is ten of days the due. Is "
    f"return ten on is book book of card. {TWICE} Fee is alpha fee fee."
)
AFTER = (
    "Return days of lost due return. Within on fee the of. Ten within on alpha. Of beta within nine. Ten within on "
    f"alpha. {TWICE} Is return ten on is book book of card. Fee is alpha fee fee."
)


def test_pieces_that_come_to_lie_over_each_other_wait_and_the_set_can_be_read(lite: Store) -> None:
    first, last = judgment("d", BEFORE, TWICE), judgment("d", BEFORE, TWICE, nth=1)
    part = Part(start=last.start, end=last.end, anchor=last.anchor)
    both = first.model_copy(update={"also": (part,)})
    put_set(lite, put_snapshot(lite, "first", {"d": BEFORE}), question(both))
    put_snapshot(lite, "second", {"d": AFTER})
    assert rebase("faq", store=lite).fates == {Fate.UNCERTAIN: 1}
    (waiting,) = the_question(lite).pending
    assert {one.span.of(AFTER) for one in waiting.candidates} == {TWICE}
