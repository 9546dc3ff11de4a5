"""Kinds of faults reported of other tools, with the right answer to each."""

import time
import unicodedata

import pytest

from evalspan.anchoring import Match, Status, locate, locate_chunks
from evalspan.spans import Span

STORY = (
    "The society was founded in the spring by a handful of gardeners. It met in the old mill until the roof fell in. "
    "Since then the members gather in the library every second Thursday, and guests may come without an invitation. "
    "The treasurer keeps the books, and two auditors look into them before the yearly meeting. "
    "Whoever wants to leave the society says so in writing, four weeks before the end of a quarter. "
    "What remains in the till is given to the school for new tools."
)
QUOTE = STORY[65:302]
BEFORE, AFTER = STORY[:65], STORY[302:]


def found(match: Match, text: str) -> str | None:
    return match.span.of(text) if match.sure and match.span else None


def ask(text: str) -> Match:
    return locate(QUOTE, text, prefix=BEFORE[-60:], suffix=AFTER[:60])


def test_a_lookalike_neighbour_is_no_passage_that_was_deleted() -> None:
    alpha = "Team Alpha ships its changes on Mondays, after two reviews by other people."
    beta = alpha.replace("Alpha", "Beta")
    text = f"How we work.\n\n{beta}\n\nEverything else is in the handbook."
    for prefix, suffix in (("", ""), ("How we work.\n\n", f"\n\n{beta}")):
        match = locate(alpha, text, prefix=prefix, suffix=suffix)
        assert (match.status, match.span, match.sure) == (Status.MISSING, None, False)


@pytest.mark.parametrize(
    ("quote", "other"),
    [
        (
            "The members did approve the budget for the new roof.",
            "The members did not approve the budget for the new roof.",
        ),
        ("In 2022 the society took in 4,310 pounds from fees.", "In 2023 the society took in 4,310 pounds from fees."),
        ("Der Beirat hat dem Kauf des Hauses zugestimmt.", "Der Beirat hat dem Kauf des Hauses nicht zugestimmt."),
    ],
)
def test_a_number_or_a_negation_makes_another_meaning(quote: str, other: str) -> None:
    text = f"Minutes of the meeting. {other} Then it was closed by the chair."
    alone = locate(quote, text)
    assert not (alone.sure and alone.same)
    in_place = locate(quote, text, prefix="Minutes of the meeting. ", suffix=" Then it was closed by the chair.")
    assert not in_place.same
    both = f"{text} {quote}"
    match = locate(quote, both)
    assert (found(match, both), match.same, match.status) == (quote, True, Status.EXACT)


def test_an_untouched_copy_elsewhere_does_not_beat_the_edited_original() -> None:
    edited = QUOTE.replace("every second Thursday", "on the first Friday of a month")
    text = f"{BEFORE}{edited}{AFTER}\n\nFrom the old leaflet: {QUOTE}"
    match = ask(text)
    assert (found(match, text), match.status) == (edited, Status.EDITED)


def test_of_fifty_equal_clauses_order_tells_the_copy_and_nothing_else_does() -> None:
    clause = "The parties shall act in good faith."
    text = f"{clause}\n" * 50
    assert locate(clause, text).status is Status.AMBIGUOUS
    assert [match.span for match in locate_chunks([clause] * 50, text)][31] == Span(31 * 37, 31 * 37 + 36)
    assert not any(match.sure for match in locate_chunks([clause] * 49, text))


def test_a_footer_inside_a_passage_splits_it() -> None:
    half = QUOTE.index("the library")
    text = (
        BEFORE
        + QUOTE[:half]
        + "\n\n7 | Yearbook of the Gardeners' Society\n\nChapter 2: Rules\n\n"
        + QUOTE[half:]
        + AFTER
    )
    match = ask(text)
    assert (match.status, match.sure, match.span) == (Status.SPLIT, True, Span(65, len(text) - len(AFTER)))
    assert [piece.of(text).strip() for piece in match.pieces] == [QUOTE[:half].strip(), QUOTE[half:].strip()]


