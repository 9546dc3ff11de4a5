"""`migrate` on files: the promised files, and what must hold of every line in them."""

import gc
import math
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import evalspan
from evalspan import (
    BadInput,
    Conflict,
    Provenance,
    Span,
    Store,
    StoreError,
    add_chunking,
    add_snapshot,
    create_store,
    import_labels,
    manifest,
    migrate_files,
    migrate_set,
    qrels,
    verify,
)
from evalspan.errors import Unwritable
from evalspan.guard import Kind
from evalspan.store import StoreInfo
from evalspan.workflows.migration import Migration

from .helpers import (
    FILES,
    SAMPLE,
    Case,
    Row,
    cases,
    contents,
    cut,
    ink,
    naive_coverage,
    plain_case,
    read_rows,
    write_rows,
)

PROMISED = {"outcomes.jsonl", "qrels.txt", "waiting.jsonl", "spans.jsonl", "queue.jsonl"}

OUTCOME_FIELDS = {
    *("query_id", "old_chunk_id", "grade", "bucket", "reason", "place", "fit", "doc_id", "start", "end", "match"),
    *("min_overlap", "chunks", "coverage", "union_coverage"),
}

SAMPLE_FILES: dict[str, Any] = {
    "documents": SAMPLE / "documents.jsonl",
    "old_chunks": SAMPLE / "chunks-old.jsonl",
    "labels": SAMPLE / "qrels.txt",
    "new_chunks": SAMPLE / "chunks-new.jsonl",
}


