"""`{"id", "question", "relevant_spans": [{"doc", "doc_version", "start", "end"}]}` lines."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import Problems
from evalspan.formats.foreign.form import (
    ForeignQuestion,
    ForeignSet,
    ForeignSpan,
    Format,
    Holds,
    ReadOptions,
)
from evalspan.formats.foreign.rows import (
    Numbered,
    Row,
    asked,
    each,
    id_of,
    offset_of,
    once,
    only,
    read_rows,
    render_lines,
    rows_of,
    text_of,
)


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    return ForeignSet(once(path, problems, each(path, problems, read_rows(path, problems, "questions"), _question)))


def _question(line: Numbered) -> ForeignQuestion:
    row = line.row
    spans = tuple(map(_span, rows_of(row, "relevant_spans")))
    return ForeignQuestion(line.line, asked(id_of(row, "id"), text_of(row, "question", "")), spans)


def _span(row: Row) -> ForeignSpan:
    version = text_of(row, "doc_version", "") or None
    return ForeignSpan(id_of(row, "doc"), offset_of(row, "start"), offset_of(row, "end"), version=version)


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    def span(one: ForeignSpan) -> dict[str, Any]:
        version = {"doc_version": one.version} if one.version else {}
        return {"doc": one.doc_id, **version, "start": one.start, "end": one.end}

    rows = (
        {"id": q.query_id, "question": q.question.text, "relevant_spans": list(map(span, spans))}
        for _, q, spans in foreign.questions
    )
    return {"": render_lines(rows)}


FORMAT = Format(
    name="relevant-spans",
    title='lines {"id", "question", "relevant_spans": [{"doc", "doc_version", "start", "end"}]}',
    suffixes=(".jsonl", ".json"),
    guess=lambda look: look.has("id", "question", "relevant_spans"),
    read=_read,
    write=_write,
    holds=frozenset(
        {
            Holds.IDS,
            Holds.TEXT,
            Holds.SPANS,
            Holds.DOC_IDS,
            Holds.OFFSETS,
            Holds.SEVERAL,
            Holds.VERSIONS,
            Holds.UNLABELLED,
        }
    ),
)