@pytest.mark.parametrize(
    "cut",
    [Span(0, 116), Span(116, len(QUOTE)), Span(60, 170)],
    ids=["first half", "second half", "middle"],
)
def test_of_a_passage_that_lost_a_part_the_rest_is_found_with_its_true_bounds(cut: Span) -> None:
    rest = QUOTE[: cut.start] + QUOTE[cut.end :]
    text = BEFORE + rest + AFTER
    match = ask(text)
    assert (match.status, match.sure, match.same) == (Status.TRUNCATED, True, False)
    assert match.span is not None
    assert abs(match.span.start - 65) <= 2
    assert abs(match.span.end - 65 - len(rest)) <= 2
    assert match.coverage < 0.7


def test_a_sentence_put_in_at_the_edge_is_not_taken_in() -> None:
    for text in (
        BEFORE + QUOTE + " Dogs must be kept on a lead at all times." + AFTER,
        BEFORE + "Dogs must be kept on a lead at all times. " + QUOTE + AFTER,
    ):
        assert found(ask(text), text) == QUOTE


def test_where_the_context_has_closed_up_the_passage_is_gone() -> None:
    match = ask(BEFORE + AFTER)
    assert (match.status, match.span, match.sure) == (Status.MISSING, None, False)
    moved = ask(BEFORE + AFTER + "\n\n" + QUOTE)
    assert not moved.sure  # moved, or a copy of what was deleted: without the old text nobody can tell


def test_the_suffix_decides_where_quote_and_prefix_are_the_same() -> None:
    text = "the rule is: pay on time, members first. the rule is: pay on time, guests last."
    for suffix in (" members first.", " guests last."):
        match = locate("pay on time,", text, prefix="the rule is: ", suffix=suffix)
        assert match.span is not None
        assert text[match.span.end :].startswith(suffix)


@pytest.mark.parametrize("quote", ["Linus", "7", "1817", "home"])
def test_a_short_quote_inside_a_longer_word_is_no_evidence(quote: str) -> None:
    text = "The Linuses built machines in 18175 and were homely people, all 7 of them."
    assert not locate(quote, text).sure


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("a z o m b i e process is one", "We say: a zombie process is one that has ended."),
        ("a zombie process is one", "We say: a z o m b i e process is one that has ended."),
        ("the eficient classi es are used", "Here the efficient classifies are used every day."),
        ("these fi elds are fi lled in", "Note that these fields are filled in by hand."),
        ("the \u00b8elds and o\ue000ces are closed", "Note: the fields and offices are closed by now."),
        ("a well-\nknown machine for all", "It was a well-known machine for all of them."),
        ("the auto-\nmatic machine for all", "It was the automatic machine for all of them."),
        ("a non\u2011breaking \u201chyphen\u201d here", "He put a non-breaking \"hyphen\" here and left."),
        ("10000\u20ac were paid in the end", "All in all 10\u00a0000\u00a0\u20ac were paid in the end, they say."),
        (
            "\U0001f468\u200d\U0001f469\u200d\U0001f467 come for free on Sunday",
            "All \U0001f468\u200d\U0001f469\u200d\U0001f467 come for free on Sundays.",
        ),
        ("(24.74% of the revenue", "That was (24.74%of the revenue) in all."),
        ("STRASSENBAHN UND ISTANBUL", "Die Stra\u00dfenbahn und \u0130stanbul sind sch\u00f6n."),
        ("น้ำตกสวยมากที่นี่", "ที่ น้ำตก สวยมาก ที่นี่ ครับ"),
        ("كتب الولد الدرس", "ثم كتب الولد\nالدرس ونام"),
        (unicodedata.normalize("NFD", "대한민국의 수도는 서울이다"), "대한민국의 수도는 서울이다. 또"),
        ("one line\ntwo lines\nthree", "\ufeffone line\r\ntwo lines\r\nthree lines"),
    ],
)  # fmt: skip
def test_what_extraction_and_normal_forms_do_to_a_passage_is_undone(quote: str, text: str) -> None:
    match = locate_chunks([quote], text)[0]
    assert match.sure
    assert match.span is not None
    there = "".join(c for c in unicodedata.normalize("NFKD", match.span.of(text)).casefold() if c.isalnum())
    asked = "".join(c for c in unicodedata.normalize("NFKD", quote).casefold() if c.isalnum())
    assert (there[0], there[-1]) == (asked[0], asked[-1]) or match.status is Status.EDITED
    assert abs(len(there) - len(asked)) <= 5


