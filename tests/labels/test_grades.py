"""Grades by name and by figure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.labels import Grade, parse_grade, render_grade


@pytest.mark.parametrize(
    ("value", "grade"),
    [
        ("direct", 3),
        (" Supporting ", 2),
        ("TANGENTIAL", 1),
        ("irrelevant", 0),
        ("harmful", -1),
        ("7", 7),
        ("-2", -2),
        ("+1", 1),
        (3, 3),
        (-5, -5),
    ],
)
def test_a_name_in_any_case_or_a_whole_number_is_a_grade(value: object, grade: int) -> None:
    assert parse_grade(value) == grade


@pytest.mark.parametrize("value", ["", "good", "1.5", 1.0, True, None, [1], "--1", "１", "9" * 10])
def test_anything_else_is_none(value: object) -> None:
    assert parse_grade(value) is None


@law
@given(st.integers(-(10**9) + 1, 10**9 - 1))
def test_what_is_written_as_a_figure_is_read_again(grade: int) -> None:
    assert parse_grade(str(grade)) == parse_grade(grade) == grade


@pytest.mark.parametrize("grade", list(Grade))
def test_a_grade_with_a_name_is_shown_with_it_and_the_name_is_read_again(grade: Grade) -> None:
    name, _, figure = render_grade(int(grade)).partition(" ")
    assert parse_grade(name) == grade
    assert figure == f"({int(grade)})"


def test_a_figure_without_a_name_is_shown_as_it_is() -> None:
    assert render_grade(4) == "4"
    assert render_grade(-2) == "-2"


def test_relevant_begins_at_1() -> None:
    assert [grade.name for grade in Grade if grade > 0] == ["TANGENTIAL", "SUPPORTING", "DIRECT"]
