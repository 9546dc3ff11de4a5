"""LegalBench-RAG: `{"tests": [{"query", "snippets": [{"file_path", "span": [start, end], "answer"}], "tags"}]}`.

It keeps no digest of a file; where `answer` is there it proves the place, and an anchor is stored on import.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, ForeignSpan, Format, Holds, ReadOptions
from evalspan.formats.foreign.rows import (
    Names,
    Numbered,
    Row,
    Wrong,
    asked,
    each,
    id_of,
    numbered,
    only,
    read_json,
    rows_of,
    text_of,
    texts_of,
)


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    value = read_json(path)
    if not isinstance(value, dict) or "tests" not in value:
        raise BadInput([Problem(str(path), None, 'has no "tests"')])
    names = Names()
    tests = numbered(value["tests"], path, "tests")
    return ForeignSet(tuple(each(path, problems, tests, lambda row: _question(row, names))))


def _question(line: Numbered, names: Names) -> ForeignQuestion:
    text = text_of(line.row, "query")
    question = asked(names(text), text, tags=tuple(texts_of(line.row, "tags")))
    return ForeignQuestion(line.line, question, tuple(map(_span, rows_of(line.row, "snippets"))))


def _span(row: Row) -> ForeignSpan:
    span = row.get("span")
    if not isinstance(span, list) or len(span) != 2 or not all(type(one) is int and one >= 0 for one in span):
        raise Wrong(f'"span" is {span!r:.60}; [start, end] is wanted')
    return ForeignSpan(id_of(row, "file_path"), span[0], span[1], text_of(row, "answer", ""))


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    def test(one: ForeignQuestion) -> dict[str, Any]:
        snippets = [
            {"file_path": span.doc_id, "span": [span.start, span.end], "answer": span.quote} for span in one.spans
        ]
        return {
            "query": one.question.question.text,
            "snippets": snippets,
            "tags": list(one.question.question.tags),
        }

    return {"": json.dumps({"tests": list(map(test, foreign.questions))}, ensure_ascii=False, indent=2) + "\n"}


FORMAT = Format(
    name="legalbench-rag",
    title='LegalBench-RAG: {"tests": [{"query", "snippets": [{"file_path", "span", "answer"}], "tags"}]}',
    suffixes=(".json",),
    guess=lambda look: look.has("tests") and isinstance(look.row["tests"], list) and "snippets" in str(look.row)[:9999],
    read=_read,
    write=_write,
    holds=frozenset(
        {
            Holds.TEXT,
            Holds.SPANS,
            Holds.DOC_IDS,
            Holds.OFFSETS,
            Holds.QUOTES,
            Holds.SEVERAL,
            Holds.TAGS,
            Holds.UNLABELLED,
        }
    ),
)
