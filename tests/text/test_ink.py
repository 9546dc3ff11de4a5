"""Ink counts what is not blank."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import BLANKS, ODD, inked, law, spans_of, texts

from evalspan.spans import Span
from evalspan.text import Ink


@law
@given(st.data(), texts.filter(bool))
def test_ink_between_any_offsets_is_the_count_character_by_character(data: st.DataObject, text: str) -> None:
    spans = data.draw(st.lists(spans_of(text), max_size=6))
    ink = Ink(text, [offset for span in spans for offset in reversed(span)])
    offsets = sorted({0, *(offset for span in spans for offset in span)})
    for start in offsets:
        for end in offsets:
            if start <= end:
                assert ink.between(start, end) == len(inked(text, Span(start, end)))


@law
@given(texts)
def test_every_offset_may_be_asked_for_and_the_end_too(text: str) -> None:
    ink = Ink(text, range(len(text) + 1))
    assert [ink.before[at] for at in range(len(text) + 1)] == [
        sum(not character.isspace() for character in text[:at]) for at in range(len(text) + 1)
    ]


def test_unicode_blanks_are_no_ink_and_invisible_characters_are() -> None:
    assert Ink(BLANKS, [len(BLANKS)]).between(0, len(BLANKS)) == 0
    assert Ink(ODD, [len(ODD)]).between(0, len(ODD)) == len(ODD)


def test_a_stretch_begins_in_the_middle_of_a_word_without_loss() -> None:
    ink = Ink("ab cd", [1, 2, 4])
    assert (ink.between(1, 4), ink.between(0, 1), ink.between(2, 2)) == (2, 1, 0)
