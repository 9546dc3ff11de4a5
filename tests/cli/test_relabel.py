"""`evalspan relabel`."""

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from evalspan.cli.main import cli
from evalspan.cli.relabel import SHOWN

from .helpers import SAMPLE

pytestmark = pytest.mark.usefixtures("shop")

RUN = ("--run", SAMPLE / "run.txt", "--chunking", "new")


def relabelled(*arguments: object) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        assert cli.main([str(one) for one in ("relabel", "shop", *arguments)], standalone_mode=False) == 0
    return out.getvalue()


def test_passages_are_listed_with_their_ranks_and_the_next_command_is_named() -> None:
    Path("other.txt").write_text((SAMPLE / "run.txt").read_text().replace("q01 ", "q02 ", 1))
    out = relabelled("--run", SAMPLE / "run.txt", "--run", "other.txt", "--chunking", "new", "--depth", 3)
    lines = out.splitlines()
    assert lines[0].startswith("shop@1: ")
    assert "passages that nobody has judged, of " in lines[0]
    header = next(line for line in lines if line.startswith("question"))
    assert header.split() == ["question", "run.txt", "other.txt", "document", "begins"]
    assert "–" in out
    assert lines[-1] == "Look at them: evalspan review shop list"


def test_more_than_fit_are_counted_and_json_names_all() -> None:
    found = json.loads(relabelled(*RUN, "--json"))
    count = len(found["passages"])
    assert count > SHOWN
    assert f"… and {count - SHOWN:,} more (--json names all)" in relabelled(*RUN)
    assert found["runs"][0]["results"] == 360
    weights = [passage["weight"] for passage in found["passages"]]
    assert weights == sorted(weights, reverse=True)
    assert {"item", "query_id", "candidates", "ranks", "weight", "text"} == found["passages"][0].keys()


def test_what_is_left_out_is_said() -> None:
    Path("run").write_text((SAMPLE / "run.txt").read_text() + "zz Q0 nope 1 1 t\nq01 Q0 nope 0 99 t\n")
    out = relabelled("--run", "run", "--chunking", "new")
    assert "run: 1 question is not in shop@1, and left out." in out
    assert "run: 1 chunk id is not in chunking new: is the run of this index?" in out


def test_where_all_is_judged_that_is_said() -> None:
    first = (SAMPLE / "qrels.txt").read_text().split()
    Path("run").write_text(f"{first[0]} Q0 {first[2]} 1 1 t\n")
    out = relabelled("--run", "run", "--chunking", "old")
    assert "shop@1: 0 passages that nobody has judged\n" in out
    assert "Nothing was written: all that the runs return is judged." in out
