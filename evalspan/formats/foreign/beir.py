"""BEIR's data set as a folder: corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv.

Harnesses join a title to its text before they embed it. Here the two stay apart: the text alone is what stands in a
document, and a title that is no part of it would move every offset.
"""

from collections.abc import Sequence
from pathlib import Path

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.foreign.form import ForeignChunk, ForeignSet, Format, Holds, ReadOptions
from evalspan.formats.foreign.qrels import Labelled, by_question, to_qrels
from evalspan.formats.foreign.rows import Numbered, each, id_of, named, read_rows, render_lines, spread, text_of
from evalspan.formats.trec import BEIR_HEADER, read_labels, render_beir


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    there = spread(files)
    labels = [path for path in there if path.suffix.lower() == ".tsv"]
    if len(labels) != 1:
        has = ", ".join(path.name for path in labels) or "none"
        what = f"one file of qrels is wanted, and there is {has}: name corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv"
        raise BadInput([Problem(str(files[0]), None, what)])
    queries, corpus = named(there, "queries.jsonl"), named(there, "corpus.jsonl")
    texts = dict(_texts(queries, problems)) if queries else {}
    chunks = _chunks(corpus, problems) if corpus else ()
    rows = (Labelled(row.line, row.query_id, row.chunk_id, row.grade) for row in read_labels(labels[0], problems))
    titled = sum(bool(chunk.title) for chunk in chunks)
    notes = [f"titles of {titled} passages: they are no part of their texts"] if titled else []
    asked = by_question(rows, texts)
    bare = len(texts) - sum(one.question.query_id in texts for one in asked)
    notes += [f"{bare} questions of queries.jsonl without a label in {labels[0].name}"] if bare else []
    return ForeignSet(asked, chunks=chunks, notes=tuple(notes))


def _texts(path: Path, problems: Problems) -> list[tuple[str, str]]:
    def query(line: Numbered) -> tuple[str, str]:
        return id_of(line.row, "_id"), text_of(line.row, "text")

    return each(path, problems, read_rows(path, problems, "questions"), query)


def _chunks(path: Path, problems: Problems) -> tuple[ForeignChunk, ...]:
    def chunk(line: Numbered) -> ForeignChunk:
        row = line.row
        return ForeignChunk(id_of(row, "_id"), text_of(row, "text"), title=text_of(row, "title", ""))

    return tuple(each(path, problems, read_rows(path, problems, "passages"), chunk))


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    corpus = ({"_id": one.chunk_id, "title": one.title, "text": one.text} for one in foreign.chunks)
    queries = ({"_id": q.query_id, "text": q.question.text} for _, q, _ in foreign.questions)
    return {
        "corpus.jsonl": render_lines(corpus),
        "queries.jsonl": render_lines(queries),
        "qrels/test.tsv": "".join(render_beir(to_qrels(foreign))),
    }


FORMAT = Format(
    name="beir-folder",
    title="BEIR data set: a folder with corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv",
    suffixes=(".jsonl", ".tsv"),
    guess=lambda look: tuple(look.head.partition("\n")[0].split()) == BEIR_HEADER,
    read=_read,
    write=_write,
    holds=frozenset({Holds.IDS, Holds.TEXT, Holds.LABELS, Holds.GRADES, Holds.HARMFUL}),
    carries=("chunks",),
    many=True,
)
