"""`[{"id", "question", "correct_chunks": [chunk_id, …], "correct_answer"}]`: the plainest form of a set over chunks."""

import json
from collections.abc import Sequence
from pathlib import Path

from evalspan.errors import Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, Format, Holds, ReadOptions
from evalspan.formats.foreign.rows import (
    Numbered,
    Row,
    an_id,
    asked,
    each,
    id_of,
    once,
    only,
    read_rows,
    text_of,
    value_of,
)
from evalspan.labels import ChunkLabel


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    return ForeignSet(once(path, problems, each(path, problems, read_rows(path, problems, "questions"), _question)))


def _question(line: Numbered) -> ForeignQuestion:
    row = line.row
    named = [an_id(one, '"correct_chunks"') for one in value_of(row, "correct_chunks", list, "a list", [])]
    labels = tuple(ChunkLabel(chunk_id=one, grade=1) for one in dict.fromkeys(named))
    question = asked(id_of(row, "id"), text_of(row, "question", ""), [text_of(row, "correct_answer", "")])
    return ForeignQuestion(line.line, question.model_copy(update={"chunk_labels": labels}))


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    def row(one: ForeignQuestion) -> Row:
        question = one.question
        return {
            "id": question.query_id,
            "question": question.question.text,
            "correct_chunks": [label.chunk_id for label in question.chunk_labels],
            "correct_answer": "".join(question.question.reference_answers[:1]),
        }

    return {"": json.dumps(list(map(row, foreign.questions)), ensure_ascii=False, indent=2) + "\n"}


FORMAT = Format(
    name="correct-chunks",
    title='a list of {"id", "question", "correct_chunks", "correct_answer"}',
    suffixes=(".json", ".jsonl"),
    guess=lambda look: look.has("question", "correct_chunks"),
    read=_read,
    write=_write,
    holds=frozenset({Holds.IDS, Holds.TEXT, Holds.LABELS, Holds.ANSWER, Holds.UNLABELLED}),
)
