"""Runs as retrievers write them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.errors import BadInput, Problems
from evalspan.formats import trec_runs
from evalspan.formats.runs import read_any_run
from evalspan.runs import Run

from .helpers import in_file


def read(data: bytes | str) -> Run:
    """Raises BadInput."""
    problems = Problems()
    with in_file(data.encode() if isinstance(data, str) else data) as path:
        run = read_any_run(path, problems)
    problems.raise_if_any()
    return run


def ids(run: Run) -> dict[str, list[str]]:
    return {query_id: [hit.chunk_id for hit in hits] for query_id, hits in run.rankings.items()}


def refused(data: bytes | str) -> str:
    with pytest.raises(BadInput) as caught:
        read(data)
    return str(caught.value)


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


TREC = "q Q0 b 2 0.5 tag\nq Q0 a 1 0.5 tag\nr Q0 c 1 7 tag\n"
HITS = [{"chunk_id": "a", "score": 0.5}, {"chunk_id": "b", "score": 0.5}]
JSONL = lines({"query_id": "q", "hits": HITS}, {"query_id": "r", "hits": [{"chunk_id": "c", "score": 7}]})
RANX = json.dumps({"q": {"b": 0.5, "a": 0.5}, "r": {"c": 7}})


@pytest.mark.parametrize("data", [TREC, "\ufeff" + TREC, TREC.replace("\n", "\r\n"), JSONL, "\ufeff" + JSONL, RANX])
def test_the_form_is_told_by_what_the_file_holds(data: str) -> None:
    run = read(data)
    assert ids(run) == {"q": ["a", "b"], "r": ["c"]}
    assert [hit.score for hit in run.rankings["q"]] == [0.5, 0.5]
    assert (run.repeated, run.unscored) == (0, 0)


def test_a_run_is_named_as_its_file_unless_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "bm25.run"
    path.write_text(TREC)
    assert read_any_run(path, Problems()).name == "bm25"
    assert read_any_run(path, Problems(), name="x", pipeline={"retriever": 1}).pipeline == {"retriever": 1}


def test_a_pipeline_that_is_given_adds_to_the_runs_own_and_contradicts_no_stage_of_it(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(lines({"pipeline": {"retriever": "bm25", "reranker": {"model": "m"}}}) + JSONL)
    problems = Problems()
    given = {"retriever": "bm25", "filters": None}
    assert read_any_run(path, problems, pipeline=given).pipeline == {
        "retriever": "bm25",
        "reranker": {"model": "m"},
        "filters": None,
    }
    problems.raise_if_any()
    read_any_run(path, problems, pipeline={"retriever": "dense", "reranker": {"model": "m"}})
    with pytest.raises(BadInput, match=r"\(retriever: \"bm25\" in the run, \"dense\" beside it\)"):
        problems.raise_if_any()


@pytest.mark.parametrize("data", ['[{"query_id": "q", "hits": []}]', "[\n  {}\n]", "[]", "[ ]\n"])
def test_a_json_list_is_told_to_be_none_of_the_forms(data: str) -> None:
    assert "is a JSON list, and a run is none" in refused(data)


def test_the_first_hit_of_an_unscored_list_has_no_negative_zero() -> None:
    (hit,) = read(lines({"query_id": "q", "hits": [{"chunk_id": "a"}]})).rankings["q"]
    assert str(hit.score) == "0.0"


# TREC

_ids = st.sampled_from(["q", "q1", "Q0", "c\u2028d", "c d", "é", "\x00", "\ufeffq", "\xa0", ""])
_numbers = st.sampled_from(
    [
        "1",
        "01",
        "-1",
        "+1",
        "1_0",
        "٣",
        "0.5",
        ".5",
        "5.",
        "1e3",
        "1e999",
        "nan",
        "NaN",
        "inf",
        "-inf",
        "0x1",
        "1234567890",
    ]
)
_fields = _ids | _numbers
_lines = st.builds(
    lambda fields, between: between.join(fields),
    st.lists(_fields, min_size=5, max_size=7),
    st.sampled_from([" ", "\t", "  ", " \t"]),
)
_plain = st.builds(
    "{} Q0 {} {} {} tag".format,
    st.sampled_from(["q", "r", "q é"]),
    st.sampled_from("abc"),
    st.integers(0, 3),
    st.sampled_from(["0", "0.5", "nan"]),
)
_files = st.lists(_plain | _lines, max_size=5)
_ends = st.sampled_from(["\n", "\r\n", "\n\n"])


@law
@given(_files, _ends)
def test_the_quick_reader_says_what_the_careful_one_says(rows: list[str], end: str) -> None:
    with in_file(end.join(rows).encode()) as path:
        quick = trec_runs._quickly(path)
        problems = Problems()
        careful = trec_runs._carefully(path, problems)
    if quick is not None:
        assert repr(quick) == repr(careful)  # NaN is not equal to itself
        problems.raise_if_any()


@pytest.mark.parametrize("plain", [True, False], ids=["quick", "careful"])
def test_repeated_hits_and_scores_that_are_no_numbers_are_left_out_and_counted(plain: bool) -> None:
    odd = "" if plain else "q 2\tQ0\td\t1\t1\ttag\n"
    run = read("q Q0 a 1 nan t\nq Q0 b 2 0.5 t\nq Q0 b 3 0.4 t\nq Q0 a 4 0.1 t\nq Q0 c 5 NaN t\n" + odd)
    assert ids(run)["q"] == ["b", "a"]
    assert (run.repeated, run.unscored) == (1, 2)


def test_ids_may_hold_blanks_between_tabs() -> None:
    assert ids(read("q 1\tQ0\tchunk 1\t1\t0.5\tmy tag\nq2 Q0 c 1 1 t\n")) == {"q 1": ["chunk 1"], "q2": ["c"]}


@pytest.mark.parametrize("odd", ["c\u2028d", "c\x0bd", "c\x85d", "c\xa0d"])
def test_odd_blanks_in_ids_are_kept_between_tabs_and_refused_between_blanks(odd: str) -> None:
    assert ids(read(f"q\tQ0\t{odd}\t1\t0.5\tt\n")) == {"q": [odd]}
    assert "7 fields where 6 are wanted" in refused(f"q Q0 {odd} 1 0.5 t\n")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("q Q0 a 1 0.5", "5 fields where 6 are wanted"),
        ("q Q0 a 1 0.5 t t", "ids with blanks want tabs"),
        ("q Q0 a x 0.5 t", "rank 'x' is no whole number"),
        ("q Q0 a -1 0.5 t", "rank '-1' is no whole number"),
        ("q Q0 a ٣ 0.5 t", "is no whole number"),
        ("q Q0 a 12345678901 0.5 t", "is no whole number"),
        ("q Q0 a 1 high t", "score 'high' is no finite number"),
        ("q Q0 a 1 inf t", "score 'inf' is no finite number"),
        ("q Q0 a 1 1e999 t", "score '1e999' is no finite number"),
        ("q Q0 a 1 1_0 t", "score '1_0' is no finite number"),
        ("q Q0 a 1 ٣ t", "is no finite number"),
        ("q Q0 \0 1 1 t", "holds NUL"),
    ],
)
def test_a_bad_line_is_named(line: str, what: str) -> None:
    said = refused(f"q Q0 z 1 0.5 t\n{line}\n")
    assert what in said
    assert ":2:" in said


def test_bytes_that_are_no_text_are_named_with_their_line() -> None:
    assert ":2: not UTF-8: byte 0xff" in refused(b"q Q0 a 1 0.5 t\nq Q0 \xff 1 0.5 t\n")


@pytest.mark.parametrize("data", ["", "\n\n", "\ufeff", " \n"])
def test_a_file_without_hits_is_refused(data: str) -> None:
    assert "holds no hit" in refused(data)


def test_what_can_not_be_read_twice_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)
    try:
        os.write(writer, TREC.encode())
        problems = Problems()
        read_any_run(pipe, problems)
        with pytest.raises(BadInput, match="is a pipe"):
            problems.raise_if_any()
    finally:
        os.close(writer)


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(BadInput):
            read_any_run(path, Problems())


# JSON lines


def test_a_line_has_everything_that_a_run_may_say() -> None:
    hit = {"chunk_id": "a", "score": 1, "text": "x", "doc_id": "d", "start": 3, "end": 9}
    row = {"query_id": "q", "hits": [hit], "stage": "reranked", "latency_ms": 12.5, "tokens": 900}
    run = read(lines({"pipeline": {"retriever": "bm25"}}, {"pipeline": {"reranker": "m"}}, row))
    assert tuple(run.rankings["q"][0]) == ("a", 1.0, "x", "d", 3, 9)
    assert (run.stage, run.latency_ms, run.tokens) == ("reranked", {"q": 12.5}, {"q": 900})
    assert run.pipeline == {"retriever": "bm25", "reranker": "m"}


def test_a_question_without_hits_was_asked() -> None:
    assert ids(read(lines({"query_id": "q", "hits": []}))) == {"q": []}
    assert ids(read('{"q": {}}')) == {"q": []}


def test_without_scores_the_list_is_the_ranking() -> None:
    assert ids(read(lines({"query_id": "q", "hits": [{"chunk_id": c} for c in "zax"]}))) == {"q": ["z", "a", "x"]}


def test_ties_stand_as_in_the_list_and_an_object_has_no_order() -> None:
    assert ids(read(lines({"query_id": "q", "hits": list(reversed(HITS))}))) == {"q": ["b", "a"]}
    assert ids(read('{"q": {"b": 1, "a": 1}}')) == ids(read('{"q": {"a": 1, "b": 1}}')) == {"q": ["a", "b"]}


def test_null_and_nan_are_scores_that_a_retriever_failed_to_give() -> None:
    hits = [{"chunk_id": "a", "score": None}, {"chunk_id": "b", "score": "nan"}, {"chunk_id": "c", "score": 1}]
    run = read(lines({"query_id": "q", "hits": hits}))
    assert (ids(run), run.unscored) == ({"q": ["c"]}, 2)
    run = read('{"q": {"a": NaN, "b": null, "c": -1}}')
    assert (ids(run), run.unscored) == ({"q": ["c"]}, 2)


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"query_id": "q"}, '"hits" is no list'),
        ({"hits": []}, '"query_id" is missing'),
        ({"query_id": 3, "hits": []}, "an id is text"),
        ({"query_id": "q", "hits": {}}, '"hits" is no list'),
        ({"query_id": "q", "hits": ["a"]}, "hits[0] is no object"),
        ({"query_id": "q", "hits": [{"chunk_id": ""}]}, "chunk_id is no id"),
        ({"query_id": "q", "hits": [{"chunk_id": 3}]}, "chunk_id is no id"),
        ({"query_id": "q", "hits": [{"chunk_id": "a", "score": True}]}, "no finite number"),
        ({"query_id": "q", "hits": [{"chunk_id": "a", "score": "high"}]}, "no finite number"),
        ({"query_id": "q", "hits": [{"chunk_id": "a", "score": 10**400}]}, "no finite number"),
        ({"query_id": "q", "hits": [{"chunk_id": "a", "score": [1]}]}, "no finite number"),
        ({"query_id": "q", "hits": [{"chunk_id": "a", "score": 1}, {"chunk_id": "b"}]}, "1 of 2 hits have no score"),
        ({"query_id": "q", "hits": [{"chunk_id": "a", "start": 1}]}, "start and end go together"),
        ({"query_id": "q", "hits": [{"chunk_id": "a", "start": 3, "end": 3}]}, "3..3 is no range"),
        ({"query_id": "q", "hits": [{"chunk_id": "a", "start": False, "end": True}]}, "is no range"),
        ({"query_id": "q", "hits": [{"chunk_id": "a", "text": 3}]}, "text and doc_id are texts"),
        ({"query_id": "q", "hits": [{"chunk_id": "nul\0"}]}, "holds NUL or a lone surrogate"),
        ({"query_id": "q", "hits": [{"chunk_id": "\ud800"}]}, "holds NUL or a lone surrogate"),
        ({"query_id": "q", "hits": [], "latency_ms": "fast"}, '"latency_ms" is no amount'),
        ({"query_id": "q", "hits": [], "latency_ms": -1}, '"latency_ms" is no amount'),
        ({"query_id": "q", "hits": [], "tokens": True}, '"tokens" is no amount'),
        ({"query_id": "z", "hits": []}, "stands on line 1 already"),
    ],
)
def test_a_bad_row_is_named(row: dict[str, Any], what: str) -> None:
    said = refused(lines({"query_id": "z", "hits": []}, row))
    assert what in said
    assert ":2:" in said


def test_results_of_several_stages_are_several_runs() -> None:
    rows = [{"query_id": q, "hits": [], "stage": stage} for q, stage in (("q", "retrieved"), ("r", "reranked"))]
    assert "results of several stages ('retrieved', 'reranked')" in refused(lines(*rows))


# ranx


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("{", "neither a run in TREC's form nor in JSON"),
        ('{"q": [1]}', "{chunk_id: score} is wanted"),
        ('{"q": {"a": "1"}}', "is no finite number"),
        ('{"q": {"a": true}}', "is no finite number"),
        ('{"q": {"a": Infinity}}', "is no finite number"),
        ('{"q": {"a": 1' + "0" * 400 + "}}", "is no finite number"),
        ('{"q": {"a": 1, "a": 2}}', "stands twice"),
        ('{"q": {}, "q": {}}', "stands twice"),
        ('{"q": {"": 1}}', "an id is empty"),
        ('{"q": {"\\ud800": 1}}', "a lone surrogate"),
        ("{}", "holds no question"),
        ('{"q": ' * 100_000, "nested too deeply"),
    ],
)
def test_a_ranx_file_that_is_none_is_refused(data: str, what: str) -> None:
    assert what in refused(data)
