"""Documents: JSON lines `{"doc_id", "text", "version"?, "metadata"?}`, or a folder of text files."""

import os
from array import array
from collections.abc import Iterator
from pathlib import Path

from evalspan.corpus import Document
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.files import reading
from evalspan.formats.lines import JsonLines, Line, Row, changed_under_us
from evalspan.text import find_bad_character, replace_bad_characters

TEXT_SUFFIXES = frozenset(
    {".txt", ".md", ".markdown", ".rst", ".text", ".html", ".htm", ".csv", ".org", ".adoc", ".tex"}
)


def _parse(lines: JsonLines, line: Line, row: Row) -> Document | None:
    doc_id = lines.name(line, row, "doc_id")
    text = lines.text(line, row, "text", f"document {doc_id!r}")
    version, metadata = row.get("version"), row.get("metadata")
    if doc_id is None or text is None:
        return None
    if not text:
        lines.bad(line, f"document {doc_id!r} is empty")
    elif version is not None and not isinstance(version, str):
        lines.bad(line, f'"version" of document {doc_id!r} is not text; write it in quotes')
    elif metadata is not None and not isinstance(metadata, dict):
        lines.bad(line, f'"metadata" of document {doc_id!r} is no object')
    elif lines.plain(line, [version, metadata], f"version or metadata of document {doc_id!r}"):
        return Document(doc_id, text, version, metadata or {})
    return None


class DocumentFile:
    """The documents of a JSON lines file: read through once to be checked, then one by one by their ids."""

    def __init__(self, path: str | os.PathLike[str], problems: Problems, replace_bad_text: bool = False) -> None:
        self._lines = JsonLines(path, problems, replace_bad_text)
        self._offsets, self._lengths, self._numbers = array("Q"), array("Q"), array("Q")
        self.ids: dict[str, int] = {}
        """doc_id → its number, in the order of the file."""
        try:
            self._read()
        except BaseException:
            self.close()
            raise

    def _read(self) -> None:
        before = self._lines.problems.count
        for line, row in self._lines:
            document = _parse(self._lines, line, row)
            if document is None:
                continue
            known = self.ids.get(document.doc_id)
            if known is not None:
                self._lines.bad(line, f"document {document.doc_id!r} stands on line {self._numbers[known]} already")
                continue
            self.ids[document.doc_id] = len(self.ids)
            self._offsets.append(line.offset)
            self._lengths.append(len(line.data))
            self._numbers.append(line.number)
        self._lines.problems.require_some(self.ids, self.path, "document", before)

    @property
    def path(self) -> Path:
        return self._lines.path

    def close(self) -> None:
        self._lines.file.close()

    def read(self, doc_id: str) -> Document:
        """The document, from the file."""
        number = self.ids[doc_id]
        offset, length = self._offsets[number], self._lengths[number]
        row = self._lines.again(offset, length)
        document = _parse(self._lines, Line(self._numbers[number], offset, b""), row)
        if document is None or document.doc_id != doc_id:
            raise changed_under_us(self.path)
        return document


def read_documents(
    source: str | os.PathLike[str], problems: Problems, replace_bad_text: bool = False
) -> Iterator[Document]:
    """Of a JSON lines file, or of the text files of a folder (doc_id: the path below it, with /)."""
    path = Path(source)
    if path.is_dir():
        yield from _read_folder(path, problems, replace_bad_text)
        return
    seen: dict[str, int] = {}
    before = problems.count
    with JsonLines(path, problems, replace_bad_text) as lines:
        for line, row in lines:
            document = _parse(lines, line, row)
            if document is None:
                continue
            if document.doc_id in seen:
                lines.bad(line, f"document {document.doc_id!r} stands on line {seen[document.doc_id]} already")
                continue
            seen[document.doc_id] = line.number
            yield document
    problems.require_some(seen, path, "document", before)


def _read_folder(folder: Path, problems: Problems, replace_bad_text: bool) -> Iterator[Document]:
    found = False
    for path in sorted(folder.rglob("*")):
        if not _is_document(path, folder):
            continue
        found = True
        document = _read_text_file(path, path.relative_to(folder).as_posix(), problems, replace_bad_text)
        if document is not None:
            yield document
    if not found:
        endings = " ".join(sorted(TEXT_SUFFIXES))
        raise BadInput([Problem(str(folder), None, f"holds no text file (looked for {endings})")])


def files_passed_over(folder: Path) -> int:
    """How many files below it are no documents: of other endings, or hidden."""
    return sum(path.is_file() and not _is_document(path, folder) for path in folder.rglob("*"))


def _is_document(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return not hidden and path.is_file() and path.suffix.lower() in TEXT_SUFFIXES


def _read_text_file(path: Path, doc_id: str, problems: Problems, replace_bad_text: bool) -> Document | None:
    with reading(path):
        data = path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.add(path, line, f"not UTF-8: byte 0x{data[error.start]:02x} at byte {error.start} of the file")
        return None
    bad = find_bad_character(text)
    if bad is not None and replace_bad_text:
        text = replace_bad_characters(text)
    elif bad is not None:
        line = text.count("\n", 0, bad[0]) + 1
        problems.add(path, line, f"holds {bad[1]} at offset {bad[0]}; to put U+FFFD there: --replace-bad-text")
        return None
    if not text:
        problems.add(path, 1, "is empty")
        return None
    return Document(doc_id, text)
