"""spanchor's gold.jsonl: anchors with the sha256 of their passage, over the text in NFC with line ends as LF."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import Problems
from evalspan.formats.foreign.canonical import Canonical
from evalspan.formats.foreign.form import (
    ForeignQuestion,
    ForeignSet,
    ForeignSpan,
    Format,
    Holds,
    Measure,
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

SCHEMA_VERSION = "0.1.0"
"""That spanchor 0.4 writes and reads."""


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    return ForeignSet(once(path, problems, each(path, problems, read_rows(path, problems, "questions"), _question)))


def _question(line: Numbered) -> ForeignQuestion:
    spans = tuple(map(_span, rows_of(line.row, "anchors")))
    return ForeignQuestion(line.line, asked(id_of(line.row, "query_id"), text_of(line.row, "question")), spans)


def _span(row: Row) -> ForeignSpan:
    start, end = offset_of(row, "start"), offset_of(row, "end")
    sha256 = text_of(row, "expected_text_hash")
    return ForeignSpan(id_of(row, "document_id"), start, end, measure=Measure.CANONICAL, sha256=sha256)


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    texts = {document.doc_id: Canonical(document.text) for document in foreign.documents}

    def anchor(span: ForeignSpan) -> dict[str, Any]:
        assert span.doc_id is not None
        assert span.start is not None
        assert span.end is not None
        text = texts[span.doc_id]
        start, end = text.offset(span.start), text.offset(span.end)
        return {
            "document_id": span.doc_id,
            "start": start,
            "end": end,
            "expected_text_hash": hashlib.sha256(text.text[start:end].encode()).hexdigest(),
            "schema_version": SCHEMA_VERSION,
        }

    rows = (
        {
            "query_id": question.query_id,
            "question": question.question.text,
            "anchors": list(map(anchor, spans)),
            "schema_version": SCHEMA_VERSION,
        }
        for _, question, spans in foreign.questions
    )
    return {"": render_lines(rows)}


FORMAT = Format(
    name="spanchor",
    title="spanchor's gold.jsonl",
    suffixes=(".jsonl",),
    guess=lambda look: look.has("query_id", "question", "anchors"),
    read=_read,
    write=_write,
    holds=frozenset(
        {Holds.IDS, Holds.TEXT, Holds.SPANS, Holds.DOC_IDS, Holds.OFFSETS, Holds.SEVERAL, Holds.UNLABELLED}
    ),
    wants_texts=True,
)
