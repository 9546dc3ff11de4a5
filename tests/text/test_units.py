"""Offsets in other units are converted exactly, or refused; never rounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law, texts

from evalspan.errors import NoSuchOffset
from evalspan.text.units import (
    Unit,
    detect_unit,
    find_bases,
    find_code_points,
    from_code_points,
    require_code_points,
)

units = st.sampled_from(list(Unit))


@law
@given(texts, units)
def test_there_and_back_is_the_identity(text: str, unit: Unit) -> None:
    offsets = list(range(len(text), -1, -1))
    assert require_code_points(from_code_points(offsets, text, unit), text, unit) == offsets


@law
@given(texts, units)
def test_an_offset_inside_a_character_or_outside_the_text_is_no_place(text: str, unit: Unit) -> None:
    places = set(from_code_points(range(len(text) + 1), text, unit))
    size = max(places)
    for offset, found in zip(range(-1, size + 2), find_code_points(range(-1, size + 2), text, unit), strict=True):
        assert (found is not None) == (offset in places)
        if found is None:
            with pytest.raises(NoSuchOffset, match=str(offset)):
                require_code_points([offset], text, unit)


@pytest.mark.parametrize(
    ("text", "unit", "offsets", "code_points"),
    [
        ("\U0001f4a9This is an annotation.", Unit.UTF16, [13, 23], [12, 22]),
        ("\U0001f914" * 4 + ":thinking", Unit.UTF16, [8, 17], [4, 13]),
        ("A\U0001f600B", Unit.UTF16, [3, 4], [2, 3]),
        ("A\U0001f600B", Unit.UTF8, [5, 6], [2, 3]),
        ("na\u00efve caf\u00e9", Unit.UTF8, [7, 12], [6, 10]),
    ],
)
def test_known_conversions(text: str, unit: Unit, offsets: list[int], code_points: list[int]) -> None:
    assert require_code_points(offsets, text, unit) == code_points


def test_the_unit_is_the_one_in_which_enough_offsets_agree() -> None:
    text = "\u00e9\u00e9 \U0001f600 one two three"
    true = [text.index(word) for word in ("one", "two", "three")]
    for unit in Unit:
        reported = from_code_points(true, text, unit)
        assert detect_unit(reported, [{at} for at in true], text) is unit
        assert detect_unit([reported[0], reported[1], 0], [{at} for at in true], text) is unit
    assert detect_unit([0, 0, 0], [{at} for at in true], text) is None
    assert detect_unit([], [], text) is None


def test_a_base_is_believed_between_two_that_say_the_same() -> None:
    assert find_bases([0, 9, 20], [100, None, 120]) == [100, 100, 100]
    assert find_bases([0, 9, 0], [100, None, 300]) == [100, None, 300]
    assert find_bases([None, 5, 7], [None, None, 7]) == [0, 0, 0]
    assert find_bases([5], [None]) == [None]
