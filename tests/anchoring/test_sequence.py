"""The chunks of a document, placed together: order decides where it can, and nothing is placed for being first."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from types import FrameType

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rapidfuzz.fuzz import partial_ratio
from strategies import BLANKS, cuts_of, inked, inked_texts, law, long_texts, places, texts

from evalspan.anchoring import Match, Status, locate_chunks
from evalspan.anchoring.search import Index
from evalspan.errors import BadInput
from evalspan.spans import Span
from evalspan.text.readings import folded, letters, plain

LINE = "The same line again.\n"
any_text = st.one_of(inked_texts, long_texts())


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Ends what takes longer, as a failure."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        pytest.fail(f"took longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def spans(matches: list[Match]) -> list[Span | None]:
    return [match.span for match in matches]


def check_form(matches: list[Match], chunks: list[str], text: str) -> None:
    """What holds of every answer: its offsets lie in the text, and what is sure is there up to the reported status."""
    for match, chunk in zip(matches, chunks, strict=True):
        for span in (*match.pieces, *match.rivals, *([match.span] if match.span else [])):
            assert 0 <= span.start < span.end <= len(text)
        assert match.sure or match.reason
        if match.status is Status.MISSING:
            assert (match.span, match.sure, match.rivals) == (None, False, ())
        elif match.status is Status.AMBIGUOUS:
            assert (match.span, match.sure) == (None, False)
            assert len(match.rivals) > 1
        else:
            check_place(match, chunk, text)


def check_place(match: Match, chunk: str, text: str) -> None:
    assert match.span is not None
    assert match.span in match.pieces or match.span == Span(match.pieces[0].start, match.pieces[-1].end)
    assert match.rivals == ()
    found = match.span.of(text)
    assert (match.status is Status.EXACT) == (found == chunk)
    if match.status is Status.REFORMATTED:
        assert match.sure
        assert plain(found) == plain(chunk) or folded(found) == folded(chunk)
    elif match.status is not Status.EXACT and match.sure:
        shared = partial_ratio(letters(chunk), letters(found)) if letters(found) else 100
        assert shared >= 50


@law
@given(st.data(), any_text)
def test_slices_in_order_are_placed_rightly_or_left_open_with_the_right_place_among_the_rivals(
    data: st.DataObject, text: str
) -> None:
    cut = [span for span in data.draw(cuts_of(text, overlapping=False)) if inked(text, span)]
    chunks = [span.of(text) for span in cut]
    matches = locate_chunks(chunks, text)
    check_form(matches, chunks, text)
    for span, match in zip(cut, matches, strict=True):
        assert match.span == span if match.sure else span in match.rivals


@law
@given(st.data(), any_text)
def test_a_slice_that_stands_once_is_placed_there_whatever_the_order(data: st.DataObject, text: str) -> None:
    cut = data.draw(cuts_of(text).flatmap(st.permutations))
    chunks = [span.of(text) for span in cut]
    ordered = data.draw(st.booleans())
    for span, match in zip(cut, locate_chunks(chunks, text, ordered=ordered), strict=True):
        if inked(text, span) and places(span.of(text), text) == [span]:
            assert (match.span, match.status, match.sure, match.score) == (span, Status.EXACT, True, 1.0)


@law
@given(st.data(), any_text)
def test_without_an_order_what_repeats_is_ambiguous_between_all_its_places(data: st.DataObject, text: str) -> None:
    cut = data.draw(cuts_of(text).flatmap(st.permutations))
    chunks = [span.of(text) for span in cut if inked(text, span)]
    matches = locate_chunks(chunks, text, ordered=False)
    check_form(matches, chunks, text)
    for chunk, match in zip(chunks, matches, strict=True):
        found = places(chunk, text)
        assert match.sure == (len(found) == 1)
        if len(found) > 1:
            assert list(match.rivals) == found
            assert match.score == 1 / len(found)


@law
@given(st.data(), any_text, st.lists(texts, max_size=3))
def test_answers_have_one_form_for_any_chunks_and_are_the_same_each_time(
    data: st.DataObject, text: str, foreign: list[str]
) -> None:
    cut = data.draw(cuts_of(text))
    chunks = data.draw(st.permutations([*(span.of(text) for span in cut), *foreign]))
    chunks = [chunk for chunk in chunks if chunk.strip()]
    starts = data.draw(
        st.none() | st.lists(st.none() | st.integers(-1, 40), min_size=len(chunks), max_size=len(chunks))
    )
    matches = locate_chunks(chunks, text, starts=starts)
    check_form(matches, chunks, text)
    assert locate_chunks(chunks, text, starts=starts) == matches


@law
@given(st.data(), any_text)
def test_true_offsets_never_lead_astray(data: st.DataObject, text: str) -> None:
    cut = [span for span in data.draw(cuts_of(text, overlapping=False)) if inked(text, span)]
    matches = locate_chunks([span.of(text) for span in cut], text, starts=[span.start for span in cut])
    assert all(match.span == span for span, match in zip(cut, matches, strict=True) if match.sure)


def test_equal_lines_are_placed_by_their_order_where_all_are_there() -> None:
    matches = locate_chunks([LINE] * 24, LINE * 24)
    assert spans(matches) == places(LINE, LINE * 24)
    assert all(match.sure and match.status is Status.EXACT for match in matches)


def test_equal_lines_stripped_at_their_edges_are_placed_all_the_same() -> None:
    text = LINE * 24
    matches = locate_chunks([LINE.strip()] * 24, text)
    assert spans(matches) == places(LINE.strip(), text)


def test_two_of_many_equal_lines_are_ambiguous() -> None:
    for match in locate_chunks([LINE] * 2, LINE * 24):
        assert (match.status, match.span, match.sure) == (Status.AMBIGUOUS, None, False)
        assert list(match.rivals) == places(LINE, LINE * 24)


def test_all_but_one_of_equal_lines_are_ambiguous() -> None:
    assert not any(match.sure for match in locate_chunks([LINE] * 23, LINE * 24))


def test_the_first_offset_found_is_not_believed_of_every_copy() -> None:
    matches = locate_chunks([LINE] * 24, LINE * 24, starts=[0] * 24)
    assert spans(matches) == places(LINE, LINE * 24)


def test_offsets_where_the_text_is_another_are_not_believed() -> None:
    matches = locate_chunks([LINE] * 2, LINE * 24, starts=[1, 5])
    assert not any(match.sure for match in matches)


def test_offsets_that_agree_with_a_cheapest_way_are_believed() -> None:
    found = places(LINE, LINE * 24)
    matches = locate_chunks([LINE] * 2, LINE * 24, starts=[found[3].start, found[17].start])
    assert spans(matches) == [found[3], found[17]]
    assert all(match.sure for match in matches)


def test_offsets_against_the_order_are_not_believed() -> None:
    found = places(LINE, LINE * 24)
    matches = locate_chunks([LINE] * 2, LINE * 24, starts=[found[17].start, found[3].start])
    assert not any(match.sure for match in matches)


def test_a_refrain_stands_between_its_verses() -> None:
    verses = [f"Verse {number} tells of the sea and of ship {number}.\n" for number in range(6)]
    chunks = [part for verse in verses for part in (verse, LINE)]
    matches = locate_chunks(chunks, "".join(chunks))
    assert [match.span.of("".join(chunks)) if match.span else None for match in matches] == chunks
    assert spans(matches)[1::2] == places(LINE, "".join(chunks))


def test_a_refrain_left_out_of_the_list_moves_no_other() -> None:
    verses = [f"Verse {number} tells of the sea and of ship {number}.\n" for number in range(4)]
    text = "".join(verse + LINE for verse in verses)
    chunks = [verses[0], verses[1], LINE, verses[2], verses[3], LINE]
    matches = locate_chunks(chunks, text)
    assert [spans(matches)[2], spans(matches)[5]] == [places(LINE, text)[1], places(LINE, text)[3]]


@pytest.mark.parametrize("chunk", ["a", "aa", "aaaa", "a" * 600])
@pytest.mark.parametrize("count", [2, 40])
def test_periodic_text_is_ambiguous_in_bounded_time(chunk: str, count: int) -> None:
    began = time.monotonic()
    matches = locate_chunks([chunk] * count, "aaaa" * 500)
    assert not any(match.sure for match in matches)
    assert all(match.status is Status.AMBIGUOUS for match in matches)
    assert time.monotonic() - began < 5


def test_a_full_cut_of_periodic_text_is_never_placed_wrongly() -> None:
    truth = [Span(at, at + 4) for at in range(0, 2000, 4)]
    matches = locate_chunks(["aaaa"] * 500, "aaaa" * 500)
    assert all(match.span == span for span, match in zip(truth, matches, strict=True) if match.sure)


def test_many_periodic_stretches_in_one_document_take_bounded_time() -> None:
    headings = [f"Heading {number}.\n" for number in range(60)]
    rules = "- \n" * 20
    text = "".join(heading + rules + rules for heading in headings)
    with at_most(4):
        locate_chunks([part for heading in headings for part in (heading, rules, rules)], text)


@pytest.mark.parametrize(
    ("text", "truth"),
    [("= " * 1500, [Span(0, 2800), Span(2800, 3000)]), ("a" * 2000, [Span(1, 1000), Span(1001, 2000)])],
    ids=["a full cut", "two of a periodic text"],
)
def test_a_chunk_with_more_places_than_are_looked_at_is_never_surely_at_one_of_the_first(
    text: str, truth: list[Span]
) -> None:
    matches = locate_chunks([span.of(text) for span in truth], text)
    assert all(match.span == span for span, match in zip(truth, matches, strict=True) if match.sure)


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("text", ["a b c d", "  ", "", "ab\n\ncd"])
@pytest.mark.parametrize("chunk", ["", " ", "\n", "\u3000 "])
def test_a_blank_chunk_has_no_place(chunk: str, text: str, ordered: bool) -> None:
    if chunk not in text or (chunk == "" and text) or text.count(chunk) > 1:
        match = locate_chunks([chunk], text, ordered=ordered)[0]
        assert (match.status, match.span, match.sure, match.reason) == (Status.MISSING, None, False, "blank")


@pytest.mark.parametrize(("chunk", "text"), [(" ", "a b"), ("\n\n", "ab\n\ncd"), ("", "")])
def test_a_blank_chunk_has_no_place_where_its_blanks_stand_once_either(chunk: str, text: str) -> None:
    match = locate_chunks([chunk], text)[0]
    assert (match.status, match.span, match.sure, match.reason) == (Status.MISSING, None, False, "blank")


def test_blank_chunks_move_no_other() -> None:
    text = LINE * 5
    matches = locate_chunks([LINE, "", LINE, BLANKS, LINE, LINE, LINE], text)
    assert [match.span for match in matches if match.sure] == places(LINE, text)


def test_a_chunk_longer_than_the_document_is_missing() -> None:
    matches = locate_chunks(["x" * 50, "short text"], "short text")
    assert [match.status for match in matches] == [Status.MISSING, Status.EXACT]


def test_foreign_chunks_are_missing_and_move_no_other() -> None:
    text = LINE * 6
    chunks = ["Not of this text.", LINE, LINE, LINE, "Nor this one.", LINE, LINE, LINE]
    matches = locate_chunks(chunks, text)
    assert [match.status for match in matches if not match.sure] == [Status.MISSING] * 2
    assert [match.span for match in matches if match.sure] == places(LINE, text)


def test_a_chunk_with_other_white_space_is_placed_as_reformatted() -> None:
    text = "One two three.\n\nFour  five six.\tSeven."
    match = locate_chunks(["Four five six. Seven."], text)[0]
    assert (match.status, match.sure, match.span) == (Status.REFORMATTED, True, Span(16, len(text)))
    assert match.score < 1


def test_overlapping_windows_over_repeating_lines_are_never_placed_wrongly() -> None:
    lines = [LINE if number % 3 else f"Line {number} stands alone.\n" for number in range(20)]
    text = "".join(lines)
    edges = [sum(map(len, lines[:number])) for number in range(21)]
    for size, step in ((2, 1), (3, 1), (3, 2), (4, 3)):
        truth = [Span(edges[at], edges[min(20, at + size)]) for at in range(0, 20, step)]
        matches = locate_chunks([span.of(text) for span in truth], text)
        assert all(match.span == span for span, match in zip(truth, matches, strict=True) if match.sure)
        assert sum(match.sure for match in matches) > len(truth) / 2


def test_nested_chunks_that_stand_once_are_all_placed() -> None:
    text = "Alpha one. Beta two. Gamma three."
    chunks = [text, "Alpha one. Beta two.", "Alpha one.", "Beta two.", "Gamma three."]
    matches = locate_chunks(chunks, text)
    assert [match.span.of(text) if match.span else None for match in matches] == chunks


def test_children_that_repeat_between_their_parents_are_never_placed_wrongly() -> None:
    text = "A first. B second. A first. C third."
    parents = [Span(0, 18), Span(19, 36)]
    truth = [parents[0], Span(0, 8), Span(9, 18), parents[1], Span(19, 27), Span(28, 36)]
    matches = locate_chunks([span.of(text) for span in truth], text)
    assert all(match.span == span for span, match in zip(truth, matches, strict=True) if match.sure)


def test_a_child_that_begins_with_its_parent_is_not_surely_at_its_later_copy() -> None:
    text = "Fees are due. Fines too. Fees are due."
    match = locate_chunks([text, "Fees are due."], text)[1]
    assert not match.sure


@law
@given(st.data(), any_text)
def test_overlapping_slices_in_order_are_never_placed_wrongly(data: st.DataObject, text: str) -> None:
    cut = [span for span in data.draw(cuts_of(text)) if inked(text, span)]
    assume(all(a.end < b.end for a, b in pairwise(cut)))
    # as splitters overlap: by no more than half of a chunk
    assume(all(2 * (a.end - b.start) <= min(a.length, b.length) for a, b in pairwise(cut)))
    matches = locate_chunks([span.of(text) for span in cut], text)
    for span, match in zip(cut, matches, strict=True):
        assert match.span == span if match.sure else span in match.rivals


@pytest.mark.parametrize("step", [2, 3, 4])
def test_what_order_leaves_open_between_equal_places_no_gap_decides(step: int) -> None:
    lines = ["A first line.\n", *[LINE] * 19, "A last line.\n"]
    edges = [sum(map(len, lines[:number])) for number in range(22)]
    truth = [Span(edges[at], edges[min(21, at + 4)]) for at in range(0, 21, step)]
    matches = locate_chunks([span.of("".join(lines)) for span in truth], "".join(lines))
    assert all(match.span == span for span, match in zip(truth, matches, strict=True) if match.sure)


@law
@given(st.data())
def test_in_a_large_text_the_same_is_found_as_in_a_small_one(data: st.DataObject) -> None:
    """An index of blocks takes the place of reading through; here every text is a large one."""
    parts = data.draw(st.lists(st.sampled_from(["abc def ", "x" * 70, "Sentence one. ", "\n", "é"]), min_size=20))
    text = "".join(parts)
    index = Index(text)
    start = data.draw(st.integers(0, len(text)))
    needle = data.draw(st.sampled_from([text[start : start + 130], text[start : start + 200] + "y", "x" * 140]))
    assume(len(needle) >= 128)
    places = index.places(needle)
    assert places is None or places == [at for at in range(len(text)) if text.startswith(needle, at)]


def test_starts_for_other_chunks_are_refused() -> None:
    with pytest.raises(BadInput, match="1 offsets for 2 chunks"):
        locate_chunks(["aa", "aa"], "aa aa aa", starts=[0])
