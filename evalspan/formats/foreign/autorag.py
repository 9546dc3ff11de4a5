"""AutoRAG: qa.parquet with corpus.parquet.

`retrieval_gt` is AND over groups of alternatives. Of a flat list its documentation says that all are needed, and its
code takes any: a person must say which. `start_end_idx` has an inclusive end, and (0, 0) for what was not found.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import BadInput, CannotTell, Problem, Problems
from evalspan.formats.foreign import parquet
from evalspan.formats.foreign.form import ForeignChunk, ForeignQuestion, ForeignSet, Format, Holds, OneDim, ReadOptions
from evalspan.formats.foreign.groups import from_groups, to_groups
from evalspan.formats.foreign.rows import (
    Numbered,
    Row,
    Wrong,
    an_id,
    asked,
    each,
    id_of,
    once,
    spread,
    text_of,
    texts_of,
)
from evalspan.labels import ChunkLabel

QA, CORPUS = ("qid", "query", "retrieval_gt"), ("doc_id", "contents")

NO_TIME = "1970-01-01T00:00:00"
"""A time for `last_modified_datetime`, which AutoRAG wants and a set does not know."""


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:
    parts: dict[str, Path] = {}
    for path in spread(files):
        columns = set(parquet.column_names(path)) if path.suffix.lower() == ".parquet" else set()
        for part, wanted in (("qa", QA), ("corpus", CORPUS)):
            if set(wanted) <= columns and parts.setdefault(part, path) != path:
                raise BadInput([Problem(str(path), None, f"is a second {part} file, after {parts[part].name}")])
    if "qa" not in parts:
        path = next((path for path in files if path.suffix.lower() == ".parquet"), files[0])
        if path.is_file():
            parquet.read_rows(path, QA)  # says which column is missing
        raise BadInput([Problem(str(path), None, f"no parquet file with the columns {', '.join(QA)}")])
    qa = parts["qa"]
    rows = [Numbered(at, row) for at, row in enumerate(parquet.read_rows(qa, QA, ("generation_gt",)), 1)]
    flat = [row.line for row in rows if not _groups(row.row)[1]]
    if flat and options.one_dim is None:
        what = "retrieval_gt is one-dimensional: say whether all of it is needed or any, --one-dim and|or"
        raise BadInput([Problem(str(qa), flat[0], what)], len(flat))
    questions = each(qa, problems, rows, lambda row: _question(row, options.one_dim))
    chunks = _chunks(parts["corpus"], problems) if "corpus" in parts else ((), ())
    return ForeignSet(once(qa, problems, questions), chunks=chunks[0], notes=chunks[1])


def _groups(row: Row) -> tuple[list[list[object]], bool]:
    """Of `retrieval_gt`, and whether it says its groups itself: one id alone says so, and so does an empty list."""
    value = row["retrieval_gt"]
    value = value if isinstance(value, list) else [] if value is None else [value]
    if all(isinstance(one, list) for one in value):
        return value, True
    return [value], len(value) < 2


def _question(line: Numbered, one_dim: OneDim | None) -> ForeignQuestion:
    row = line.row
    groups, said = _groups(row)
    if not said and one_dim == "and":
        groups = [[one] for one in groups[0]]
    labels = [[ChunkLabel(chunk_id=an_id(one, '"retrieval_gt"'), grade=1) for one in group] for group in groups]
    grouped = from_groups(labels)
    answers = row.get("generation_gt")
    texts = [answers] if isinstance(answers, str) else texts_of(row, "generation_gt")
    question = asked(
        id_of(row, "qid"), text_of(row, "query"), texts, facts=grouped.facts, labels_are=grouped.labels_are
    )
    return ForeignQuestion(line.line, question.model_copy(update={"chunk_labels": grouped.labels}))


def _chunks(path: Path, problems: Problems) -> tuple[tuple[ForeignChunk, ...], tuple[str, ...]]:
    rows = parquet.read_rows(path, CORPUS, ("path", "start_end_idx", "metadata"))
    found = each(path, problems, [Numbered(at, row) for at, row in enumerate(rows, 1)], _chunk)
    reported = sum(chunk.doc_id is not None for chunk in found)
    lost = sum(chunk.doc_id is not None and chunk.start is None for chunk in found)
    note = f"offsets of {lost} passages: they are counted from a page, or say 0..0 for not found" if lost else ""
    return tuple(found), (note,) if reported and note else ()


def _chunk(line: Numbered) -> ForeignChunk:
    row = line.row
    text = text_of(row, "contents")
    metadata = row.get("metadata") or {}
    page = metadata.get("page") if isinstance(metadata, dict) else None
    start = _start(row.get("start_end_idx"), text)
    if isinstance(page, int) and page >= 0:
        start = None  # counted from the page, whose place in the document is not said
    return ForeignChunk(id_of(row, "doc_id"), text, text_of(row, "path", "") or None, start)


def _start(value: object, text: str) -> int | None:
    """Where it says that the passage begins; None where it says nothing, or that it was not found."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or not all(type(one) is int for one in value):
        raise Wrong(f'"start_end_idx" is {value!r:.60}; two whole numbers are wanted')
    start, last = value
    if (start, last) == (0, 0) and len(text) > 1:
        return None
    end = last + 1
    return start if 0 <= start < end else None


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    groups = [_written(one) for one in foreign.questions]
    unsaid = [one.question.query_id for one, found in zip(foreign.questions, groups, strict=True) if found is None]
    if unsaid:
        what = f"labels of {len(unsaid)} questions ({', '.join(unsaid[:3])}) may be alternatives or all needed"
        raise CannotTell(f"{what}: say which, evalspan set amend SET --labels-are any|all")
    questions = [one.question for one in foreign.questions]
    qa: dict[str, list[Any]] = {
        "qid": [question.query_id for question in questions],
        "query": [question.question.text for question in questions],
        "retrieval_gt": groups,
        "generation_gt": [list(question.question.reference_answers) for question in questions],
    }
    types = {"qid": "string", "query": "string", "retrieval_gt": "lists of strings", "generation_gt": "strings"}
    spans = [[one.start, one.start + len(one.text) - 1] if one.start is not None else None for one in foreign.chunks]
    corpus: dict[str, list[Any]] = {
        "doc_id": [one.chunk_id for one in foreign.chunks],
        "contents": [one.text for one in foreign.chunks],
        "path": [one.doc_id for one in foreign.chunks],
        "start_end_idx": spans,
        "metadata": [{"last_modified_datetime": NO_TIME} for _ in foreign.chunks],
    }
    corpus_types = {"doc_id": "string", "contents": "string", "path": "string", "start_end_idx": "ints"}
    return {
        "qa.parquet": parquet.render_rows(qa, types),
        "corpus.parquet": parquet.render_rows(corpus, corpus_types | {"metadata": "metadata"}),
    }


def _written(one: ForeignQuestion) -> list[list[str]] | None:
    question = one.question
    groups = to_groups(question.chunk_labels, question.facts, question.labels_are)
    return None if groups is None else [[label.chunk_id for label in group] for group in groups]


FORMAT = Format(
    name="autorag",
    title="AutoRAG: qa.parquet, with corpus.parquet",
    suffixes=(".parquet",),
    guess=lambda look: look.suffix == ".parquet" and (set(QA) <= set(look.columns) or set(CORPUS) <= set(look.columns)),
    read=_read,
    write=_write,
    holds=frozenset(
        {
            Holds.IDS,
            Holds.TEXT,
            Holds.LABELS,
            Holds.GROUPS,
            Holds.LABELS_ARE,
            Holds.ANSWER,
            Holds.ANSWERS,
            Holds.UNLABELLED,
        }
    ),
    carries=("chunks",),
    many=True,
    asks="one_dim",
)
