"""What became of the passages of one document."""

from collections.abc import Iterable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import inked_texts, law, long_texts, places, spans_of

from evalspan.anchoring import Status
from evalspan.errors import BadInput
from evalspan.migrator.rebase import Carriage, Change, rebase_passages
from evalspan.spans import Span
from evalspan.text.reading import squash

BEFORE = "Some words stand in front of it.\n"
BEHIND = "\nOther words come after it."
FIRST = "The committee met on Monday to discuss the budget."
SECOND = "It resolved to postpone all building works until spring."
THIRD = "The members agreed to meet again before the holidays."
PASSAGE = f"{FIRST} {SECOND} {THIRD}"
CLAUSE = "The tenant shall keep the premises clean and in good order.\n"
UNTOUCHED = (Change.KEPT, Change.MOVED)
any_text = st.one_of(inked_texts, long_texts())


def carried(passages: Iterable[str], old: str, new: str) -> list[Carriage]:
    """Each passage by its first place in the old text."""
    return rebase_passages([[places(passage, old)[0]] for passage in passages], old, new)


def became(was: str, now: str) -> Carriage:
    """`was` became `now`, between the same neighbours."""
    return carried([was], BEFORE + was + BEHIND, BEFORE + now + BEHIND)[0]


@law
@given(st.data(), any_text)
def test_in_an_equal_text_every_passage_is_kept(data: st.DataObject, text: str) -> None:
    passages = data.draw(st.lists(st.lists(spans_of(text), min_size=1, max_size=3), max_size=4))
    for passage, carriage in zip(passages, rebase_passages(passages, text, text), strict=True):
        assert (carriage.change, carriage.spans, carriage.stale) == (Change.KEPT, tuple(passage), False)
        assert not carriage.change.waits


@law
@given(st.data(), long_texts(), st.lists(st.sampled_from(["", "A new line.\n", "新的一行。\n", "See the annex.\n\n"])))
def test_edits_outside_a_passage_keep_it_or_move_it_or_leave_its_place_uncertain(
    data: st.DataObject, old: str, put_in: list[str]
) -> None:
    lines = old.splitlines(keepends=True)
    first = data.draw(st.integers(0, len(lines) - 1))
    last = data.draw(st.integers(first + 1, len(lines)))
    passage = "".join(lines[first:last]).strip()
    # a refrain at an edge may be the one that was put in or taken out, and no text says which
    assume(all(len(squash(line)) >= 12 and old.count(line) == 1 for line in (lines[first], lines[last - 1])))
    before = data.draw(st.permutations([line for line in lines[:first] if data.draw(st.booleans())] + put_in))
    behind = data.draw(st.permutations([line for line in lines[last:] if data.draw(st.booleans())] + put_in))
    new = "".join([*before, passage, "\n", *behind])
    (span,) = places(passage, old)
    carriage = rebase_passages([[span]], old, new)[0]
    assert carriage.change in (*UNTOUCHED, Change.UNCERTAIN)
    if carriage.change in UNTOUCHED:
        assert [there.of(new) for there in carriage.spans] == [passage]


@law
@given(st.data(), any_text, any_text)
def test_what_is_kept_moved_or_re_extracted_has_the_same_letters_and_digits(
    data: st.DataObject, old: str, new: str
) -> None:
    spans = data.draw(st.lists(spans_of(old), min_size=1, max_size=4))
    for span, carriage in zip(spans, rebase_passages([[span] for span in spans], old, new), strict=True):
        (one,) = carriage.ranges
        assert one.old == span.of(old)
        if carriage.change in UNTOUCHED:
            assert one.new == one.old
            assert (carriage.spans == (span,)) == (carriage.change is Change.KEPT)
        if carriage.change is Change.RE_EXTRACTED:
            assert one.new != one.old
            assert [c for c in one.new if c.isdigit()] == [c for c in one.old if c.isdigit()]
        if carriage.change.waits and carriage.change is not Change.UNCERTAIN:
            assert carriage.stale
        assert bool(carriage.spans) == one.match.sure


@law
@given(st.data(), long_texts(), long_texts())
def test_a_passage_of_several_ranges_is_as_its_worst_and_each_is_answered_by_itself(
    data: st.DataObject, old: str, new: str
) -> None:
    spans = data.draw(st.lists(spans_of(old), min_size=1, max_size=4))
    together = rebase_passages([spans], old, new)[0]
    alone = rebase_passages([[span] for span in spans], old, new)
    assert together.ranges == tuple(carriage.ranges[0] for carriage in alone)
    order = list(Change)
    assert order.index(together.change) == max(order.index(carriage.change) for carriage in alone)
    assert together.stale == any(carriage.stale for carriage in alone)
    assert together.gone == all(carriage.change is Change.MISSING for carriage in alone)


