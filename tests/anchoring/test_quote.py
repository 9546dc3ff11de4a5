"""A quote in a text: exact where it stands, never the first place for being first, and unsure where nothing decides."""

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from strategies import BLANKS, inked, inked_texts, law, long_texts, places, repeats, spans_of, texts

from evalspan.anchoring import Status, locate
from evalspan.spans import Span
from evalspan.text.reading import squash
from evalspan.text.readings import folded, letters, plain

LONG = 12
"""Characters from which a quote may be evidence by itself."""

any_text = st.one_of(inked_texts, long_texts())


@law
@given(st.data(), long_texts())
def test_a_quote_that_stands_once_is_found_where_it_stands_with_both_ends(data: st.DataObject, text: str) -> None:
    span = data.draw(spans_of(text))
    quote = span.of(text)
    assume(len(squash(quote)) >= LONG and places(quote, text) == [span])
    match = locate(quote, text)
    assert (match.status, match.sure, match.same, match.span) == (Status.EXACT, True, True, span)
    assert (match.score, match.coverage, match.pieces, match.rivals) == (1.0, 1.0, (span,), ())


@law
@given(repeats())
def test_a_quote_that_repeats_is_ambiguous_without_context_and_every_place_is_named(repeat: tuple[str, str]) -> None:
    quote, text = repeat
    found = places(quote, text)
    match = locate(quote, text)
    assert (match.status, match.sure, match.span) == (Status.AMBIGUOUS, False, None)
    assert sorted(match.rivals) == found
    assert str(len(found)) in match.reason


@law
@given(st.data(), any_text)
def test_with_all_its_context_a_quote_is_never_surely_elsewhere(data: st.DataObject, text: str) -> None:
    span = data.draw(spans_of(text))
    assume(squash(span.of(text)))
    match = locate(span.of(text), text, prefix=text[: span.start], suffix=text[span.end :])
    if match.sure:
        assert match.span == span
    else:
        assert match.span in (None, span)
        assert match.reason


@law
@given(repeats(), st.integers(0, 60))
def test_an_offset_names_the_nearest_of_equal_places_and_makes_none_sure(repeat: tuple[str, str], near: int) -> None:
    quote, text = repeat
    found = places(quote, text)
    match = locate(quote, text, near=near)
    assert not match.sure
    assert match.span is not None
    assert abs(match.span.start - near) == min(abs(place.start - near) for place in found)


@law
@given(st.text(BLANKS, max_size=5), texts)
def test_a_blank_quote_stands_nowhere(quote: str, text: str) -> None:
    match = locate(quote, text)
    assert (match.status, match.span, match.sure, match.reason) == (Status.MISSING, None, False, "blank")


@law
@given(texts, texts, st.sampled_from([None, 0, 7]))
def test_what_is_not_there_is_missing_and_not_sure(quote: str, text: str, near: int | None) -> None:
    assume(squash(quote) and squash(quote) not in squash(text))
    match = locate(quote, text, near=near)
    if match.status is Status.MISSING:
        assert (match.span, match.sure) == (None, False)
    else:
        assert match.status is not Status.EXACT
        assert not match.sure or match.coverage < 1 or match.score < 1 or match.status is Status.REFORMATTED


@law
@given(st.data(), long_texts(), st.sampled_from([" ", "\n", "\r\n", "\xa0 ", "\u2003"]))
def test_other_white_space_is_found_as_reformatted_with_both_ends_on_a_character(
    data: st.DataObject, text: str, blank: str
) -> None:
    span = data.draw(spans_of(text))
    quote = blank.join(span.of(text).split())
    bare = squash(quote)
    assume(len(bare) >= LONG and quote not in text and len(places(bare, squash(text))) == 1)
    match = locate(blank + quote, text)
    assert (match.status, match.sure, match.same) == (Status.REFORMATTED, True, True)
    assert match.span is not None
    offsets = sorted(inked(text, span))
    assert match.span == Span(offsets[0], offsets[-1] + 1)


@law
@given(st.data(), any_text)
def test_the_same_question_has_the_same_answer(data: st.DataObject, text: str) -> None:
    quote = data.draw(spans_of(text)).of(text)
    first = locate(quote, text, prefix="fee ")
    locate("something else", text)
    assert locate(quote, text, prefix="fee ") == first


def test_context_before_or_behind_tells_equal_places_apart() -> None:
    text = "For adults: the fee is five pounds.\nFor pensioners: the fee is five pounds.\nClosed on Mondays."
    quote = "the fee is five pounds."
    first, second = places(quote, text)
    assert locate(quote, text, prefix="For adults: ").span == first
    assert locate(quote, text, prefix="For pensioners: ").span == second
    assert locate(quote, text, suffix="\nClosed on Mondays.").span == second
    assert all(
        locate(quote, text, **side).sure  # type: ignore[arg-type]
        for side in ({"prefix": "For adults: "}, {"prefix": "For pensioners: "}, {"suffix": "\nClosed on Mondays."})
    )