@pytest.mark.parametrize(
    ("left", "right"), [("\ufffd", ""), ("", "\ufffd"), ("\ufffd", "\ufffd"), ("\ufffd\ufffd", "\ufffd")]
)
def test_characters_cut_at_the_edges_are_trimmed(left: str, right: str) -> None:
    text = "猫は床の上で眠る。犬は庭で走る。鳥は空を飛ぶ。"
    match = locate_chunks([left + text[5:20] + right], text)[0]
    assert match.sure
    assert match.span is not None
    assert 4 <= match.span.start <= 5
    assert 20 <= match.span.end <= 21


HEAD = "| Shoes | Days |\n|---|---|\n"
ROWS = "".join(f"| Shoe {number} | {10 + number % 3} |\n" for number in range(12))


def test_a_table_head_repeated_before_each_row_is_not_the_place_of_the_row() -> None:
    text = f"Returns.\n\n{HEAD}{ROWS}"
    rows = [f"{row}\n" for row in ROWS.splitlines()]
    matches = locate_chunks([HEAD + row for row in rows], text)
    assert [found(match, text) for match in matches[1:]] == [row.strip() for row in rows[1:]]


@pytest.mark.parametrize("front", ["Handbook > Rules > Society\n\n", "title: Rules of the society\nauthor: nobody\n"])
def test_what_the_pipeline_puts_in_front_is_no_part_of_the_place(front: str) -> None:
    parts = [f"{sentence}." for sentence in STORY.rstrip(".").split(". ")]
    matches = locate_chunks([front + part for part in parts], STORY)
    assert [found(match, STORY) for match in matches] == parts


def test_a_context_of_its_own_before_each_chunk_is_no_part_of_the_place() -> None:
    parts = [STORY[:112], STORY[112:224], STORY[224:314], STORY[314:410], STORY[410:]]
    fronts = [
        "About where it met.", "About guests, from the part on meetings.", "On money.", "Here leaving is explained.",
        "This is about what happens at the end.",
    ]  # fmt: skip
    matches = locate_chunks([f"{front}\n{part}" for front, part in zip(fronts, parts, strict=True)], STORY)
    for part, match in zip(parts, matches, strict=True):
        there = found(match, STORY)
        assert there is not None
        assert abs(len(there) - len(part.strip())) <= 4


@pytest.mark.parametrize("joint", [" ", "\n", "  \n", "\n\n", ""])
def test_parts_joined_otherwise_than_the_document_has_them(joint: str) -> None:
    text = STORY.replace(". ", ".\n\n")
    chunk = joint.join(text.split("\n\n")[1:3])
    match = locate_chunks([chunk], text)[0]
    assert found(match, text) == "\n\n".join(text.split("\n\n")[1:3])


def test_a_chunk_of_another_document_with_the_same_boilerplate_has_no_place() -> None:
    licence = "Copyright and related rights are waived for this document."
    text = f"{STORY}\n\n{licence}"
    foreign = f"Machines are to be oiled on the last day of each month by the person who used them last.\n\n{licence}"
    matches = locate_chunks([STORY[:224], STORY[224:], foreign, licence], text)
    assert [match.sure for match in matches] == [True, True, False, True]


def test_a_lookalike_chunk_does_not_stand_where_another_does() -> None:
    own = [f"Team {name} ships its changes on Mondays, after two reviews.\n" for name in ("Alpha", "Beta", "Gamma")]
    foreign = own[0].replace("Alpha", "Delta")
    matches = locate_chunks([own[0], foreign, own[1], own[2]], "".join(own))
    assert [match.sure for match in matches] == [True, False, True, True]


