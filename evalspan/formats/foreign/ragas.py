"""Ragas: `user_input, reference_contexts, reference_context_ids, reference, …` as JSON lines, CSV or parquet.

In CSV its lists are spelled as Python does. Contexts of generated multi-hop questions begin with `<1-hop>`, which
stands in no document.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from evalspan.errors import Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, Format, Holds, ReadOptions
from evalspan.formats.foreign.quoted import TEXTS_ONLY, spans_of
from evalspan.formats.foreign.rows import (
    Names,
    Numbered,
    Row,
    Wrong,
    an_id,
    asked,
    each,
    only,
    read_rows,
    render_lines,
    text_of,
    texts_of,
)
from evalspan.labels import ChunkLabel

_HOP = re.compile(r"<[0-9]{1,3}-hop>\s*")

TURNS = "a conversation: only questions of one turn can be carried"


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    names = Names()
    rows = read_rows(path, problems, "samples", ("user_input",))
    questions = each(path, problems, rows, lambda row: _question(row, names))
    both = sum(_has_both(row.row) for row in rows)
    note = f"reference_context_ids of {both} questions, whose contexts are given in words"
    return ForeignSet(tuple(questions), notes=(note,) if both else ())


def _has_both(row: Row) -> bool:
    return bool(row.get("reference_contexts")) and bool(row.get("reference_context_ids"))


def _question(line: Numbered, names: Names) -> ForeignQuestion:
    row = line.row
    if isinstance(row.get("user_input"), list):
        raise Wrong(f'"user_input" is {TURNS}')
    text = text_of(row, "user_input")
    spans = spans_of(_HOP.sub("", quote, count=1) if _HOP.match(quote) else quote for quote in _contexts(row))
    ids = row.get("reference_context_ids") if not spans else None
    named = [an_id(one, '"reference_context_ids"') for one in (ids if isinstance(ids, list) else _ids(row, spans))]
    labels = tuple(ChunkLabel(chunk_id=one, grade=1) for one in dict.fromkeys(named))
    question = asked(names(text), text, [text_of(row, "reference", "")])
    return ForeignQuestion(line.line, question.model_copy(update={"chunk_labels": labels}), spans)


def _contexts(row: Row) -> list[str]:
    return texts_of(row, "reference_contexts")


def _ids(row: Row, spans: Sequence[object]) -> list[str]:
    return [] if spans else texts_of(row, "reference_context_ids")


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    def row(one: ForeignQuestion) -> Row:
        question = one.question
        ids = [label.chunk_id for label in question.chunk_labels]
        return {
            "user_input": question.question.text,
            "reference_contexts": [span.quote for span in one.spans],
            **({"reference_context_ids": ids} if ids else {}),
            "reference": "".join(question.question.reference_answers[:1]),
        }

    return {"": render_lines(map(row, foreign.questions))}


FORMAT = Format(
    name="ragas",
    title="Ragas: user_input, reference_contexts or reference_context_ids, reference",
    suffixes=(".jsonl", ".json", ".csv", ".parquet"),
    read_only=frozenset({".csv", ".parquet"}),
    guess=lambda look: look.has("user_input"),
    read=_read,
    write=_write,
    holds=TEXTS_ONLY | {Holds.LABELS},
)
