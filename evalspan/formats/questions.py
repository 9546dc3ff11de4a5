"""Questions: JSON lines `{"query_id", "text", "reference_answers"?, "tags"?}`."""

from os import PathLike

from evalspan.errors import Problems
from evalspan.formats.lines import JsonLines, Line, Row
from evalspan.labels import Question


def read_questions(path: str | PathLike[str], problems: Problems) -> dict[str, Question]:
    """query_id → question, in file order. Fields of other names are passed over."""
    questions: dict[str, Question] = {}
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
            numbers[question.query_id] = line.number
            questions[question.query_id] = question
    return questions


def _parse(lines: JsonLines, line: Line, row: Row) -> Question | None:
    query_id = lines.name(line, row, "query_id")
    text = lines.text(line, row, "text", f"question {query_id!r}")
    if query_id is None or text is None:
        return None
    lists: dict[str, tuple[str, ...]] = {}
    for key in ("tags", "reference_answers"):
        value = row.get(key)
        value = [] if value is None else value
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            lines.bad(line, f'"{key}" of question {query_id!r} is no list of texts')
            return None
        if not lines.plain(line, value, f'"{key}" of question {query_id!r}'):
            return None
        lists[key] = tuple(value)
    return Question(query_id=query_id, text=text, tags=lists["tags"], reference_answers=lists["reference_answers"])
