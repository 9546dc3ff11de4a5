"""`evalspan migrate SET.jsonl`: what a store says of the set, without a store."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evalspan
from evalspan import Span, make_anchor
from evalspan.workflows.migrate_setfile import migrate_set_file

from .helpers import SAMPLE, fine, refused, run

Row = dict[str, Any]

NEW = ("--documents", SAMPLE / "documents.jsonl", "--new-chunks", SAMPLE / "chunks-new.jsonl")
OLD = ("--old-chunks", SAMPLE / "chunks-old.jsonl")


@pytest.fixture
def files(shop: Path) -> Path:
    """labels.jsonl is shop@1, whose labels name chunks of old; spans.jsonl is shop@2, on spans. The folder kept is what
    the store wrote of either on new."""
    fine("set", "export", "shop", "--out", "labels.jsonl")
    run("migrate", "shop", "--to", "new", "--out", "kept")
    fine("set", "export", "shop", "--out", "spans.jsonl")
    (shop / "evalspan.db").unlink()
    return shop


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(path: Path, content: list[Row]) -> str:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content), "utf-8")
    return path.name


def changed(folder: Path, change: Callable[[Row, list[Row]], None], source: str = "spans.jsonl") -> str:
    """The file with its header or questions changed, as changed.jsonl."""
    header, *questions = rows(folder / source)
    change(header, questions)
    return write(folder / "changed.jsonl", [header, *questions])


def first(questions: list[Row]) -> Row:
    """The first question with a span."""
    return next(row for row in questions if row.get("judgments"))


@pytest.mark.parametrize(("name", "more"), [("spans.jsonl", ()), ("labels.jsonl", OLD)])
def test_a_set_file_gives_what_the_store_gives(files: Path, name: str, more: tuple[object, ...]) -> None:
    ran = run("migrate", name, *NEW, *more, "--out", "out")
    assert (ran.code, ran.err) == (1, "")
    assert sorted(path.name for path in (files / "out").iterdir()) == sorted(
        path.name for path in (files / "kept").iterdir()
    )
    for part in ("outcomes.jsonl", "qrels.txt", "waiting.jsonl", "spans.jsonl"):
        assert (files / "out" / part).read_bytes() == (files / "kept" / part).read_bytes(), part
    asked = [(row["query_id"], row["old_chunk_id"], row["reason"]) for row in rows(files / "out" / "queue.jsonl")]
    assert asked == [
        (row["query_id"], row["old_chunk_id"], row["reason"]) for row in rows(files / "kept" / "queue.jsonl")
    ]


def test_on_every_core_it_is_the_same(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalspan.workflows.parallel.WORTH_FORKING", 2)
    monkeypatch.setenv("EVALSPAN_CORES", "2")
    run("migrate", "labels.jsonl", *NEW, *OLD, "--out", "out")
    assert (files / "out" / "outcomes.jsonl").read_bytes() == (files / "kept" / "outcomes.jsonl").read_bytes()


@pytest.mark.usefixtures("files")
def test_without_a_folder_it_only_tells() -> None:
    found = run("migrate", "spans.jsonl", *NEW, "--json").json
    assert (found["out"], found["recorded"], found["old_chunks"]) == (None, None, None)
    assert found["labels"] == 44


def test_the_sets_own_min_overlap_counts(files: Path) -> None:
    name = changed(files, lambda header, _: header["terms"].update(min_overlap=1.0))
    run("migrate", name, *NEW, "--out", "out")
    assert {row["min_overlap"] for row in rows(files / "out" / "outcomes.jsonl")} == {1.0}


def test_a_passage_in_pieces_is_one_passage(here: Path) -> None:
    text = "One is here. Two is far. Three is here."
    whole = make_anchor(text, Span(0, 12)).model_dump()
    rest = {"start": 25, "end": 39, "anchor": make_anchor(text, Span(25, 39)).model_dump()}
    judgment = {"doc_id": "d", "start": 0, "end": 12, "grade": 1, "anchor": whole, "also": [rest]}
    digest = evalspan.snapshot_digest([("d", evalspan.text_digest(text))])
    header = {"evalspan_set": 1, "terms": {"snapshot_digest": digest, "min_overlap": 0.7}}
    write(here / "s.jsonl", [header, {"question": {"query_id": "q"}, "judgments": [judgment]}])
    write(here / "d.jsonl", [{"doc_id": "d", "text": text}])
    write(
        here / "n.jsonl",
        [
            {"chunk_id": f"c{i}", "doc_id": "d", "text": part}
            for i, part in enumerate((text[:12], text[13:24], text[25:]))
        ],
    )
    run("migrate", "s.jsonl", "--documents", "d.jsonl", "--new-chunks", "n.jsonl", "--out", "out")
    (outcome,) = rows(here / "out" / "outcomes.jsonl")
    assert (outcome["reason"], outcome["chunks"], outcome["union_coverage"]) == ("cut", ["c2", "c0"], 1.0)


def test_other_documents_than_the_sets_are_refused_with_how_bad_it_is(files: Path) -> None:
    second = ("--documents", SAMPLE / "documents-v2.jsonl", "--new-chunks", SAMPLE / "chunks-v2.jsonl")
    message = refused("migrate", "spans.jsonl", *second, "--out", "out")
    for words in ("documents-v2.jsonl: spans.jsonl is about corpus", "of 44 passages stand", "evalspan rebase"):
        assert words in message
    assert not (files / "out").exists()


def test_a_passage_that_does_not_stand_where_the_file_says_is_named_with_its_line(files: Path) -> None:
    def shift(_: Row, questions: list[Row]) -> None:
        for end in ("start", "end"):
            first(questions)["judgments"][0][end] += 1

    name = changed(files, shift)
    message = refused("migrate", name, *NEW, "--out", "out")
    line = 2 + rows(files / name)[1:].index(first(rows(files / name)[1:]))
    assert message.startswith(f"changed.jsonl:{line}: question ")
    assert "stands another text" in message
    ran = run("migrate", name, *NEW, "--out", "out", "--skip-bad")
    assert ran.code == 1
    waiting = {row["query_id"]: row["labels"] for row in rows(files / "out" / "waiting.jsonl")}
    held = waiting[first(rows(files / name)[1:])["question"]["query_id"]]
    assert "skipped" in [label["reason"] for label in held]


def test_a_document_that_is_not_there_is_named(files: Path) -> None:
    def move(_: Row, questions: list[Row]) -> None:
        first(questions)["judgments"][0]["doc_id"] = "nowhere"

    assert "document 'nowhere' is not in documents.jsonl" in refused("migrate", changed(files, move), *NEW)


def test_labels_that_name_chunks_want_the_old_chunks_and_those_only(files: Path) -> None:
    assert "--old-chunks OLD.jsonl" in refused("migrate", "labels.jsonl", *NEW)
    assert "without --old-chunks" in refused("migrate", "spans.jsonl", *NEW, *OLD)
    message = refused("migrate", "labels.jsonl", *NEW, "--old-chunks", SAMPLE / "chunks-new.jsonl", "--out", "out")
    assert "is not in chunks-new.jsonl" in message
    chunks = rows(SAMPLE / "chunks-old.jsonl")
    named = {label["chunk_id"] for row in rows(files / "labels.jsonl")[1:] for label in row.get("chunk_labels", ())}
    write(files / "fewer.jsonl", [row for row in chunks if row["chunk_id"] in named])
    message = refused("migrate", "labels.jsonl", *NEW, "--old-chunks", "fewer.jsonl", "--out", "out")
    assert "these are not the chunks that the set's labels name" in message
    assert not (files / "out").exists()


def test_questions_with_a_label_that_lost_its_place_wait_and_retired_ones_are_not_asked(files: Path) -> None:
    def change(header: Row, questions: list[Row]) -> None:
        clean = [row for row in questions if row.get("judgments")]
        label = clean[0]["judgments"].pop()
        lost = {"label": label, "snapshot_digest": header["terms"]["snapshot_digest"], "reason": "missing"}
        clean[0]["pending"] = [lost]
        clean[1]["retired"] = True
        del questions[questions.index(clean[1]) + 1 :]

    name = changed(files, change)
    lost, retired = (row for row in rows(files / name)[1:] if row.get("pending") or row.get("retired"))
    assert run("migrate", name, *NEW, "--out", "out").code == 1
    waiting = {row["query_id"]: row["labels"] for row in rows(files / "out" / "waiting.jsonl")}
    assert {"bucket": "unmapped", "reason": "missing"}.items() <= waiting[lost["question"]["query_id"]][-1].items()
    gone = retired["question"]["query_id"]
    assert gone not in waiting
    assert gone not in {row["query_id"] for row in rows(files / "out" / "outcomes.jsonl")}


def test_all_clean_with_a_question_that_waits_is_exit_1(files: Path) -> None:
    def change(header: Row, questions: list[Row]) -> None:
        label = first(questions)["judgments"][0]
        lost = {"label": label, "snapshot_digest": header["terms"]["snapshot_digest"], "reason": "missing"}
        questions[:] = [{"question": {"query_id": "q"}, "pending": [lost]}]

    assert run("migrate", changed(files, change), *NEW).code == 1


@pytest.mark.parametrize(
    "option",
    [
        ("--to", "new"),
        ("--labels", "labels.jsonl"),
        ("--questions", "labels.jsonl"),
        ("--min-overlap", "0.4"),
        ("--store", "evalspan.db"),
        ("--set", "faq"),
        ("--labels-are", "any"),
        ("--embedding", "m"),
        ("--why", "so"),
    ],
    ids=lambda option: option[0],
)
@pytest.mark.usefixtures("files")
def test_options_that_mean_nothing_for_a_set_file_are_refused(option: tuple[str, str]) -> None:
    assert option[0] in refused("migrate", "spans.jsonl", *NEW, *option)


@pytest.mark.usefixtures("files")
def test_what_is_missing_is_asked_for() -> None:
    message = refused("migrate", "spans.jsonl")
    assert "--documents FILE --new-chunks FILE" in message
    assert refused("migrate", "gone.jsonl", *NEW) == "gone.jsonl: no such file\n"


def test_the_python_call_says_the_same(files: Path) -> None:
    documents, chunks = SAMPLE / "documents.jsonl", SAMPLE / "chunks-new.jsonl"
    found = migrate_set_file("spans.jsonl", documents=documents, new_chunks=chunks, out="out")
    row = run("migrate", "spans.jsonl", *NEW, "--json").json
    assert (found.tally.clean, found.decided, found.waiting) == (
        row["clean"],
        row["questions_decided"],
        row["questions_waiting"],
    )
    assert (files / "out" / "qrels.txt").exists()
