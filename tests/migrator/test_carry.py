"""What becomes of a question's labels in another snapshot."""

from collections.abc import Mapping
from typing import Any

import pytest
from small_sets import BY, CARD, FINE, HOURS, INTRO, LENDING, LOAN, OUTRO, coarse, judgment, narrow, question, span_of

from evalspan.labels import (
    AnswerSource,
    Candidate,
    ChunkLabel,
    JudgedQuestion,
    Judgment,
    PendingLabel,
    Range,
)
from evalspan.migrator.carry import Carrier, Deleted, Fate, Label, Move, counted, moved
from evalspan.migrator.rebase import rebase_passages

BOTH = f"{LOAN} {FINE}"
CHANGED = LENDING.replace("21 days", "14 days")


def move(label: Judgment, old: str, new: str, digests: tuple[str, str] = ("old", "new")) -> Move:
    """Of a label of the document "lending" when its text becomes another one."""
    wide = None
    if label.wide is not None:
        (around,) = rebase_passages([[label.wide.span]], old, new)
        wide = Range(start=around.spans[0].start, end=around.spans[0].end) if len(around.spans) == 1 else None
    return moved(rebase_passages([label.spans], old, new)[0], "lending", new, wide, digests)


def deleted() -> Move:
    return Move(Fate.DELETED, "lending", written_against="old", stale=True)


def carried(asked: JudgedQuestion, moves: Mapping[Label, Move], policy: Deleted = "ask") -> JudgedQuestion:
    return Carrier("before", policy, BY).carry(asked, moves)


def into(asked: JudgedQuestion, new: str, policy: Deleted = "ask") -> JudgedQuestion:
    """All its judgments stand in one document, whose text becomes another one."""
    return carried(asked, {one: move(one, LENDING, new) for one in asked.judgments}, policy)


def test_a_question_that_nothing_happened_to_is_the_same_object() -> None:
    asked = question(judgment("lending", LENDING, LOAN))
    assert carried(asked, {}) is asked


def test_a_label_that_moved_stands_where_its_words_are_with_all_that_was_said_of_it() -> None:
    label = judgment("lending", LENDING, LOAN, also=[CARD], grade=2, fact="", alternative="x", tabular=True)
    new = f"A new first line about nothing.\n\n{LENDING}"
    (now,) = into(question(label), new).judgments
    assert [span.of(new) for span in now.spans] == [LOAN, CARD]
    assert now.anchor.digest == label.anchor.digest
    place = {"start", "end", "anchor", "also"}
    assert now.model_dump(exclude=place) == label.model_dump(exclude=place)


def test_a_label_whose_figures_changed_waits_with_its_new_place_and_its_old_self() -> None:
    label, other = judgment("lending", LENDING, LOAN), judgment("lending", LENDING, HOURS)
    after = into(question(label, other), CHANGED)
    assert [one.span.of(CHANGED) for one in after.judgments] == [HOURS]
    (waits,) = after.pending
    assert (waits.label, waits.reason, waits.snapshot_digest) == (label, "changed", "before")
    assert [one.span.of(CHANGED) for one in waits.candidates] == [LOAN.replace("21", "14")]


def test_labels_in_documents_that_did_not_change_stay_where_they_are_beside_those_that_wait() -> None:
    label, other = judgment("lending", LENDING, LOAN), judgment("other", LENDING, LOAN)
    named = ChunkLabel(chunk_id="c1", grade=1)
    old = PendingLabel(label=judgment("third", LENDING, CARD), snapshot_digest="earlier", reason="missing")
    asked = question(label, other, named, pending=(old,))
    after = carried(asked, {label: move(label, LENDING, CHANGED)})
    assert after.judgments == (other,)
    assert after.chunk_labels == (named,)
    assert [one.snapshot_digest for one in after.pending] == ["before", "earlier"]


def test_of_equal_labels_of_which_one_waits_both_stay_what_they_are() -> None:
    label, other = judgment("third", LENDING, LOAN), judgment("lending", LENDING, CARD)
    waits = PendingLabel(label=label, snapshot_digest="earlier", reason="missing")
    asked = question(label, other, pending=(waits,))
    after = carried(asked, {other: move(other, LENDING, f"New.\n{LENDING}")})
    assert (after.judgments[0], after.pending) == (label, (waits,))


def test_a_label_that_waits_is_a_judgment_again_where_its_words_come_back() -> None:
    label = judgment("lending", LENDING, LOAN)
    waits = PendingLabel(label=label, snapshot_digest="earlier", reason="changed")
    after = carried(question(pending=(waits,)), {label: move(label, LENDING, LENDING)})
    assert (after.judgments, after.pending) == ((label,), ())


