"""retrieval-eval: judgments.jsonl, with corpus.json.

That a chunk id is still there proves nothing: positional ids stay while texts change. So a judgment's text, or the
digest of it, is held against the corpus, and the corpus against the chunking of the store.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.foreign.canonical import canonical
from evalspan.formats.foreign.form import (
    ForeignChunk,
    ForeignQuestion,
    ForeignSet,
    ForeignSpan,
    Format,
    Holds,
    ReadOptions,
)
from evalspan.formats.foreign.rows import (
    Numbered,
    Row,
    Wrong,
    asked,
    each,
    id_of,
    numbered,
    read_json,
    read_rows,
    render_lines,
    spread,
    text_of,
    texts_of,
    value_of,
)
from evalspan.labels import ChunkLabel
from evalspan.provenance import Provenance

SHA = "t1:"
"""Before the sha256 of a text in NFC, line ends LF, without blanks at its ends."""

ENOUGH = 16
"""Hex digits of a digest by which it is compared: longer ones are cut by some writers."""

STRATUM = "stratum:"


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    there = spread(files)
    judged = [path for path in there if path.suffix.lower() == ".jsonl"]
    corpora = [path for path in there if path.suffix.lower() == ".json"]
    if len(judged) != 1 or len(corpora) > 1:
        what = "one judgments.jsonl is wanted, and at most one corpus.json"
        raise BadInput([Problem(str(files[0]), None, what)])
    chunks = _corpus(corpora[0], problems) if corpora else ()
    texts = {chunk.chunk_id: chunk.text for chunk in chunks}
    reader = _Reader(texts if corpora else None)
    each(judged[0], problems, read_rows(judged[0], problems, "judgments"), reader.add)
    return ForeignSet(reader.questions(), chunks=chunks)


def _corpus(path: Path, problems: Problems) -> tuple[ForeignChunk, ...]:
    value = read_json(path)
    rows = numbered(value.get("chunks") if isinstance(value, dict) else None, path, "chunks")

    def chunk(line: Numbered) -> ForeignChunk:
        row = line.row
        return ForeignChunk(id_of(row, "chunk_id"), text_of(row, "text", ""), id_of(row, "doc_uri"))

    return tuple(each(path, problems, rows, chunk))


class _Reader:
    """A question's judgments stand on several lines."""

    def __init__(self, texts: Mapping[str, str] | None) -> None:
        self._texts = texts
        self._lines: dict[str, int] = {}
        self._said: dict[str, dict[str, Any]] = {}
        self._labels: dict[str, list[ChunkLabel]] = {}
        self._spans: dict[str, list[ForeignSpan]] = {}

    def add(self, line: Numbered) -> None:
        row = line.row
        query_id, grade = id_of(row, "query_id"), value_of(row, "relevance", int, "a whole number")
        text, stratum, tags = text_of(row, "query", ""), text_of(row, "stratum", ""), texts_of(row, "tags")
        if row.get("chunk_id") is None and not row.get("chunk_text"):
            raise Wrong(f"the judgment of question {query_id!r} has neither a chunk_id nor a chunk_text")
        label = self._label(row, grade) if row.get("chunk_id") is not None else None
        self._lines.setdefault(query_id, line.line)
        tags += [STRATUM + stratum] if stratum and STRATUM + stratum not in tags else []
        said = self._said.setdefault(query_id, {"text": text, "tags": []})
        said["text"] = said["text"] or text
        said["tags"] += [tag for tag in tags if tag not in said["tags"]]
        if label is not None:
            self._labels.setdefault(query_id, []).append(label)
        else:
            quote = text_of(row, "chunk_text")
            span = ForeignSpan(id_of(row, "doc_uri"), None, None, quote, grade)
            self._spans.setdefault(query_id, []).append(span)

    def _label(self, row: Row, grade: int) -> ChunkLabel:
        chunk_id = id_of(row, "chunk_id")
        text, sha = text_of(row, "chunk_text", ""), text_of(row, "text_sha", "")
        if self._texts is not None:
            there = self._texts.get(chunk_id)
            if there is None:
                raise Wrong(f"chunk {chunk_id!r} is not in the corpus file")
            changed = text and there and _plain(text) != _plain(there)
            if changed or (sha.startswith(SHA) and there and not _agrees(sha, there)):
                raise Wrong(f"chunk {chunk_id!r} has another text in the corpus file than when it was judged")
        by, at = text_of(row, "labeled_by", ""), text_of(row, "labeled_at", "")
        provenance = Provenance(by=by, at=at, why=text_of(row, "notes", "")) if by else None
        return ChunkLabel(chunk_id=chunk_id, grade=grade, provenance=provenance)

    def questions(self) -> tuple[ForeignQuestion, ...]:
        out = []
        for query_id, line in self._lines.items():
            said = self._said[query_id]
            question = asked(query_id, said["text"], tags=tuple(said["tags"]))
            labels = tuple(self._labels.get(query_id, ()))
            spans = tuple(self._spans.get(query_id, ()))
            out.append(ForeignQuestion(line, question.model_copy(update={"chunk_labels": labels}), spans))
        return tuple(out)


def _plain(text: str) -> str:
    return canonical(text).strip()


def _agrees(sha: str, text: str) -> bool:
    given = sha.removeprefix(SHA)
    return len(given) < ENOUGH or hashlib.sha256(_plain(text).encode()).hexdigest()[: len(given)] == given


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    chunks = {chunk.chunk_id: chunk for chunk in foreign.chunks}
    rows = [_row(one, label, chunks) for one in foreign.questions for label in one.question.chunk_labels]
    corpus = [
        {"chunk_id": one.chunk_id, "doc_uri": one.doc_id or one.chunk_id, "text": one.text} for one in foreign.chunks
    ]
    return {
        "judgments.jsonl": render_lines(rows),
        "corpus.json": json.dumps({"chunks": corpus}, ensure_ascii=False) + "\n",
    }


def _row(one: ForeignQuestion, label: ChunkLabel, chunks: Mapping[str, ForeignChunk]) -> Row:
    question, chunk = one.question.question, chunks.get(label.chunk_id)
    row: Row = {"query_id": question.query_id, "query": question.text}
    row |= {"doc_uri": (chunk.doc_id if chunk else None) or label.chunk_id, "chunk_id": label.chunk_id}
    row |= {"chunk_text": chunk.text} if chunk else {}
    row |= {"relevance": label.grade}
    stratum = next((tag.removeprefix(STRATUM) for tag in question.tags if tag.startswith(STRATUM)), "")
    row |= {"stratum": stratum} if stratum else {}
    row |= {"tags": list(question.tags)} if question.tags else {}
    said = label.provenance
    return row | ({"labeled_by": said.by, "labeled_at": said.at, "notes": said.why} if said else {})


FORMAT = Format(
    name="retrieval-eval",
    title="retrieval-eval: judgments.jsonl, with corpus.json",
    suffixes=(".jsonl", ".json"),
    guess=lambda look: look.has("query_id", "doc_uri", "relevance"),
    read=_read,
    write=_write,
    holds=frozenset({Holds.IDS, Holds.TEXT, Holds.LABELS, Holds.GRADES, Holds.TAGS}),
    carries=("chunks",),
    many=True,
)