def test_context_that_agrees_with_both_places_decides_nothing() -> None:
    text = "the rule: one two three four. the rule: one two three four."
    match = locate("one two three four.", text, prefix="the rule: ")
    assert (match.status, match.span) == (Status.AMBIGUOUS, None)
    assert len(match.rivals) == 2


def test_a_short_quote_wants_context_that_agrees() -> None:
    text = "The treasurer, Ada, keeps the books; the secretary keeps the minutes."
    assert not locate("Ada", text).sure
    assert not locate("Ada", text, prefix="quite other words ", suffix=" and more of them").sure
    assert locate("Ada", text, prefix="The treasurer, ", suffix=", keeps the books").span == Span(15, 18)
    assert locate("Ada", text, prefix="The treasurer, ", suffix=", keeps the books").sure


def test_a_quote_longer_than_the_text_is_not_in_it() -> None:
    match = locate("The fee is five pounds a day.", "The fee is five")
    assert not match.sure
    assert match.status is not Status.EXACT


@pytest.mark.parametrize("quote", ["a" * 12, "a" * 1000, "a" * 1999])
def test_periodic_text_is_ambiguous_in_bounded_time(quote: str) -> None:
    began = time.monotonic()
    match = locate(quote, "aaaa" * 500, prefix="a" * 64, suffix="a" * 64)
    assert (match.status, match.sure, match.span) == (Status.AMBIGUOUS, False, None)
    assert time.monotonic() - began < 5


def test_a_place_beyond_the_first_thousand_is_not_outdone_by_a_worse_one_before() -> None:
    row = "standing item of the list\n"
    heading = "The true and only annex on fees and fines:\n"
    text = "Annex on fees and fines:\n" + row + ("other line here\n" + row) * 1200 + heading + row
    match = locate(row.strip(), text, prefix=heading)
    assert match.span in (None, Span(len(text) - len(row), len(text) - 1))


def test_an_exact_copy_elsewhere_does_not_beat_the_reflowed_original_in_its_context() -> None:
    text = "For adults and students: the fee is\nfive pounds. Closed on Mondays.\nOld rule: the fee is five pounds."
    match = locate("the fee is five pounds.", text, prefix="For adults and students: ", suffix=" Closed on Mondays.")
    assert match.span is None or match.span.start == text.index("the fee")


slips = st.sampled_from(["", "x", " ", "not ", "\n", "\u00ad", "É", "2023"])


@st.composite
def altered(draw: st.DrawFn, quote: str) -> str:
    """The quote with a few characters of it replaced."""
    for at in sorted(draw(st.sets(st.integers(0, max(0, len(quote) - 1)), max_size=4)), reverse=True):
        quote = quote[:at] + draw(slips) + quote[at + draw(st.integers(0, 3)) :]
    return quote


@law
@given(st.data(), any_text)
def test_what_is_sure_is_there_up_to_the_reported_status_and_all_offsets_lie_in_the_text(
    data: st.DataObject, text: str
) -> None:
    span = data.draw(spans_of(text))
    quote = data.draw(altered(span.of(text)))
    prefix, suffix = text[max(0, span.start - 40) : span.start], text[span.end : span.end + 40]
    match = data.draw(st.sampled_from([locate(quote, text), locate(quote, text, prefix=prefix, suffix=suffix)]))
    for place in (*match.pieces, *match.rivals, *([match.span] if match.span else [])):
        assert 0 <= place.start < place.end <= len(text)
    assert match.sure or match.reason
    if match.status is Status.EXACT:
        assert match.span is not None
        assert match.span.of(text) == quote
    elif match.status is Status.REFORMATTED:
        assert match.span is not None
        there = match.span.of(text)
        assert folded(there) == folded(quote) or plain(there) == plain(quote)
    elif match.sure:
        assert match.span is not None
        assert Levenshtein.normalized_similarity(letters(quote), letters(match.span.of(text))) > 0.2


@law
@given(st.data(), long_texts(), texts)
def test_another_question_in_between_changes_no_answer(data: st.DataObject, text: str, other: str) -> None:
    quote = data.draw(altered(data.draw(spans_of(text)).of(text)))
    first = locate(quote, text)
    locate(other, text)
    locate(quote, other)
    assert locate(quote, text) == first


WORDS = [f"{one}{two}" for one in ("gar", "lib", "mee", "soc", "til", "roo") for two in ("den", "rary", "ting", "iety")]
LINE = " ".join(f"{WORDS[(number * number) % 23]} {number % 7}{number}" for number in range(70_000))
"""One line of a megabyte."""


@pytest.mark.parametrize(
    "quote",
    [
        LINE[500_000:500_400].replace("den", "din"),
        "Nothing of this kind stands anywhere in it, however long one looks for it.",
        LINE[300_000:300_400][::-1],
        LINE[:1000] * 3,
    ],
    ids=["altered", "absent", "reversed", "repeated"],
)
def test_one_line_of_a_megabyte_takes_bounded_time(quote: str) -> None:
    began = time.monotonic()
    locate(quote, LINE, prefix="quite another text ", suffix=" and one more")
    assert time.monotonic() - began < 5
