"""`evalspan migrate`, on files and in a store."""

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from .helpers import COMMAND, SAMPLE, fine, refused, run

FILES: dict[str, Path] = {
    "--documents": SAMPLE / "documents.jsonl",
    "--old-chunks": SAMPLE / "chunks-old.jsonl",
    "--labels": SAMPLE / "qrels.txt",
    "--new-chunks": SAMPLE / "chunks-new.jsonl",
}

PROMISED = ["outcomes.jsonl", "qrels.txt", "queue.jsonl", "spans.jsonl", "waiting.jsonl"]


def on_files(**changed: object) -> list[object]:
    files: dict[str, object] = {**FILES, **{f"--{name.replace('_', '-')}": value for name, value in changed.items()}}
    return ["migrate", *(part for pair in files.items() for part in pair)]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_something_waits_is_exit_1_and_0_on_request(here: Path) -> None:
    ran = run(*on_files(out="a"))
    assert (ran.code, ran.err) == (1, "")
    again = fine(*on_files(out="b"), "--exit-zero").out
    assert again.replace("Written to b:", "Written to a:").replace(" b/queue", " a/queue") == ran.out
    assert names(here / "a") == PROMISED
    assert {path.name: path.read_bytes() for path in (here / "a").iterdir()} == {
        path.name: path.read_bytes() for path in (here / "b").iterdir()
    }


def test_all_clean_is_exit_0(here: Path) -> None:
    (here / "labels").write_text("q 0 c1 1\n")
    (here / "documents").write_text('{"doc_id": "d", "text": "Some words."}\n')
    (here / "chunks").write_text('{"chunk_id": "c1", "doc_id": "d", "text": "Some words."}\n')
    ran = fine(*on_files(labels="labels", documents="documents", old_chunks="chunks", new_chunks="chunks", out="out"))
    assert "1 label carried over, min_overlap 0.5" in ran.out
    assert (here / "out" / "qrels.txt").read_text() == "q 0 c1 1\n"
    assert (here / "out" / "waiting.jsonl").read_text() == ""


def test_the_summary_adds_up_and_names_the_finding(here: Path) -> None:
    found = run(*on_files(out="out"), "--json").json
    assert found["clean"] + found["ambiguous"] + found["unmapped"] == found["labels"] == 44
    assert sum(found["reasons"].values()) == 44
    assert found["cuts"]["cut"] == sum(found["cuts"]["tenths"])
    assert found["questions_decided"] + found["questions_waiting"] == 36
    text = run(*on_files()).out
    assert f"The new chunking cuts {found['cuts']['cut']} of {found['cuts']['passages']} labelled passages" in text
    outcomes = rows(here / "out" / "outcomes.jsonl")
    cut = {(row["doc_id"], row["start"]) for row in outcomes if row["fit"] == "cut" and row["place"] == "certain"}
    assert len(cut) == found["cuts"]["cut"]


def test_without_a_place_to_write_nothing_is_written_and_that_is_said(here: Path) -> None:
    assert "Nothing was written: name a folder with --out" in run(*on_files()).out
    assert names(here) == []


@pytest.mark.parametrize("value", ["0", "1.5", "nan", "-1"])
def test_min_overlap_is_above_0_and_up_to_1(here: Path, value: str) -> None:
    message = refused(*on_files(out="out"), "--min-overlap", value)
    assert message.startswith("--min-overlap: ")
    assert names(here) == []


def test_min_overlap_of_1_is_the_strictest(here: Path) -> None:
    run(*on_files(out="out"), "--min-overlap", "1")
    assert all(
        row["coverage"] and min(row["coverage"]) == 1
        for row in rows(here / "out" / "outcomes.jsonl")
        if row["bucket"] == "clean" and row["grade"] > 0
    )


def test_a_folder_that_is_not_empty_is_refused_and_left_alone(here: Path) -> None:
    (here / "out").mkdir()
    (here / "out" / "mine").write_text("x")
    assert "exists already and is not empty" in refused(*on_files(out="out"))
    assert names(here / "out") == ["mine"]
    assert names(here) == ["out"]


