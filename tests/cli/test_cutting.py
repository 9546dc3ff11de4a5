"""`evalspan chunking report`."""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from workflows.scored import NOON, put_two_questions
from workflows.small_store import ask, put_chunking, small_store, span

from evalspan.cli.main import cli


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with small_store(tmp_path) as store:
        more = (ask(f"w{number}", span("b", NOON, tabular=True)) for number in range(12))
        put_two_questions(store, tmp_path, *more)
        put_chunking(store, "large", 200)
    return tmp_path


def run(folder: Path, *said: str) -> Result:
    arguments = ["chunking", "report", "faq", *said, "--store", str(folder / "evalspan.db")]
    return CliRunner().invoke(cli, arguments, standalone_mode=False)


def test_both_chunkings_stand_side_by_side_with_the_finding_and_the_worst(folder: Path) -> None:
    printed = run(folder, "--chunking", "chunks", "--chunking", "large", "--show", "1")
    assert printed.return_value == 0
    rows = [line.split() for line in printed.output.splitlines()]
    assert ["whole", "2", "(14.3", "%)", "14", "(100.0", "%)"] in rows
    assert ["unwinnable", "questions", "12", "of", "14", "0", "of", "14"] in rows
    assert "unwinnable: w0, w1, w10, w11, w2, w3, w4, w5, w6, w7 … and 2 more" in printed.output
    assert "Your splitter is cutting answers in half: 12 passages." in printed.output
    assert "w0 in b, tabular: the best chunk holds 68 %, all together 100 %" in printed.output
    assert "⟦An orde◂b0││b1▸r by noon leaves⟧" in printed.output
    assert "w1 in b" not in printed.output


def test_as_json_all_is_there(folder: Path) -> None:
    row: dict[str, Any] = json.loads(run(folder, "--chunking", "chunks", "--json").output)
    (one,) = row["chunkings"]
    assert (row["set"], row["min_overlap"], row["lost"]) == ("faq@1", 0.5, 0)
    assert (one["families"][0]["split"], len(one["families"][0]["unwinnable"]), len(one["worst"])) == (12, 12, 10)
    assert one["worst"][0]["chunks"] == ["b1", "b0"]


def test_a_number_below_0_is_no_number_of_passages(folder: Path) -> None:
    with pytest.raises(click.BadParameter, match="below 0"):
        raise run(folder, "--chunking", "chunks", "--show", "-1").exception or AssertionError
