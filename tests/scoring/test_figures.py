"""A mean is over what is decided, and its interval over every question that may be asked."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.scoring.figures import Figure, mean

values = st.floats(0, 1)


@st.composite
def some_figures(draw: st.DrawFn) -> Figure:
    if draw(st.booleans()):
        value = draw(values)
        return Figure(value, value, value)
    low, high = sorted((draw(values), draw(values)))
    return Figure(None, low, high, draw(st.booleans()))


def outcomes(figures: list[Figure]) -> Iterator[float]:
    """The mean of every way in which the ends may come out, and the optional questions fall out."""
    ways = [[one.low, one.high, *([None] if one.optional else [])] for one in figures]
    for way in product(*ways):
        kept = [value for value in way if value is not None]
        if kept:
            yield sum(kept) / len(kept)


@law
@given(st.lists(some_figures(), min_size=1, max_size=5))
def test_the_interval_is_from_the_least_to_the_most_that_the_mean_may_be(figures: list[Figure]) -> None:
    found = mean({str(number): figure for number, figure in enumerate(figures)})
    assert found is not None
    possible = list(outcomes(figures))
    assert [found.low, found.high] == pytest.approx([min(possible), max(possible)])
    decided = [one.value for one in figures if one.value is not None]
    assert found.value == (pytest.approx(sum(decided) / len(decided)) if decided else None)


@law
@given(st.lists(values, min_size=1))
def test_where_nothing_waits_the_ends_are_the_value_to_the_last_digit(decided: list[float]) -> None:
    found = mean({str(number): Figure(value, value, value) for number, value in enumerate(decided)})
    assert found is not None
    assert found.low == found.value == found.high


def test_no_question_has_no_mean() -> None:
    assert mean({}) is None