def test_an_empty_folder_and_one_whose_parents_are_missing_are_filled(here: Path) -> None:
    (here / "empty").mkdir()
    for out in ("empty", "a/b/c", "d/"):
        run(*on_files(out=out))
        assert names(here / out) == PROMISED


@pytest.mark.parametrize("name", [*FILES, "--questions"])
def test_a_missing_file_leaves_nothing(here: Path, name: str) -> None:
    message = refused(*on_files(**{name[2:].replace("-", "_"): "nowhere"}, out="out"))
    assert message == "nowhere: no such file\n"
    assert names(here) == []


def test_skipped_rows_are_listed(here: Path) -> None:
    labels = (SAMPLE / "qrels.txt").read_text()
    (here / "labels").write_text(f"{labels}q99 0 nowhere 1\nq98 0 also-bad\n")
    message = refused(*on_files(labels="labels", out="out"))
    assert message.startswith("labels:46: 3 fields where 4 are wanted")
    ran = run(*on_files(labels="labels", out="out"), "--skip-bad")
    assert "Left out as bad: 2 rows" in ran.out
    assert "labels:45: chunk 'nowhere' is not in chunks-old.jsonl" in ran.out
    assert len(rows(here / "out" / "outcomes.jsonl")) == 44


def test_all_problems_of_the_labels_are_told_at_once(here: Path) -> None:
    (here / "labels").write_text("q99 0 nowhere 1\nq98 0 also-bad\n")
    message = refused(*on_files(labels="labels"))
    assert "labels:1: " in message
    assert "labels:2: " in message


def test_a_pipe_may_stand_for_every_file(here: Path) -> None:
    run(*on_files(out="files"))
    writers = []
    for name, path in FILES.items():
        os.mkfifo(here / name[2:])
        writers.append(threading.Thread(target=(here / name[2:]).write_bytes, args=(path.read_bytes(),), daemon=True))
        writers[-1].start()
    ran = run(*on_files(**{name[2:].replace("-", "_"): here / name[2:] for name in FILES}, out="pipes"))
    assert ran.code == 1
    assert {p.name: p.read_bytes() for p in (here / "files").iterdir()} == {
        p.name: p.read_bytes() for p in (here / "pipes").iterdir()
    }


@pytest.mark.usefixtures("here")
def test_with_a_store_the_migration_is_kept_and_twice_is_as_once() -> None:
    fine("init")
    first = run(*on_files(store="evalspan.db", set="faq", out="a"))
    assert first.code == 1
    assert "Kept in evalspan.db: faq@2 on chunks-new-" in first.out
    run(*on_files(store="evalspan.db", set="faq", out="b"))
    log = fine("set", "log", "faq", "--json").json
    assert [version["version"] for version in log["versions"]] == [1, 2]
    assert fine("store", "info", "--json").json["snapshots"] == 1


@pytest.mark.usefixtures("here")
def test_a_set_is_called_as_the_labels_file_unless_told_otherwise() -> None:
    fine("init")
    run(*on_files(store="evalspan.db"))
    assert [row["set"] for row in fine("set", "list", "--json").json] == ["qrels"]


@pytest.mark.usefixtures("here")
def test_the_reason_given_is_kept() -> None:
    fine("init")
    run(*on_files(store="evalspan.db", set="faq"), "--why", "the splitter changed")
    assert "the splitter changed" in json.dumps(fine("set", "log", "faq", "--json").json)


@pytest.mark.usefixtures("here")
def test_a_set_without_a_store_is_a_wrong_command_line() -> None:
    assert "--store" in refused(*on_files(set="faq"))


@pytest.mark.usefixtures("here")
def test_a_store_that_is_not_there_is_refused_with_the_command_that_makes_it() -> None:
    assert refused(*on_files(store="team.db", out="out")).endswith("evalspan init --store team.db\n")
    assert names(Path()) == []


