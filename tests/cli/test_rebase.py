"""`rebase` on the command line: what became of labels, renamed documents, and questions without evidence."""

import json
from pathlib import Path
from typing import Any

import pytest

from .helpers import SAMPLE, fine, run


def documents() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLE / "documents.jsonl").read_text("utf-8").splitlines()]


def put(name: str, rows: list[dict[str, Any]]) -> None:
    path = Path(f"{name}.jsonl")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    fine("snapshot", "add", path, "--name", name)


@pytest.fixture
def mapped(shop: Path) -> Path:
    run("migrate", "shop", "--to", "new")
    return shop


@pytest.mark.usefixtures("mapped")
def test_labels_of_a_renamed_document_are_taken_and_it_is_said_what_it_is_now() -> None:
    renamed = [{**row, "doc_id": f"new-{row['doc_id']}"} for row in documents()]
    put("renamed", renamed)
    ran = run("rebase", "shop", "--renamed", "accept", "--show", "3")
    assert "new-delivery-problems now (the same text)" in ran.out
    assert "delivery-problems is new-delivery-problems now" in ran.out
    assert "may be" not in ran.out
    assert ran.out.count(" now (the same text)") == 3
    assert "more that came back under another id (--json names all)" in ran.out
    taken = next(row for row in ran.out.splitlines() if row.startswith("taken"))
    assert taken.split()[1] == "44"
    assert "kept" not in ran.out


@pytest.mark.usefixtures("mapped")
def test_renames_are_counted_where_none_is_shown() -> None:
    put("renamed", [{**row, "doc_id": f"new-{row['doc_id']}"} for row in documents()])
    ran = run("rebase", "shop", "--show", "0")
    assert "now (the same text)" not in ran.out
    assert "12 documents more that came back under another id" in ran.out
    assert "is about the texts of" in run("rebase", "shop").out


@pytest.mark.usefixtures("mapped")
def test_json_says_of_each_rename_whether_it_was_taken() -> None:
    put("renamed", [{**row, "doc_id": f"new-{row['doc_id']}"} for row in documents()])
    found = run("rebase", "shop", "--renamed", "accept", "--json").json
    assert {one["accepted"] for one in found["renames"]} == {True}
    assert found["fates"] == {"taken": 44}
    assert sum(one["taken"] for one in found["moved"]) == 44


@pytest.mark.usefixtures("mapped")
def test_questions_that_lose_their_last_relevant_label_are_named() -> None:
    put("fewer", [row for row in documents() if row["doc_id"] != "gift-cards"])
    ran = run("rebase", "shop", "--deleted", "retire")
    assert "1 question has no relevant label any more: q20" in ran.out
    assert "evalspan set amend shop --question ID --no-answer" in ran.out
    assert "--deleted abstain" in ran.out
    assert run("rebase", "shop", "--json").json["without_relevant_label"] == ["q20"]
    fine("set", "undo", "shop")
    assert "no relevant label" not in run("rebase", "shop", "--deleted", "abstain").out


@pytest.mark.usefixtures("mapped")
def test_a_migration_names_them_too() -> None:
    put("fewer", [row for row in documents() if row["doc_id"] != "gift-cards"])
    run("rebase", "shop", "--deleted", "retire")
    rows = [json.loads(line) for line in (SAMPLE / "chunks-new.jsonl").read_text("utf-8").splitlines()]
    left = [row for row in rows if row["doc_id"] != "gift-cards"]
    Path("left.jsonl").write_text("".join(json.dumps(row) + "\n" for row in left), "utf-8")
    fine("chunking", "add", "left", "left.jsonl", "--snapshot", "fewer")
    assert "1 question has no relevant label any more: q20" in run("migrate", "shop", "--to", "left").out
    assert run("migrate", "shop", "--to", "left", "--json").json["without_relevant_label"] == ["q20"]


@pytest.mark.usefixtures("mapped")
def test_a_rebase_that_writes_nothing_says_what_waits_still() -> None:
    put("fewer", [row for row in documents() if row["doc_id"] != "gift-cards"])
    waiting = run("rebase", "shop", "--json").json["waiting"]
    ran = run("rebase", "shop")
    assert (ran.code, waiting > 1) == (1, True)
    assert "nothing was written" in ran.out
    assert f"{waiting} labels wait for a person:" in ran.out
    assert "evalspan review shop list" in ran.out
