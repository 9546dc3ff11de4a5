"""Words put in or taken out at the edges of a passage, in its own sentence or in another."""

import pytest
from strategies import places

from evalspan.anchoring import Match, Status, relocate
from evalspan.anchoring.alignment.around import REACH, agrees_around
from evalspan.spans import Span

HEAD, TAIL = "Head line stands.", "A tail stands here too."
DISCOUNT = "Members get a discount on all boots and tents in our shop."
BADGE = "Employees with a valid badge may enter the boiler room at night."
ARABIC = "يمكنك إرجاع المنتج خلال ثلاثين يوماً من تاريخ الاستلام"
CHINESE = "可以在收到商品后三天内退货，但必须保留原包装和收据。"


def among(passage: str, between: str) -> str:
    return f"{HEAD}{between}{passage}{between}{TAIL}"


def carried(core: str, was: str, now: str) -> tuple[Match, str]:
    """`core` within the old text."""
    return relocate([places(core, was)[0]], was, now)[0], now


@pytest.mark.parametrize("between", ["\n\n", "\n", " "])
@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("Enter the boiler room with a helmet on.", "Never enter the boiler room with a helmet on."),
        (BADGE, f"No {BADGE[0].lower()}{BADGE[1:]}"),
        (DISCOUNT, f"It is not true that {DISCOUNT}"),
        (DISCOUNT, f"It is not true: {DISCOUNT}"),
        (DISCOUNT, f"In 2024 {DISCOUNT}"),
        (DISCOUNT, f"According to Anna Kowalska, {DISCOUNT}"),
        (DISCOUNT, DISCOUNT.replace(".", ", but not in May.")),
        (DISCOUNT, DISCOUNT.replace(".", ", except in May.")),
        (DISCOUNT, DISCOUNT.replace(".", " within thirty days.")),
        (ARABIC, f"لا {ARABIC}"),
        ("Sie dürfen den Heizraum betreten.", "Keinesfalls: nie dürfen Sie den Heizraum betreten."),
    ],
)
def test_a_negation_number_or_name_put_in_at_an_edge_leaves_the_meaning_to_a_person(
    was: str, now: str, between: str
) -> None:
    for one, other in ((was, now), (now, was)):
        match, _ = carried(one, among(one, between), among(other, between))
        assert not match.same


@pytest.mark.parametrize("between", ["\n\n", "\n", " "])
@pytest.mark.parametrize(
    ("core", "was", "now"),
    [
        (DISCOUNT, DISCOUNT, f"It is not true that {DISCOUNT}"),
        (DISCOUNT[:-1], DISCOUNT, f"{DISCOUNT[:-1]}, but not today."),
        (DISCOUNT[:-1], DISCOUNT, f"{DISCOUNT[:-1]} in 2024."),
        (BADGE[10:], BADGE, BADGE.replace("Employees", "Employees never")),
        (CHINESE, CHINESE, f"您不{CHINESE}"),
    ],
)
def test_so_does_one_outside_a_passage_that_reads_as_it_did_and_one_that_is_gone(
    core: str, was: str, now: str, between: str
) -> None:
    for one, other in ((was, now), (now, was)):
        match, new = carried(core, among(one, between), among(other, between))
        assert match.span is not None
        assert (match.span.of(new), match.status, match.sure, match.same) == (core, Status.EXACT, True, False)


@pytest.mark.parametrize("between", ["\n\n", "\n", " "])
@pytest.mark.parametrize(
    "sentence",
    [
        "Never run in 2024, says Anna.",
        "Do not run!",
        "Is it not true?",
        'He said "never."',
        "(Not in May.)",
        "不要跑。",
    ],
)
def test_another_sentence_beside_the_passage_says_nothing_of_it(sentence: str, between: str) -> None:
    was = among(DISCOUNT, between)
    for now in (f"{sentence}{between}{DISCOUNT}", f"{DISCOUNT}{between}{sentence}"):
        match, new = carried(DISCOUNT, was, among(now, between))
        assert match.span is not None
        assert (match.span.of(new), match.status, match.sure, match.same) == (DISCOUNT, Status.EXACT, True, True)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (DISCOUNT, f"Please note that {DISCOUNT}"),
        (DISCOUNT, f"2) {DISCOUNT}"),
        (DISCOUNT, f"1.2.3 {DISCOUNT}"),
        (DISCOUNT, f"2.4      {DISCOUNT}"),
        (DISCOUNT, f"- **{DISCOUNT}**"),
        (DISCOUNT, f"[{DISCOUNT}](https://shop.example/no-2024/Never)"),
        (DISCOUNT, f"| no | {DISCOUNT} | 30 |"),
        (f"The club, which is not rich, says:\n{DISCOUNT}", f"The club, which is not rich, says: {DISCOUNT}"),
        (f"It is\nnot true that\n{DISCOUNT}", f"It is not true that {DISCOUNT}"),
        (f"state: no\n{DISCOUNT}\nmonth: 2024", f"state: no\n{DISCOUNT[:-1]}\nmonth: 2024"),
    ],
)
def test_labels_links_cells_and_other_lines_of_the_same_words_leave_it(was: str, now: str) -> None:
    for one, other in ((was, now), (now, was)):
        match, _ = carried(DISCOUNT[:-1], among(one, "\n\n"), among(other, "\n\n"))
        assert (match.sure, match.same) == (True, True)


def test_a_line_in_lower_case_goes_on_from_the_line_before() -> None:
    now = among(f"It is not\ntrue that {DISCOUNT[0].lower()}{DISCOUNT[1:]}", "\n\n")
    match, _ = carried(DISCOUNT, among(DISCOUNT, "\n\n"), now)
    assert (match.sure, match.same) == (True, False)


def test_a_name_that_the_passage_has_is_no_news() -> None:
    core = "Visitors are welcomed by Anna on the terrace of the house."
    now = f"As a rule all of the people who know Anna are glad of it, and {core}"
    assert carried(core, among(core, "\n\n"), among(now, "\n\n"))[0].same


def test_at_the_edges_of_the_text_it_is_as_at_a_break() -> None:
    assert not carried(DISCOUNT, f"{DISCOUNT} x", f"Never, says he, {DISCOUNT} x")[0].same
    assert not carried(DISCOUNT[:-1], f"{DISCOUNT[:-1]}", f"{DISCOUNT[:-1]} but not now")[0].same
    assert agrees_around(DISCOUNT, Span(0, 3), DISCOUNT, Span(0, 3))


def test_no_more_than_some_lines_of_a_text_without_stops_are_looked_at() -> None:
    far = "word " * (REACH // 5)
    new = f"not {far}{DISCOUNT}"
    assert agrees_around(DISCOUNT, Span(0, len(DISCOUNT)), new, Span(len(new) - len(DISCOUNT), len(new)))
