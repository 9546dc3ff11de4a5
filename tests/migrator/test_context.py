"""A passage in its context."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cuts_of, inked, inked_texts, law, pieces_over, spans_of, texts

from evalspan.migrator.context import CONTEXT, MOST, Change, Drawing, Gap, Mark, Piece, compare, covered, draw
from evalspan.spans import Span

LONG = "".join(f"Sentence number {number} of a long text stands here. " for number in range(400))


def pieces(drawing: Drawing) -> list[Piece]:
    return [segment for segment in drawing.segments if isinstance(segment, Piece)]


def gaps(drawing: Drawing) -> list[Gap]:
    return [segment for segment in drawing.segments if isinstance(segment, Gap)]


def written(drawing: Drawing) -> str:
    """The pieces, with brackets for the passage, and other marks as their names."""
    out = []
    for segment in drawing.segments:
        if isinstance(segment, Piece):
            out.append(segment.text)
        elif isinstance(segment, Gap):
            out.append("…")
        elif segment.of == "passage":
            out.append("[" if segment.begins else "]")
        else:
            name = segment.chunk_id or str(segment.number)
            out.append(f"<{name}>" if segment.begins else f"</{name}>")
    return "".join(out)


def test_the_passage_stands_in_brackets_and_chunks_around_it() -> None:
    text = "One two three four."
    drawing = draw(text, [Span(4, 13)], [("a", Span(0, 7)), ("b", Span(7, 19))], [Span(4, 7)])
    assert written(drawing) == "<a>One [<1>two</1></a><b> three] four.</b>"


def test_chunks_that_overlap_are_told_apart_by_their_ids() -> None:
    drawing = draw("abcdef", [Span(0, 6)], [("x", Span(0, 4)), ("y", Span(2, 6)), ("z", Span(2, 3))])
    assert written(drawing) == "<x>[ab<y><z>c</z>d</x>ef]</y>"


def test_of_two_that_begin_or_end_together_the_longer_is_outside() -> None:
    drawing = draw("abcd", [], [], [Span(0, 2), Span(0, 4), Span(2, 4)])
    assert written(drawing) == "<2><1>ab</1><3>cd</3></2>"


def test_a_passage_in_pieces_is_several_brackets() -> None:
    assert written(draw("abcdef", [Span(4, 5), Span(0, 1), Span(1, 2)])) == "[ab]cd[e]f"


def test_context_is_some_lines() -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    start = text.index("line 10")
    drawing = draw(text, [Span(start, start + 7)], lines=1)
    assert written(drawing) == "line 9\n[line 10]\nline 11"


def test_a_text_of_one_long_line_has_some_characters_of_context() -> None:
    drawing = draw("x" * 100_000, [Span(50_000, 50_010)])
    assert 10 < drawing.end - drawing.start < 10 + 4 * CONTEXT


def test_a_long_passage_is_left_out_in_its_middle_but_for_the_ends_of_chunks() -> None:
    passage = Span(100, len(LONG) - 100)
    drawing = draw(LONG, [passage], [("a", Span(0, 9000)), ("b", Span(9000, len(LONG)))])
    assert len(gaps(drawing)) == 2
    assert [mark.chunk_id for mark in drawing.segments if isinstance(mark, Mark) and mark.of == "chunk"] == [*"aabb"]
    assert drawing.end - drawing.start == sum(len(p.text) for p in pieces(drawing)) + sum(
        gap.characters for gap in gaps(drawing)
    )


def test_more_ends_than_can_be_shown_are_counted() -> None:
    text = LONG * 10
    chunks = [(str(at), Span(at, at + 1000)) for at in range(0, len(text), 1000)]
    drawing = draw(text, [Span(0, len(text))], chunks)
    assert sum(len(piece.text) for piece in pieces(drawing)) < 2 * MOST
    assert sum(gap.ends for gap in gaps(drawing)) > 100


def test_what_is_not_seen_is_said() -> None:
    text = LONG * 10
    far = [Span(at, at + 10) for at in range(0, len(text), 2000)]
    drawing = draw(text, far, [], [Span(len(text) - 10, len(text))])
    assert drawing.unseen > 0
    assert drawing.unseen_candidates == (1,)


def test_where_there_is_no_passage_the_candidates_are_shown_in_their_context() -> None:
    drawing = draw("one\ntwo\nthree", [], [], [Span(4, 7)], lines=1)
    assert written(drawing) == "one\n<1>two</1>\nthree"


@pytest.mark.parametrize("nothing", [[], [Span(50, 60)]])
def test_nothing_in_the_text_draws_nothing(nothing: list[Span]) -> None:
    assert draw("short", nothing) == Drawing((), 0, 0)


@pytest.mark.parametrize("unit", ["e\u0301", "👩‍👩‍👧", "🇬🇧", "\r\n", "👍🏽"])
def test_no_cut_is_inside_what_is_seen_as_one_character(unit: str) -> None:
    text = unit * 2000
    middle = len(unit) * 1000
    drawing = draw(text, [Span(middle, middle + len(unit))])
    assert drawing.start > 0 or drawing.end < len(text) or unit == "🇬🇧"
    for piece in pieces(drawing):
        assert not unicodedata.category(piece.text[0]).startswith("M")
        assert piece.text[0] not in "\n\u200d🏽"
        assert piece.text[-1] not in "\r\u200d"


@law
@given(st.data())
def test_a_drawing_is_a_part_of_the_text_with_its_flags(data: st.DataObject) -> None:
    text = data.draw(inked_texts)
    passage = data.draw(st.lists(spans_of(text), max_size=3))
    candidates = data.draw(pieces_over(text))
    chunks = [(str(i), span) for i, span in enumerate(data.draw(cuts_of(text)))]
    drawing = draw(text, passage, chunks, candidates)
    at = drawing.start
    open_marks: list[tuple[str, int, str]] = []
    for segment in drawing.segments:
        if isinstance(segment, Gap):
            assert segment.characters > 0
            at += segment.characters
        elif isinstance(segment, Piece):
            assert segment.text == text[at : at + len(segment.text)]
            for offset in range(at, at + len(segment.text)):
                assert segment.passage == any(span.start <= offset < span.end for span in passage)
                mine = [n for n, span in enumerate(candidates, 1) if span.start <= offset < span.end]
                assert list(segment.candidates) == mine
            at += len(segment.text)
        else:
            key = (segment.of, segment.number, segment.chunk_id)
            if segment.begins:
                open_marks.append(key)
            elif segment.of != "chunk":  # a chunk may begin before what is shown
                open_marks.remove(key)
    assert at == drawing.end
    assert {key for key in open_marks if key[0] != "chunk"} == set()


@law
@given(st.data())
def test_coverage_is_counted_in_characters_that_are_not_blank(data: st.DataObject) -> None:
    text = data.draw(inked_texts)
    passage, span = data.draw(st.lists(spans_of(text), min_size=1, max_size=3)), data.draw(spans_of(text))
    mine = {at for one in passage for at in inked(text, one)}
    share = len(mine & inked(text, span)) / len(mine) if mine else 0.0
    assert covered(text, passage, span) == pytest.approx(share)


def test_what_differs_is_marked_word_by_word() -> None:
    assert compare("Within 14 days, free.", "Within 30 days, free.") == (
        Change("same", "Within "),
        Change("removed", "14"),
        Change("added", "30"),
        Change("same", " days, free."),
    )


def test_scripts_without_blanks_are_compared_sign_by_sign() -> None:
    assert compare("返品は無料です", "返品は有料です") == (
        Change("same", "返品は"),
        Change("removed", "無"),
        Change("added", "有"),
        Change("same", "料です"),
    )


def test_texts_that_are_too_long_to_compare_are_rewritten_as_a_whole() -> None:
    old, new = ("返品" * 1000, "品返無" * 660)
    assert [change.kind for change in compare(f"same {old}", f"same {new}")] == ["same", "removed", "added"]


@law
@given(texts, texts)
def test_a_comparison_holds_both_texts(old: str, new: str) -> None:
    changes = compare(old, new)
    assert "".join(change.text for change in changes if change.kind != "added") == old
    assert "".join(change.text for change in changes if change.kind != "removed") == new
    assert all(change.text for change in changes)


@law
@given(texts)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert {change.kind for change in compare(text, text)} <= {"same"}
