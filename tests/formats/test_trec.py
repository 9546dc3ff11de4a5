"""Qrels and runs as TREC has them, and qrels as BEIR has them."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalspan.errors import Problems
from evalspan.formats.trec import read_labels, read_run, render_beir, render_qrels
from evalspan.mapping import Qrel

from .helpers import SAMPLE, found, in_file, refusal

grades = st.integers(-999_999_999, 999_999_999)
plain_ids = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=6)
ids_with_blanks = st.lists(plain_ids, min_size=1, max_size=3).map(" ".join)
any_ids = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r\ufeff"), min_size=1, max_size=6)


def labels_of(text: str) -> tuple[list[tuple[str, str, int]], list[str]]:
    read, bad = found(read_labels, text.encode())
    return [(row.query_id, row.chunk_id, row.grade) for row in read], bad


def round_trip(qrels: list[Qrel], beir: bool) -> None:
    text = "".join(render_beir(qrels) if beir else render_qrels(qrels))
    read, bad = labels_of(text)
    assert read == [tuple(qrel) for qrel in qrels]
    assert bad == ([] if qrels else ["None: holds no label"])


def some_qrels(ids: st.SearchStrategy[str]) -> st.SearchStrategy[list[Qrel]]:
    return st.lists(st.builds(Qrel, ids, ids, grades), max_size=5, unique_by=lambda qrel: qrel[:2])


@given(some_qrels(ids_with_blanks), st.booleans())
@settings(deadline=None)
def test_qrels_that_are_written_are_read_again(qrels: list[Qrel], beir: bool) -> None:
    round_trip(qrels, beir)


@given(some_qrels(any_ids))
@example([Qrel("q", "c ", 1)])
@example([Qrel(" q", "c", 1)])
@example([Qrel("q", " ", 1)])
@settings(deadline=None)
def test_qrels_are_read_again_whatever_blanks_their_ids_hold(qrels: list[Qrel]) -> None:
    round_trip(qrels, beir=False)


@pytest.mark.parametrize("chunk_id", ["a\tb", "a\nb", "a\r"])
def test_an_id_that_no_qrels_file_can_hold_is_not_written_as_another(chunk_id: str) -> None:
    try:
        text = "".join(render_qrels([Qrel("q", chunk_id, 1)]))
    except ValueError:
        return
    assert labels_of(text)[0] == [("q", chunk_id, 1)]


@pytest.mark.parametrize(
    "text",
    ["q1 0 c1 2\nq1 0 c2 -1\n", "q1\t0\tc1\t2\nq1\t0\tc2\t-1\n", " q1  0   c1 \t +2 \r\n\r\n\nq1 Q0 c2 -1"],
    ids=["blanks", "tabs", "a mixture with CRLF, and no newline at the end"],
)
def test_trec_lines_are_split_at_blanks_or_tabs(text: str) -> None:
    assert labels_of(text) == ([("q1", "c1", 2), ("q1", "c2", -1)], [])


def test_ids_may_hold_blanks_between_tabs() -> None:
    assert labels_of("q 1\t0\ta b c\t2\n") == ([("q 1", "a b c", 2)], [])


def test_a_trec_line_with_two_tabs_and_a_blank_has_four_fields() -> None:
    assert labels_of("q1 0\tc1\t2\n") == ([("q1", "c1", 2)], [])


def test_too_many_fields_say_that_tabs_help() -> None:
    _, bad = labels_of("q1 0 a 1\nq1 0 a b 1\n")
    assert bad == [
        "2: 5 fields where 4 are wanted (query_id iter chunk_id grade); ids with blanks want tabs between the fields"
    ]


def test_beir_is_known_by_its_header() -> None:
    assert labels_of("query-id\tcorpus-id\tscore\nq1\tc 1\t1\n") == ([("q1", "c 1", 1)], [])
    assert labels_of("\ufeffquery-id\tcorpus-id\tscore\r\nq1\tc1\t1\r\n") == ([("q1", "c1", 1)], [])


def test_three_fields_without_beirs_header_are_no_labels() -> None:
    read, bad = labels_of("q1\tc1\t1\n")
    assert read == []
    assert bad == ["1: 3 fields where 4 are wanted (query_id iter chunk_id grade)", "None: holds no label"]


@pytest.mark.parametrize("grade", ["1.0", "x", "", "NaN", "1e1", "٣", "--1", "0x1", "9999999999"])
def test_a_grade_is_a_whole_number(grade: str) -> None:
    read, bad = labels_of(f"q1 0 c1 1\nq1 0 c2 {grade}\n")
    assert read == [("q1", "c1", 1)]
    assert len(bad) == 1
    assert bad[0].startswith("2: ")
    assert f"grade {grade!r} is no whole number" in bad[0] or "3 fields where 4 are wanted" in bad[0]


def test_a_label_stands_once() -> None:
    _, bad = labels_of("q 0 c 1\nq 0 c 1\nq 0 c 2\n")
    assert bad == [
        "2: question 'q' and chunk 'c' stand on line 1 already",
        "3: question 'q' and chunk 'c' stand on line 1 already, with grade 1",
    ]


def test_bytes_that_are_no_text_are_named() -> None:
    read, bad = found(read_labels, b"q 0 \xff 1\nq 0 a\0b 1\nq 0 c 1\n")
    assert [row.line for row in read] == [3]
    assert bad == ["1: not UTF-8: byte 0xff at byte 4 of the line", "2: holds NUL"]


@pytest.mark.parametrize("data", [b"", b"\n \n", b"query-id\tcorpus-id\tscore\n"])
def test_a_file_without_labels_is_refused(data: bytes) -> None:
    assert "holds no label" in str(refusal(read_labels, data))


def test_an_empty_file_is_not_to_be_mended_by_skipping() -> None:
    assert "--skip-bad" not in str(refusal(read_labels, b""))


def test_the_sample_labels_are_read() -> None:
    read = read_labels(SAMPLE / "qrels.txt", Problems())
    assert [row.line for row in read] == list(range(1, len(read) + 1))
    assert {row.grade for row in read} >= {1, 2}


def run_of(text: str) -> tuple[dict[str, list[str]], list[str]]:
    run, bad = found(read_run, text.encode())
    return {query: [hit.chunk_id for hit in hits] for query, hits in run.rankings.items()}, bad


def test_a_run_is_ranked_by_score_and_ties_by_the_rank_given() -> None:
    lines = ["q Q0 c 3 1.5 t", "q Q0 a 2 1.5 t", "q Q0 b 9 2 t", "q Q0 z 1 -1e3 t", "p Q0 a 1 0 t"]
    random.Random(1).shuffle(lines)
    assert run_of("\n".join(lines)) == ({"q": ["b", "a", "c", "z"], "p": ["a"]}, []) or run_of("\n".join(lines)) == (
        {"p": ["a"], "q": ["b", "a", "c", "z"]},
        [],
    )


@given(st.permutations([f"q Q0 c{i} {i % 3} {i % 2} t" for i in range(6)]))
@settings(deadline=None)
def test_the_order_of_a_runs_lines_does_not_matter(lines: list[str]) -> None:
    assert run_of("\n".join(lines))[0] == {"q": ["c3", "c1", "c5", "c0", "c4", "c2"]}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("q Q0 c 1 NaN t", "score 'NaN' is no finite number"),
        ("q Q0 c 1 inf t", "score 'inf' is no finite number"),
        ("q Q0 c 1 1e999 t", "score '1e999' is no finite number"),
        ("q Q0 c 1 high t", "score 'high' is no finite number"),
        ("q Q0 c -1 1 t", "rank '-1' is no whole number"),
        ("q Q0 c first 1 t", "rank 'first' is no whole number"),
        ("q Q0 c 1.0 1 t", "rank '1.0' is no whole number"),
        ("q Q0 good 2 1 t", "chunk 'good' is ranked twice for question 'q'"),
        ("q Q0 c 1 1", "5 fields where 6 are wanted"),
        ("q Q0 c d 1 1 t", "7 fields where 6 are wanted"),
    ],
)
def test_a_bad_hit_is_named_with_its_line_and_left_out(line: str, what: str) -> None:
    ranked, bad = run_of(f"q Q0 good 1 5 t\n{line}\n")
    assert ranked == {"q": ["good"]}
    assert len(bad) == 1
    assert bad[0].startswith(f"2: {what}")


def test_a_rank_of_very_many_digits_is_no_rank() -> None:
    _, bad = run_of(f"q Q0 good 1 5 t\nq Q0 c {'9' * 5000} 1 t\n")
    assert len(bad) == 1


@pytest.mark.parametrize("score", ["1_0", "٣"])
def test_a_score_is_written_as_other_tools_read_it(score: str) -> None:
    _, bad = run_of(f"q Q0 good 1 5 t\nq Q0 c 2 {score} t\n")
    assert len(bad) == 1


@pytest.mark.parametrize("data", [b"", b"\n"])
def test_a_run_without_hits_is_refused(data: bytes) -> None:
    assert "holds no hit" in str(refusal(read_run, data))


def test_the_bytes_written_are_the_same_each_time() -> None:
    qrels = [Qrel("q1", "c 1", 2), Qrel("q2", "c2", -1)]
    assert list(render_qrels(qrels)) == ["q1\t0\tc 1\t2\n", "q2 0 c2 -1\n"]
    assert list(render_beir(qrels)) == ["query-id\tcorpus-id\tscore\n", "q1\tc 1\t2\n", "q2\tc2\t-1\n"]


def test_a_file_is_left_alone_by_its_readers() -> None:
    with in_file(b"q 0 c 1\n") as path:
        before = path.stat()
        read_labels(path, Problems())
        assert path.read_bytes() == b"q 0 c 1\n"
        assert path.stat().st_mtime_ns == before.st_mtime_ns