@law
@given(st.data(), st.sampled_from([f"Fee {n} is {n * 7} pounds a day for {n + 2} guests." for n in range(3, 9)]))
def test_a_passage_with_another_digit_is_never_taken_for_the_same(data: st.DataObject, passage: str) -> None:
    at = data.draw(st.sampled_from([at for at, sign in enumerate(passage) if sign.isdigit()]))
    digit = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != passage[at]]))
    carriage = became(passage, passage[:at] + digit + passage[at + 1 :])
    assert carriage.change.waits
    assert carriage.stale


def test_a_passage_that_stands_where_it_stood_is_kept_and_one_behind_new_text_is_moved() -> None:
    old = f"{FIRST}\n{SECOND}\n"
    kept, moved = carried([FIRST, SECOND], old, f"{FIRST}\nA new line.\n{SECOND}\n")
    assert (kept.change, kept.spans) == (Change.KEPT, (Span(0, len(FIRST)),))
    assert (moved.change, moved.spans) == (Change.MOVED, (Span(len(FIRST) + 13, len(FIRST) + 13 + len(SECOND)),))
    assert not kept.stale
    assert not moved.stale


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("The heating must be maintained every two years.", "The heating must be  main-\ntained every\ntwo years."),
        ("The heating must be maintained every two years.", "THE HEATING must be **maintained** every two years"),
        ("the fields were not efficient in 2019", "the ﬁelds were not eﬃcient in 2019"),
        ("家里的暖气必须每两年检修一次。", "家里的暖气必须\n每两年检修一次｡"),
        ('he said "don\'t" quite loudly to all', "he said “don’t” quite loudly to all"),
    ],
)
def test_what_an_extractor_does_is_re_extracted_and_leaves_no_answer_stale(was: str, now: str) -> None:
    carriage = became(was, now)
    assert (carriage.change, carriage.stale, carriage.ranges[0].new) == (Change.RE_EXTRACTED, False, now)
    assert not carriage.change.waits


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("The rate is 1.5 percent of the sum a year.", "The rate is 15 percent of the sum a year."),
        ("It was -5 degrees that night in March.", "It was 5 degrees that night in March."),
        ("Keep it where x < 5 holds for the tank.", "Keep it where x > 5 holds for the tank."),
        ("The tank holds 10² litres of heating oil.", "The tank holds 102 litres of heating oil."),
        ("The meeting is on floors 1 2 of the house.", "The meeting is on floors 12 of the house."),
    ],
)
def test_signs_that_make_another_number_of_the_same_digits_are_a_change(was: str, now: str) -> None:
    carriage = became(was, now)
    assert (carriage.change, carriage.stale) == (Change.CHANGED, True)


def test_other_words_are_an_edit_that_is_shown_and_waits_for_nobody() -> None:
    now = PASSAGE.replace("discuss the budget", "talk about the budget")
    carriage = became(PASSAGE, now)
    assert (carriage.change, carriage.stale, carriage.change.waits) == (Change.EDITED, False, False)
    assert (carriage.ranges[0].old, carriage.ranges[0].new) == (PASSAGE, now)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("The board did approve the plan for the year.", "The board did not approve the plan for the year."),
        ("They wrote to Anna Kowalska about the lease.", "They wrote to Boris Kowalska about the lease."),
        ("Returns are free within 30 days of delivery.", "Returns are free within 14 days of delivery."),
        ("委员会批准了今年的预算计划和人员安排。", "委员会没有批准今年的预算计划和人员安排。"),
        ("Refunds are paid within thirty days of delivery.", "Refunds are paid within ninety days of delivery."),
        ("您可以在收到商品后三十天内退货并取回押金。", "您可以在收到商品后六十天内退货并取回押金。"),
        (PASSAGE, f"{FIRST} {THIRD}"),
    ],
)
def test_other_numbers_names_negations_and_a_lost_sentence_wait_and_the_answer_is_stale(was: str, now: str) -> None:
    carriage = became(was, now)
    assert (carriage.change, carriage.stale, carriage.change.waits) == (Change.CHANGED, True, True)
    assert [span.of(BEFORE + now + BEHIND) for span in carriage.spans] == [now]


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("Enter the boiler room with a helmet on.", "Never enter the boiler room with a helmet on."),
        ("Employees with a badge may enter the room.", "No employees with a badge may enter the room."),
        ("Members get a discount on all boots.", "It is not true that Members get a discount on all boots."),
        ("Members get a discount on all boots.", "Members get a discount on all boots, except in May."),
        ("يمكنك إرجاع المنتج خلال شهر من تاريخ الاستلام", "لا يمكنك إرجاع المنتج خلال شهر من تاريخ الاستلام"),
    ],
)
def test_words_put_in_or_taken_out_at_an_edge_that_turn_a_passage_round_wait(was: str, now: str) -> None:
    for one, other in ((was, now), (now, was)):
        for between in ("", "\n"):
            old, new = (f"{BEFORE}{between}{text}{between}{BEHIND}" for text in (one, other))
            carriage = carried([one], old, new)[0]
            assert (carriage.change, carriage.stale) == (Change.CHANGED, True)