def test_what_was_not_relevant_asks_nobody_and_what_is_harmful_does() -> None:
    nothing, harmful = (judgment("lending", LENDING, LOAN, grade=grade) for grade in (0, -1))
    after = into(question(nothing, harmful), CHANGED)
    assert [one.label for one in after.retired_labels] == [nothing]
    assert [one.label for one in after.pending] == [harmful]
    assert not after.retired


# Old chunks


def test_an_old_chunk_stays_one_and_a_part_of_it_keeps_it() -> None:
    new = f"New.\n{LENDING}"
    wide, part = coarse("lending", LENDING, BOTH), narrow("lending", LENDING, LOAN, BOTH)
    chunk, narrowed = into(question(wide, part), new).judgments
    assert chunk.coarse
    assert narrowed.wide is not None
    assert narrowed.wide.span == chunk.span == span_of(new, BOTH)


def test_a_part_that_left_its_old_chunk_is_a_span_of_its_own() -> None:
    part = narrow("lending", LENDING, LOAN, BOTH)
    new = LENDING.replace(f"{LOAN} ", "") + f"\n{LOAN}\n"
    there = move(part, LENDING, new)
    elsewhere = Range(start=0, end=40)
    for wide in (None, elsewhere):
        forced = Move(**{**{name: getattr(there, name) for name in there.__slots__}, "fate": Fate.MOVED, "wide": wide})
        (now,) = carried(question(part), {part: forced}).judgments
        assert (now.wide, now.origin) == (None, "span")


# Deleted passages and documents

GONE = LENDING.replace(LOAN, "")


@pytest.mark.parametrize("policy", ["ask", "retire", "abstain"])
def test_deleted_evidence_is_never_dropped_without_a_trace(policy: Deleted) -> None:
    label, other = judgment("lending", LENDING, LOAN), judgment("other", LENDING, LOAN)
    after = carried(question(label, other), {label: move(label, LENDING, GONE)}, policy)
    assert after.judgments == (other,)
    held = after.pending if policy == "ask" else after.retired_labels
    assert [one.label for one in held] == [label]
    assert not after.retired
    assert not after.no_answer


@pytest.mark.parametrize(("policy", "then"), [("retire", (True, False)), ("abstain", (False, True))])
def test_a_question_that_lost_all_its_evidence_is_retired_or_left_unanswered(
    policy: Deleted, then: tuple[bool, bool]
) -> None:
    label, harmful = judgment("lending", LENDING, LOAN), judgment("other", LENDING, CARD, grade=-1)
    after = carried(question(label, harmful), {label: deleted()}, policy)
    assert (after.retired, after.no_answer) == then
    assert after.judgments == (harmful,)
    assert JudgedQuestion(**dict(after)) == after


def test_a_question_that_lost_what_was_not_relevant_is_still_asked() -> None:
    label = judgment("lending", LENDING, LOAN, grade=0)
    after = carried(question(label), {label: deleted()}, "retire")
    assert not after.retired
    assert len(after.retired_labels) == 1


def test_a_passage_of_which_a_piece_still_stands_is_not_taken_for_deleted() -> None:
    label = judgment("lending", LENDING, LOAN, also=[CARD])
    after = into(question(label), GONE, "retire")
    assert [(one.label, one.reason) for one in after.pending] == [(label, "missing")]


def test_a_passage_of_which_a_copy_stands_elsewhere_is_not_taken_for_deleted_and_the_copy_is_offered() -> None:
    old, new = f"{LENDING}\n{LOAN}\n", f"{GONE}\n{LOAN}\n"
    label = judgment("lending", old, LOAN)
    there = move(label, old, new)
    assert there.fate is Fate.MISSING
    after = carried(question(label), {label: there}, "retire")
    assert not after.retired_labels
    assert [one.span.of(new) for one in after.pending[0].candidates] == [LOAN]


def test_a_label_whose_document_may_have_another_name_is_never_retired_unasked() -> None:
    label = judgment("lending", LENDING, LOAN)
    place = Candidate(doc_id="renamed", start=0, end=9)
    after = carried(question(label), {label: Move(Fate.RENAMED, "renamed", candidates=(place,))}, "retire")
    assert [one.candidates for one in after.pending] == [(place,)]


# Reference answers


def answered(*labels: Judgment, **more: Any) -> JudgedQuestion:
    return question(*labels, answers=("21 days",), **more)


def test_an_answer_is_stale_where_its_evidence_changed_and_says_which() -> None:
    label = judgment("lending", LENDING, LOAN)
    (source,) = into(answered(label), CHANGED).answer_sources
    assert (source.doc_id, source.text_digest, source.stale) == (
        "lending",
        "old",
        f"changed: {label.start}-{label.end}",
    )


def test_an_answer_is_not_stale_where_its_evidence_stands_and_knows_its_document_all_the_same() -> None:
    after = into(answered(judgment("lending", LENDING, LOAN)), LENDING.replace("yellow", "white") + "One more line.\n")
    assert after.stale == ()
    assert [one.text_digest for one in after.answer_sources] == ["old"]


