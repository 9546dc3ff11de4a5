"""`{"queryId", "query", "mustRetrieve", "acceptableDocs", "mustNotUse", "filters", "tags"}`: what a case needs, by
facts and documents, without passages.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, Format, Holds, ReadOptions
from evalspan.formats.foreign.rows import (
    Numbered,
    Row,
    Wrong,
    an_id,
    asked,
    each,
    id_of,
    once,
    only,
    read_rows,
    render_lines,
    text_of,
    texts_of,
    value_of,
)
from evalspan.labels import Fact, parse_grade


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    questions = once(path, problems, each(path, problems, read_rows(path, problems, "questions"), _question))
    bare = sum(bool(one.question.facts) for one in questions)
    note = f"facts without a passage, of {bare} questions: their evidence is to be said in a spans file, or in review"
    return ForeignSet(questions, notes=(note,) if bare else ())


def _question(line: Numbered) -> ForeignQuestion:
    row = line.row
    more: dict[str, Any] = {
        "tags": tuple(texts_of(row, "tags")),
        "filters": value_of(row, "filters", dict, "an object", {}),
        "facts": tuple(map(_fact, value_of(row, "mustRetrieve", list, "a list", []))),
        "acceptable_docs": tuple(texts_of(row, "acceptableDocs")),
        "must_not_use": tuple(texts_of(row, "mustNotUse")),
    }
    return ForeignQuestion(line.line, asked(id_of(row, "queryId"), text_of(row, "query", ""), **more))


def _fact(item: object) -> Fact:
    if not isinstance(item, dict):
        return Fact(fact_id=an_id(item, '"mustRetrieve"'))
    return Fact(fact_id=id_of(item, "factId"), text=text_of(item, "text", ""), min_grade=_grade(item))


def _grade(item: Row) -> int:
    grade = parse_grade(item.get("minGrade", 1))
    if grade is None or grade < 1:
        raise Wrong(f'"minGrade" is {item["minGrade"]!r:.60}; a grade from 1 is wanted')
    return grade


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    return {"": render_lines(_row(one) for one in foreign.questions)}


def _row(one: ForeignQuestion) -> Row:
    question = one.question
    facts = [
        {"factId": fact.fact_id, "minGrade": fact.min_grade} | ({"text": fact.text} if fact.text else {})
        for fact in question.facts
    ]
    return {
        "queryId": question.query_id,
        "query": question.question.text,
        "mustRetrieve": facts,
        "acceptableDocs": list(question.acceptable_docs),
        "mustNotUse": list(question.must_not_use),
        "filters": question.question.filters,
        "tags": list(question.question.tags),
    }


FORMAT = Format(
    name="must-retrieve",
    title='lines {"queryId", "query", "mustRetrieve", "acceptableDocs", "mustNotUse", "filters", "tags"}',
    suffixes=(".jsonl", ".json"),
    guess=lambda look: look.has("queryId", "query") and (look.has("mustRetrieve") or look.has("acceptableDocs")),
    read=_read,
    write=_write,
    holds=frozenset(
        {
            Holds.IDS,
            Holds.TEXT,
            Holds.FACTS,
            Holds.ACCEPTABLE,
            Holds.MUST_NOT_USE,
            Holds.FILTERS,
            Holds.TAGS,
            Holds.UNLABELLED,
        }
    ),
)
