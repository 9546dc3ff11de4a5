"""Label Studio's annotations of review tasks, read as decisions.

Its offsets are UTF-16 code units or code points, by its version, and CR LF counts as two in both. So every region is
proven by its own text, in either unit.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from evalspan.errors import Problems
from evalspan.formats.decisions import DecidedRange, DecisionRow
from evalspan.formats.files import reading
from evalspan.formats.labelstudio import ASKED, CHOICES, EVIDENCE, DocumentText
from evalspan.labels import Action, parse_grade
from evalspan.text import find_bad_character
from evalspan.text.units import Unit, find_code_points


def read_annotations(path: str | PathLike[str], problems: Problems, text_of: DocumentText) -> list[DecisionRow]:
    """Of an export in Label Studio's own JSON form. Tasks without an annotation, and skipped ones, are passed over.

    Regions labelled evidence become SET, all needed unless `either` is chosen; a choice of `CHOICES` decides without
    them. Every region's text must stand in the document where the region says.
    """
    source = Path(path)
    rows: list[DecisionRow] = []
    lines: dict[str, int] = {}
    for line, task in _tasks(source, problems):
        try:
            row = _row(line, task, text_of)
        except ValueError as error:
            problems.add(source, line, str(error))
            continue
        if row is None:
            continue
        first = lines.setdefault(row.item, line)
        if len(lines) == len(rows):
            problems.add(source, line, f"item {row.item!r} is decided on line {first} already")
        else:
            rows.append(row)
    return rows


_BLANKS = re.compile(r"[ \t\r\n]*")


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


def _tasks(path: Path, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each with the line at which it begins."""
    with reading(path):
        data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problems.add(path, data.count(b"\n", 0, error.start) + 1, f"not UTF-8: byte 0x{data[error.start]:02x}")
        return
    decoder = json.JSONDecoder(parse_constant=_refuse)
    at = _after(text, 0)
    if text[at : at + 1] != "[":
        problems.add(path, None, "is no JSON list of tasks: export the project as JSON")
        return
    line, counted = 1, 0
    at = _after(text, at + 1)
    while text[at : at + 1] != "]":
        line, counted = line + text.count("\n", counted, at), at
        try:
            task, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            problems.add(path, line, f"not JSON ({error})")
            return
        if isinstance(task, dict) and isinstance(task.get("data"), dict):
            yield line, task
        else:
            problems.add(path, line, 'not a task: an object with "data" is wanted')
        at = _after(text, at)
        if text[at : at + 1] == ",":
            at = _after(text, at + 1)
        elif text[at : at + 1] != "]":
            problems.add(path, line, "not JSON: the list does not end, or a comma is missing")
            return


