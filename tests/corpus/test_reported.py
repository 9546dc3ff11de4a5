"""Four facts of each chunk, none of which implies another; and no place that is wrong and sure."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cuts_of, inked, inked_texts, law, long_texts

from evalspan.corpus.reported import ChunkFacts, Offset, Wording, check_reported
from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.corpus.reported_summary import ReportedSummary, summarise
from evalspan.text.units import Unit, from_code_points

LINE = "Item a ok.\n"
TWINS = LINE * 24
PROSE = "Shoes go back within thirty days.\nHats go back — 👩‍👩‍👧 — within fourteen days.\nThe fee is five € a day.\n"
HEADED = "# Returns\n\nShoes go back within thirty days.\n\nHats go back within fourteen days.\n"


def lines_of(text: str) -> list[tuple[int, str]]:
    out, at = [], 0
    for line in text.splitlines(keepends=True):
        out.append((at, line.rstrip("\n")))
        at += len(line)
    return out


def only(chunk: ReportedChunk, text: str) -> ChunkFacts:
    (one,) = check_reported([chunk], text)
    return one


def told(facts: list[ChunkFacts]) -> str:
    return "\n".join(summarise(facts).sentences())


@law
@given(st.data(), st.one_of(inked_texts, long_texts()))
def test_a_place_is_right_or_not_sure_whatever_is_reported(data: st.DataObject, text: str) -> None:
    spans = data.draw(cuts_of(text, overlapping=False))
    offsets = st.one_of(st.none(), st.integers(-3, len(text) + 3))
    chunks = [
        ReportedChunk(f"x{i}", span.of(text), "d", data.draw(offsets), data.draw(offsets), order=i)
        for i, span in enumerate(spans)
    ]
    for span, one in zip(spans, check_reported(chunks, text), strict=True):
        if inked(text, span) and one.match.sure:
            assert one.match.span == span


@law
@given(st.data(), long_texts(), st.sampled_from(Unit))
def test_true_offsets_are_right_in_their_unit(data: st.DataObject, text: str, unit: Unit) -> None:
    text = text.replace("Section", "§ 👩‍👩‍👧 é")
    spans = data.draw(cuts_of(text, overlapping=False))
    chunks = [
        ReportedChunk(f"x{i}", span.of(text), start=start, end=end, order=i)
        for i, span in enumerate(spans)
        for start, end in [from_code_points(span, text, unit)]
    ]
    for one in check_reported(chunks, text):
        if one.match.sure and one.occurrences == 1:  # a copy may explain another unit as well
            assert one.offset in (Offset.RIGHT, Offset.UNIT)
            assert one.offset is Offset.RIGHT or one.unit is unit


def test_no_chunks_have_no_facts() -> None:
    assert check_reported([], "text") == []
    assert told([]) == "no offsets are reported; 0 of 0 places are certain"


def test_wrong_copies_are_told_where_the_order_is_known() -> None:
    chunks = [ReportedChunk("", "Item a ok.", start=11 * min(i, 1) * (i % 3)) for i in range(24)]
    facts = check_reported(chunks, TWINS, ordered=True)
    assert [one.match.span and one.match.span.start for one in facts] == [11 * i for i in range(24)]
    assert all(one.slice_equal and one.occurrences == 24 for one in facts)
    assert [one.offset for one in facts].count(Offset.TWIN) == 21
    assert "21 point at another copy of the text" in told(facts)


def test_copies_without_an_order_stay_open() -> None:
    chunks = [ReportedChunk("", "Item a ok.", start=0, named=False) for _ in range(24)]
    facts = check_reported(chunks, TWINS)
    assert {one.offset for one in facts} == {Offset.OPEN}
    assert not any(one.match.sure for one in facts)
    assert "24 have the text, which stands elsewhere too, and nothing decides" in told(facts)


def linked(count: int) -> list[ReportedChunk]:
    return [ReportedChunk(f"n{chr(97 + i)}", "Item a ok.", after=f"n{chr(96 + i)}") for i in range(count)]


@pytest.mark.parametrize("seed", range(3))
def test_links_restore_the_order_of_a_shuffled_list(seed: int) -> None:
    chunks = linked(24)
    random.Random(seed).shuffle(chunks)
    facts = check_reported(chunks, TWINS)
    starts = {one.chunk.chunk_id: one.match.span and one.match.span.start for one in facts}
    assert starts == {f"n{chr(97 + i)}": 11 * i for i in range(24)}


def test_links_with_a_hole_or_in_a_ring_are_no_order() -> None:
    holed = [chunk for chunk in linked(24) if chunk.chunk_id != "nf"]
    ring = [*linked(24)[1:], ReportedChunk("na", "Item a ok.", after="nx")]
    for chunks in (holed, ring):
        assert not any(one.match.sure for one in check_reported(chunks, TWINS))


@pytest.mark.parametrize("unit", [Unit.UTF8, Unit.UTF16])
def test_a_unit_is_told_for_all_of_a_documents_chunks(unit: Unit) -> None:
    chunks = [ReportedChunk("", line, start=from_code_points([at], PROSE, unit)[0]) for at, line in lines_of(PROSE)]
    facts = check_reported(chunks, PROSE)
    assert [one.offset for one in facts] == [Offset.UNIT] * 3
    assert {one.unit for one in facts} == {unit}
    assert "3 count UTF-" in told(facts)


def test_an_offset_inside_a_character_is_wrong_and_not_rounded() -> None:
    text = "é" * 3 + "Shoes go back within thirty days."
    assert only(ReportedChunk("", text[3:], start=5), text).offset is Offset.WRONG


def test_token_offsets_are_told_as_what_no_text_can_tell() -> None:
    lines = lines_of(PROSE)
    chunks = [ReportedChunk("", line, start=7 * i * i) for i, (_, line) in enumerate(lines)]
    assert "only the tokenizer can" in told(check_reported(chunks, PROSE))


def test_a_parents_children_are_placed_in_it() -> None:
    parents = [ReportedChunk("pa", LINE * 12, start=0, order=0), ReportedChunk("pb", LINE * 12, start=132, order=1)]
    children = [
        ReportedChunk(f"{name}-{i}", "Item a ok.", start=11 * i, parent_id=name, order=i)
        for name in ("pb", "pa")
        for i in range(12)
    ]
    facts = check_reported([*children, *parents], TWINS)
    starts = [one.match.span and one.match.span.start for one in facts]
    assert starts == [*range(132, 264, 11), *range(0, 132, 11), 0, 132]
    assert [one.offset for one in facts].count(Offset.PARENT) == 12


def test_children_of_a_parent_without_a_place_are_not_guessed() -> None:
    parents = [ReportedChunk(name, LINE * 4, named=False) for name in ("pa", "pb")]
    children = [
        ReportedChunk(f"{name}{i}", "Item a ok.", parent_id=name, order=i) for name in ("pa", "pb") for i in (0, 1)
    ]
    assert not any(one.match.sure for one in check_reported([*parents, *children], TWINS))


def test_a_parent_in_name_only_is_no_ground() -> None:
    parent = ReportedChunk("p", "Shoes go back within thirty days.")
    child = ReportedChunk("c", "The fee is five € a day.", parent_id="p", start=85)
    one = check_reported([parent, child], PROSE)[1]
    assert one.match.span == (PROSE.index("The fee"), len(PROSE) - 1)


def test_parents_of_each_other_have_no_place() -> None:
    chunks = [ReportedChunk("a", "Item a ok.", parent_id="b"), ReportedChunk("b", "Item a ok.", parent_id="a")]
    assert [one.match.reason for one in check_reported(chunks, LINE)] == ["its parents are each other's"] * 2
    itself = only(ReportedChunk("a", "Item a ok.", parent_id="a"), LINE)
    assert itself.match.sure


def test_starts_that_are_wrong_alike_are_told_apart_from_others() -> None:
    lines = lines_of(PROSE)
    base = lines[1][0]
    chunks = [ReportedChunk("", line, start=at - base if i else 0) for i, (at, line) in enumerate(lines)]
    facts = check_reported(chunks, PROSE)
    assert [one.offset for one in facts] == [Offset.RIGHT, Offset.SHIFTED, Offset.SHIFTED]
    assert [one.off_by for one in facts] == [0, base, base]


def test_a_wrong_end_is_told() -> None:
    one = only(ReportedChunk("", "Item a ok.", start=0, end=11), LINE)
    assert (one.offset, one.slice_equal) == (Offset.END, False)


def test_a_header_in_front_is_told_and_taken_off() -> None:
    front = "Shop > Returns\n"
    chunk = ReportedChunk("", f"{front}Hats go back within fourteen days.", front=(front,))
    one = only(chunk, HEADED)
    assert (one.wording, one.front, one.behind, one.occurrences) == (Wording.EXTRA, front, "", 0)
    assert one.match.span is not None
    assert one.match.span.of(HEADED) == "Hats go back within fourteen days."
    assert one.match.same
    assert one.match.status != "exact"
    assert "1 chunk with text in front that is not of the passage" in told([one])


def test_a_header_that_is_the_documents_own_stays() -> None:
    one = only(ReportedChunk("", "# Returns\n\nShoes go back", front=("# Returns\n",)), HEADED)
    assert (one.wording, one.match.span) == (Wording.VERBATIM, (0, 24))


def test_a_slice_with_a_table_head_in_front_is_found_by_its_range() -> None:
    table = "| Item | Days |\n|---|---|\n" + "".join(f"| Shoes size {n} | {n} days |\n" for n in range(3)) * 2
    head = table[: table.index("| Shoes")]
    rows = [(at, at + len(line) + 1) for at, line in lines_of(table)[2:]]
    chunks = [ReportedChunk("", head + table[a:b], start=a, end=b, order=i) for i, (a, b) in enumerate(rows)]
    facts = check_reported(chunks, table)
    assert [one.match.span and one.match.span.of(table) for one in facts] == [
        (head + table[a:b]) if a == rows[0][0] else table[a : b - 1] for a, b in rows
    ]
    assert [one.match.span and one.match.span.start for one in facts] == [0, *(a for a, _ in rows[1:])]
    assert [one.offset for one in facts] == [Offset.PART, *[Offset.RIGHT] * 5]
    assert facts[1].front == head


def test_a_row_that_equals_the_first_one_is_not_put_below_the_head() -> None:
    table = "| Item | Days |\n|---|---|\n| Hats | 14 |\n| Caps | 7 |\n| Hats | 14 |\n"
    last = table.rindex("| Hats")
    one = only(ReportedChunk("", table[:40], start=last, end=len(table)), table)
    assert one.match.span in (None, (last, len(table) - 1))


def test_text_that_grew_by_its_overlap_is_placed_whole() -> None:
    start = HEADED.index("within thirty")
    one = only(ReportedChunk("", HEADED[start:], start=start + 7, end=len(HEADED)), HEADED)
    assert (one.offset, one.match.span) == (Offset.PART, (start, len(HEADED)))


def test_characters_cut_by_tokens_are_taken_off_the_edges() -> None:
    text = "東京の天気は晴れです。大阪は雨が降ります。"
    one = only(ReportedChunk("", f"\ufffd{text[4:9]}\ufffd\ufffd", start=5), text)
    assert (one.wording, one.front, one.behind) == (Wording.EXTRA, "\ufffd", "\ufffd\ufffd")
    assert one.match.span == (4, 9)


def test_another_rendering_a_joined_text_and_a_made_one_are_told_apart() -> None:
    rendered = only(ReportedChunk("", "Shoes go  back within\nthirty days."), HEADED)
    made = only(ReportedChunk("", "This section explains our policy on used goods.", start=3), HEADED)
    assert rendered.wording is Wording.RERENDERED
    assert (made.wording, made.offset, made.slice_equal) == (Wording.ABSENT, Offset.UNCHECKED, False)
    assert "not found: made text" in told([made])


def test_blank_chunks_are_told() -> None:
    one = only(ReportedChunk("", " \n", start=9), HEADED)
    assert (one.wording, one.offset, one.occurrences) == (Wording.BLANK, Offset.UNCHECKED, 0)


def test_not_found_is_what_the_producer_says_and_the_place_is_found() -> None:
    one = only(ReportedChunk("", "Item a ok.", unfound=True), LINE)
    assert (one.offset, one.slice_equal, one.match.sure) == (Offset.UNFOUND, None, True)


def test_counts_add_up() -> None:
    one = check_reported([ReportedChunk("", line, start=at) for at, line in lines_of(PROSE)], PROSE)
    other = check_reported([ReportedChunk("", "Item a ok.", start=4)], LINE)
    both: ReportedSummary = summarise(one).plus(summarise(other))
    assert both == summarise([*one, *other])
    assert both.as_json()["offsets"] == {"right": 3, "wrong": 1}