def test_an_altered_chunk_is_found_between_its_neighbours_before_a_copy_elsewhere() -> None:
    parts = [f"{number}. This clause says one more thing about number {number * 7}.\n" for number in range(24)]
    rule = "The fee is due on the first day of the month.\n"
    parts[9] = rule.replace(" due on", "\ndue on")
    text = "".join(parts) + "Annex: " + rule
    chunks = [*parts[:9], rule, *parts[10:]]
    place = text.index(parts[9])
    assert locate_chunks(chunks, text)[9].span == Span(place, place + len(rule) - 1)


def test_word_inside_a_word_and_rows_that_repeat_are_placed_by_order() -> None:
    assert [match.span for match in locate_chunks(["chunk", "chunk"], "chunk chunk")] == [Span(0, 5), Span(6, 11)]
    text = "All risk is listed here. Risk.\nNothing else. Risk."
    assert locate_chunks(["All risk is listed here.", "Risk.\nNothing else.", "Risk."], text)[2].span == Span(45, 50)


@pytest.mark.parametrize("unit", ["utf-8", "utf-16-le"])
def test_offsets_in_another_unit_are_recognised(unit: str) -> None:
    line, mark = "The same line again.\n", "A line that stands once.\n"
    text = "\U0001f914\u00e9 " + line * 5 + mark + line * 5
    width = 1 if unit == "utf-8" else 2
    places = [3 + 21, text.index(mark), text.index(mark) + len(mark) + 42]
    starts = [len(text[:place].encode(unit)) // width for place in places]
    matches = locate_chunks([line, mark, line], text, starts=starts)
    assert [match.span.start for match in matches if match.span] == places


def test_offsets_counted_from_a_parent_are_recognised() -> None:
    line = "The same line again.\n"
    section = "Head of it.\n" + line * 3 + "Foot of it.\n"
    text = "Preface, which is not cut.\n" + section
    base = text.index(section)
    chunks = ["Head of it.\n", line, "Foot of it.\n"]
    starts = [section.index(chunks[0]), 12 + 21, section.index(chunks[2])]
    assert locate_chunks(chunks, text, starts=starts)[1].span == Span(base + 33, base + 54)


def test_k_equal_chunks_without_an_order_are_each_in_any_of_the_places() -> None:
    for match in locate_chunks(["Item a ok."] * 24, "Item a ok.\n" * 24, ordered=False):
        assert (match.status, len(match.rivals)) == (Status.AMBIGUOUS, 24)


def test_a_chunk_joined_from_pieces_that_stand_apart_has_them_all() -> None:
    parts = [f"{sentence}." for sentence in STORY.rstrip(".").split(". ")]
    match = locate_chunks([f"{parts[0]}\n\n{parts[4]}"], STORY)[0]
    assert (match.status, match.sure) == (Status.SPLIT, True)
    assert [piece.of(STORY) for piece in match.pieces] == [parts[0], parts[4]]


def test_halves_that_were_swapped_are_both_found() -> None:
    half = QUOTE.index("Since then") + 60
    text = f"{BEFORE}{QUOTE[half:]} {QUOTE[:half]}{AFTER}"
    match = locate_chunks([QUOTE], text)[0]
    assert match.status is Status.SPLIT
    assert {piece.of(text).strip() for piece in match.pieces} == {QUOTE[half:].strip(), QUOTE[:half].strip()}


def test_many_foreign_or_altered_chunks_of_a_long_document_take_bounded_time() -> None:
    text = " ".join(
        f"{number % 97} gardeners met {number} times in house {number * 7 % 1009}." for number in range(9_000)
    )
    cut = [text[at : at + 300] for at in range(0, len(text), 300)][:400]
    began = time.monotonic()
    matches = locate_chunks([chunk.replace("times in", "tims in a") for chunk in cut], text)
    assert [match.span is not None and abs(match.span.start - 300 * i) < 20 for i, match in enumerate(matches)].count(
        False
    ) <= 4
    assert not any(match.sure for match in locate_chunks([chunk[::-1] for chunk in cut], text))
    assert time.monotonic() - began < 20
