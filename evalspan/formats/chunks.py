"""Chunks: JSON lines `{"chunk_id", "doc_id", "text", "start"?, "end"?}`, in any order."""

import os
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Container
from pathlib import Path

from evalspan.corpus import RawChunk
from evalspan.errors import Problems
from evalspan.formats.lines import JsonLines, Line, Row, changed_under_us, parse_json


def _parse(lines: JsonLines, line: Line, row: Row) -> tuple[str, RawChunk] | None:
    """(doc_id, chunk)"""
    chunk_id, doc_id, text = row.get("chunk_id"), row.get("doc_id"), row.get("text")
    start, end = row.get("start"), row.get("end")
    if type(chunk_id) is str and type(doc_id) is str and type(text) is str and chunk_id and doc_id:
        short = lines.sound and start is None and end is None and chunk_id.isprintable() and doc_id.isprintable()
        if short:  # the usual case
            return doc_id, RawChunk(chunk_id, text)
    chunk_id = lines.name(line, row, "chunk_id")
    doc_id = lines.name(line, row, "doc_id")
    text = lines.text(line, row, "text", f"chunk {chunk_id!r}")
    if chunk_id is None or doc_id is None or text is None:
        return None
    for key, value in (("start", start), ("end", end)):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            lines.bad(line, f'"{key}" of chunk {chunk_id!r} is no whole number')
            return None
    return doc_id, RawChunk(chunk_id, text, start)


class ChunkFile:
    """The chunks of a file: read through once to be checked, then document by document.

    `documents`: the ids a chunk may belong to; None where they are not known.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        problems: Problems,
        documents: Container[str] | None = None,
        documents_from: str = "the documents",
        replace_bad_text: bool = False,
    ) -> None:
        self._lines = JsonLines(path, problems, replace_bad_text)
        self._offsets, self._lengths, self._numbers = array("Q"), array("Q"), array("Q")
        self._document_numbers: dict[str, int] = {}
        self._documents = array("Q")
        self.ids: dict[str, int] = {}
        """chunk_id → its number, in the order of the file."""
        try:
            self._read(documents, documents_from)
        except BaseException:
            self.close()
            raise
        self._names = list(self._document_numbers)
        # Stable: within a document the order of the file remains.
        self._order = array("Q", sorted(range(len(self.ids)), key=self._documents.__getitem__))
        self._sorted = array("Q", (self._documents[i] for i in self._order))

    def _read(self, documents: Container[str] | None, documents_from: str) -> None:
        numbers = self._document_numbers
        before = self._lines.problems.count
        for line, row in self._lines:
            parsed = _parse(self._lines, line, row)
            if parsed is None:
                continue
            doc_id, chunk = parsed
            if documents is not None and doc_id not in documents:
                what = f"chunk {chunk.chunk_id!r} belongs to document {doc_id!r}, which {documents_from} does not hold"
                self._lines.bad(line, what)
                continue
            known = self.ids.get(chunk.chunk_id)
            if known is not None:
                what = f"chunk id {chunk.chunk_id!r} stands on line {self._numbers[known]} already"
                self._lines.bad(line, what)
                continue
            self.ids[chunk.chunk_id] = len(self.ids)
            self._documents.append(numbers.setdefault(doc_id, len(numbers)))
            self._offsets.append(line.offset)
            self._lengths.append(len(line.data))
            self._numbers.append(line.number)
        self._lines.problems.require_some(self.ids, self.path, "chunk", before)

    @property
    def path(self) -> Path:
        return self._lines.path

    def close(self) -> None:
        self._lines.file.close()

    def digest(self) -> str:
        """Of the file's bytes."""
        return self._lines.file.digest()

    def doc_ids(self) -> list[str]:
        """The documents that have chunks here, in code-point order."""
        return sorted(self._document_numbers)

    def document_of(self, chunk_id: str) -> str:
        """The doc_id of a chunk."""
        return self._names[self._documents[self.ids[chunk_id]]]

    def of_document(self, doc_id: str) -> list[RawChunk]:
        """Its chunks, in the order of the file."""
        document = self._document_numbers.get(doc_id)
        if document is None:
            return []
        begin, end = bisect_left(self._sorted, document), bisect_right(self._sorted, document)
        spots = [(self._offsets[i], self._lengths[i]) for i in self._order[begin:end]]
        if not self._lines.all_sound:
            return [self._read_again(doc_id, *spot) for spot in spots]
        chunks = []
        at = self._lines.file.at
        for spot in spots:  # rows that were found sound once: nothing is left to check but that the file is the same
            row = parse_json(at(*spot))
            if row["doc_id"] != doc_id:
                raise changed_under_us(self.path)
            chunks.append(RawChunk(row["chunk_id"], row["text"], row.get("start")))
        return chunks

    def _read_again(self, doc_id: str, offset: int, length: int) -> RawChunk:
        parsed = _parse(self._lines, Line(0, offset, b""), self._lines.again(offset, length))
        if parsed is None or parsed[0] != doc_id:
            raise changed_under_us(self.path)
        return parsed[1]


def read_chunk_ids(path: str | os.PathLike[str], problems: Problems) -> set[str]:
    """The ids alone; texts may be missing."""
    ids: set[str] = set()
    before = problems.count
    with JsonLines(path, problems) as lines:
        for line, row in lines:
            chunk_id = lines.name(line, row, "chunk_id")
            if chunk_id is None:
                continue
            if chunk_id in ids:
                lines.bad(line, f"chunk id {chunk_id!r} stands on an earlier line already")
            ids.add(chunk_id)
    problems.require_some(ids, lines.path, "chunk", before)
    return ids
