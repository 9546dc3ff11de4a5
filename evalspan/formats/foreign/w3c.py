"""W3C Web Annotation: an annotation a passage, with a TextQuoteSelector and a TextPositionSelector.

The question is a body of purpose "questioning", its grade one of purpose "assessing". Positions count code points.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, ForeignSpan, Format, Holds, ReadOptions
from evalspan.formats.foreign.look import Look
from evalspan.formats.foreign.rows import (
    Names,
    Numbered,
    Row,
    Wrong,
    an_id,
    asked,
    each,
    id_of,
    numbered,
    offset_of,
    only,
    read_json,
    read_rows,
    sound,
    text_of,
)
from evalspan.labels import parse_grade

CONTEXT = "http://www.w3.org/ns/anno.jsonld"


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    found: dict[str, ForeignQuestion] = {}
    names: dict[str, str] = {}
    for one in each(path, problems, _annotations(path, problems), lambda row: _annotation(row, names)):
        query_id = one.question.query_id
        before = found.get(query_id)
        if before is not None and before.question.question.text != one.question.question.text:
            problems.add(path, one.line, f"question {query_id!r} has another text in annotation {before.line}")
        found[query_id] = one if before is None else before._replace(spans=(*before.spans, *one.spans))
    return ForeignSet(tuple(found.values()))


def _annotations(path: Path, problems: Problems) -> list[Numbered]:
    if path.suffix.lower() == ".jsonl":
        return read_rows(path, problems, "annotations")
    value = read_json(path)
    if isinstance(value, dict) and "target" in value:
        value = [value]
    elif isinstance(value, dict):
        first = value.get("first")
        value = value.get("items", first.get("items") if isinstance(first, dict) else None)
    return numbered(value, path, "annotations")


def _annotation(line: Numbered, names: dict[str, str]) -> ForeignQuestion:
    target = line.row.get("target")
    if not isinstance(target, dict):
        raise Wrong("the annotation has no target with a selector")
    bodies = line.row.get("body")
    bodies = [one for one in (bodies if isinstance(bodies, list) else [bodies]) if isinstance(one, dict)]
    question = next((one for one in bodies if one.get("purpose") == "questioning"), None)
    if question is None:
        raise Wrong('the annotation has no body of purpose "questioning": which question is it evidence for?')
    text = text_of(question, "value")
    query_id = an_id(question["id"], "the question's id") if "id" in question else names.setdefault(text, Names()(text))
    grade = next((parse_grade(one.get("value")) for one in bodies if one.get("purpose") == "assessing"), 1)
    if grade is None:
        raise Wrong('its body of purpose "assessing" is no grade')
    return ForeignQuestion(line.line, asked(query_id, text), (_span(target)._replace(grade=grade),))


def _span(target: Row) -> ForeignSpan:
    selectors = target.get("selector")
    each_one = [one for one in (selectors if isinstance(selectors, list) else [selectors]) if isinstance(one, dict)]
    kinds = {str(one.get("type")): one for one in each_one if "refinedBy" not in one}
    quote, position = kinds.get("TextQuoteSelector"), kinds.get("TextPositionSelector")
    if quote is None and position is None:
        there = ", ".join(sorted(str(one.get("type")) for one in each_one)) or "none"
        raise Wrong(f"a TextQuoteSelector or TextPositionSelector that is not refined is wanted; there is {there}")
    source = target.get("source")
    doc_id = id_of(source, "id") if isinstance(source, dict) else an_id(source, '"source"')
    start, end = (offset_of(position, "start"), offset_of(position, "end")) if position else (None, None)
    words = [sound(text_of(quote, key, ""), key) for key in ("exact", "prefix", "suffix")] if quote else ["", "", ""]
    return ForeignSpan(doc_id, start, end, words[0], prefix=words[1], suffix=words[2])


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    rows = [_row(one, span) for one in foreign.questions for span in one.spans]
    return {"": json.dumps({"@context": CONTEXT, "type": "AnnotationPage", "items": rows}, ensure_ascii=False) + "\n"}


def _row(one: ForeignQuestion, span: ForeignSpan) -> dict[str, Any]:
    question = one.question.question
    asking = {"id": question.query_id, "type": "TextualBody", "purpose": "questioning", "value": question.text}
    grade = {"type": "TextualBody", "purpose": "assessing", "value": str(span.grade)}
    quote = {"type": "TextQuoteSelector", "exact": span.quote, "prefix": span.prefix, "suffix": span.suffix}
    position = {"type": "TextPositionSelector", "start": span.start, "end": span.end}
    return {
        "type": "Annotation",
        "body": [asking, grade],
        "target": {"source": span.doc_id, "selector": [quote, position]},
    }


def _guess(look: Look) -> bool:
    return '"TextQuoteSelector"' in look.head or '"TextPositionSelector"' in look.head


FORMAT = Format(
    name="w3c",
    title="W3C Web Annotation with TextQuoteSelector and TextPositionSelector",
    suffixes=(".json", ".jsonl", ".jsonld"),
    read_only=frozenset({".jsonl"}),
    guess=_guess,
    read=_read,
    write=_write,
    holds=frozenset(
        {
            Holds.IDS,
            Holds.TEXT,
            Holds.SPANS,
            Holds.DOC_IDS,
            Holds.SEVERAL,
            Holds.OFFSETS,
            Holds.QUOTES,
            Holds.GRADES,
            Holds.HARMFUL,
        }
    ),
)
