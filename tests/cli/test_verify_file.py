"""`evalspan verify` on a set file: the same answers, with nothing but the file and the manifest."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import evalspan

from .helpers import fine, refused, run

Row = dict[str, Any]


@pytest.fixture
def files(second_snapshot: Path) -> Path:
    """No store: labels.jsonl is shop@1, whose labels name chunks of old; spans.jsonl is shop@2, on spans; and the
    manifests old.json, new.json and new2.json. The store is away.db."""
    folder = second_snapshot
    fine("set", "export", "shop", "--out", "labels.jsonl")
    run("migrate", "shop", "--to", "new")
    fine("set", "export", "shop", "--out", "exported.jsonl")
    header, *questions = map(json.loads, (folder / "exported.jsonl").read_text("utf-8").splitlines())
    write(folder / "spans.jsonl", [header, *({**row, "chunk_labels": []} for row in questions)])
    (folder / "evalspan.db").rename(folder / "away.db")
    return folder


def write(path: Path, rows: list[Row]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def changed(folder: Path, **terms: Any) -> str:
    """spans.jsonl with other terms, as a file of its own."""
    header, *questions = map(json.loads, (folder / "spans.jsonl").read_text("utf-8").splitlines())
    write(folder / "changed.jsonl", [{**header, "terms": header["terms"] | terms}, *questions])
    return "changed.jsonl"


@pytest.mark.usefixtures("files")
def test_a_file_passes_where_its_corpus_is_the_indexs_without_any_store() -> None:
    assert fine("verify", "spans.jsonl", "--index", "new.json").out == ("Passed: spans.jsonl belongs to this index.\n")
    assert fine("verify", "labels.jsonl", "--index", "old.json").out.startswith("Passed: labels.jsonl")


def test_a_pass_loads_no_store(files: Path) -> None:
    code = (
        "import sys; from evalspan import verify\n"
        "assert verify('spans.jsonl', 'new.json').passed\n"
        "print(*sorted({'sqlalchemy', 'alembic', 'rapidfuzz', 'rich', 'click'} & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True, cwd=files
    )
    assert ran.stdout.strip() == ""


@pytest.mark.usefixtures("files")
def test_labels_of_another_chunking_are_refused_with_the_command_for_files() -> None:
    ran = run("verify", "labels.jsonl", "--index", "new.json")
    assert (ran.code, ran.err) == (1, "")
    assert "44 labels of labels.jsonl name chunks of another chunking" in ran.out
    assert "evalspan migrate labels.jsonl --documents D --old-chunks OLD --new-chunks NEW --out DIR" in ran.out


@pytest.mark.usefixtures("files")
def test_another_corpus_is_refused_plainly_and_with_both_digests() -> None:
    found = run("verify", "spans.jsonl", "--index", "new2.json", "--json")
    assert found.code == 1
    (refusal,) = found.json["refusals"]
    assert refusal["kind"] == "corpus"
    for word in (
        found.json["set_corpus_digest"],
        found.json["index_corpus_digest"],
        "can't be told",
        "evalspan rebase",
    ):
        assert word in refusal["text"]
    for word in ("--override", "in this store"):
        assert word not in refusal["text"]
    assert found.json["documents"] is None


def test_a_guard_of_the_evidence_alone_can_not_be_kept_without_the_documents(files: Path) -> None:
    ran = run("verify", changed(files, guard_scope="evidence"), "--index", "new2.json")
    assert ran.code == 1
    assert "can't be told whether the evidence documents alone (guard_scope: evidence) are untouched" in ran.out


@pytest.mark.parametrize("how", ["configured", "named"])
def test_a_store_that_knows_both_corpora_names_what_differs(
    files: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "configured":
        monkeypatch.setenv("EVALSPAN_STORE", "away.db")
    store = ("--store", "away.db") if how == "named" else ()
    ran = run("verify", "spans.jsonl", "--index", "new2.json", *store)
    assert ran.code == 1
    assert "1 added, 1 removed, 4 changed, 7 the same" in ran.out
    assert "evidence documents of the set are untouched" in ran.out
    assert files.exists()


def test_a_configured_store_that_is_not_there_is_no_hindrance_and_a_named_one_is(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALSPAN_STORE", str(files / "nowhere.db"))
    assert run("verify", "spans.jsonl", "--index", "new2.json").code == 1
    assert "nowhere.db" in refused("verify", "spans.jsonl", "--index", "new2.json", "--store", "nowhere.db")


@pytest.mark.usefixtures("files")
def test_an_override_needs_a_store() -> None:
    message = refused("verify", "spans.jsonl", "--index", "new2.json", "--override", "on purpose")
    assert "an override is recorded in a store" in message
    assert "evalspan set import NAME --file spans.jsonl" in message


def test_labels_that_lost_their_place_wait_in_a_file_too(files: Path) -> None:
    header, *questions = map(json.loads, (files / "spans.jsonl").read_text("utf-8").splitlines())
    at = next(i for i, row in enumerate(questions) if row.get("judgments"))
    label = questions[at].pop("judgments")[0]
    lost = {"label": label, "snapshot_digest": header["terms"]["snapshot_digest"], "reason": "missing"}
    write(files / "lost.jsonl", [header, *questions[:at], {**questions[at], "pending": [lost]}, *questions[at + 1 :]])
    found = run("verify", "lost.jsonl", "--index", "new.json", "--json")
    assert (found.code, [refusal["kind"] for refusal in found.json["refusals"]]) == (1, ["waiting"])
    assert "1 question of lost.jsonl waits for review" in found.json["refusals"][0]["text"]
    assert fine("verify", "lost.jsonl", "--index", "new.json", "--allow-waiting").code == 0


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (None, "gone.jsonl: no such file"),
        ("", "gone.jsonl: holds no eval set"),
        ('{"query_id": "q"}\n', "gone.jsonl:1: not a set file"),
        ('{"evalspan_set": 9}\n', "gone.jsonl:1: "),
    ],
)
def test_a_file_that_is_no_set_is_exit_2(files: Path, content: str | None, what: str) -> None:
    if content is not None:
        (files / "gone.jsonl").write_text(content, "utf-8")
    assert refused("verify", "gone.jsonl", "--index", "new.json").startswith(what)


def test_a_folder_of_a_sets_name_does_not_hide_the_set(shop: Path) -> None:
    (shop / "shop").mkdir()
    assert fine("verify", "shop", "--index", "old.json").out.startswith("Passed: shop@1 ")


def test_a_file_of_any_name_and_a_path_are_taken(files: Path) -> None:
    (files / "spans.jsonl").rename(files / "spans")
    assert fine("verify", "./spans", "--index", "new.json").out.startswith("Passed: ./spans ")
    assert evalspan.require(files / "spans", files / "new.json").eval_set == str(files / "spans")
    with pytest.raises(evalspan.Refused):
        evalspan.require(files / "spans", files / "new2.json")
