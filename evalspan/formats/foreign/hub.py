"""The layout of data sets on the Hugging Face hub: BEIR's corpus, queries and qrels as configs, with spans beside."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from evalspan.corpus import Document
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.foreign.form import (
    ForeignChunk,
    ForeignQuestion,
    ForeignSet,
    ForeignSpan,
    Format,
    Holds,
    Piece,
    ReadOptions,
)
from evalspan.formats.foreign.rows import (
    Numbered,
    Row,
    each,
    id_of,
    named,
    offset_of,
    once,
    read_rows,
    render_lines,
    rows_of,
    spread,
    text_of,
    value_of,
)
from evalspan.labels import ChunkLabel, JudgedQuestion

CONFIGS = ("queries", "corpus", "qrels", "documents", "spans")

SAID = {"facts", "labels_are", "must_not_use", "acceptable_docs", "no_answer"}
PLAIN = {"tags", "reference_answers", "filters"}
"""Fields of a question that stand in its row of queries under our names, where they say something."""


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    there = spread(files)
    parts = {config: named(there, f"{config}.jsonl", f"{config}.parquet") for config in CONFIGS}
    queries, qrels, spans = parts["queries"], parts["qrels"], parts["spans"]
    if queries is None or (qrels is None and spans is None):
        what = "queries.jsonl is wanted (or .parquet), with qrels or spans beside it"
        raise BadInput([Problem(str(files[0]), None, what)])
    asked = once(queries, problems, each(queries, problems, read_rows(queries, problems, "questions"), _question))
    labels: dict[str, list[ChunkLabel]] = {}
    if qrels is not None:
        for query_id, label in each(qrels, problems, read_rows(qrels, problems, "labels"), _label):
            labels.setdefault(query_id, []).append(label)
    found: dict[str, list[ForeignSpan]] = {}
    if spans is not None:
        for query_id, span in each(spans, problems, read_rows(spans, problems, "spans"), _span):
            found.setdefault(query_id, []).append(span)
    for query_id in {*labels, *found} - {one.question.query_id for one in asked}:
        problems.add(queries, None, f"holds no question {query_id!r}, which has labels")
    questions = tuple(
        one._replace(
            question=one.question.model_copy(update={"chunk_labels": tuple(labels.get(one.question.query_id, ()))}),
            spans=tuple(found.get(one.question.query_id, ())),
        )
        for one in asked
    )
    documents, corpus = parts["documents"], parts["corpus"]
    texts = each(documents, problems, read_rows(documents, problems, "documents"), _document) if documents else ()
    chunks = each(corpus, problems, read_rows(corpus, problems, "passages"), _chunk) if corpus else ()
    return ForeignSet(questions, tuple(texts), tuple(chunks))


def _question(line: Numbered) -> ForeignQuestion:
    row = line.row
    mine = {key: row[key] for key in PLAIN if row.get(key)}
    said = {key: row[key] for key in SAID if row.get(key)}
    question = {"query_id": id_of(row, "_id"), "text": text_of(row, "text", ""), **mine}
    return ForeignQuestion(line.line, JudgedQuestion.model_validate({"question": question, **said}))


def _label(line: Numbered) -> tuple[str, ChunkLabel]:
    row = line.row
    chunk_id, grade = id_of(row, "corpus-id"), value_of(row, "score", int, "a grade")
    return id_of(row, "query-id"), ChunkLabel(chunk_id=chunk_id, grade=grade, fact=text_of(row, "fact", ""))


def _span(line: Numbered) -> tuple[str, ForeignSpan]:
    row = line.row
    also = tuple(Piece(*_place(one)) for one in rows_of(row, "also"))
    return id_of(row, "query-id"), ForeignSpan(
        id_of(row, "doc-id"),
        *_place(row),
        grade=value_of(row, "grade", int, "a grade", 1),
        fact=text_of(row, "fact", ""),
        tabular=row.get("tabular") is True,
        also=also,
    )


def _place(row: Row) -> tuple[int, int, str]:
    return offset_of(row, "start"), offset_of(row, "end"), text_of(row, "quote", "")


def _document(line: Numbered) -> Document:
    return Document(id_of(line.row, "_id"), text_of(line.row, "text"))


def _chunk(line: Numbered) -> ForeignChunk:
    row = line.row
    return ForeignChunk(id_of(row, "_id"), text_of(row, "text"), title=text_of(row, "title", ""))


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    rows = {
        "queries": map(_query, foreign.questions),
        "qrels": _labels(foreign),
        "corpus": ({"_id": one.chunk_id, "title": one.title, "text": one.text} for one in foreign.chunks),
        "documents": ({"_id": one.doc_id, "text": one.text} for one in foreign.documents),
        "spans": _spans(foreign),
    }
    files: dict[str, str | bytes] = {}
    for config in CONFIGS:
        lines = render_lines(rows[config])
        if lines or config == "queries":
            files[f"{config}/{config}.jsonl"] = lines
    if not {"qrels/qrels.jsonl", "spans/spans.jsonl"} & files.keys():
        files["spans/spans.jsonl"] = ""
    configs = "".join(f"- config_name: {name.partition('/')[0]}\n  data_files: {name}\n" for name in files)
    return {"README.md": f"---\nconfigs:\n{configs}---\n", **files}


def _query(one: ForeignQuestion) -> Row:
    plain = one.question.question.model_dump(mode="json", include=PLAIN, exclude_defaults=True)
    said = one.question.model_dump(mode="json", include=SAID, exclude_defaults=True)
    return {"_id": one.question.query_id, "text": one.question.question.text, **plain, **said}


def _labels(foreign: ForeignSet) -> Iterator[Row]:
    for _, question, _ in foreign.questions:
        for label in question.chunk_labels:
            row = {"query-id": question.query_id, "corpus-id": label.chunk_id, "score": label.grade}
            yield row | ({"fact": label.fact} if label.fact else {})


def _spans(foreign: ForeignSet) -> Iterator[Row]:
    for _, question, spans in foreign.questions:
        for span in spans:
            place = {"start": span.start, "end": span.end, "quote": span.quote}
            also = [{"start": one.start, "end": one.end, "quote": one.quote} for one in span.also]
            more = {"fact": span.fact, "tabular": span.tabular, "also": also}
            yield {"query-id": question.query_id, "doc-id": span.doc_id, **place, "grade": span.grade, **more}


FORMAT = Format(
    name="hf-dataset",
    title="a Hugging Face data set: configs corpus, queries, qrels as BEIR has them, and documents and spans",
    suffixes=(".jsonl", ".parquet"),
    guess=lambda look: look.has("query-id") and (look.has("doc-id", "start") or look.suffix != ".tsv"),
    read=_read,
    write=_write,
    holds=frozenset(Holds) - {Holds.VERSIONS},
    carries=("documents", "chunks"),
    many=True,
)