@pytest.mark.parametrize(
    ("was", "now", "answer", "lost"),
    [
        ("Smoking is allowed on the terrace.", "Smoking is forbidden on the terrace.", "It is allowed.", "allowed"),
        ("The price is 120 euros a year.", "The price is 120 dollars a year.", "120 Euros.", "euros"),
        ("Die Rückgabe ist bis Ostern möglich, sofern der Beleg vorliegt.",
         "Die Rückgabe ist bis Ostern unmöglich, sofern der Beleg vorliegt.", "Sie ist möglich.", "möglich"),
        ("반품은 삼십 일 이내에 가능하며 영수증이 필요합니다.", "반품은 육십 일 이내에 가능하며 영수증이 필요합니다.",
         "삼십 일 이내", "삼십"),
        ("吸烟在露台上是允许的事情。", "吸烟在露台上是禁止的事情。", "允许。", "允, 许"),
    ],
)  # fmt: skip
def test_an_answer_is_stale_where_an_edited_passage_has_lost_a_word_of_it_in_any_language(
    was: str, now: str, answer: str, lost: str
) -> None:
    old, new = (f"{INTRO}{text}{OUTRO}" for text in (was, now))
    label = judgment("lending", old, was)
    there = move(label, old, new)
    assert there.fate is Fate.EDITED
    (source,) = carried(question(label, answers=("Other words.", answer)), {label: there}).answer_sources
    assert source.stale == f"edited: {label.start}-{label.end}, without {lost}"


@pytest.mark.parametrize("answer", ["Smoking on the terrace.", "A lamp is on.", "!"])
def test_an_answer_that_has_none_of_the_lost_words_but_slight_ones_is_not_stale(answer: str) -> None:
    passage = "Smoking is a thing that is allowed on the terrace behind the reading room and the garden."
    old = f"{INTRO}{passage}{OUTRO}"
    label = judgment("lending", old, passage)
    there = move(label, old, old.replace("is a thing that is allowed on", "was the thing that was permitted at"))
    assert there.fate is Fate.EDITED
    assert carried(question(label, answers=(answer,)), {label: there}).stale == ()


def test_without_an_answer_or_for_what_is_not_relevant_nothing_is_stale() -> None:
    assert into(question(judgment("lending", LENDING, LOAN)), CHANGED).answer_sources == ()
    assert into(answered(judgment("lending", LENDING, LOAN, grade=-1)), CHANGED).stale == ()


@pytest.mark.parametrize("count", [1, 2, 3])
def test_an_answer_is_stale_however_many_of_its_labels_lost_their_document(count: int) -> None:
    labels = [judgment("lending", LENDING, one) for one in (LOAN, FINE, CARD)[:count]]
    after = carried(answered(*labels), {one: deleted() for one in labels})
    assert len(after.stale) == 1
    again = carried(after, {one: deleted() for one in labels})
    assert again.stale == after.stale


def test_an_answer_whose_document_is_again_as_it_was_written_against_is_not_stale() -> None:
    labels = [judgment("lending", CHANGED, one) for one in (LOAN.replace("21", "14"), FINE, CARD)]
    source = AnswerSource(doc_id="lending", text_digest="first", stale="changed: 1-2")
    asked = answered(*labels, answer_sources=(source,))
    back = carried(asked, {one: move(one, CHANGED, LENDING, ("second", "first")) for one in labels})
    assert back.answer_sources == ()


def test_an_answer_stays_stale_through_further_edits_and_remembers_the_first_text() -> None:
    label = judgment("lending", LENDING, CARD)
    source = AnswerSource(doc_id="lending", text_digest="first", stale="changed: 1-2")
    (after,) = into(answered(label, answer_sources=(source,)), f"New.\n{LENDING}").answer_sources
    assert after == source
    more = into(answered(label, answer_sources=(source,)), LENDING.replace("five", "six")).answer_sources
    assert more[0].stale.startswith("changed: 1-2")


def test_a_document_that_came_back_whole_under_another_name_is_no_other_source() -> None:
    label = judgment("lending", LENDING, LOAN)
    after = carried(answered(label), {label: move(label, LENDING, LENDING, ("same", "same"))})
    assert after.answer_sources == ()


def test_fates_are_counted_the_quietest_first() -> None:
    assert list(counted([Fate.MISSING, Fate.KEPT, Fate.MISSING]).items()) == [(Fate.KEPT, 1), (Fate.MISSING, 2)]


def test_a_move_says_whether_a_person_has_to_look() -> None:
    quiet = {fate for fate in Fate if not Move(fate, "a").waits}
    assert quiet == {Fate.KEPT, Fate.MOVED, Fate.RE_EXTRACTED, Fate.EDITED}