# In a store.


def test_a_set_is_mapped_and_its_labels_become_spans(shop: Path) -> None:
    ran = run("migrate", "shop", "--to", "new", "--out", "out", "--json")
    assert ran.code == 1
    assert ran.json["recorded"]["eval_set"] == "shop@2"
    assert names(shop / "out") == PROMISED
    run(*on_files(out="files", questions=SAMPLE / "questions.jsonl"))
    by_label = [
        {(row["query_id"], row["old_chunk_id"]): row for row in rows(shop / folder / "outcomes.jsonl")}
        for folder in ("out", "files")
    ]
    assert by_label[0] == by_label[1]
    for name in ("qrels.txt",):
        assert (shop / "out" / name).read_bytes() == (shop / "files" / name).read_bytes()
    assert fine("set", "export", "shop", "--format", "trec", "--chunking", "new").out == (
        shop / "out" / "qrels.txt"
    ).read_text("utf-8")


def repeat(folder: Path) -> None:
    """A corpus in which the labelled chunk stands twice."""
    text = "Repeat me please. Other words stand here. Repeat me please."
    (folder / "documents").write_text(json.dumps({"doc_id": "d", "text": text}))
    (folder / "old").write_text(json.dumps({"chunk_id": "o", "doc_id": "d", "text": "Repeat me please."}))
    (folder / "new").write_text(json.dumps({"chunk_id": "n", "doc_id": "d", "text": text}))
    (folder / "labels").write_text("q 0 o 1\n")


def test_a_person_sees_the_passage_also_where_its_place_is_uncertain(here: Path) -> None:
    repeat(here)
    run(*on_files(documents="documents", old_chunks="old", new_chunks="new", labels="labels", out="files"))
    fine("init")
    fine("snapshot", "add", "documents")
    fine("chunking", "add", "old", "old")
    fine("chunking", "add", "new", "new")
    fine("set", "import", "faq", "--labels", "labels", "--chunking", "old")
    run("migrate", "faq", "--to", "new", "--out", "store")
    passages = [row["passage"] for out in ("files", "store") for row in rows(here / out / "queue.jsonl")]
    assert passages == ["Repeat me please."] * 2


def test_mapping_again_gives_the_same_and_no_new_version(shop: Path) -> None:
    first = run("migrate", "shop", "--to", "new", "--out", "a")
    second = run("migrate", "shop", "--to", "new", "--out", "b")
    assert first.code == second.code == 1
    for name in PROMISED:
        lines = [sorted((shop / out / name).read_text().splitlines()) for out in "ab"]
        if name in ("qrels.txt", "waiting.jsonl"):
            assert lines[0] == lines[1]
        else:
            assert len(lines[0]) == len(lines[1])
    assert len(fine("set", "log", "shop", "--json").json["versions"]) == 2


@pytest.mark.usefixtures("shop")
def test_wrong_names_list_what_there_is() -> None:
    assert "There is: shop." in refused("migrate", "nope", "--to", "new")
    assert "There is: new, old." in refused("migrate", "shop", "--to", "nope")
    assert "shop@1" in refused("migrate", "shop@7", "--to", "new")


def test_a_cut_of_another_snapshot_is_refused(second_snapshot: Path) -> None:
    message = refused("migrate", "shop", "--to", "new2", "--out", "out")
    assert "evalspan rebase shop --to" in message
    assert not (second_snapshot / "out").exists()
    assert fine("store", "info", "--json").json["mappings"] == 0


def test_a_folder_that_can_not_be_had_records_nothing(shop: Path) -> None:
    (shop / "real").mkdir()
    (shop / "link").symlink_to("real")
    ran = run("migrate", "shop", "--to", "new", "--out", "link")
    assert (ran.code == 2) == (fine("store", "info", "--json").json["mappings"] == 0)


