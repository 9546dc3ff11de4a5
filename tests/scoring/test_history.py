"""Scores over time: no line across a break but a bridge."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.scoring.figures import Figure
from evalspan.scoring.history import Point, Setting, trace

A = Setting("spring", "words-400", "m", "faq@1", "0.5")
B = A._replace(chunking="words-200")
C = B._replace(min_overlap="0.8", set_version="faq@2")


def point(number: int, setting: Setting, at: str = "") -> Point:
    return Point(number, at or f"2026-01-{number:02}", setting, Figure(0.5, 0.5, 0.5), "run", "", 0)


points = st.lists(st.sampled_from([A, B, C]), max_size=12).map(
    lambda settings: [point(number, one) for number, one in enumerate(settings, 1)]
)


@law
@given(points, st.randoms())
def test_every_point_is_in_the_series_of_its_setting_and_order_of_arrival_does_not_matter(
    given_points: list[Point], random: object
) -> None:
    shuffled = list(given_points)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found = trace("RR", shuffled)
    assert found == trace("RR", given_points)
    assert [one for one, _ in found.points] == given_points
    for one in found.series:
        assert {p.setting for p in one.points} == {one.setting}
    assert len(found.breaks) == max(0, len(found.series) - 1)


def test_a_break_names_everything_that_changed() -> None:
    (gap,) = trace("RR", [point(1, B), point(2, C)]).breaks
    assert gap.changes == ("set version: faq@1 → faq@2", "min overlap: 0.5 → 0.8")
    assert (gap.at, gap.series, gap.bridged) == ("2026-01-02", 1, False)


def test_going_back_to_an_earlier_setting_is_a_break_too() -> None:
    found = trace("RR", [point(1, A), point(2, B), point(3, A)])
    assert [[p.id for p in one.points] for one in found.series] == [[1], [2], [3]]
    assert [gap.series for gap in found.breaks] == [1, 2]
    assert found.settings == [A, B]


def test_a_break_is_bridged_where_a_bridge_was_taken_between_its_two_settings() -> None:
    line = [point(1, A), point(2, B), point(3, C), point(4, B)]
    assert [gap.bridged for gap in trace("RR", line, [(4, 3)]).breaks] == [False, True, True]
    assert [gap.bridged for gap in trace("RR", line, [(1, 2)]).breaks] == [True, False, False]


def test_a_bridge_to_a_point_that_lacks_the_measure_is_left_out() -> None:
    assert trace("RR", [point(1, A)], [(1, 2)]).bridges == ()


def test_points_of_one_time_stand_in_the_order_they_were_recorded() -> None:
    found = trace("RR", [point(2, A, "t"), point(1, B, "t")])
    assert [one.id for one, _ in found.points] == [1, 2]


def test_no_point_is_no_series() -> None:
    assert trace("RR", []) == ("RR", (), (), ())
