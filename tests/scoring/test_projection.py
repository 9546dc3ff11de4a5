"""A ranking read in another cut, by places."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import cuts_of, law, pieces_over, spans_of

from evalspan.scoring.projection import Cut, projected
from evalspan.spans import Span


def cut(*ends: int) -> list[tuple[Span, str]]:
    return [(Span(a, b), f"c{a}") for a, b in zip((0, *ends), ends, strict=False)]


def test_a_large_hit_stands_for_the_small_chunks_in_it_in_the_order_of_the_text() -> None:
    small = Cut({"d": cut(10, 20, 30, 40)})
    assert projected([("d", Span(10, 30)), ("d", Span(0, 10))], small) == ["c10", "c20", "c0"]


def test_a_small_hit_stands_for_the_large_chunk_around_it_once() -> None:
    large = Cut({"d": cut(100, 200)})
    assert projected([("d", Span(110, 120)), ("d", Span(130, 140)), ("d", Span(0, 5))], large) == ["c100", "c0"]


def test_less_than_half_of_the_shorter_one_is_no_reading() -> None:
    assert projected([("d", Span(6, 16))], Cut({"d": [(Span(0, 10), "a"), (Span(10, 20), "b")]})) == ["b"]
    assert projected([("elsewhere", Span(0, 10))], Cut({"d": cut(10)})) == []


@law
@given(st.data())
def test_in_its_own_cut_without_overlaps_a_ranking_is_itself(data: st.DataObject) -> None:
    spans = data.draw(cuts_of("x" * 60, overlapping=False))
    own = Cut({"d": [(span, f"c{span.start}") for span in spans]})
    order = data.draw(st.permutations(spans))
    assert projected([("d", span) for span in order], own) == [f"c{span.start}" for span in order]


@law
@given(st.data())
def test_what_is_near_holds_every_chunk_that_shares_a_code_point(data: st.DataObject) -> None:
    spans = data.draw(pieces_over("x" * 40))
    asked = data.draw(spans_of("x" * 40))
    found = Cut({"d": [(span, str(number)) for number, span in enumerate(spans)]}).near("d", asked)
    assert {str(number) for number, span in enumerate(spans) if span.shared(asked)} <= {name for _, name in found}
