"""A table laid out for a width: nothing is cut, whatever the width."""

import re
from unicodedata import east_asian_width

from hypothesis import given
from hypothesis import strategies as st

from evalspan.cli.columns import Layout, laid_out, places

cells = st.text(st.sampled_from("ab 漢é-"), max_size=40)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]], set[int]]:
    columns = draw(st.integers(1, 6))
    header = [f"h{i}" for i in range(columns)]
    rows = draw(st.lists(st.lists(cells, min_size=columns, max_size=columns), max_size=4))
    return header, rows, draw(st.sets(st.integers(0, columns - 1)))


def squeezed(text: str) -> list[str]:
    return sorted(re.sub(r"\s", "", text))


def all_of(layout: Layout) -> list[str]:
    return [*layout.header, *layout.rows]


@given(tables(), st.none() | st.integers(8, 120))
def test_no_character_is_lost_and_no_line_is_wider(
    table: tuple[list[str], list[list[str]], set[int]], width: int | None
) -> None:
    header, rows, long = table
    drawn = all_of(laid_out(header, rows, (), long, width))
    assert squeezed("".join(drawn)) == squeezed("".join(["".join(row) for row in (header, *rows)]))
    if width is not None:
        assert max(map(places, drawn)) <= width


ROW = ("46f03edbeeca", "evidence_elsewhere", "q01", "exchanges-and-sizing", "a long passage " * 5, "accept")
HEADER = ("item", "asked", "question", "document", "passage", "decided")


def test_what_does_not_give_way_is_whole_at_any_width() -> None:
    for width in (24, 40, 60, 80, 100, 140):
        drawn = "\n".join(laid_out(HEADER, [ROW], (), (4,), width).rows)
        assert all(cell in drawn for i, cell in enumerate(ROW) if i != 4), width


def test_a_row_that_finds_room_is_one_line() -> None:
    assert len(laid_out(HEADER, [ROW], (), (4,), 160).rows) == 1
    assert len(laid_out(HEADER, [ROW], (), (4,)).rows) == 1


def test_figures_stay_flush_right_and_wide_characters_take_two_places() -> None:
    drawn = laid_out(("n", "what"), [("1", "x"), ("100", "漢字")], (0,), (1,), 80).rows
    assert drawn == ["  1  x", "100  漢字"]
    assert places("漢字") == sum(2 for c in "漢字" if east_asian_width(c) == "W")


def test_a_cell_without_blanks_is_folded_where_it_is_wider_than_all() -> None:
    assert "".join(laid_out(("h",), [("x" * 25,)], (), (), 10).rows) == "x" * 25
