"""Shares add up to the whole difference, whatever the changes do together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.scoring.attribution import shapley

CHANGES = ["retriever", "labels", "chunking"]
worths = st.lists(st.floats(0, 1), min_size=8, max_size=8)


def worth_of(values: list[float], made: frozenset[str]) -> float:
    return values[sum(1 << CHANGES.index(change) for change in made)]


@law
@given(worths, st.integers(0, 3))
def test_shares_add_up_to_the_difference(values: list[float], count: int) -> None:
    changes = CHANGES[:count]
    shares = shapley(changes, lambda made: worth_of(values, made))
    whole = worth_of(values, frozenset(changes)) - worth_of(values, frozenset())
    assert sum(shares.values()) == pytest.approx(whole)


@law
@given(worths)
def test_of_two_changes_a_share_is_the_average_of_going_first_and_going_last(values: list[float]) -> None:
    none, first, second, both = values[:4]
    shares = shapley(CHANGES[:2], lambda made: worth_of(values, made))
    assert shares["retriever"] == pytest.approx(((first - none) + (both - second)) / 2)


@law
@given(worths)
def test_a_change_that_does_nothing_has_no_share(values: list[float]) -> None:
    shares = shapley(CHANGES, lambda made: worth_of(values, made - {"labels"}))
    assert shares["labels"] == pytest.approx(0)


def test_each_set_of_changes_is_asked_for_once() -> None:
    asked: list[frozenset[str]] = []
    shapley(CHANGES, lambda made: float(len(asked.append(made) or asked)))  # type: ignore[func-returns-value]
    assert len(asked) == len(set(asked)) == 8
