"""A reading without blanks keeps the way back, to the character."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import BLANKS, inked, inked_texts, law, spans_of, texts

from evalspan.spans import Span
from evalspan.text import Reading
from evalspan.text.reading import squash


@law
@given(texts)
def test_squashed_are_the_characters_that_are_not_blank_in_order(text: str) -> None:
    assert squash(text) == "".join(c for c in text if not c.isspace()) == Reading(text).squashed


@law
@given(texts)
def test_each_mark_is_one_character_of_the_text_and_the_way_there_and_back_is_the_identity(text: str) -> None:
    reading = Reading(text)
    for mark, offset in enumerate(sorted(inked(text))):
        assert reading.raw(mark, mark + 1) == Span(offset, offset + 1)
        assert reading.mark(offset) == mark
        assert reading.mark(offset + 1) == mark + 1
        assert text[offset] == reading.squashed[mark]


@law
@given(texts)
def test_the_mark_of_any_offset_is_the_count_of_characters_before_it(text: str) -> None:
    reading = Reading(text)
    assert [reading.mark(at) for at in range(len(text) + 1)] == [
        sum(not character.isspace() for character in text[:at]) for at in range(len(text) + 1)
    ]


@law
@given(st.data(), inked_texts)
def test_a_range_of_marks_is_a_range_of_text_with_both_ends_on_a_character(data: st.DataObject, text: str) -> None:
    reading = Reading(text)
    marks = data.draw(spans_of(reading.squashed))
    span = reading.raw(*marks)
    assert squash(span.of(text)) == marks.of(reading.squashed)
    assert span.of(text) == span.of(text).strip()
    assert (reading.mark(span.start), reading.mark(span.end)) == marks


def test_blanks_at_the_edges_and_of_every_kind_move_nothing() -> None:
    text = f"{BLANKS}a{BLANKS}b{BLANKS}"
    reading = Reading(text)
    assert reading.squashed == "ab"
    assert reading.raw(0, 2) == Span(len(BLANKS), 2 * len(BLANKS) + 2)
    assert (reading.mark(0), reading.mark(len(BLANKS)), reading.mark(len(text))) == (0, 0, 2)


def test_a_blank_text_has_no_marks() -> None:
    assert Reading(BLANKS).squashed == ""
    assert [Reading(BLANKS).mark(at) for at in (0, 3, len(BLANKS))] == [0, 0, 0]
    assert Reading("").mark(0) == 0
