"""Labels without texts: TREC and BEIR qrels, ranx's JSON and parquet, and the values that ir_measures takes."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import NamedTuple, Protocol

from evalspan.errors import Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, Format, Holds, ReadOptions
from evalspan.formats.foreign.look import Look
from evalspan.formats.foreign.rows import Numbered, Wrong, an_id, asked, each, id_of, only, read_json, read_rows
from evalspan.formats.trec import BEIR_HEADER, read_labels, render_beir, render_qrels
from evalspan.labels import ChunkLabel
from evalspan.mapping import Qrel

HOLDS = frozenset({Holds.IDS, Holds.LABELS, Holds.GRADES, Holds.HARMFUL})

LONGEST_ID = 200
"""Characters of an id in a qrels file that is guessed to be one."""


class Labelled(NamedTuple):
    """A label of a chunk."""

    line: int
    query_id: str
    chunk_id: str
    grade: int


def by_question(
    labels: Iterable[Labelled], texts: Mapping[str, str] | None = None, keep_bare: bool = False
) -> tuple[ForeignQuestion, ...]:
    """Questions in the order of `texts`, then of their labels; `keep_bare`: also those of `texts` without labels."""
    found: dict[str, list[Labelled]] = {query_id: [] for query_id in texts or ()}
    for label in labels:
        found.setdefault(label.query_id, []).append(label)
    out = []
    for at, (query_id, mine) in enumerate(found.items(), 1):
        named = tuple(ChunkLabel(chunk_id=label.chunk_id, grade=label.grade) for label in mine)
        question = asked(query_id, (texts or {}).get(query_id, ""))
        if mine or keep_bare:
            line = mine[0].line if mine else at
            out.append(ForeignQuestion(line, question.model_copy(update={"chunk_labels": named})))
    return tuple(out)


def to_qrels(foreign: ForeignSet) -> Iterator[Qrel]:
    """In the order of the questions, each with its labels."""
    for _, question, _ in foreign.questions:
        for label in question.chunk_labels:
            yield Qrel(question.query_id, label.chunk_id, label.grade)


class QrelValue(Protocol):
    """As ir_measures' `Qrel` and ir_datasets' `TrecQrel` are."""

    @property
    def query_id(self) -> str: ...
    @property
    def doc_id(self) -> str: ...
    @property
    def relevance(self) -> int: ...


def from_qrels(values: Iterable[QrelValue]) -> ForeignSet:
    """The other way is `evalspan.qrels(...)`, whose values have the same fields."""
    rows = (Labelled(at, one.query_id, one.doc_id, one.relevance) for at, one in enumerate(values, 1))
    return ForeignSet(by_question(rows))


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    rows = read_labels(only(files), problems)
    return ForeignSet(by_question(Labelled(row.line, row.query_id, row.chunk_id, row.grade) for row in rows))


def _is_trec(look: Look) -> bool:
    fields = look.head.partition("\n")[0].split()
    return len(fields) == 4 and fields[3].lstrip("+-").isdecimal() and all(len(one) < LONGEST_ID for one in fields)


def _read_ranx(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    if path.suffix.lower() == ".parquet":
        columns = ("q_id", "doc_id", "score")
        return ForeignSet(by_question(each(path, problems, read_rows(path, problems, "qrels", columns), _ranx_row)))
    value = read_json(path)
    rows = [Numbered(at, {"q_id": q, "docs": docs}) for at, (q, docs) in enumerate(_items(value), 1)]
    found = each(path, problems, rows, _ranx_question)
    problems.require_some(found, path, "label", 0)
    return ForeignSet(by_question(label for labels in found for label in labels))


def _items(value: object) -> list[tuple[str, object]]:
    return list(value.items()) if isinstance(value, dict) else []


def _ranx_row(line: Numbered) -> Labelled:
    return Labelled(line.line, id_of(line.row, "q_id"), id_of(line.row, "doc_id"), _whole(line.row["score"]))


def _ranx_question(line: Numbered) -> list[Labelled]:
    query_id, docs = id_of(line.row, "q_id"), line.row["docs"]
    if not isinstance(docs, dict):
        raise Wrong(f"question {query_id!r} has no object of documents and their relevance")
    return [Labelled(line.line, query_id, an_id(doc, "a document"), _whole(score)) for doc, score in docs.items()]


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value != int(value):
        raise Wrong(f"relevance {value!r:.40} is no whole number: is this a run?")
    return int(value)


def _write_ranx(foreign: ForeignSet) -> dict[str, str | bytes]:
    docs: dict[str, dict[str, int]] = {}
    for query_id, doc_id, relevance in to_qrels(foreign):
        docs.setdefault(query_id, {})[doc_id] = relevance
    return {"": json.dumps(docs, ensure_ascii=False) + "\n"}


def _is_ranx(look: Look) -> bool:
    if {"q_id", "doc_id", "score"} <= set(look.columns):
        return True
    inner = list(look.row.values())
    return bool(inner) and all(
        isinstance(docs, dict) and docs and all(isinstance(score, int) for score in docs.values()) for docs in inner
    )


FORMAT = Format(
    name="trec",
    title="TREC qrels: query_id iter chunk_id grade",
    suffixes=(".txt", ".qrels", ".tsv"),
    guess=_is_trec,
    read=_read,
    write=lambda foreign: {"": "".join(render_qrels(to_qrels(foreign)))},
    holds=HOLDS,
)

BEIR_QRELS = Format(
    name="beir",
    title="BEIR qrels: query-id, corpus-id, score, with their header",
    suffixes=(".tsv",),
    guess=lambda look: tuple(look.head.partition("\n")[0].split()) == BEIR_HEADER,
    read=_read,
    write=lambda foreign: {"": "".join(render_beir(to_qrels(foreign)))},
    holds=HOLDS,
    part_of="beir-folder",
)

RANX = Format(
    name="ranx",
    title='ranx qrels: {"query": {"chunk": grade}}, or parquet with q_id, doc_id, score',
    suffixes=(".json", ".parquet"),
    read_only=frozenset({".parquet"}),
    guess=_is_ranx,
    read=_read_ranx,
    write=_write_ranx,
    holds=HOLDS,
)
