"""Questions with their evidence as a person writes it: JSON lines `{"query_id", "text", "facts"?, "spans"?, …}`."""

from collections import Counter
from os import PathLike
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from evalspan.errors import Problems
from evalspan.formats.lines import JsonLines, Line, Row
from evalspan.formats.questions import FIELDS, parse_question
from evalspan.formats.values import wrong_values
from evalspan.labels import Fact, Grade, JudgedQuestion, parse_grade
from evalspan.value import Value

KNOWN = FIELDS | {"facts", "spans"}
"""Another name is refused: this is our own form, and a mistyped name would be evidence that is not there."""

RELEVANT = 1
"""The grade of a span that names none: it is relevant, as in a qrels file of two values."""


def _grade(value: object) -> int:
    grade = parse_grade(value)
    if grade is None:
        names = ", ".join(grade.name.lower() for grade in reversed(Grade))
        raise ValueError(f"{value!r} is no grade; one of {names}, or a whole number, is wanted")
    return grade


GradeField = Annotated[int, BeforeValidator(_grade)]


class _Row(Value):
    model_config = ConfigDict(strict=True)


class FactRow(_Row):
    """One of the `facts`."""

    fact_id: str = Field(min_length=1)
    text: str = ""
    min_grade: Annotated[GradeField, Field(ge=1)] = 1


class PlaceRow(_Row):
    """A range of a document, by offsets, by its words, or by both."""

    start: int | None = Field(None, ge=0)
    end: int | None = None
    quote: str | None = Field(None, min_length=1)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.start is None or self.end is None:
            if (self.start is None) != (self.end is None):
                raise ValueError('"start" and "end" go together')
            if self.quote is None:
                raise ValueError('wants "start" and "end", or a "quote" by which it is found')
        elif self.end <= self.start:
            raise ValueError(f"the span {self.start}..{self.end} is empty")
        return self


class BlockedRow(PlaceRow):
    """A passage among `must_not_use`."""

    doc_id: str = Field(min_length=1)


class SpanRow(BlockedRow):
    """One of the `spans`."""

    grade: GradeField = RELEVANT
    fact: str = ""
    tabular: bool = False
    also: list[PlaceRow] = Field(default_factory=list)
    """Its further ranges, all of which are needed."""


class SpannedQuestion(NamedTuple):
    """A question, and the passages that were named for it."""

    line: int
    question: JudgedQuestion
    """Without judgments."""
    spans: dict[str, SpanRow]
    """As "spans[0]", "must_not_use[2]" → the passage; those that must not be used are of grade harmful."""


def read_spans(path: str | PathLike[str], problems: Problems) -> list[SpannedQuestion]:
    """In file order."""
    questions: dict[str, SpannedQuestion] = {}
    before = problems.count
    with JsonLines(path, problems) as lines:
        for line, row in lines:
            found = _parse(lines, line, row)
            if found is None:
                continue
            query_id = found.question.query_id
            if query_id in questions:
                lines.bad(line, f"question {query_id!r} stands on line {questions[query_id].line} already")
                continue
            questions[query_id] = found
    problems.require_some(questions, path, "question", before)
    return list(questions.values())


def _parse(lines: JsonLines, line: Line, row: Row) -> SpannedQuestion | None:
    blocked = row.get("must_not_use")
    passages: dict[int, Any] = {}
    if isinstance(blocked, list):
        passages = {at: item for at, item in enumerate(blocked) if isinstance(item, dict)}
        row = {**row, "must_not_use": [item for at, item in enumerate(blocked) if at not in passages]}
    question = parse_question(lines, line, row)
    if question is None or not lines.plain(line, [row, blocked], f"question {question.query_id!r}"):
        return None
    wrong = [f'has no field "{key}"; there are {", ".join(sorted(KNOWN))}' for key in row if key not in KNOWN]
    facts = _items(row, "facts", FactRow, wrong)
    spans = _items(row, "spans", SpanRow, wrong)
    for at, item in passages.items():
        place = _item(f"must_not_use[{at}]", item, BlockedRow, wrong)
        if place is not None:
            spans[f"must_not_use[{at}]"] = SpanRow(**place.model_dump(), grade=Grade.HARMFUL)
    wrong += _at_odds(question, facts, spans)
    for what in wrong:
        lines.bad(line, f"question {question.query_id!r}: {what}")
    if wrong:
        return None
    named = tuple(Fact(**fact.model_dump()) for fact in facts.values())
    return SpannedQuestion(line.number, question.model_copy(update={"facts": named}), spans)


T = TypeVar("T", bound=_Row)


def _items(row: Row, key: str, kind: type[T], wrong: list[str]) -> dict[str, T]:
    """As "spans[0]" → the first of them; what can't be read is told in `wrong`."""
    values = row.get(key)
    if values is None:
        return {}
    if not isinstance(values, list):
        wrong.append(f"{key} is no list")
        return {}
    read = {f"{key}[{at}]": _item(f"{key}[{at}]", value, kind, wrong) for at, value in enumerate(values)}
    return {name: item for name, item in read.items() if item is not None}


def _item(name: str, value: object, kind: type[T], wrong: list[str]) -> T | None:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        wrong += wrong_values(error, name)
        return None


def _at_odds(question: JudgedQuestion, facts: dict[str, FactRow], spans: dict[str, SpanRow]) -> list[str]:
    """What the parts of a question say against each other."""
    wrong = []
    counts = Counter(fact.fact_id for fact in facts.values())
    wrong += [f"fact {fact!r} is named twice" for fact, count in counts.items() if count > 1]
    known = ", ".join(counts) or "it has none"
    for name, span in spans.items():
        if span.fact and span.fact not in counts:
            wrong.append(f"{name}: fact {span.fact!r} is none of the question's: {known}")
        if question.no_answer and span.grade > 0:
            wrong.append(f"{name}: is relevant, and the question is said to have no answer")
    return wrong