def test_a_passage_that_reads_as_it_did_in_a_sentence_that_does_not_is_changed() -> None:
    new = f"{BEFORE}It is not true that {FIRST}{BEHIND}"
    carriage = carried([FIRST], BEFORE + FIRST + BEHIND, new)[0]
    assert (carriage.change, carriage.stale) == (Change.CHANGED, True)
    assert (carriage.ranges[0].old, carriage.ranges[0].new) == (FIRST, FIRST)


@pytest.mark.parametrize("sentence", ["Nobody may run here. ", "Do not run in 2024!\n", "不要跑。"])
def test_an_unrelated_sentence_put_in_before_or_behind_a_passage_leaves_it_moved_or_kept(sentence: str) -> None:
    before = carried([FIRST], BEFORE + FIRST + BEHIND, BEFORE + sentence + FIRST + BEHIND)[0]
    behind = carried([FIRST], BEFORE + FIRST + BEHIND, f"{BEFORE}{FIRST} {sentence}{BEHIND}")[0]
    assert [(one.change, one.stale) for one in (before, behind)] == [(Change.MOVED, False), (Change.KEPT, False)]


def test_what_is_parted_by_other_text_becomes_all_its_pieces_and_is_shown() -> None:
    footer = "\n\nPage 12 of 40, Annual Report, Confidential\n\n"
    now = PASSAGE.replace("all building", f"all{footer}building")
    carriage = became(PASSAGE, now)
    assert (carriage.change, carriage.stale, carriage.ranges[0].match.status) == (Change.EDITED, False, Status.SPLIT)
    assert len(carriage.spans) == 2
    assert squash("".join(span.of(BEFORE + now + BEHIND) for span in carriage.spans)) == squash(PASSAGE)
    assert carriage.ranges[0].new == now


@pytest.mark.parametrize("now", ["", "Another matter altogether was put here, of goats and of cheese."])
def test_what_was_deleted_or_written_anew_is_missing_and_has_no_place(now: str) -> None:
    carriage = became(PASSAGE, now)
    assert (carriage.change, carriage.spans, carriage.stale, carriage.gone) == (Change.MISSING, (), True, True)
    assert carriage.ranges[0].copies == ()


def test_where_an_equal_neighbour_was_taken_out_the_place_is_uncertain_and_the_words_are_not_stale() -> None:
    old, new = "Begin.\n" + CLAUSE * 5 + "End.\n", "Begin.\n" + CLAUSE * 4 + "End.\n"
    for carriage in rebase_passages([[span] for span in places(CLAUSE, old)[:4]], old, new):
        assert (carriage.change, carriage.spans, carriage.stale) == (Change.UNCERTAIN, (), False)


def test_of_a_missing_passage_the_copies_that_still_stand_are_told_and_none_is_taken() -> None:
    old = f"Opening hours.\n{PASSAGE}\nA middle part.\n{PASSAGE}\nClosing hours."
    new = old.replace(f"{PASSAGE}\n", "", 1).replace("met on", "met  on")
    carriage = rebase_passages([[places(PASSAGE, old)[0]]], old, new)[0]
    assert (carriage.change, carriage.spans) == (Change.MISSING, ())
    assert [span.of(new) for span in carriage.ranges[0].copies] == [PASSAGE.replace("met on", "met  on")]


def test_of_a_passage_of_two_ranges_of_which_one_is_gone_a_part_is_missing() -> None:
    old, new = f"{FIRST}\n{SECOND}\n{THIRD}\n", f"{FIRST}\n{SECOND}\n"
    carriage = rebase_passages([[places(FIRST, old)[0], places(THIRD, old)[0]]], old, new)[0]
    assert [one.change for one in carriage.ranges] == [Change.KEPT, Change.MISSING]
    assert (carriage.change, carriage.gone, carriage.stale, carriage.spans) == (Change.MISSING, False, True, ())


def test_pairs_are_as_good_as_spans() -> None:
    assert rebase_passages([[Span(0, 3)]], PASSAGE, PASSAGE[:9]) == rebase_passages([[(0, 3)]], PASSAGE, PASSAGE[:9])  # type: ignore[list-item]


def test_without_passages_there_is_nothing_to_say() -> None:
    assert rebase_passages([], PASSAGE, "") == []


@pytest.mark.parametrize(
    ("passages", "said"),
    [
        ([[Span(0, len(PASSAGE) + 1)]], "no range of a text"),
        ([[Span(3, 2)]], "no range of a text"),
        ([[Span(0, 3)], []], "passage 1 has no range"),
    ],
)
def test_a_range_outside_the_text_and_a_passage_without_ranges_are_refused(
    passages: list[list[Span]], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        rebase_passages(passages, PASSAGE, "Another text.")
