"""An eval set as a file: JSON lines, sorted, one question a line, so that it diffs well.

The first line is `{"evalspan_set": 1, "name": …, "terms": {…}}`; each other line is one question with its judgments.
"""

import json
from collections.abc import Iterator
from os import PathLike

from pydantic import ValidationError

from evalspan.digests import canonical_json
from evalspan.errors import Problems
from evalspan.formats.lines import JsonLines, Row
from evalspan.labels import LABEL_SCHEMA, EvalSet, JudgedQuestion, SetTerms, in_order

SET_FILE_VERSION = 1


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


def read_set(path: str | PathLike[str], problems: Problems) -> EvalSet | None:
    """The set of a file, at version 0; None, with the problem noted, where the file has no header of ours."""
    header: tuple[str, SetTerms] | str | None = None
    questions: dict[str, JudgedQuestion] = {}
    with JsonLines(path, problems) as lines:
        for line, row in lines:
            if header is None:
                header = _header(row)
                if isinstance(header, str):
                    lines.bad(line, header)
                    return None
                continue
            try:
                question = JudgedQuestion.model_validate_json(json.dumps(row))
            except ValidationError as error:
                first = error.errors()[0]
                lines.bad(line, f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}")
                continue
            if question.query_id in questions:
                lines.bad(line, f"question {question.query_id!r} stands on an earlier line already")
                continue
            questions[question.query_id] = question
    if header is None or isinstance(header, str):
        problems.add(path, None, "is empty")
        return None
    return EvalSet(header[0], 0, header[1], in_order(questions.values()))


def _header(row: Row) -> tuple[str, SetTerms] | str:
    """Name and terms, or what is wrong."""
    version = row.get("evalspan_set")
    if not isinstance(version, int) or isinstance(version, bool):
        return 'not a set file: its first line has no "evalspan_set"'
    terms = row.get("terms")
    schema = terms.get("label_schema", 0) if isinstance(terms, dict) else 0
    if version > SET_FILE_VERSION or (isinstance(schema, int) and schema > LABEL_SCHEMA):
        return "written by a newer evalspan; upgrade: pip install -U evalspan"
    try:
        return str(row.get("name", "")), SetTerms.model_validate(terms)
    except ValidationError as error:
        first = error.errors()[0]
        return f"terms.{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
