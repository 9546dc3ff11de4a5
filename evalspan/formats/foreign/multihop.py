"""MultiHop-RAG: `[{"query", "answer", "question_type", "evidence_list": [{"fact", …}]}]`, all of which are needed."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, Format, Holds, ReadOptions
from evalspan.formats.foreign.quoted import TEXTS_ONLY, spans_of
from evalspan.formats.foreign.rows import Names, Numbered, asked, each, only, read_rows, rows_of, text_of

NONE = "null_query"
"""The type of a question that the corpus does not answer."""


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    names = Names()

    def question(line: Numbered) -> ForeignQuestion:
        row, text = line.row, text_of(line.row, "query")
        kind, answer = text_of(row, "question_type", ""), text_of(row, "answer", "")
        spans = spans_of(text_of(one, "fact") for one in rows_of(row, "evidence_list"))
        no_answer = kind == NONE and not spans
        labels_are = "all" if len(spans) > 1 else None
        return ForeignQuestion(
            line.line, asked(names(text), text, [answer], no_answer=no_answer, labels_are=labels_are), spans
        )

    return ForeignSet(tuple(each(path, problems, read_rows(path, problems, "questions"), question)))


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    def row(one: ForeignQuestion) -> dict[str, Any]:
        question = one.question
        return {
            "query": question.question.text,
            "answer": "".join(question.question.reference_answers[:1]),
            "question_type": NONE if question.no_answer else "",
            "evidence_list": [{"fact": span.quote} for span in one.spans],
        }

    return {"": json.dumps(list(map(row, foreign.questions)), ensure_ascii=False, indent=2) + "\n"}


FORMAT = Format(
    name="multihop-rag",
    title='MultiHop-RAG: [{"query", "answer", "evidence_list": [{"fact"}]}]',
    suffixes=(".json",),
    guess=lambda look: look.has("query", "evidence_list"),
    read=_read,
    write=_write,
    holds=TEXTS_ONLY | {Holds.NO_ANSWER},
    labels_are="all",
)
