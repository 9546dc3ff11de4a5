"""Widening readings: what two forms of a passage have in common, and the way back to the character."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import inked_texts, law, spans_of, texts

from evalspan.spans import Span
from evalspan.text.readings import FOLDED, LETTERS, Folded, Readings, folded, letters, plain, unlinked


@law
@given(texts, st.sampled_from([FOLDED, LETTERS]))
def test_every_mark_leads_to_a_range_of_the_text_and_marks_ascend(text: str, table: type[FOLDED]) -> None:  # type: ignore[valid-type]
    reading = Folded(text, table)  # type: ignore[arg-type]
    last = Span(0, 0)
    for mark in range(len(reading.squashed)):
        span = reading.raw(mark, mark + 1)
        assert 0 <= span.start < span.end <= len(text)
        assert span.start >= last.end or span == last
        assert reading.mark(span.start) <= mark < reading.mark(span.end)
        last = span


@law
@given(st.data(), inked_texts)
def test_a_range_of_whole_characters_reads_as_the_reading_has_it_there(data: st.DataObject, text: str) -> None:
    span = data.draw(spans_of(text))
    for reading, read in ((Readings(text).folded, folded), (Readings(text).letters, letters)):
        begin, end = reading.mark(span.start), reading.mark(span.end)
        if begin < end:
            assert read(reading.raw(begin, end).of(text)) == reading.squashed[begin:end]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("caf\u00e9", "cafe\u0301"),
        ("10\u00a0000\u00a0\u20ac", "10000\u20ac"),
        ("\ufb01nal o\ufb03ce", "FINAL OFFICE"),
        ("stra\u00dfe", "STRASSE"),
        ("\u0130stanbul", "istanbul"),
        ("\u0130stanbul".lower(), "Istanbul"),
        ("so\u00adft hy\u200bphen\ufeff", "soft hyphen"),
        ("\u201cyes\u201d \u2018no\u2019 \u2014 a\u2011b", "\"yes\" 'no' - a-b"),
        ("\u0153uvre \u00e6ther", "OEUVRE AETHER"),
        ("\u65e5\u65e5\u32c0\u65e5", "\u65e5\u65e51\u6708\u65e5"),
        (unicodedata.normalize("NFD", "\ud55c\uad6d\uc5b4"), "\ud55c\uad6d\uc5b4"),
        (unicodedata.normalize("NFD", "\u304c\u304e"), "\u304c\u304e"),
        ("\uff76\uff9e\uff12", "\u30ac2"),
        ("a\r\nb\rc", "a b\nc"),
    ],
)
def test_forms_of_one_passage_fold_to_the_same(one: str, other: str) -> None:
    assert folded(one) == folded(other)
    assert letters(one) == letters(other)
    assert Folded(f"x {one} y", FOLDED).squashed == folded(f"x {other} y")


@pytest.mark.parametrize("whole", ["automatic", "auto-\nmatic", "auto\u00ad\nmatic", "auto-matic", "au to ma tic"])
def test_letters_read_a_hyphen_at_a_line_end_both_ways(whole: str) -> None:
    assert letters(whole) == "automatic"


def test_letters_keep_marks_of_scripts_that_need_them() -> None:
    assert letters("\u0915\u093f, \u0915\u0940!") == "\u0915\u093f\u0915\u0940"
    assert letters("\u0e19\u0e49\u0e33") != letters("\u0e19\u0e32")


def test_links_and_tags_are_left_out_of_what_is_shown() -> None:
    text = "See [the *annex*](https://example.org/a_(b)) of <b>2023</b>&nbsp;now."
    assert unlinked(text) == letters("See the annex of <b>2023</b>&nbsp;now.")
    assert plain(text) == letters("See the annex of 2023 now.") == Readings(text).plain.squashed


def test_several_folded_characters_lead_back_to_one() -> None:
    text = "\u65e5\u65e5\u32c0\u65e5"
    reading = Folded(text, FOLDED)
    assert reading.squashed == "\u65e5\u65e51\u6708\u65e5"
    assert reading.raw(2, 3) == reading.raw(3, 4) == reading.raw(2, 4) == Span(2, 3)
    assert reading.raw(4, 5) == Span(3, 4)
