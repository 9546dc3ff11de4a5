"""Label Studio projects that mark evidence in texts: a task is a question and a document, a region is a passage.

(The review queue's own tasks are read by `evalspan review`.) Older versions count UTF-16 code units, newer ones code
points; a region's own text tells which.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.corpus import Document
from evalspan.errors import Problems
from evalspan.formats.foreign.form import (
    ForeignQuestion,
    ForeignSet,
    ForeignSpan,
    Format,
    Holds,
    Measure,
    ReadOptions,
)
from evalspan.formats.foreign.look import Look
from evalspan.formats.foreign.rows import (
    Names,
    Numbered,
    Row,
    Wrong,
    asked,
    each,
    id_of,
    numbered,
    offset_of,
    only,
    read_json,
    rows_of,
    text_of,
    value_of,
)
from evalspan.labels import Grade, parse_grade
from evalspan.text.units import Unit, from_code_points

EVIDENCE = "evidence"
"""The label of a passage that is relevant, and of which no more is said."""


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    documents: dict[str, Document] = {}
    found: dict[str, ForeignQuestion] = {}
    names = Names()
    for document, one in each(path, problems, numbered(read_json(path), path, "tasks"), lambda row: _task(row, names)):
        known = documents.setdefault(document.doc_id, document)
        if known.text != document.text:
            problems.add(path, one.line, f"document {document.doc_id!r} has another text in an earlier task")
        before = found.get(one.question.query_id)
        found[one.question.query_id] = before._replace(spans=(*before.spans, *one.spans)) if before else one
    return ForeignSet(tuple(found.values()), documents=tuple(documents.values()))


def _task(line: Numbered, names: Names) -> tuple[Document, ForeignQuestion]:
    data = value_of(line.row, "data", dict, "an object")
    key = next((key for key in ("question", "query") if data.get(key)), None)
    if key is None:
        raise Wrong('the task\'s data has no "question"')
    text, asking = text_of(data, "text"), text_of(data, key)
    doc_id = id_of(data, "doc_id") if "doc_id" in data else f"task-{line.row.get('id', line.line)}"
    query_id = id_of(data, "query_id") if "query_id" in data else names(asking)
    measure = Measure.UTF16 if data.get("offset_unit") == Unit.UTF16 else Measure.UTF16_OR_CODE_POINTS
    spans = tuple(_span(one, doc_id, measure) for one in _regions(line.row))
    return Document(doc_id, text), ForeignQuestion(line.line, asked(query_id, asking), spans)


def _regions(task: Row) -> list[Row]:
    """Of the annotation that is ground truth, or of the one that there is."""
    annotations = [one for one in rows_of(task, "annotations") if not one.get("was_cancelled")]
    found = [one for one in annotations if one.get("ground_truth")] or annotations
    regions = [[one for one in rows_of(annotation, "result") if _is_region(one)] for annotation in found]
    different = {json.dumps(sorted(map(_place, mine)), ensure_ascii=False) for mine in regions}
    if len(different) > 1:
        raise Wrong("its annotations disagree: mark one of them as ground truth")
    return regions[0] if regions else []


def _is_region(result: Row) -> bool:
    """Choices and texts of the interface have values too."""
    value = result.get("value")
    return isinstance(value, dict) and "start" in value


def _place(region: Row) -> list[str]:
    value = region["value"]
    return [str(value.get(key)) for key in ("start", "end", "labels")]


def _span(region: Row, doc_id: str, measure: Measure) -> ForeignSpan:
    value = region["value"]
    place = {key: int(value[key]) if str(value.get(key)).isdecimal() else value.get(key) for key in ("start", "end")}
    labels = value.get("labels")
    label = labels[0] if isinstance(labels, list) and labels else EVIDENCE
    grade = 1 if label == EVIDENCE else parse_grade(label)
    if grade is None:
        raise Wrong(f"a region is labelled {label!r}, which is neither {EVIDENCE!r} nor a grade")
    quote = text_of(value, "text")
    return ForeignSpan(doc_id, offset_of(place, "start"), offset_of(place, "end"), quote, grade, measure=measure)


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    texts = {document.doc_id: document.text for document in foreign.documents}
    tasks: list[dict[str, Any]] = []
    for _, question, spans in foreign.questions:
        for doc_id in dict.fromkeys(span.doc_id or "" for span in spans):
            mine = [span for span in spans if span.doc_id == doc_id]
            data = {"text": texts[doc_id], "question": question.question.text, "query_id": question.query_id}
            regions = [_region(span, texts[doc_id]) for span in mine]
            data |= {"doc_id": doc_id, "offset_unit": Unit.UTF16.value}
            annotation = {"result": regions, "ground_truth": True}
            tasks.append({"id": len(tasks) + 1, "data": data, "annotations": [annotation]})
    return {"": json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"}


def _region(span: ForeignSpan, text: str) -> dict[str, Any]:
    start, end = from_code_points([span.start or 0, span.end or 0], text, Unit.UTF16)
    named = next((one.name.lower() for one in Grade if one == span.grade), str(span.grade))
    label = EVIDENCE if span.grade == 1 else named
    value = {"start": start, "end": end, "text": text[span.start : span.end], "labels": [label]}
    return {"from_name": "label", "to_name": "text", "type": "labels", "value": value}


def _guess(look: Look) -> bool:
    data = look.row.get("data")
    return isinstance(data, dict) and "text" in data and '"item"' not in look.head and '"annotations"' in look.head


FORMAT = Format(
    name="label-studio",
    title="Label Studio's tasks with a question, a text and regions that are its evidence",
    suffixes=(".json",),
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
            Holds.GRADES,
            Holds.HARMFUL,
        }
    ),
    carries=("documents",),
    wants_texts=True,
)