def _after(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _row(line: int, task: Mapping[str, Any], text_of: DocumentText) -> DecisionRow | None:
    """None where nothing was decided. Raises ValueError with what is wrong."""
    data = task["data"]
    item = data.get("item")
    if not isinstance(item, str) or not item:
        raise ValueError('the task has no "item" in its data: was it made by `evalspan review SET export`?')
    annotations = task.get("annotations")
    if not isinstance(annotations, list):
        raise ValueError(f'task of item {item!r} has no "annotations": export as JSON, not as JSON-MIN')
    done = [one for one in annotations if isinstance(one, dict) and not one.get("was_cancelled")]
    done = [one for one in done if one.get("ground_truth")] or done
    found = [row for one in done if (row := _annotation(line, item, one, data, text_of)) is not None]
    if not found:
        return None
    different = {row._replace(by="", note="", spans=tuple(sorted(row.spans, key=str))) for row in found}
    if len(different) > 1:
        named = " and ".join(sorted({row.by or "somebody" for row in found}))
        raise ValueError(f"the annotations of item {item!r} by {named} disagree: mark one of them as ground truth")
    return found[0]


def _annotation(
    line: int, item: str, annotation: Mapping[str, Any], data: Mapping[str, Any], text_of: DocumentText
) -> DecisionRow | None:
    results = annotation.get("result")
    results = [one for one in results if isinstance(one, dict)] if isinstance(results, list) else []
    evidence = [one for one in results if EVIDENCE in _list_of(one, "labels")]
    unknown = {label for one in results for label in _list_of(one, "labels")} - {EVIDENCE, ASKED}
    if unknown:
        raise ValueError(f"item {item!r} has a region labelled {min(unknown)!r}, which is none of {EVIDENCE}, {ASKED}")
    answer = "\n".join(_values(results, "answer", "text")).strip()
    action = _action(item, results, evidence, bool(answer))
    if action is None:
        return None
    grades = [parse_grade(value) for value in _values(results, "grade", "choices")]
    if len(grades) > 1 or None in grades:
        raise ValueError(f"item {item!r}: the grade is not one of the interface's")
    spans = tuple(_range(item, one, data, text_of) for one in evidence) if action is Action.SET else ()
    return DecisionRow(
        item=item,
        action=action,
        spans=spans,
        either="either" in _values(results, "several", "choices"),
        grade=grades[0] if grades else None,
        answer=answer or None,
        note="\n".join(_values(results, "note", "text")).strip(),
        by=_who(annotation.get("completed_by")),
        line=line,
        seen=str(data.get("seen") or ""),
    )


def _action(
    item: str, results: Sequence[Mapping[str, Any]], evidence: Sequence[Mapping[str, Any]], answered: bool
) -> Action | None:
    """Regions say where the evidence stands; a choice decides without them, and then the regions that came as
    predictions are only left over.
    """
    chosen = _values(results, "decision", "choices")
    unknown = [choice for choice in chosen if choice not in CHOICES]
    if len(chosen) > 1 or unknown:
        raise ValueError(f"item {item!r}: decision {', '.join(chosen)!r} is not one of {', '.join(CHOICES)}")
    if not chosen or (chosen == [Action.ACCEPT] and (evidence or answered)):
        return Action.SET if evidence or answered else None
    drawn = [one for one in evidence if one.get("origin", "manual") != "prediction"]
    if drawn:
        raise ValueError(f"item {item!r} has a region drawn by hand, and is decided {chosen[0]!r}: which is meant?")
    return Action(chosen[0])


def _range(item: str, result: Mapping[str, Any], data: Mapping[str, Any], text_of: DocumentText) -> DecidedRange:
    """In the document, proven there."""
    value = result["value"]
    start, end, quote, sent = (
        _offset(value.get("start")),
        _offset(value.get("end")),
        value.get("text"),
        data.get("text"),
    )
    doc_id, offset = data.get("doc_id"), data.get("offset")
    if doc_id is None:
        raise ValueError(f"item {item!r}: its document is gone, so no region of it can be set; choose a decision")
    if not isinstance(sent, str) or not isinstance(doc_id, str) or type(offset) is not int or offset < 0:
        raise ValueError(f"item {item!r}: the data of its task were changed; export the queue anew")
    if start is None or end is None or not isinstance(quote, str) or not quote.strip():
        what = 'start, end or text: the interface needs saveTextResult="yes"'
        raise ValueError(f"item {item!r} has a region without {what}")
    text = text_of(doc_id)
    if text is None or text[offset : offset + len(sent)] != sent:
        raise ValueError(f"item {item!r}: document {doc_id!r} says something else now; export the queue anew")
    found: set[tuple[int, int]] = set()
    for unit in (Unit.UTF16, Unit.CODE_POINT):
        first, last = find_code_points([start, end], sent, unit)
        if first is not None and last is not None and first < last and _says(sent[first:last], quote):
            found.add((first, last))
    if len(found) != 1:
        what = "stands neither in UTF-16 units nor in code points" if not found else "stands in both units, differently"
        raise ValueError(f"item {item!r}: the region's text {quote[:40]!r} {what} at {start}..{end}")
    ((first, last),) = found
    return DecidedRange(doc_id, offset + first, offset + last)


def _says(passage: str, quote: str) -> bool:
    """Label Studio's text of a region loses white space, and older versions write a line end as backslash and n."""
    inked = "".join(passage.split())
    return bool(inked) and any(inked == "".join(one.split()) for one in (quote, quote.replace("\\n", "\n")))


def _offset(value: object) -> int | None:
    """Its documentation calls offsets strings; they are numbers in what it writes."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 16:
        return int(value)
    return value if type(value) is int and value >= 0 else None


def _list_of(result: Mapping[str, Any], key: str) -> list[str]:
    value = result.get("value")
    found = value.get(key) if isinstance(value, dict) else None
    texts = [found] if isinstance(found, str) else found if isinstance(found, list) else []
    return [text for text in texts if isinstance(text, str)]


def _values(results: Sequence[Mapping[str, Any]], name: str, key: str) -> list[str]:
    """What the control of that name says."""
    found = [text for one in results if one.get("from_name") == name for text in _list_of(one, key)]
    if any(find_bad_character(text) for text in found):
        raise ValueError(f"{name!r} holds NUL or a lone surrogate")
    return found


def _who(completed_by: object) -> str:
    if isinstance(completed_by, dict):
        return str(completed_by.get("email") or completed_by.get("username") or _who(completed_by.get("id")))
    return "" if completed_by is None else f"Label Studio user {completed_by}"
