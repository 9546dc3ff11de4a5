"""DeepEval's goldens: `input, expected_output, context, …` as JSON, JSON lines or CSV, also with the names of its API.

In CSV its lists are joined by a sign that the file does not name: its writer and its reader use different ones.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, Format, ReadOptions
from evalspan.formats.foreign.quoted import TEXTS_ONLY, spans_of
from evalspan.formats.foreign.rows import Names, Numbered, Row, asked, each, only, read_rows, text_of, texts_of

SNAKE = {
    "expectedOutput": "expected_output",
    "actualOutput": "actual_output",
    "retrievalContext": "retrieval_context",
    "sourceFile": "source_file",
    "additionalMetadata": "additional_metadata",
}


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:
    path = only(files)
    rows = [
        Numbered(row.line, {SNAKE.get(key, key): value for key, value in row.row.items()})
        for row in read_rows(path, problems, "goldens", ("input",))
    ]
    lists = [row.line for row in rows if isinstance(row.row.get("context"), str) and row.row["context"].strip()]
    if lists and options.delimiter is None:
        what = "the file does not say what stands between the items of context: --list-delimiter ';' or '|' or another"
        raise BadInput([Problem(str(path), lists[0], what)], len(lists))
    names = Names()

    def question(line: Numbered) -> ForeignQuestion:
        row, text = line.row, text_of(line.row, "input")
        spans = spans_of(_contexts(row, options.delimiter))
        doc_id = text_of(row, "source_file", "") or None
        placed = tuple(span._replace(doc_id=doc_id) for span in spans)
        return ForeignQuestion(line.line, asked(names(text), text, [text_of(row, "expected_output", "")]), placed)

    return ForeignSet(tuple(each(path, problems, rows, question)))


def _contexts(row: Row, delimiter: str | None) -> list[str]:
    value = row.get("context")
    if isinstance(value, str):
        return [one.strip() for one in value.split(delimiter)] if delimiter else []
    return texts_of(row, "context")


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    def golden(one: ForeignQuestion) -> dict[str, Any]:
        question = one.question.question
        answer = question.reference_answers[0] if question.reference_answers else None
        return {
            "input": question.text,
            "expected_output": answer,
            "context": [span.quote for span in one.spans],
        }

    return {"": json.dumps(list(map(golden, foreign.questions)), ensure_ascii=False, indent=2) + "\n"}


FORMAT = Format(
    name="deepeval",
    title="DeepEval's goldens: input, expected_output, context",
    suffixes=(".json", ".jsonl", ".csv"),
    read_only=frozenset({".csv"}),
    guess=lambda look: (
        look.has("input")
        and any(look.has(key) for key in ("expected_output", "expectedOutput", "retrieval_context", "actual_output"))
    ),
    read=_read,
    write=_write,
    holds=TEXTS_ONLY,
    asks="delimiter",
)
