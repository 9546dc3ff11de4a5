"""Ours beside ir_measures, from the files on, on a real set of questions."""

import gzip
import json
from pathlib import Path

import ir_measures
import pytest
from shared_data import shared_data

from evalspan.errors import Problems
from evalspan.formats.runs import read_any_run
from evalspan.scoring.cases import Case, WaitingChunks
from evalspan.scoring.figures import mean
from evalspan.scoring.standard import DEFAULT, standard_figures

from .bm25 import bm25


def write_run(path: Path) -> dict[str, dict[str, int]]:
    """A BM25 run over the chunks; returns the qrels."""
    folder = shared_data("cookbook_docs")
    with gzip.open(folder / "anthropic_docs.json.gz", "rt", encoding="utf-8") as file:
        chunks = json.load(file)
    asked = json.loads((folder / "docs_evaluation_dataset.json").read_text(encoding="utf-8"))
    found = bm25([chunk["text"] for chunk in chunks], [one["question"] for one in asked], 20)
    with path.open("w", encoding="utf-8") as out:
        for one, hits in zip(asked, found, strict=True):
            ids = list(dict.fromkeys(chunks[number]["chunk_link"] for number, _ in hits))
            for rank, chunk_id in enumerate(ids, 1):
                out.write(f"{one['id']} Q0 {chunk_id} {rank} {-rank} bm25\n")
    return {one["id"]: dict.fromkeys(one["correct_chunks"], 1) for one in asked}


def test_from_the_same_files_come_the_same_means(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    qrels = write_run(path)
    run = read_any_run(path, Problems())
    rankings = {query_id: [hit.chunk_id for hit in hits] for query_id, hits in run.rankings.items()}
    figures = standard_figures({query: Case(query, grades) for query, grades in qrels.items()}, rankings)
    parsed = [ir_measures.parse_measure(name) for name in DEFAULT]
    theirs = ir_measures.calc_aggregate(parsed, qrels, ir_measures.read_trec_run(str(path)))  # type: ignore[no-untyped-call]
    for name, measure in zip(DEFAULT, parsed, strict=True):
        found = mean(figures[name])
        assert found is not None
        assert found.value == pytest.approx(theirs[measure])
        assert found.low == found.value == found.high


def test_with_a_tenth_of_the_labels_waiting_the_figure_of_all_labels_lies_in_the_interval(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    qrels = write_run(path)
    run = read_any_run(path, Problems())
    rankings = {query_id: [hit.chunk_id for hit in hits] for query_id, hits in run.rankings.items()}
    cases = {query_id: Case(query_id, dict(grades)) for query_id, grades in qrels.items()}
    whole = {name: mean(figures) for name, figures in standard_figures(cases, rankings).items()}
    for number, case in enumerate(cases.values()):
        if number % 10 == 0:
            chunk_id, grade = case.grades.popitem()
            case.waiting.append(WaitingChunks(grade, (chunk_id, "another")))
    for name, figures in standard_figures(cases, rankings).items():
        found, known = mean(figures), whole[name]
        assert found is not None
        assert known is not None
        assert found.low <= known.low <= found.high
        assert found.low < found.high
