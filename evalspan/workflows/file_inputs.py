"""The files that a migration without a store reads."""

from contextlib import ExitStack, closing
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from evalspan.errors import Problems
from evalspan.formats.chunks import ChunkFile
from evalspan.formats.documents import DocumentFile
from evalspan.formats.questions import contradicted, read_questions
from evalspan.formats.trec import LabelRow, read_labels, skipped_label
from evalspan.labels import JudgedQuestion
from evalspan.mapping import WaitingLabel

FilePath = str | PathLike[str]


class FilePaths(NamedTuple):
    """Where they lie."""

    documents: FilePath
    old_chunks: FilePath
    labels: FilePath
    new_chunks: FilePath
    questions: FilePath | None = None


class FileInputs(NamedTuple):
    """What they hold, checked; texts are read when they are needed."""

    documents: DocumentFile
    old: ChunkFile
    new: ChunkFile
    labels: list[LabelRow]
    left_out: list[WaitingLabel]
    """Labels that were skipped as bad: their questions wait."""
    questions: dict[str, JudgedQuestion]


def read_inputs(stack: ExitStack, paths: FilePaths, problems: Problems, replace_bad_text: bool) -> FileInputs:
    """Every file, in turn: each one's problems are raised together. `stack` closes them."""
    documents = stack.enter_context(closing(DocumentFile(paths.documents, problems, replace_bad_text)))
    problems.raise_if_any()
    cut = []
    for path in (paths.old_chunks, paths.new_chunks):
        file = ChunkFile(path, problems, documents.ids, Path(paths.documents).name, replace_bad_text)
        cut.append(stack.enter_context(closing(file)))
        problems.raise_if_any()
    left_out: list[WaitingLabel] = []
    rows = read_labels(paths.labels, problems, left_out)
    labels = _require_known(rows, cut[0], paths.labels, problems, left_out)
    problems.raise_if_any()
    questions: dict[str, JudgedQuestion] = {}
    if paths.questions is not None:
        questions = read_questions(paths.questions, problems, documents.ids)
        labels = _require_no_contradiction(labels, questions, paths.labels, problems, left_out)
        problems.raise_if_any()
    return FileInputs(documents, cut[0], cut[1], labels, left_out, questions)


def _require_known(
    rows: list[LabelRow], chunks: ChunkFile, path: FilePath, problems: Problems, left_out: list[WaitingLabel]
) -> list[LabelRow]:
    """The labels whose chunk is there; the others are problems."""
    known = []
    for row in rows:
        if row.chunk_id in chunks.ids:
            known.append(row)
        else:
            problems.add(path, row.line, f"chunk {row.chunk_id!r} is not in {chunks.path.name}")
            left_out.append(skipped_label(row.query_id, row.chunk_id))
    return known


def _require_no_contradiction(
    rows: list[LabelRow],
    questions: dict[str, JudgedQuestion],
    path: FilePath,
    problems: Problems,
    left_out: list[WaitingLabel],
) -> list[LabelRow]:
    """The labels that no question gives the lie; the others are problems."""
    wrong = contradicted(rows, questions)
    for row, what in wrong.items():
        problems.add(path, row.line, what)
        left_out.append(skipped_label(row.query_id, row.chunk_id))
    return [row for row in rows if row not in wrong]