def migrated(case: Case, **options: Any) -> tuple[Migration, dict[str, bytes]]:
    """The report and the files' contents."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        offsets = options.pop("offsets", False)
        result = migrate_files(**case.write(folder / "in", offsets), out=folder / "out", **options)
        return result, contents(folder / "out")


def outcomes_of(files: dict[str, bytes]) -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "outcomes")
        path.write_bytes(files["outcomes.jsonl"])
        return read_rows(path)


def rows_of(files: dict[str, bytes], name: str) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows")
        path.write_bytes(files[name])
        return read_rows(path)


@given(cases(), st.sampled_from([0.1, 0.5, 0.8, 1.0]))
@settings(deadline=None, max_examples=60)
def test_every_label_has_one_outcome_in_the_order_of_the_labels(case: Case, min_overlap: float) -> None:
    result, files = migrated(case, min_overlap=min_overlap)
    assert set(files) == PROMISED
    outcomes = outcomes_of(files)
    assert [(row["query_id"], row["old_chunk_id"], row["grade"]) for row in outcomes] == list(case.labels)
    counts = result.tally
    assert counts.clean + counts.ambiguous + counts.unmapped == len(case.labels) == sum(counts.reasons.values())
    for bucket in ("clean", "ambiguous", "unmapped"):
        assert getattr(counts, bucket) == sum(row["bucket"] == bucket for row in outcomes)
    for row in outcomes:
        assert set(row) >= OUTCOME_FIELDS
        assert set(row["match"]) == {"status", "score"}
        assert row["min_overlap"] == min_overlap
        assert len(row["chunks"]) == len(row["coverage"]) == len(set(row["chunks"]))
        if "evidence" not in row:
            assert row["coverage"] == sorted(row["coverage"], reverse=True)
        assert row["union_coverage"] >= max(row["coverage"], default=0) - 1e-9


@given(cases(repeats=False), st.sampled_from([0.1, 0.5, 0.8, 1.0]))
@settings(deadline=None, max_examples=60)
def test_clean_labels_go_to_exactly_the_chunks_that_reach_min_overlap(case: Case, min_overlap: float) -> None:
    _, files = migrated(case, min_overlap=min_overlap)
    for row in outcomes_of(files):
        text = case.documents[row["doc_id"]]
        mine = [chunk for chunk in case.new if chunk["doc_id"] == row["doc_id"]]
        coverage = {
            chunk["chunk_id"]: naive_coverage(text, row["start"], row["end"], chunk)
            for chunk in mine
            if chunk["end"] > row["start"]
        }
        inside = {c["chunk_id"] for c in mine if row["start"] <= c["start"] and c["end"] <= row["end"]}
        reached = {chunk_id for chunk_id, share in coverage.items() if share >= min_overlap}
        assert row["place"] == "certain"
        if row["grade"] > 0:
            assert (row["bucket"] == "clean") == bool(reached)
            expected = reached if reached else {chunk_id for chunk_id, share in coverage.items() if share > 0}
        else:
            assert row["bucket"] == "clean"
            expected = inside
        assert set(row["chunks"]) == expected
        for chunk_id, share in zip(row["chunks"], row["coverage"], strict=True):
            assert math.isclose(share, coverage[chunk_id], abs_tol=1e-4)


@given(cases())
@settings(deadline=None, max_examples=60)
def test_a_place_that_is_certain_holds_the_old_chunks_text(case: Case) -> None:
    _, files = migrated(case)
    old = {row["chunk_id"]: row for row in case.old}
    spans = rows_of(files, "spans.jsonl")
    certain = [row for row in outcomes_of(files) if row["place"] == "certain"]
    assert [(s["query_id"], s["chunk_id"], s["grade"], s["start"], s["end"]) for s in spans] == [
        (o["query_id"], o["old_chunk_id"], o["grade"], o["start"], o["end"]) for o in certain
    ]
    for span in spans:
        chunk = old[span["chunk_id"]]
        passage = Span(span["start"], span["end"]).of(case.documents[span["doc_id"]])
        assert passage == chunk["text"]
        assert span["anchor"]["digest"] == evalspan.text_digest(passage)
        assert span["anchor"]["length"] == len(passage)
    for row in outcomes_of(files):
        if row["place"] != "certain":
            assert row["start"] is row["end"] is None
            assert row["bucket"] != "clean"


@given(cases())
@settings(deadline=None, max_examples=60)
def test_a_question_is_decided_or_waits_and_never_both(case: Case) -> None:
    result, files = migrated(case)
    outcomes = outcomes_of(files)
    waits = {row["query_id"] for row in outcomes if row["bucket"] != "clean"}
    decided = {query for query, _, _ in case.labels} - waits
    qrels = [line.split() for line in files["qrels.txt"].decode().splitlines()]
    assert {fields[0] for fields in qrels} <= decided
    expected: dict[tuple[str, str], int] = {}
    for row in outcomes:
        for chunk in row["chunks"] if row["query_id"] in decided else ():
            pair = (row["query_id"], chunk)
            expected[pair] = max(row["grade"], expected.get(pair, row["grade"]))
    assert [(q, c, int(g)) for q, _, c, g in qrels] == sorted((q, c, g) for (q, c), g in expected.items())
    waiting = rows_of(files, "waiting.jsonl")
    assert [row["query_id"] for row in waiting] == sorted(waits)
    for row in waiting:
        assert [label["old_chunk_id"] for label in row["labels"]]
        assert all(label["bucket"] != "clean" and label["reason"] for label in row["labels"])
    assert (result.decided, result.waiting) == (len(decided), len(waits))


@given(cases())
@settings(deadline=None, max_examples=40)
def test_a_person_is_asked_about_each_label_that_waits(case: Case) -> None:
    _, files = migrated(case)
    waits = [row for row in outcomes_of(files) if row["bucket"] != "clean"]
    queue = rows_of(files, "queue.jsonl")
    keys = ("query_id", "old_chunk_id", "grade", "bucket", "reason", "doc_id", "start", "end")
    assert [[row[key] for key in keys] for row in queue] == [[row[key] for key in keys] for row in waits]
    old = {row["chunk_id"]: row["text"] for row in case.old}
    new = {row["chunk_id"]: row for row in case.new}
    for row, outcome in zip(queue, waits, strict=True):
        assert row["passage"] == old[row["old_chunk_id"]]
        assert [candidate["chunk_id"] for candidate in row["candidates"]] == outcome["chunks"]
        for candidate in row["candidates"]:
            text = case.documents[row["doc_id"]]
            if candidate["start"] is not None:
                assert text[candidate["start"] : candidate["end"]] == new[candidate["chunk_id"]]["text"]


@given(cases(repeats=False), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=30)
def test_the_order_of_lines_does_not_matter_where_nothing_repeats(case: Case, seed: random.Random) -> None:
    assert migrated(case)[1] == migrated(case.shuffled(seed))[1]


def repeating_case(sections: int) -> Case:
    """Sections of their own, each followed by the same boilerplate; ids count through the document."""
    parts = [part for i in range(sections) for part in (f"Section {i} says something of its own.", "The same words.")]
    text = {"d": " ".join(parts)}
    old = tuple({"chunk_id": f"old{i}", "doc_id": "d", "text": part} for i, part in enumerate(parts))
    labels = tuple((f"q{i}", row["chunk_id"], 1) for i, row in enumerate(old))
    return Case(text, old, cut("new", text, [45]), labels)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_lines_does_not_matter_where_ids_are_numbered(seed: int) -> None:
    case = repeating_case(sections=8)
    result, files = migrated(case)
    assert result.tally.ambiguous < len(case.labels) / 2
    assert migrated(case.shuffled(random.Random(seed)))[1] == files


def test_the_order_of_lines_does_not_matter_in_a_short_document_with_numbered_ids() -> None:
    case = repeating_case(sections=3)
    results = {tuple(sorted(migrated(case.shuffled(random.Random(seed)))[1].items())) for seed in range(8)}
    assert results == {tuple(sorted(migrated(case)[1].items()))}


@given(cases(repeats=False), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=30)
def test_offsets_given_right_wrong_or_not_at_all_change_nothing_where_nothing_repeats(
    case: Case, seed: random.Random
) -> None:
    wrong = tuple({**row, "start": seed.randint(-5, 500), "end": seed.randint(-5, 500)} for row in case.new)
    files = migrated(case)[1]
    assert migrated(case, offsets=True)[1] == files
    assert migrated(Case(case.documents, case.old, wrong, case.labels), offsets=True)[1] == files


@given(cases())
@settings(deadline=None, max_examples=40)
@example(Case({"d": "aa aa."}, cut("o", {"d": "aa aa."}, [3]), cut("n", {"d": "aa aa."}, [3]), (("q", "o0", 1),)))
def test_migrating_to_the_same_chunks_is_clean_wherever_the_place_is_certain(case: Case) -> None:
    same = Case(case.documents, case.old, case.old, case.labels)
    for row in outcomes_of(migrated(same, min_overlap=1.0)[1]):
        if row["place"] == "certain":
            assert row["bucket"] == "clean"
            assert row["grade"] <= 0 or row["old_chunk_id"] in row["chunks"]


def test_one_process_and_several_write_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = plain_case(documents=450, words=8)
    paths = case.write(tmp_path)
    out: list[dict[str, bytes]] = []
    for cores in ("1", "2"):
        monkeypatch.setenv("EVALSPAN_CORES", cores)
        migrate_files(**paths, out=tmp_path / cores)
        out.append(contents(tmp_path / cores))
    assert out[0] == out[1]
    assert len(read_rows(tmp_path / "1" / "outcomes.jsonl")) == len(case.labels)


def test_the_sample_corpus_is_carried_over_as_its_truth_says(tmp_path: Path) -> None:
    result = migrate_files(**SAMPLE_FILES, questions=SAMPLE / "questions.jsonl", out=tmp_path / "out")
    outcomes = read_rows(tmp_path / "out" / "outcomes.jsonl")
    labels = [line.split() for line in (SAMPLE / "qrels.txt").read_text().splitlines()]
    assert [(row["query_id"], row["old_chunk_id"], row["grade"]) for row in outcomes] == [
        (query, chunk, int(grade)) for query, _, chunk, grade in labels
    ]
    texts = {row["doc_id"]: row["text"] for row in read_rows(SAMPLE / "documents.jsonl")}
    new = {row["chunk_id"]: row for row in read_rows(SAMPLE / "chunks-new.jsonl")}
    for row in outcomes:
        if row["bucket"] == "clean":
            for chunk_id in row["chunks"] if "evidence" not in row else ():
                chunk = new[chunk_id]
                assert naive_coverage(texts[row["doc_id"]], row["start"], row["end"], chunk) >= 0.5
    asked = {row["query_id"]: row["text"] for row in read_rows(SAMPLE / "questions.jsonl")}
    assert all(row["question"] == asked[row["query_id"]] for row in read_rows(tmp_path / "out" / "queue.jsonl"))
    assert result.tally.total == len(labels)


def test_questions_narrow_whole_chunks_and_the_wide_range_stays(tmp_path: Path) -> None:
    rest = [f"Page {number} is about birds, trees and rivers of the county." for number in range(40)]
    chunk = [
        "The library opens at nine in the morning and closes at six.",
        "A fine of five pounds is due for every book that is late.",
        "Members may borrow as many as twelve books at one time.",
    ]
    text = " ".join([*chunk, *rest])
    wide = [0, text.index(" Page")]

    def rows(*pieces: str) -> list[Row]:
        return [{"chunk_id": f"{len(pieces)}-{n}", "doc_id": "d", "text": piece} for n, piece in enumerate(pieces)]

    asked: list[Row] = [
        {"query_id": "answered", "text": "How high is the fine?", "reference_answers": ["five pounds"]},
        {"query_id": "asked", "text": "How many books may members borrow?"},
        {"query_id": "vague", "text": "Quid novi?"},
    ]
    labels = tmp_path / "qrels.txt"
    labels.write_text("".join(f"{question['query_id']} 0 2-0 1\n" for question in asked))
    migrate_files(
        documents=write_rows(tmp_path / "documents.jsonl", [{"doc_id": "d", "text": text}]),
        old_chunks=write_rows(tmp_path / "old.jsonl", rows(" ".join(chunk), " ".join(rest))),
        labels=labels,
        new_chunks=write_rows(tmp_path / "new.jsonl", rows(*chunk, " ".join(rest))),
        questions=write_rows(tmp_path / "questions.jsonl", asked),
        out=tmp_path / "out",
    )
    outcomes = {row["query_id"]: row for row in read_rows(tmp_path / "out" / "outcomes.jsonl")}
    spans = {row["query_id"]: row for row in read_rows(tmp_path / "out" / "spans.jsonl")}
    queue = {row["query_id"]: row for row in read_rows(tmp_path / "out" / "queue.jsonl")}

    answered, judged = outcomes["answered"], spans["answered"]
    assert (answered["bucket"], answered["chunks"], answered["wide"]) == ("clean", ["4-1"], wide)
    assert text[answered["start"] : answered["end"]] == text[judged["start"] : judged["end"]] == "five pounds"
    assert (judged["origin"], judged["narrowed_by"]) == ("chunk", "answer verbatim")
    assert judged["wide"] == {"start": wide[0], "end": wide[1]}

    assert [spans["asked"]["start"], spans["asked"]["end"]] == wide
    assert "wide" not in spans["asked"]
    assert (outcomes["asked"]["reason"], outcomes["asked"]["chunks"]) == ("evidence_held", ["4-2"])
    assert set(queue) == {"vague"}
    assert (outcomes["vague"]["bucket"], queue["vague"]["narrowing"]) == ("ambiguous", None)


def test_the_finding_counts_each_cut_passage_once() -> None:
    text = {"d": numbered("a", 40)}
    old = cut("old", text, [10_000])
    case = Case(text, old, cut("new", text, [30]), (("q1", "old0", 1), ("q2", "old0", 2), ("q3", "old0", 0)))
    result, files = migrated(case)
    assert (result.cuts.passages, result.cuts.cut) == (1, 1)
    assert result.cuts.worst[0].query_ids == ("q1", "q2")
    best = max(row["coverage"][0] for row in outcomes_of(files) if row["bucket"] == "ambiguous")
    assert result.cuts.median == pytest.approx(best, abs=1e-4)
    assert sum(result.cuts.tenths) == 1


def numbered(prefix: str, words: int) -> str:
    return " ".join(f"{prefix}{i}" for i in range(words))


@pytest.mark.parametrize("value", [0, 1.5, -0.1, float("nan"), float("inf")])
def test_min_overlap_is_above_0_and_up_to_1(tmp_path: Path, value: float) -> None:
    with pytest.raises(BadInput, match="--min-overlap"):
        migrate_files(**plain_case().write(tmp_path), out=tmp_path / "out", min_overlap=value)
    assert not (tmp_path / "out").exists()


def bad_row(name: str) -> str:
    return {"labels": "q9 0 nowhere 1\n"}.get(name, '{"doc_id": 1}\n')


@pytest.mark.parametrize("name", [*FILES, "questions"])
def test_a_bad_row_of_any_file_is_refused_with_its_line_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    paths = plain_case().write(tmp_path / "in")
    paths["questions"] = tmp_path / "in" / "questions.jsonl"
    paths["questions"].write_text('{"query_id": "q1", "text": "Why?"}\n')
    with paths[name].open("a") as file:
        file.write(bad_row(name))
    line = len(paths[name].read_text().splitlines())
    with pytest.raises(BadInput) as caught:
        migrate_files(**paths, out=tmp_path / "out")
    assert str(caught.value).startswith(f"{paths[name]}:{line}: ")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    result = migrate_files(**paths, out=tmp_path / "out", skip_bad=True)
    first = result.skipped[0]
    assert (first.file, first.line) == (str(paths[name]), line)
    assert result.tally.total == len(plain_case().labels)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_one_clear_error(tmp_path: Path, name: str) -> None:
    paths = plain_case().write(tmp_path / "in")
    paths[name].unlink()
    with pytest.raises(BadInput, match="no such file"):
        migrate_files(**paths, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", FILES)
def test_an_empty_file_is_refused_also_when_bad_rows_are_skipped(tmp_path: Path, name: str) -> None:
    paths = plain_case().write(tmp_path / "in")
    paths[name].write_text("\n")
    with pytest.raises(BadInput):
        migrate_files(**paths, out=tmp_path / "out", skip_bad=True)


def test_an_input_below_a_file_is_not_blamed_on_the_output(tmp_path: Path) -> None:
    paths = plain_case().write(tmp_path / "in")
    paths["labels"] = paths["documents"] / "x"
    with pytest.raises((BadInput, Unwritable)) as caught:
        migrate_files(**paths, out=tmp_path / "out")
    assert "documents.jsonl" in str(caught.value)


@pytest.mark.parametrize("grade", [0, -1])
def test_a_judged_negative_is_carried_only_to_chunks_inside_it(grade: int) -> None:
    text = {"d": numbered("a", 60)}
    old = cut("old", text, [120, 1000])
    result, files = migrated(Case(text, old, cut("new", text, [50]), (("q", "old0", grade),)))
    (row,) = outcomes_of(files)
    inside = [c for c in cut("new", text, [50]) if c["end"] <= old[0]["end"]]
    assert (row["bucket"], row["reason"]) == ("clean", "negative")
    assert row["chunks"] == [c["chunk_id"] for c in sorted(inside, key=lambda c: -ink(c["text"]))] or set(
        row["chunks"]
    ) == {c["chunk_id"] for c in inside}
    assert result.clean


def test_chunks_without_a_place_and_places_without_a_chunk_are_unmapped_with_their_reason() -> None:
    text = {"d": "Some words here.  And  more."}
    old: tuple[Row, ...] = (
        {"chunk_id": "o0", "doc_id": "d", "text": " "},
        {"chunk_id": "o1", "doc_id": "d", "text": "Never written."},
        {"chunk_id": "o2", "doc_id": "d", "text": "And more."},
    )
    new: tuple[Row, ...] = ({"chunk_id": "n", "doc_id": "d", "text": "Some words here."},)
    _, files = migrated(Case(text, old, new, (("q", "o0", 1), ("q", "o1", 1), ("q", "o2", 1))))
    assert [(row["bucket"], row["reason"], row["place"], row["fit"]) for row in outcomes_of(files)] == [
        ("unmapped", "blank", "gone", "uncovered"),
        ("unmapped", "not_found", "gone", "uncovered"),
        ("unmapped", "uncovered", "certain", "uncovered"),
    ]
    assert [row["match"]["status"] for row in outcomes_of(files)] == ["missing", "missing", "reformatted"]


def test_a_chunk_of_white_space_has_no_place_also_where_it_stands_once() -> None:
    text = {"d": "Some words here.   And more."}
    old: tuple[Row, ...] = ({"chunk_id": "o0", "doc_id": "d", "text": "   "},)
    _, files = migrated(Case(text, old, cut("n", text, [99]), (("q", "o0", 1),)))
    (row,) = outcomes_of(files)
    assert (row["bucket"], row["reason"], row["place"]) == ("unmapped", "blank", "gone")
    assert files["spans.jsonl"] == b""


def test_bad_characters_can_be_replaced_without_moving_anything(tmp_path: Path) -> None:
    text = "First part.\0 Second part with words."
    paths = Case({"d": text}, cut("o", {"d": text}, [12, 99]), cut("n", {"d": text}, [99]), (("q", "o0", 1),)).write(
        tmp_path
    )
    with pytest.raises(BadInput, match="NUL at offset 11"):
        migrate_files(**paths)
    result = migrate_files(**paths, out=tmp_path / "out", replace_bad_text=True)
    (span,) = read_rows(tmp_path / "out" / "spans.jsonl")
    assert (span["start"], span["end"]) == (0, 12)
    assert span["anchor"]["exact"] == "First part.\ufffd"
    assert result.clean


def test_a_store_keeps_it_and_twice_is_as_once(tmp_path: Path) -> None:
    paths = plain_case().write(tmp_path / "in")
    store = str(tmp_path / "s.db")
    create_store(store)
    first = migrate_files(**paths, store=store, set_name="faq")
    assert first.recorded is not None
    assert first.recorded.eval_set == "faq@2"
    with evalspan.Store.open(store) as opened:
        before = opened.info()
        assert (before.snapshots, before.chunkings, before.versions) == (1, 2, 2)
        eval_set = opened.eval_set(opened.find_version("faq"))
        assert sum(len(question.judgments) for question in eval_set.questions) == len(plain_case().labels)
    second = migrate_files(**paths, store=store, set_name="faq", out=tmp_path / "out")
    assert second.recorded is not None
    assert second.recorded.eval_set == "faq@2"
    assert second.tally == first.tally
    with evalspan.Store.open(store) as opened:
        after = opened.info()
    assert (after.snapshots, after.chunkings, after.versions, after.texts) == (1, 2, 2, before.texts)


def test_what_a_store_gives_back_are_the_qrels_that_were_written(tmp_path: Path) -> None:
    store = str(tmp_path / "s.db")
    create_store(store)
    result = migrate_files(**SAMPLE_FILES, store=store, set_name="shop", out=tmp_path / "out")
    assert result.recorded is not None
    lines = "".join(evalspan.export_qrels("shop", result.recorded.chunking, store=store))
    assert lines == (tmp_path / "out" / "qrels.txt").read_text()


@pytest.mark.parametrize("name", ["missing.db", "foreign.db"])
def test_a_store_that_is_none_is_refused_before_the_work_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    paths = plain_case().write(tmp_path / "in")
    (tmp_path / "foreign.db").write_text("not a database")
    with pytest.raises(StoreError):
        migrate_files(**paths, store=str(tmp_path / name), out=tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["foreign.db", "in"]
    assert (tmp_path / "foreign.db").read_text() == "not a database"


def store_state(store: str) -> StoreInfo:
    with evalspan.Store.open(store) as opened:
        return opened.info()


@pytest.mark.parametrize("name", ["a@1", "latest", " ", "a\nb"])
def test_a_set_name_that_can_not_be_typed_leaves_store_and_folder_as_they_were(tmp_path: Path, name: str) -> None:
    paths = plain_case().write(tmp_path / "in")
    store = str(tmp_path / "s.db")
    create_store(store)
    before = store_state(store)
    with pytest.raises(BadInput):
        migrate_files(**paths, store=store, set_name=name, out=tmp_path / "out")
    assert store_state(store) == before
    assert not [path for path in tmp_path.iterdir() if path.name not in ("in", "s.db")]


def test_a_folder_that_can_not_take_its_name_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    """The folder is filled by somebody else while the work is done."""
    paths = plain_case().write(tmp_path / "in")
    store = str(tmp_path / "s.db")
    create_store(store)
    before = store_state(store)
    out = tmp_path / "out"

    def interfering(items: Any, what: str, total: int) -> Any:  # noqa: ARG001 - the shape of Progress
        yield from items
        out.mkdir(exist_ok=True)
        (out / "mine").write_text("x")

    with pytest.raises(Unwritable):
        migrate_files(**paths, store=store, out=out, progress=interfering)
    assert [path.name for path in out.iterdir()] == ["mine"]
    assert store_state(store) == before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # see test_a_failure_leaves_no_file_open
def test_a_failure_in_the_middle_leaves_store_and_folder_as_they_were(tmp_path: Path) -> None:
    paths = plain_case().write(tmp_path / "in")
    store = str(tmp_path / "s.db")
    create_store(store)
    before = store_state(store)

    def failing(items: Any, what: str, total: int) -> Any:  # noqa: ARG001 - the shape of Progress
        yield next(iter(items))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        migrate_files(**paths, store=store, out=tmp_path / "out", progress=failing)
    assert store_state(store) == before
    assert not [path for path in tmp_path.iterdir() if path.name not in ("in", "s.db")]


def change_documents_meanwhile(paths: dict[str, Path]) -> Any:
    def changing(items: Any, what: str, total: int) -> Any:  # noqa: ARG001 - the shape of Progress
        paths["documents"].write_text(paths["documents"].read_text().replace("doc", "DOC"))
        yield from items

    return changing


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the fault of the next test
def test_a_corpus_file_that_changes_meanwhile_is_noticed_and_leaves_nothing(tmp_path: Path) -> None:
    paths = plain_case().write(tmp_path / "in")
    with pytest.raises(BadInput, match="was changed while it was read"):
        migrate_files(**paths, out=tmp_path / "out", progress=change_documents_meanwhile(paths))
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    gc.collect()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts handles in /proc")
def test_a_failure_leaves_no_file_open(tmp_path: Path) -> None:
    paths = plain_case().write(tmp_path / "in")
    before = len(list(Path("/proc/self/fd").iterdir()))
    try:
        with pytest.raises(BadInput) as caught:
            migrate_files(**paths, out=tmp_path / "out", progress=change_documents_meanwhile(paths))
        after = len(list(Path("/proc/self/fd").iterdir()))
        assert caught.value.count == 1
        assert after == before
    finally:
        del caught
        gc.collect()


def test_a_question_that_lost_a_label_to_skip_bad_waits(tmp_path: Path) -> None:
    paths = plain_case().write(tmp_path / "in")
    with paths["labels"].open("a") as labels:
        labels.write("q0 0 nowhere 2\nq1 0 old0 high\n")
    result = migrate_files(**paths, out=tmp_path / "out", skip_bad=True)
    waiting = {row["query_id"]: row["labels"] for row in read_rows(tmp_path / "out" / "waiting.jsonl")}
    assert {"old_chunk_id": "nowhere", "bucket": "unmapped", "reason": "skipped"} in waiting["q0"]
    assert "q1" in waiting
    assert not result.clean
    assert not (tmp_path / "out" / "qrels.txt").read_text().startswith(("q0 ", "q1 "))


def test_the_same_file_may_be_the_old_and_the_new_chunking(tmp_path: Path) -> None:
    paths = plain_case().write(tmp_path / "in")
    store = str(tmp_path / "s.db")
    create_store(store)
    result = migrate_files(**{**paths, "new_chunks": paths["old_chunks"]}, store=store)
    assert result.recorded is not None
    with Store.open(store) as opened:
        assert len(opened.chunkings()) == 1


def test_a_set_that_others_have_worked_on_is_not_touched(tmp_path: Path) -> None:
    paths = plain_case().write(tmp_path / "in")
    store = str(tmp_path / "s.db")
    create_store(store)
    assert migrate_files(**paths, store=store, set_name="faq").recorded is not None
    with Store.open(store) as opened, opened.writing() as tx:
        newest = opened.find_version("faq")
        tx.add_version("faq", newest.number, newest.terms, [], Provenance.now("emptied"))
    before = store_state(store)
    with pytest.raises(Conflict, match="emptied"):
        migrate_files(**paths, store=store, set_name="faq")
    assert store_state(store) == before
    other = plain_case(documents=2).write(tmp_path / "labels2")
    first, second = (migrate_files(**each, store=store).recorded for each in (paths, other))
    assert first is not None
    assert second is not None
    assert first.eval_set.split("@")[0] != second.eval_set.split("@")[0]


def test_migrating_to_fresh_ids_of_the_same_cut_uses_the_ids_of_each(tmp_path: Path) -> None:
    paths = plain_case().write(tmp_path / "in")
    store = str(tmp_path / "s.db")
    create_store(store)
    add_snapshot(paths["documents"], store=store)
    renamed = write_rows(
        tmp_path / "renamed.jsonl",
        [{**row, "chunk_id": f"uuid-{row['chunk_id']}"} for row in read_rows(paths["old_chunks"])],
    )
    add_chunking("a", paths["old_chunks"], store=store)
    import_labels("set", paths["labels"], chunking="a", store=store)
    add_chunking("b", renamed, store=store)
    verdict = verify("set", manifest("b", store=store), store=store)
    assert [finding.kind for finding in verdict.refusals] == [Kind.CHUNK_LABELS]
    assert migrate_set("set", "b", store=store).clean
    assert all(
        chunk.startswith("uuid-") for grades in qrels("set", "b", store=store).as_dict().values() for chunk in grades
    )
