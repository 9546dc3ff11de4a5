"""Values of any scale become log-odds; anything else is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.errors import EvalspanError
from evalspan.migrator.narrow.scores import log_odds

values = st.lists(st.integers(-1000, 1000), min_size=1, max_size=9)


@law
@given(values, st.sampled_from([0.001, 1.0, 64.0]), st.integers(-50, 50))
def test_neither_scale_nor_offset_matters(scores: list[int], scale: float, offset: int) -> None:
    moved = [scale * score + offset for score in scores]
    assert log_odds(moved, len(moved)) == pytest.approx(log_odds([float(s) for s in scores], len(scores)), abs=1e-6)


@law
@given(values)
def test_the_order_stays(scores: list[int]) -> None:
    odds = log_odds([float(score) for score in scores], len(scores))
    assert sorted(range(len(scores)), key=scores.__getitem__) == sorted(range(len(scores)), key=odds.__getitem__)


@pytest.mark.parametrize("scores", [[], [1.0], [1.0, 2.0, 3.0], [1.0, float("nan")], [float("inf"), 0.0]])
def test_a_scorer_that_does_not_give_one_finite_number_each_is_told_so(scores: list[float]) -> None:
    with pytest.raises(EvalspanError, match="for 2 sentences"):
        log_odds(scores, 2)
