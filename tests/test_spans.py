"""Ranges are sets of offsets: what is said of them is what sets say."""

import itertools

from hypothesis import given
from hypothesis import strategies as st
from strategies import law, spans_of, texts

from evalspan.spans import Span, merged

some = st.builds(lambda start, length: Span(start, start + length), st.integers(0, 40), st.integers(1, 15))


def offsets(*spans: Span) -> set[int]:
    return {offset for span in spans for offset in range(span.start, span.end)}


@law
@given(st.data(), texts.filter(bool))
def test_a_span_is_the_slice_it_names(data: st.DataObject, text: str) -> None:
    span = data.draw(spans_of(text))
    assert span.of(text) == text[span.start : span.end]
    assert span.length == len(span.of(text))


def test_offsets_are_code_points_whatever_a_reader_sees_as_one_character() -> None:
    assert Span(1, 6).of("x👩‍👩‍👧y") == "👩‍👩‍👧"
    assert Span(0, 2).of("e\u0301\r\n") == "e\u0301"
    assert Span(2, 4).of("e\u0301\r\n") == "\r\n"


@law
@given(some, some)
def test_the_shared_part_is_the_intersection_and_the_same_from_both_sides(one: Span, other: Span) -> None:
    both = one.shared(other)
    assert (offsets(both) if both else set()) == offsets(one) & offsets(other)
    assert both == other.shared(one)


def test_spans_that_only_touch_share_nothing() -> None:
    assert Span(0, 3).shared(Span(3, 5)) is None


@law
@given(some, some)
def test_inside_means_that_every_offset_is(one: Span, other: Span) -> None:
    assert one.inside(other) == (offsets(one) <= offsets(other))


@law
@given(st.lists(some, max_size=8))
def test_merged_spans_cover_the_same_ground_with_gaps_between_them(spans: list[Span]) -> None:
    out = merged(spans)
    assert offsets(*out) == offsets(*spans)
    assert all(a.end < b.start for a, b in itertools.pairwise(out))
    assert merged(reversed(spans)) == out == merged(out)