def test_a_label_of_an_unknown_chunk_is_one_clear_error(shop: Path) -> None:
    lines = fine("set", "export", "shop").out
    assert "returns-policy:2826fbdb" in lines
    (shop / "set.jsonl").write_text(lines.replace("returns-policy:2826fbdb", "nowhere"), "utf-8")
    assert "'nowhere' is not in chunking 'old'" in refused("set", "import", "other", "--file", "set.jsonl")


# Signals.


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some seconds of work."""
    folder = tmp_path_factory.mktemp("large")
    words = " ".join(f"word{i}" for i in range(900))
    with (
        (folder / "documents").open("w") as documents,
        (folder / "old").open("w") as old,
        (folder / "new").open("w") as new,
        (folder / "labels").open("w") as labels,
    ):
        for d in range(1200):
            text = f"{d} {words}"
            documents.write(json.dumps({"doc_id": f"d{d}", "text": text}) + "\n")
            for out, size in ((old, 300), (new, 120)):
                for at in range(0, len(text), size):
                    chunk = {"chunk_id": f"d{d}-{at}", "doc_id": f"d{d}", "text": text[at : at + size]}
                    out.write(json.dumps(chunk) + "\n")
            labels.writelines(f"q{d} 0 d{d}-{at} 1\n" for at in range(0, 6000, 300))
    return folder


def started(large: Path, here: Path, *more: str) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A migration with its workers at work."""
    files = {"documents": "documents", "old_chunks": "old", "labels": "labels", "new_chunks": "new"}
    arguments = on_files(**{name: large / file for name, file in files.items()}, out=here / "out")
    environment = {**os.environ, "EVALSPAN_CORES": "2"}
    running = subprocess.Popen(
        [*COMMAND, *map(str, arguments), *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and running.poll() is None:
        workers = [int(pid) for pid in children.read_text().split()]
        if workers:
            time.sleep(0.2)
            return running, workers
        time.sleep(0.005)
    running.kill()
    raise AssertionError(f"no workers: {running.communicate()}")


def all_ended(pids: list[int]) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if not any(alive(pid) for pid in pids):
            return True
        time.sleep(0.02)
    return False


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for workers in /proc")
can_fork = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core forks nothing")


@needs_proc
@can_fork
def test_an_interrupt_ends_it_with_130_and_leaves_nothing(large: Path, here: Path) -> None:
    running, workers = started(large, here)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert (running.returncode, out, err.strip()) == (130, b"", b"Interrupted; nothing was written.")
    assert all_ended(workers)
    assert names(here) == []


@needs_proc
@can_fork
def test_an_interrupt_leaves_the_store_as_it_was(large: Path, here: Path) -> None:
    fine("init")
    before = fine("store", "info", "--json").json
    running, workers = started(large, here, "--store", "evalspan.db", "--set", "faq", "--json")
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=20)
    assert running.returncode == 130
    assert json.loads(out) == {"error": "Interrupted; nothing was written."}
    assert all_ended(workers)
    assert {**fine("store", "info", "--json").json, "stored_bytes": 0} == {**before, "stored_bytes": 0}
    assert not (here / "out").exists()


@needs_proc
@can_fork
def test_a_kill_leaves_no_worker_and_no_folder_and_a_store_that_opens(large: Path, here: Path) -> None:
    fine("init")
    running, workers = started(large, here, "--store", "evalspan.db", "--set", "faq")
    running.kill()
    running.communicate(timeout=20)
    assert all_ended(workers)
    assert not (here / "out").exists()
    assert all(name.startswith((".evalspan-", "evalspan.db")) for name in names(here))
    assert fine("set", "list", "--json").json == []
    assert fine("store", "info", "--json").json["mappings"] == 0


@needs_proc
@can_fork
def test_a_polite_end_leaves_nothing_either(large: Path, here: Path) -> None:
    running, workers = started(large, here)
    running.terminate()
    running.communicate(timeout=20)
    assert all_ended(workers)
    assert names(here) == []
