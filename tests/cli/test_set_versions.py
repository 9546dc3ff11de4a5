"""`evalspan set log`, `diff`, `undo` and `merge`."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evalspan
from evalspan.labels import Action, Decision
from evalspan.labels.merge import MergeConflict
from evalspan.provenance import Provenance
from evalspan.store import DecisionRecord, Store
from evalspan.workflows.merge_sets import merge_sets
from evalspan.workflows.undo import undo_set

from .helpers import COMMAND, fine, refused, run

Row = dict[str, Any]


@pytest.fixture
def spans(shop: Path) -> Path:
    """shop@2 on spans; set.jsonl is its file, and base.jsonl a copy."""
    run("migrate", "shop", "--to", "new")
    fine("set", "export", "shop", "--out", "set.jsonl")
    shutil.copy(shop / "set.jsonl", shop / "base.jsonl")
    return shop


def edited(folder: Path, name: str, change: Callable[[list[Row]], None]) -> str:
    """set.jsonl with other questions, as a file of its own."""
    header, *questions = map(json.loads, (folder / "set.jsonl").read_text("utf-8").splitlines())
    change(questions)
    rows = [header, *questions]
    (folder / name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return name


def with_spans(questions: list[Row]) -> list[Row]:
    return [row for row in questions if row.get("judgments")]


def regrade(questions: list[Row], at: int = 0, grade: int = 3) -> None:
    with_spans(questions)[at]["judgments"][0]["grade"] = grade


def reword(questions: list[Row], at: int = 1) -> None:
    with_spans(questions)[at]["question"]["text"] = "What now?"


def regrade_and_reword(questions: list[Row]) -> None:
    regrade(questions)
    reword(questions)


# diff


@pytest.mark.usefixtures("spans")
def test_versions_with_one_content_are_equal_whichever_way_they_are_named() -> None:
    for old, new in (("shop", "shop@2"), ("shop", "set.jsonl"), ("base.jsonl", "set.jsonl")):
        ran = fine("set", "diff", old, new)
        assert ran.out == "36 questions, all the same\n"
        assert fine("set", "diff", old, new, "--json").json["equal"] is True


def test_labels_that_were_tied_to_text_are_shown_with_their_words(spans: Path) -> None:
    ran = run("set", "diff", "shop@1", "shop@2")
    assert (ran.code, ran.err) == (1, "")
    assert "  tied to text" in ran.out
    assert "    - grade " in ran.out
    header = json.loads((spans / "set.jsonl").read_text("utf-8").splitlines()[1])
    assert header["judgments"][0]["anchor"]["head"].split()[0] in ran.out


def test_what_a_person_changed_in_a_file_is_shown_by_question(spans: Path) -> None:
    def change(questions: list[Row]) -> None:
        regrade(questions)
        reword(questions)
        questions.pop()
        questions.append({"question": {"query_id": "new", "text": "Is it new?"}})

    edited(spans, "mine.jsonl", change)
    ran = run("set", "diff", "shop", "mine.jsonl")
    assert ran.code == 1
    for words in ("  re-graded\n    grade", "→ direct (3)", 'text: "', '→ "What now?"', "new  added  Is it new?"):
        assert words in ran.out
    assert ran.out.endswith("2 questions changed, 1 added, 1 removed, 33 the same\n")
    found = run("set", "diff", "shop", "mine.jsonl", "--json")
    assert found.code == 1
    assert [label["changes"] for row in found.json["changed"] for label in row["labels"]] == [["re-graded"]]


@pytest.mark.usefixtures("spans")
def test_what_is_not_there_can_not_be_compared() -> None:
    assert "There is: shop@2, shop@1" in refused("set", "diff", "shop", "shop@7")
    assert refused("set", "diff", "shop", "gone.jsonl") == "gone.jsonl: no such file\n"


@pytest.mark.usefixtures("spans")
def test_files_are_compared_without_a_store() -> None:
    Path("evalspan.db").unlink()
    assert fine("set", "diff", "base.jsonl", "set.jsonl").out == "36 questions, all the same\n"


# undo and log


def decide(store: Store, why: str, applied: bool = True) -> DecisionRecord:
    """A decision about the newest version of shop, and the version that was made with it."""
    version = store.find_version("shop")
    decision = Decision(
        item=f"item-{why}",
        query_id="q01",
        doc_id="returns-policy",
        reason="cut",
        asked="0" * 32,
        action=Action.RETIRE,
        snapshot_digest=version.terms.snapshot_digest,
        provenance=Provenance(by="ada", at="2026-03-01T09:30:00Z", why=why),
    )
    with store.writing() as tx:
        (record,) = tx.add_decisions(version, [decision])
        if applied:
            kept = store.eval_set(version).questions[: -version.number]
            made = Provenance.now(f"applied {why}")
            new = tx.add_version("shop", version.number, version.terms, [one.body() for one in kept], made)
            tx.apply([record], new)
    return record


@pytest.fixture
def decided(spans: Path) -> Path:
    """shop@3 and shop@4, each made with a decision; a third decision waits."""
    with Store.open("evalspan.db") as store:
        decide(store, "first")
        decide(store, "second")
        decide(store, "third", applied=False)
    return spans


@pytest.mark.usefixtures("decided")
def test_an_undo_is_a_new_version_with_the_old_content_and_digest() -> None:
    before = fine("set", "show", "shop@3", "--json").json
    found = fine("set", "undo", "shop", "--why", "too early", "--json").json
    assert (found["version"], found["restores"], found["parent"], found["digest"]) == (5, 3, 4, before["digest"])
    assert fine("set", "diff", "shop", "shop@3").code == 0
    assert [row["item"] for row in found["set_aside"]] == ["item-second"]
    assert fine("set", "show", "shop", "--json").json["provenance"]["why"] == "too early"


@pytest.mark.usefixtures("decided")
def test_decisions_that_were_undone_are_listed_and_come_back_with_them() -> None:
    out = fine("set", "undo", "shop", "--to", "2").out
    assert out.startswith("shop@5 is as shop@2 again\n  2 decisions set aside, and kept:\n    item-first  q01  retire")
    standings = [row["standing"] for row in fine("set", "log", "shop", "--json").json["decisions"]]
    assert standings == ["set_aside", "set_aside", "waiting"]
    assert "set aside by an undo @3" in fine("set", "log", "shop").out
    back = fine("set", "undo", "shop", "--json").json
    assert (back["restores"], back["set_aside"]) == (4, [])
    assert [row["item"] for row in back["back"]] == ["item-first", "item-second"]
    log = fine("set", "log", "shop", "--json").json
    assert [row["standing"] for row in log["decisions"]] == ["applied", "applied", "waiting"]
    assert [row["counts"] for row in log["versions"]] == [True, True, True, True, False, True]


@pytest.mark.usefixtures("decided")
def test_going_back_to_what_is_there_writes_nothing() -> None:
    fine("set", "undo", "shop", "--to", "2")
    for to in (2, 5):
        assert "nothing was written" in fine("set", "undo", "shop", "--to", to).out
    assert len(fine("set", "log", "shop", "--json").json["versions"]) == 5


@pytest.mark.usefixtures("shop")
def test_what_can_not_be_undone_is_refused() -> None:
    assert "first version" in refused("set", "undo", "shop")
    assert "There is: shop@1" in refused("set", "undo", "shop", "--to", "9")
    assert "There is: shop" in refused("set", "undo", "nope")


def test_a_damaged_version_is_not_brought_back(decided: Path) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(decided / "evalspan.db")) as connection:
        connection.execute("UPDATE evalspan_question SET body = replace(body, 'chunk_labels', 'chunk-labels')")
        connection.commit()
    assert "not what its digest says" in refused("set", "undo", "shop", "--to", "1")


def test_a_version_that_is_appended_meanwhile_is_a_conflict(decided: Path) -> None:
    with Store.open(str(decided / "evalspan.db")) as store:

        class Late(Store):
            def check_digest(self, record: Any) -> bool:
                decide(store, "meanwhile")
                return super().check_digest(record)

        with (
            Late.open(str(decided / "evalspan.db")) as late,
            pytest.raises(evalspan.Conflict, match="version 5 by now"),
        ):
            undo_set("shop", store=late)
        assert store.find_version("shop").restores is None


@pytest.mark.usefixtures("decided")
def test_the_log_tells_parameters_decisions_and_why() -> None:
    log = fine("set", "log", "shop", "--json").json
    assert [row["restores"] for row in log["versions"]] == [None] * 4
    assert {row["min_overlap"] for row in log["mappings"]} == {0.5}
    assert [row["versions"] for row in log["decisions"]] == [[3], [4], []]
    text = fine("set", "log", "shop").out
    for words in ("applied first", "item-third", "applied @3", "waits", "migrated to new", "ada"):
        assert words in text


# merge


def test_two_edits_come_together_in_a_file_without_a_store(spans: Path) -> None:
    edited(spans, "ours.jsonl", regrade)
    edited(spans, "theirs.jsonl", reword)
    both = edited(spans, "both.jsonl", regrade_and_reword)
    (spans / "evalspan.db").unlink()
    out = fine("set", "merge", "ours.jsonl", "theirs.jsonl", "--base", "base.jsonl", "--out", "ours.jsonl").out
    assert out == "Merged theirs.jsonl: 1 question changed, 35 the same\n  Wrote ours.jsonl\n"
    assert fine("set", "diff", "ours.jsonl", both).code == 0


def test_what_both_changed_otherwise_is_exit_1_names_both_and_writes_nothing(spans: Path) -> None:
    edited(spans, "ours.jsonl", regrade)
    edited(spans, "theirs.jsonl", lambda questions: regrade(questions, grade=1))
    before = (spans / "ours.jsonl").read_bytes()
    merge = ("set", "merge", "ours.jsonl", "theirs.jsonl", "--base", "base.jsonl", "--out", "ours.jsonl")
    ran = run(*merge)
    assert (ran.code, ran.err) == (1, "")
    for words in (
        "ours.jsonl (ours)",
        "theirs.jsonl (theirs)",
        "  ours: 1 label re-graded",
        "  theirs: 1 label re-gra",
    ):
        assert words in ran.out
    found = run(*merge, "--json")
    assert (found.code, len(found.json["clashes"])) == (1, 1)
    assert (spans / "ours.jsonl").read_bytes() == before


def test_an_edit_is_merged_into_the_newest_version_of_a_set(spans: Path) -> None:
    theirs = edited(spans, "theirs.jsonl", reword)
    ours = edited(spans, "ours.jsonl", regrade)
    fine("set", "import", "shop", "--file", ours)
    row = fine("set", "merge", "shop", theirs, "--base", "shop@2", "--json").json
    assert (row["version"], row["parent"]) == (4, 3)
    assert "theirs.jsonl" in row["provenance"]["why"]
    assert len(row["brought"]["changed"]) == 1
    again = fine("set", "merge", "shop", theirs, "--base", "shop@2").out
    assert again == "shop holds all of theirs.jsonl already\n  shop@4: nothing was written\n"


def test_only_the_newest_version_is_merged_into(spans: Path) -> None:
    theirs = edited(spans, "theirs.jsonl", reword)
    fine("set", "import", "shop", "--file", edited(spans, "ours.jsonl", regrade))
    assert "has been followed by shop@3" in refused("set", "merge", "shop@2", theirs, "--base", "base.jsonl")
    assert "--out FILE" in refused("set", "merge", theirs, "shop", "--base", "base.jsonl")


def test_a_file_whose_spans_do_not_hold_in_the_store_is_not_merged_into_it(spans: Path) -> None:
    def shift(questions: list[Row]) -> None:
        judgment = with_spans(questions)[0]["judgments"][0]
        judgment["start"] += 1
        judgment["end"] += 1

    def elsewhere(questions: list[Row]) -> None:
        with_spans(questions)[0]["judgments"][0]["doc_id"] = "nowhere"

    def unknown(questions: list[Row]) -> None:
        with_spans(questions)[0]["chunk_labels"] = [{"chunk_id": "nothing", "grade": 1}]

    for change, words in (
        (shift, "stands another text"),
        (elsewhere, "'nowhere' is not in snapshot v1"),
        (unknown, "chunk 'nothing' is not in the set's chunking"),
    ):
        theirs = edited(spans, "theirs.jsonl", change)
        assert words in refused("set", "merge", "shop", theirs, "--base", "base.jsonl")
    assert len(fine("set", "log", "shop", "--json").json["versions"]) == 2


def test_the_python_call_raises_the_clashes(spans: Path) -> None:
    ours, theirs = edited(spans, "o.jsonl", regrade), edited(spans, "t.jsonl", lambda q: regrade(q, grade=1))
    with pytest.raises(MergeConflict) as caught:
        merge_sets(ours, theirs, base=spans / "base.jsonl", out="out.jsonl")
    assert len(caught.value.clashes) == 1
    assert not Path("out.jsonl").exists()


GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
@pytest.mark.parametrize("conflict", [False, True])
def test_it_is_a_merge_driver_for_git(spans: Path, conflict: bool, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()

    def git(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["git", *arguments], cwd=repository, env=os.environ | GIT, capture_output=True, text=True, check=False
        )

    def commit(change: Callable[[list[Row]], None] | None, branch: str) -> None:
        shutil.copy(spans / (edited(spans, "x.jsonl", change) if change else "set.jsonl"), repository / "faq.jsonl")
        git("checkout", "-q", "-B", branch)
        git("add", "-A")
        git("commit", "-q", "-m", branch)

    git("init", "-q", "-b", "main")
    command = " ".join([f'"{COMMAND[0]}"', COMMAND[1], f"'{COMMAND[2]}'"])
    git("config", "merge.evalspan.driver", f"{command} set merge %A %B --base %O --out %A")
    (repository / ".gitattributes").write_text("*.jsonl merge=evalspan\n")
    commit(None, "main")
    commit(regrade, "ours")
    git("checkout", "-q", "main")
    commit((lambda questions: regrade(questions, grade=1)) if conflict else reword, "theirs")
    git("checkout", "-q", "ours")
    ran = git("merge", "theirs", "-m", "both")
    if conflict:
        assert ran.returncode == 1, ran
        assert "CONFLICT" in ran.stdout
        assert "re-graded" in ran.stdout + ran.stderr
    else:
        assert ran.returncode == 0, ran
        both = edited(spans, "both.jsonl", regrade_and_reword)
        assert fine("set", "diff", both, repository / "faq.jsonl").code == 0


def test_two_new_files_are_merged_with_nothing_in_common(spans: Path) -> None:
    (spans / "none").touch()
    ours = edited(spans, "ours.jsonl", lambda questions: questions.__delitem__(slice(5, None)))
    merge = ("set", "merge", ours, "set.jsonl", "--base", "none", "--out", "both.jsonl")
    fine(*merge)
    assert fine("set", "diff", "both.jsonl", "set.jsonl").code == 0
    edited(spans, "ours.jsonl", regrade)
    assert run(*merge).code == 1
