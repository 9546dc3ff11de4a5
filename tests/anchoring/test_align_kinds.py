"""What is known to go wrong when a passage is carried from one version to the next, each as a test of its kind."""

import time
import unicodedata

import pytest
from strategies import places

from evalspan.anchoring import Match, Status, relocate
from evalspan.spans import Span

BEFORE = "Some words stand in front of it. "
BEHIND = " Other words come after it."
FIRST = "The committee met on Monday to discuss the budget."
SECOND = "It resolved to postpone all building works until spring."
THIRD = "The members agreed to meet again before the holidays."
PASSAGE = f"{FIRST} {SECOND} {THIRD}"
CLAUSE = "The tenant shall keep the premises clean and in good order.\n"


def moved_to(quote: str, old: str, new: str, nth: int = 0) -> Match:
    return relocate([places(quote, old)[nth]], old, new)[0]


def edited(passage: str) -> tuple[Match, str]:
    """PASSAGE became `passage`, between the same neighbours."""
    new = BEFORE + passage + BEHIND
    return moved_to(PASSAGE, BEFORE + PASSAGE + BEHIND, new), new


def text_of(match: Match, new: str) -> str:
    assert match.span
    return match.span.of(new)


@pytest.mark.parametrize("between", [" ", "\n", "\n\n", "\r\n"])
def test_of_two_lookalikes_the_deleted_one_is_missing(between: str) -> None:
    alpha = "Team Alpha is responsible for the billing service and its database."
    beta = "Team Beta is responsible for the billing service and its database."
    old = between.join(["An opening line.", alpha, beta, "The end of the list."])
    new = between.join(["An opening line.", beta, "The end of the list."])
    assert moved_to(alpha, old, new).status is Status.MISSING
    kept = moved_to(beta, old, new)
    assert (text_of(kept, new), kept.status, kept.sure) == (beta, Status.EXACT, True)


def test_an_untouched_copy_elsewhere_does_not_beat_the_edited_original() -> None:
    notice = "Requests must reach the office in writing within thirty days."
    old = f"{notice}\nThese are the rules for members.\n{notice}\nThese are the rules for guests.\n"
    new = old.replace(notice, notice.replace("in writing", "by letter or mail"), 1)
    match = moved_to(notice, old, new)
    assert match.span
    assert (match.span.start, match.sure, match.status) == (0, True, Status.EDITED)
    assert moved_to(notice, old, new, 1).status is Status.EXACT


def test_another_number_is_another_statement_and_the_true_row_is_found_where_it_stands() -> None:
    old = "Year and revenue\nRevenue in 2022 was 5 million.\nRevenue in 2021 was 4 million.\n"
    new = "Year and revenue\nRevenue in 2023 was 6 million.\nRevenue in 2022 was 5 million.\nThe end.\n"
    match = moved_to("Revenue in 2022 was 5 million.", old, new)
    assert (text_of(match, new), match.same) == ("Revenue in 2022 was 5 million.", True)
    only = moved_to("Revenue in 2022 was 5 million.", old, old.replace("2022", "2023"))
    assert not only.same


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("The board did approve the plan for the year.", "The board did not approve the plan for the year."),
        ("The board doesn't pay for the journey home.", "The board does pay for the journey home."),
        ("Der Vorstand hat den Plan genehmigt und bezahlt.", "Der Vorstand hat den Plan nicht genehmigt und bezahlt."),
        ("委员会批准了今年的预算计划和人员安排。", "委员会没有批准今年的预算计划和人员安排。"),
        ("They wrote to Anna Kowalska about the lease.", "They wrote to Boris Kowalska about the lease."),
        ("Keep it where x < 5 holds for the tank.", "Keep it where x > 5 holds for the tank."),
        ("It was -5 degrees that night in March.", "It was 5 degrees that night in March."),
        ("The rate is 1.5 percent of the sum a year.", "The rate is 15 percent of the sum a year."),
    ],
)
def test_negations_names_and_numbers_that_differ_leave_the_place_sure_and_the_meaning_not(was: str, now: str) -> None:
    new = BEFORE + now + BEHIND
    match = moved_to(was, BEFORE + was + BEHIND, new)
    assert (text_of(match, new), match.sure, match.same) == (now, True, False)


@pytest.mark.parametrize("front", ["", "The contract.\n\n", "A long preamble.\nIt has two lines.\n\n"])
def test_of_fifty_equal_clauses_the_32nd_is_found_by_order(front: str) -> None:
    old = "The contract.\n" + CLAUSE * 50 + "Signed by both.\n"
    new = "The contract.\n" + front + CLAUSE * 50 + "Signed by both.\n"
    match = moved_to(CLAUSE, old, new, 31)
    assert (match.span, match.sure) == (places(CLAUSE, new)[31], True)


def test_where_one_of_fifty_equal_neighbours_was_deleted_none_is_sure() -> None:
    old, new = "Begin.\n" + CLAUSE * 50 + "End.\n", "Begin.\n" + CLAUSE * 49 + "End.\n"
    assert not any(match.sure for match in relocate(places(CLAUSE, old), old, new))


