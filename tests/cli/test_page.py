"""Tables and colours on a terminal, aligned plain text in a pipe."""

import re
from pathlib import Path

import pytest

from .helpers import SAMPLE, column_starts, fine, on_terminal, run

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")

CHECK = (
    "check",
    "--labels",
    SAMPLE / "qrels.txt",
    "--chunks",
    SAMPLE / "chunks-new.jsonl",
    "--run",
    SAMPLE / "run.txt",
)


def tables(text: str) -> list[list[str]]:
    """Blocks of lines between blank ones."""
    return [block.splitlines() for block in text.split("\n\n")]


@pytest.mark.usefixtures("shop")
def test_a_table_in_a_pipe_is_aligned_plain_text() -> None:
    lines = fine("chunking", "list").out.splitlines()
    assert lines[0].split("  ")[0] == "name"
    starts = [column_starts(line) for line in lines]
    chunks = lines[0].index("chunks")
    assert all(line[chunks : chunks + 6].strip().isdigit() for line in lines[1:])
    assert {start[-1] for start in starts} == {lines[0].index("by", lines[0].index("added"))}


@pytest.mark.usefixtures("here")
def test_wide_characters_take_two_places() -> None:
    Path("docs").mkdir()
    for name in ("a.txt", "漢字.txt", "ü.txt"):
        Path("docs", name).write_text("x")
    fine("init")
    fine("snapshot", "add", "docs", "--name", "v")
    rows = fine("snapshot", "show").out.split("\n\n")[1].splitlines()
    digest_at = rows[0].index("text")
    assert rows[1].index("  ", 5) < digest_at
    assert [row[digest_at - 2 * row.startswith("漢") :][:12].isalnum() for row in rows[1:]] == [True] * 3


def test_numbers_of_a_check_are_flush_right_and_add_up() -> None:
    ran = run(*CHECK)
    assert ran.code == 1
    assert ran.err == ""
    assert "\x1b" not in ran.out
    table = tables(ran.out)[1]
    ends = {line.rindex("%") if "%" in line else len(line) - 1 for line in table}
    assert len(ends) == 1


@pytest.mark.parametrize("columns", [60, 140])
def test_a_terminal_gets_a_table_and_colours_and_the_same_words(columns: int) -> None:
    code, drawn = on_terminal(*CHECK, columns=columns)
    assert code == 1
    assert "\x1b[" in drawn
    plain = ESCAPE.sub("", drawn)
    assert "─" in plain or "━" in plain
    words = re.sub(r"[\s─━]+", "", plain)
    assert "deadlabels" in words
    if columns > 100:  # nothing is folded
        assert words == re.sub(r"\s+", "", run(*CHECK).out)


def test_a_terminal_is_not_steered_by_an_id(here: Path) -> None:
    (here / "labels").write_text("q\x1b]0;owned\x07 0 c\x1b[2J 1\n")
    (here / "chunks").write_text('{"chunk_id": "x"}\n')
    _, drawn = on_terminal("check", "--labels", here / "labels", "--chunks", here / "chunks")
    assert "\x1b]0;owned" not in drawn


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("q1 0 c 1\nq2 0 c 1\n", "1 question are not"),
    ],
)
@pytest.mark.usefixtures("here")
def test_one_thing_is_spoken_of_as_one(text: str, wrong: str) -> None:
    Path("labels").write_text(text)
    Path("chunks").write_text('{"chunk_id": "c"}\n')
    Path("run").write_text("q1 Q0 c 1 1 t\n")
    assert wrong not in fine("check", "--labels", "labels", "--chunks", "chunks", "--run", "run").out
