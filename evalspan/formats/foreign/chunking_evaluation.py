"""chunking_evaluation's questions_df.csv: question, references (a JSON text), corpus_id.

Its search takes the first place of a repeated passage and strips a trailing full stop, so what it reports is proven by
the text like everything else.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, ForeignSpan, Format, Holds, ReadOptions
from evalspan.formats.foreign.rows import (
    Names,
    Numbered,
    Row,
    Wrong,
    asked,
    each,
    id_of,
    offset_of,
    only,
    read_rows,
    render_csv,
    text_of,
)

COLUMNS = ("question", "references", "corpus_id")


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    names = Names()
    rows = read_rows(path, problems, "questions", COLUMNS)
    return ForeignSet(tuple(each(path, problems, rows, lambda row: _question(row, names))))


def _question(line: Numbered, names: Names) -> ForeignQuestion:
    text, doc_id = text_of(line.row, "question"), id_of(line.row, "corpus_id")
    try:
        references = json.loads(text_of(line.row, "references"))
    except (ValueError, RecursionError) as error:
        if isinstance(error, Wrong):
            raise
        raise Wrong(f'"references" is not JSON ({error})') from None
    if not isinstance(references, list) or not all(isinstance(one, dict) for one in references):
        raise Wrong('"references" is no list of {"content", "start_index", "end_index"}')

    def span(row: Row) -> ForeignSpan:
        return ForeignSpan(doc_id, offset_of(row, "start_index"), offset_of(row, "end_index"), text_of(row, "content"))

    return ForeignQuestion(line.line, asked(names(text), text), tuple(map(span, references)))


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    rows = []
    for _, question, spans in foreign.questions:
        by_document: dict[str, list[dict[str, Any]]] = {}
        for span in spans:
            reference = {"content": span.quote, "start_index": span.start, "end_index": span.end}
            by_document.setdefault(span.doc_id or "", []).append(reference)
        rows += [(question.question.text, json.dumps(found), doc_id) for doc_id, found in by_document.items()]
    return {"": render_csv(COLUMNS, rows)}


FORMAT = Format(
    name="chunking-evaluation",
    title="chunking_evaluation's questions_df.csv",
    suffixes=(".csv",),
    guess=lambda look: set(COLUMNS) <= set(look.columns),
    read=_read,
    write=_write,
    holds=frozenset({Holds.TEXT, Holds.SPANS, Holds.DOC_IDS, Holds.OFFSETS, Holds.QUOTES}),
)