def test_where_one_of_fifty_numbered_clauses_was_deleted_the_others_stay() -> None:
    lines = [f"{number}. {CLAUSE}" for number in range(50)]
    old, new = "".join(lines), "".join(lines[:7] + lines[8:])
    matches = relocate(places(CLAUSE, old), old, new)
    assert not matches[7].sure
    assert [match.span for match in matches[:7] + matches[8:]] == places(CLAUSE, new)


def test_a_page_footer_inside_the_passage_splits_it() -> None:
    footer = "\n\nPage 12 of 40, Annual Report, Confidential\n\n"
    match, new = edited(PASSAGE.replace("all building", f"all{footer}building"))
    assert (match.status, match.sure, match.same) == (Status.SPLIT, True, True)
    assert text_of(match, new).startswith(FIRST)
    assert text_of(match, new).endswith(THIRD)
    assert [squashed.strip() for squashed in (piece.of(new) for piece in match.pieces)] == [
        PASSAGE[: PASSAGE.index(" building")],
        PASSAGE[PASSAGE.index("building") :],
    ]


@pytest.mark.parametrize("left", [f"{SECOND} {THIRD}", f"{FIRST} {THIRD}", f"{FIRST} {SECOND}"])
def test_of_a_passage_of_which_a_third_was_deleted_the_rest_is_given_with_its_true_bounds(left: str) -> None:
    match, new = edited(left)
    assert (text_of(match, new), match.status, match.sure) == (left, Status.TRUNCATED, True)


def test_sentences_put_in_at_both_edges_are_not_taken_in() -> None:
    match, new = edited(f"A wholly new sentence opens it. {PASSAGE} Yet another one closes the matter.")
    assert (text_of(match, new), match.status) == (PASSAGE, Status.EXACT)


@pytest.mark.parametrize(("was", "now"), [("The committee", "A working group"), ("the holidays.", "Easter at last!")])
def test_a_replaced_first_or_last_word_is_taken_in(was: str, now: str) -> None:
    match, new = edited(PASSAGE.replace(was, now))
    assert (text_of(match, new), match.status, match.sure) == (PASSAGE.replace(was, now), Status.EDITED, True)


def test_an_insertion_that_ends_like_the_passage_is_read_as_beginning_behind_it() -> None:
    match, new = edited(PASSAGE + "\n\nAnother paragraph speaks of the holidays.")
    assert text_of(match, new) == PASSAGE


@pytest.mark.parametrize("word", ["Monday", "Tuesday"])
def test_a_paragraph_moved_by_half_a_megabyte_is_found_edited_or_not(word: str) -> None:
    filling = "\n".join(f"Paragraph {n} speaks of {n * 7919 % 1000} and of {n * 104729 % 997}." for n in range(13_000))
    now = PASSAGE.replace("Monday", word)
    old, new = f"Begin.\n{PASSAGE}\n{filling}\nEnd.", f"Begin.\n{filling}\n{now}\nEnd."
    match = moved_to(PASSAGE, old, new)
    assert (text_of(match, new), match.status, match.sure) == (now, Status.MOVED, True)
    assert match.same == (word == "Monday")


def test_swapped_items_that_are_nearly_equal_keep_their_places() -> None:
    items = [
        f"- The {name} plan costs {price} euros a month and ends at any time."
        for name, price in [("basic", 5), ("family", 12), ("company", 40)]
    ]
    old, new = "\n".join(["Plans", *items, "End"]), "\n".join(["Plans", *items[::-1], "End"])
    for item in items:
        assert text_of(moved_to(item, old, new), new) == item


