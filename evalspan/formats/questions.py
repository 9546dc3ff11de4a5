"""Questions: JSON lines `{"query_id", "text", …}` with all that can be said of a question without naming a passage."""

from collections.abc import Collection, Iterable
from os import PathLike
from typing import Any, get_args

from evalspan.errors import Problems
from evalspan.formats.lines import JsonLines, Line, Row
from evalspan.formats.trec import LabelRow
from evalspan.labels import JudgedQuestion, LabelsAre, Question

LISTS = ("tags", "reference_answers", "must_not_use", "acceptable_docs")

_MORE = (*LISTS, "filters", "no_answer", "labels_are")

FIELDS = frozenset({"query_id", "text", *_MORE})

_OF_PASSAGES = ("facts", "spans")
"""Belong to a spans file. Without their passages they would leave a question that no result can satisfy."""


def read_questions(
    path: str | PathLike[str], problems: Problems, documents: Collection[str] | None = None
) -> dict[str, JudgedQuestion]:
    """query_id → question, in file order. Fields of other names are passed over.

    `documents`: the doc_ids that a question may name; None: any.
    """
    questions: dict[str, JudgedQuestion] = {}
    numbers: dict[str, int] = {}
    with JsonLines(path, problems) as lines:
        for line, row in lines:
            question = _parse(lines, line, row)
            if question is None:
                continue
            if question.query_id in questions:
                first = numbers[question.query_id]
                lines.bad(line, f"question {question.query_id!r} stands on line {first} already")
                continue
            unknown = [] if documents is None else unknown_documents(question, documents)
            for what in unknown:
                lines.bad(line, f"question {question.query_id!r}: {what}")
            if unknown:
                continue
            numbers[question.query_id] = line.number
            questions[question.query_id] = question
    return questions


def _parse(lines: JsonLines, line: Line, row: Row) -> JudgedQuestion | None:
    question = parse_question(lines, line, row)
    foreign = next((key for key in _OF_PASSAGES if row.get(key)), None)
    if question is not None and foreign is not None:
        what = "belongs to a file of spans, which needs no other labels: evalspan set import NAME --spans FILE"
        lines.bad(line, f'"{foreign}" of question {question.query_id!r} {what}')
        return None
    return question


def parse_question(lines: JsonLines, line: Line, row: Row) -> JudgedQuestion | None:
    """The fields above; None, with the problem noted, where one of them is not what it must be."""
    query_id = lines.name(line, row, "query_id")
    text = lines.text(line, row, "text", f"question {query_id!r}")
    if query_id is None or text is None:
        return None
    found: dict[str, Any] = {}
    for key in _MORE:
        value = row.get(key)
        if value is None:
            continue
        wrong = _wrong(key, value)
        if wrong:
            lines.bad(line, f'"{key}" of question {query_id!r} {wrong}')
            return None
        if not lines.plain(line, value, f'"{key}" of question {query_id!r}'):
            return None
        found[key] = tuple(value) if key in LISTS else value
    mine = {key: found.pop(key) for key in ("tags", "reference_answers", "filters") if key in found}
    return JudgedQuestion(question=Question(query_id=query_id, text=text, **mine), **found)


def _wrong(key: str, value: object) -> str:
    """What is wrong with the value, or ""."""
    if key in LISTS:
        fine = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return "" if fine else "is no list of texts"
    if key == "filters":
        return "" if isinstance(value, dict) else "is no object"
    if key == "no_answer":
        return "" if isinstance(value, bool) else "is neither true nor false"
    return "" if value in get_args(LabelsAre) else 'is neither "any" nor "all"'


def unknown_documents(question: JudgedQuestion, documents: Collection[str]) -> list[str]:
    """What is to be said of documents that it names and that are not there."""
    named = {"must_not_use": question.must_not_use, "acceptable_docs": question.acceptable_docs}
    return [
        f'"{key}" names {doc_id!r}, which is no document of the corpus'
        for key, doc_ids in named.items()
        for doc_id in doc_ids
        if doc_id not in documents
    ]


def contradicted(rows: Iterable[LabelRow], questions: dict[str, JudgedQuestion]) -> dict[LabelRow, str]:
    """The relevant labels of questions that are said to have no answer, and what is to be said of each."""
    return {
        row: f"question {row.query_id!r} is said to have no answer, and has a relevant label"
        for row in rows
        if row.grade > 0 and row.query_id in questions and questions[row.query_id].no_answer
    }
