"""SQuAD and what has its form, as CUAD: nested, or flat as the hub has it.

A paragraph is a document. The answers of a question come from several annotators: they are alternatives. Some copies of
the data have stripped contexts and offsets of the unstripped ones, so the words are held against the text.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evalspan.corpus import Document
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet, ForeignSpan, Format, Holds, ReadOptions
from evalspan.formats.foreign.look import Look
from evalspan.formats.foreign.rows import (
    Numbered,
    Row,
    Wrong,
    asked,
    each,
    id_of,
    numbered,
    offset_of,
    once,
    only,
    read_json,
    read_rows,
    rows_of,
    sound,
    text_of,
)

FLAT = ("id", "title", "context", "question", "answers")


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    flat = _is_flat(path)
    reader = _Reader()
    if flat:
        questions = each(path, problems, read_rows(path, problems, "questions", FLAT), reader.flat)
    else:
        value = read_json(path)
        articles = numbered(value.get("data") if isinstance(value, dict) else None, path, "articles")
        questions = [one for found in each(path, problems, articles, reader.article) for one in found]
    return ForeignSet(once(path, problems, questions), documents=tuple(reader.documents.values()))


def _is_flat(path: Path) -> bool:
    from evalspan.formats.foreign.look import look_at

    return path.suffix.lower() == ".parquet" or not look_at(path).has("data")


class _Reader:
    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        """Context → document: contexts are repeated with every question of them."""
        self._of_title: Counter[str] = Counter()

    def _document(self, doc_id: str, context: str) -> str:
        if not context:
            raise Wrong('"context" is empty')
        return self.documents.setdefault(context, Document(doc_id, context)).doc_id

    def flat(self, line: Numbered) -> ForeignQuestion:
        row = line.row
        title, context = id_of(row, "title"), text_of(row, "context")
        if context not in self.documents:
            self._of_title[title] += 1
        doc_id = self._document(f"{title}/{self._of_title[title] - 1}", context)
        answers = row.get("answers")
        if isinstance(answers, dict):
            texts, starts = answers.get("text"), answers.get("answer_start")
            if not isinstance(texts, list) or not isinstance(starts, list) or len(texts) != len(starts):
                raise Wrong('"answers" wants lists "text" and "answer_start" of one length')
            row = {**row, "answers": [{"text": t, "answer_start": s} for t, s in zip(texts, starts, strict=True)]}
        return _question(line.line, row, doc_id, bool(row.get("is_impossible", False)))

    def article(self, line: Numbered) -> list[ForeignQuestion]:
        title = line.row.get("title") or f"article {line.line}"
        paragraphs = rows_of(line.row, "paragraphs")
        found = []
        for at, paragraph in enumerate(paragraphs):
            name = sound(str(title), '"title"') + (f"/{at}" if len(paragraphs) > 1 else "")
            doc_id = self._document(id_of({"title": name}, "title"), text_of(paragraph, "context"))
            for row in rows_of(paragraph, "qas"):
                found.append(_question(line.line, row, doc_id, row.get("is_impossible") is True))
        return found


def _question(line: int, row: Row, doc_id: str, impossible: bool) -> ForeignQuestion:
    def span(answer: Row) -> ForeignSpan:
        text, start = text_of(answer, "text"), offset_of(answer, "answer_start")
        return ForeignSpan(doc_id, start, start + len(text), text)

    spans = tuple(dict.fromkeys(map(span, rows_of(row, "answers"))))
    labels_are = "any" if len(spans) > 1 else None
    question = asked(
        id_of(row, "id"), text_of(row, "question"), no_answer=impossible and not spans, labels_are=labels_are
    )
    return ForeignQuestion(line, question, spans)


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    qas: dict[str, list[Row]] = {document.doc_id: [] for document in foreign.documents}
    unplaced = next(iter(qas), None)
    for _, question, spans in foreign.questions:
        doc_id = spans[0].doc_id if spans else unplaced
        if doc_id is None or doc_id not in qas:
            raise BadInput([Problem("squad", None, f"question {question.query_id!r} has no document to stand with")])
        answers = [{"text": span.quote, "answer_start": span.start} for span in spans]
        row = {"id": question.query_id, "question": question.question.text, "answers": answers}
        qas[doc_id].append(row | {"is_impossible": question.no_answer})
    return {"": json.dumps({"version": "v2.0", "data": list(_data(foreign, qas))}, ensure_ascii=False) + "\n"}


def _data(foreign: ForeignSet, qas: dict[str, list[Row]]) -> Iterator[dict[str, Any]]:
    for document in foreign.documents:
        paragraph = {"context": document.text, "qas": qas[document.doc_id]}
        yield {"title": document.doc_id, "paragraphs": [paragraph]}


def _guess(look: Look) -> bool:
    articles = look.row.get("data")
    first = articles[0] if isinstance(articles, list) and articles else None
    return look.has(*FLAT) or (isinstance(first, dict) and "paragraphs" in first)


FORMAT = Format(
    name="squad",
    title="SQuAD, CUAD and others of that form: nested JSON, or flat rows",
    suffixes=(".json", ".jsonl", ".parquet"),
    read_only=frozenset({".parquet"}),
    guess=_guess,
    read=_read,
    write=_write,
    holds=frozenset(
        {
            Holds.IDS,
            Holds.TEXT,
            Holds.SPANS,
            Holds.DOC_IDS,
            Holds.OFFSETS,
            Holds.QUOTES,
            Holds.NO_ANSWER,
            Holds.UNLABELLED,
        }
    ),
    labels_are="any",
    carries=("documents",),
)