def test_the_same_heading_in_the_table_of_contents_and_in_the_body_are_two() -> None:
    title = "Duties of the tenant"
    old = f"Contents\n1. Scope\n2. {title}\n\nScope\nIt holds.\n\n{title}\nThe tenant cleans.\n"
    new = f"Contents, anew\n1. Scope\n2. {title}\n\nScope\nIt always holds.\n\n{title}\nThe tenant always cleans.\n"
    for nth in (0, 1):
        match = moved_to(title, old, new, nth)
        assert (match.span, match.sure) == (places(title, new)[nth], True)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("the zombie walks at midnight", "the z o m b i e walks at midnight"),
        ("the fields were not efficient", "thefieldswerenotefficient"),
        ("the field is wide and open", "the fi eld is wide and open"),
        ("the field is wide and open", "the \ufb01eld is wide and open"),
        ("automatic transmission of data", "auto\u00admatic transmission of data"),
        ("automatic transmission of data", "auto-\nmatic transmission of data"),
        ("a well-known result of physics", "a well-\nknown result of physics"),
        ("a well-known result of physics", "a well\u2011known result of physics"),
        ("a price of 100 euros a day", "a price of 100\u00a0euros a\u00a0day"),
        ('he said "don\'t" quite loudly', "he said “don’t” quite loudly"),
        ("the family 👩‍👩‍👧 goes out tonight", "the family 👩‍👩‍👧 goes  out\ntonight"),
        ("café Zürich naïve résumé", unicodedata.normalize("NFD", "café Zürich naïve résumé")),
        ("한국어 문장을 시험합니다 지금", unicodedata.normalize("NFD", "한국어 문장을 시험합니다 지금")),
        ("パソコンで文書を読む人々", unicodedata.normalize("NFD", "パソコンで文書を読む人々")),
        ("การทดสอบภาษาไทยในวันนี้", "การทดสอบ ภาษาไทย ในวันนี้"),
        ("今天天气很好我们去公园玩", "今天天气很好我们去\n公园玩"),
        ("नमस्ते दुनिया कैसे हैं आप", "नमस्ते दुनिया\nकैसे हैं आप"),
        ("Die Straße ist sehr lang", "DIE STRASSE IST SEHR LANG"),
        ("السلام عليكم ورحمة الله", "السلام  عليكم\nورحمة الله"),
        ("line one is here\nline two is here", "line one is here\r\nline two is here"),
    ],
)
def test_what_an_extractor_does_to_a_text_is_reformatted_with_both_ends_exact(was: str, now: str) -> None:
    new = BEFORE + now + BEHIND
    match = moved_to(was, BEFORE + was + BEHIND, new)
    assert (text_of(match, new), match.status, match.sure, match.same) == (now, Status.REFORMATTED, True, True)


@pytest.mark.parametrize("bad", ["\ufeff", "\ufffd"])
def test_a_byte_order_mark_or_a_broken_character_at_an_edge_is_no_part_of_the_passage(bad: str) -> None:
    match, new = edited(bad + PASSAGE + bad)
    assert (text_of(match, new).strip(bad), match.sure) == (PASSAGE, True)


@pytest.mark.parametrize(
    "script", ["कोई भी व्यक्ति इस नियम का पालन करेगा", "เขาไปตลาดในเมืองเพื่อซื้อผลไม้", "e\u0301te\u0301 à la mer"]
)
def test_no_place_begins_or_ends_within_a_written_character(script: str) -> None:
    old, new = (
        BEFORE + script + BEHIND,
        BEFORE + script[: len(script) // 2] + " xy " + script[len(script) // 2 :] + BEHIND,
    )
    match = moved_to(script, old, new)
    assert match.span
    assert not unicodedata.combining(new[match.span.start])
    assert not unicodedata.combining(new[match.span.end])


def test_a_short_name_is_not_found_inside_other_words() -> None:
    match = moved_to("Linus", "About Linus and his work.\nMore text.", "The machines were called pilinus.\nMore text.")
    assert not match.sure


def test_blanks_at_the_edges_are_kept_as_far_as_they_still_stand() -> None:
    old, new = "a\n  the middle part  \nb\n", "zz\na\n  the middle part \nb\n"
    match = moved_to("  the middle part  ", old, new)
    assert (text_of(match, new), match.sure) == ("  the middle part ", True)


def test_a_blank_passage_is_no_passage() -> None:
    assert relocate([(3, 6)], "one   two", "one    two")[0].status is Status.MISSING


@pytest.mark.parametrize("new", ["", " ", "x"])
def test_in_a_text_of_nothing_everything_is_missing(new: str) -> None:
    assert relocate([(0, len(PASSAGE))], PASSAGE, new)[0].status is Status.MISSING


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a" * MEGABYTE, "a" * (MEGABYTE - 1)),
        ("ab" * (MEGABYTE // 2), "ba" * (MEGABYTE // 2)),
        ("a " * (MEGABYTE // 2), "a " * (MEGABYTE // 2 - 1)),
        (CLAUSE * (MEGABYTE // len(CLAUSE)), CLAUSE * (MEGABYTE // len(CLAUSE) - 1)),
        (CLAUSE * (MEGABYTE // len(CLAUSE)), "New.\n" + CLAUSE * (MEGABYTE // len(CLAUSE)) + "End.\n"),
    ],
    ids=["a", "ab", "a a", "one clause less", "clauses between others"],
)
def test_a_megabyte_of_periodic_text_takes_bounded_time_and_nothing_in_it_is_sure(old: str, new: str) -> None:
    spans = [Span(at, at + 120) for at in range(1000, MEGABYTE - 1000, 20_000)]
    began = time.process_time()
    assert not any(match.sure for match in relocate(spans, old, new))
    assert time.process_time() - began < 20


@pytest.mark.parametrize("end", ["\n", " "])
def test_two_megabytes_that_have_nothing_in_common_take_bounded_time(end: str) -> None:
    old = "".join(f"w{n * 7919 % 99991}x{end}" for n in range(120_000))
    new = "".join(f"v{n * 104729 % 99991}y{end}" for n in range(120_000))
    spans = [Span(at, at + 200) for at in range(0, len(old) - 200, 10_000)]
    began = time.process_time()
    assert {match.status for match in relocate(spans, old, new)} == {Status.MISSING}
    assert time.process_time() - began < 20
