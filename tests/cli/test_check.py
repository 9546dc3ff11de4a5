"""`evalspan check`."""

import shutil
from pathlib import Path

import pytest

from .helpers import SAMPLE, fine, refused, run

CHECK = ("check", "--labels", SAMPLE / "qrels.txt", "--chunks")


def test_dead_labels_are_exit_1_and_the_next_command_is_named() -> None:
    ran = run(*CHECK, SAMPLE / "chunks-new.jsonl")
    assert ran.code == 1
    assert "evalspan migrate --documents DOCUMENTS.jsonl --old-chunks OLD.jsonl" in ran.out
    assert "44 labels of 36 questions in qrels.txt" in ran.out


def test_labels_that_are_all_alive_are_exit_0() -> None:
    assert "Every label names a chunk that exists." in fine(*CHECK, SAMPLE / "chunks-old.jsonl").out


def test_the_json_form_says_the_same_in_full() -> None:
    ran = run(*CHECK, SAMPLE / "chunks-new.jsonl", "--run", SAMPLE / "run.txt", "--k", 5, "--json")
    assert ran.code == 1
    found = ran.json
    assert found["labels"] == found["alive"] + found["dead"] == 44
    assert len(found["dead_labels"]) == found["dead"]
    assert found["score"]["k"] == 5
    for measure in ("recall", "hit", "mrr"):
        bounds = found["score"][measure]
        assert bounds["low"] <= bounds["printed"] <= bounds["high"]


@pytest.mark.usefixtures("here")
def test_more_lost_questions_than_fit_are_counted() -> None:
    Path("labels").write_text("".join(f"q{i:02} 0 gone 1\n" for i in range(13)))
    Path("chunks").write_text('{"chunk_id": "c"}\n')
    out = run("check", "--labels", "labels", "--chunks", "chunks").out
    assert "All labels lost: q00, q01, q02, q03, q04, q05, q06, q07, q08, q09 and 3 more (--json names them)" in out


@pytest.mark.usefixtures("here")
def test_a_run_of_another_set_is_refused() -> None:
    Path("run").write_text("other Q0 c 1 1 t\n")
    message = refused(*CHECK, SAMPLE / "chunks-new.jsonl", "--run", "run")
    assert message == "run: ranks no question of qrels.txt: is it the run of another set?\n"


def test_a_run_of_another_index_is_said() -> None:
    out = fine(*CHECK, SAMPLE / "chunks-old.jsonl", "--run", SAMPLE / "run.txt").out
    assert "is it a run of this index?" in out


@pytest.mark.usefixtures("here")
def test_skipped_rows_are_listed() -> None:
    Path("labels").write_text("q 0 c 1\nq 0 d\nq 0 e x\n")
    Path("chunks").write_text('{"chunk_id": "c"}\nnope\n')
    out = fine("check", "--labels", "labels", "--chunks", "chunks", "--skip-bad").out
    assert "Left out as bad: 3 rows\n  labels:2: " in out
    assert "\n  chunks:2: not JSON" in out
    found = fine("check", "--labels", "labels", "--chunks", "chunks", "--skip-bad", "--json").json
    assert [(row["file"], row["line"]) for row in found["skipped"]] == [("labels", 2), ("labels", 3), ("chunks", 2)]


def test_a_cut_off_of_0_is_refused() -> None:
    assert refused(*CHECK, SAMPLE / "chunks-old.jsonl", "--k", 0) == "--k: 0 is below 1\n"


@pytest.mark.usefixtures("here")
def test_the_next_command_can_be_pasted_whatever_the_files_are_called() -> None:
    shutil.copy(SAMPLE / "qrels.txt", "my labels.txt")
    out = run("check", "--labels", "my labels.txt", "--chunks", SAMPLE / "chunks-new.jsonl").out
    assert "--labels 'my labels.txt'" in out
