"""An eval set as a file: JSON lines, sorted, one question a line, so that it diffs well.

The first line is `{"evalspan_set": 1, "name": …, "terms": {…}}`; each other line is one question with its judgments.
"""

import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from evalspan.digests import canonical_json, text_digest
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.lines import JsonLines, Line, Row, fits_qrels
from evalspan.formats.values import wrong_values
from evalspan.labels import (
    LABEL_SCHEMA,
    ChunkLabel,
    EvalSet,
    JudgedQuestion,
    PendingLabel,
    RetiredLabel,
    SetTerms,
    in_order,
)

SET_FILE_VERSION = 1

SUFFIX = ".jsonl"
"""What ends so is a set file, also where there is no such file: no set of a store may be called so."""


def render_set(eval_set: EvalSet) -> Iterator[str]:
    """Its lines. Defaults are left out; equal sets give equal bytes."""
    header = {
        "evalspan_set": SET_FILE_VERSION,
        "name": eval_set.name,
        "terms": eval_set.terms.model_dump(mode="json"),
    }
    yield canonical_json(header) + "\n"
    for question in eval_set.questions:
        yield question.body().text + "\n"


class SetFile(NamedTuple):
    """A set as a file holds it."""

    eval_set: EvalSet
    """At version 0."""
    lines: dict[str, int]
    """query_id → its line."""


def read_set(path: str | PathLike[str], problems: Problems) -> SetFile:
    """Raises BadInput where the file has no header of ours. Passages that are not what their digests say are problems,
    with the line of their question.
    """
    header: tuple[str, SetTerms] | None = None
    questions: dict[str, JudgedQuestion] = {}
    numbers: dict[str, int] = {}
    with JsonLines(path, problems) as lines:
        for line, row in lines:
            if header is None:
                problems.raise_if_any()
                header = _header(row, Path(path), line.number, first=lines.rows == 1)
                continue
            question = _question(lines, line, row)
            if question is None:
                continue
            if question.query_id in questions:
                first = numbers[question.query_id]
                lines.bad(line, f"question {question.query_id!r} stands on line {first} already")
                continue
            questions[question.query_id], numbers[question.query_id] = question, line.number
    if header is None:
        problems.raise_if_any()
        raise BadInput([Problem(str(path), None, "holds no eval set")])
    return SetFile(EvalSet(header[0], 0, header[1], in_order(questions.values())), numbers)


def _question(lines: JsonLines, line: Line, row: Row) -> JudgedQuestion | None:
    if not lines.plain(line, row, "the question"):
        return None
    try:
        question = JudgedQuestion.model_validate_json(json.dumps(row), strict=True)
    except ValidationError as error:
        lines.bad(line, next(wrong_values(error)))
        return None
    damage = next(_damaged(question), None)
    if damage is not None:
        lines.bad(line, f"question {question.query_id!r}: {damage}")
        return None
    for name in (question.query_id, *(label.chunk_id for label in question.chunk_labels)):
        if not fits_qrels(name):
            lines.bad(line, f"id {name!r} holds a tab or a line end, which a qrels file can't hold")
            return None
    return question


def _damaged(question: JudgedQuestion) -> Iterator[str]:
    """What a label says against itself: to see that, no corpus is needed."""
    gone: tuple[PendingLabel | RetiredLabel, ...] = (*question.pending, *question.retired_labels)
    for label in (*question.judgments, *(one.label for one in gone)):
        if isinstance(label, ChunkLabel):
            continue
        for span, anchor in ((label.span, label.anchor), *((part.span, part.anchor) for part in label.also)):
            where = f"{span.start}..{span.end} of {label.doc_id!r}"
            if span.length != anchor.length:
                yield f"{where} is {span.length:,} code points long, and its passage {anchor.length:,}"
            elif anchor.exact and (len(anchor.exact), text_digest(anchor.exact)) != (anchor.length, anchor.digest):
                yield f"the passage at {where} is not what its digest says"


def _header(row: Row, path: Path, number: int, first: bool) -> tuple[str, SetTerms]:
    """Name and terms."""

    def refused(what: str) -> BadInput:
        return BadInput([Problem(str(path), number, what)])

    version = row.get("evalspan_set")
    if not isinstance(version, int) or isinstance(version, bool) or not first:
        raise refused('not a set file: its first line has no "evalspan_set"')
    terms = row.get("terms")
    schema = terms.get("label_schema", 0) if isinstance(terms, dict) else 0
    if not isinstance(schema, int) or isinstance(schema, bool):
        raise refused("terms.label_schema: a whole number is wanted")
    if version > SET_FILE_VERSION or (isinstance(schema, int) and schema > LABEL_SCHEMA):
        raise refused("written by a newer evalspan; upgrade: pip install -U evalspan")
    try:
        return str(row.get("name", "")), SetTerms.model_validate(terms)
    except ValidationError as error:
        raise refused(next(wrong_values(error, "terms"))) from None
