"""`evalspan migrate` on files: labels of old chunks become labels of new ones."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Protocol

from evalspan.anchoring import make_anchor
from evalspan.corpus import Document, Placed, RawChunk, count_placed
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.chunks import ChunkFile
from evalspan.formats.documents import DocumentFile
from evalspan.formats.files import staged_folder
from evalspan.formats.lines import json_line
from evalspan.formats.migration import LabelLines, MigrationFolder
from evalspan.formats.questions import read_questions
from evalspan.formats.trec import LabelRow, read_labels
from evalspan.labels import DEFAULT_MIN_OVERLAP, Judgment, Question
from evalspan.mapping import Carried, Outcome, QrelsBuilder, Tally, carried, tally
from evalspan.migrator import (
    Cuts,
    DocumentCuts,
    DocumentMigration,
    OldLabel,
    document_cuts,
    migrate_document,
    queue_item,
    summarise_cuts,
)
from evalspan.workflows.parallel import in_order
from evalspan.workflows.progress import Progress, silent

_Path = str | PathLike[str]


class Recorded(NamedTuple):
    """Where a migration was kept."""

    store: str
    eval_set: str
    """As "faq@2": the version whose labels are spans."""
    chunking: str
    mapping: int


@dataclass(frozen=True, slots=True)
class FileMigration:
    """What became of the labels of a file."""

    tally: Tally
    decided: int
    """Questions with every label decided: those in qrels.txt."""
    waiting: int
    """Questions with a label that waits: those in waiting.jsonl."""
    cuts: Cuts
    old_chunks: Placed
    new_chunks: Placed
    min_overlap: float
    skipped: tuple[Problem, ...]
    """Rows left out by `skip_bad`."""
    out: Path | None
    recorded: Recorded | None = None

    @property
    def clean(self) -> bool:
        return self.tally.clean == self.tally.total


class Migrated(NamedTuple):
    """One document, done."""

    document: Document
    old: Sequence[RawChunk]
    new: Sequence[RawChunk]
    numbers: Sequence[int]
    """Of its labels."""
    done: DocumentMigration
    judgments: Mapping[str, Judgment]
    """Old chunk id → the judgment its labels become (each with its own grade), where its place is certain."""


class Recorder(Protocol):
    """Keeps a migration in a store while it runs."""

    def document(self, migrated: Migrated) -> None: ...

    def finish(self) -> Recorded: ...


def migrate_files(
    *,
    documents: _Path,
    old_chunks: _Path,
    labels: _Path,
    new_chunks: _Path,
    questions: _Path | None = None,
    min_overlap: float = DEFAULT_MIN_OVERLAP,
    out: _Path | None = None,
    recorder: AbstractContextManager[Recorder] | None = None,
    skip_bad: bool = False,
    replace_bad_text: bool = False,
    progress: Progress = silent,
) -> FileMigration:
    """Ties every label to text and carries it to the new chunks; writes outcomes.jsonl, qrels.txt, waiting.jsonl,
    spans.jsonl and queue.jsonl into the folder `out`, which must be absent or empty.

    Raises BadInput with every problem of a file, or Unwritable; then nothing was written.
    """
    check_min_overlap(min_overlap)
    with ExitStack() as stack:
        folder = stack.enter_context(staged_folder(Path(out))) if out is not None else None
        problems = Problems(skip_bad)
        inputs = _read(stack, documents, old_chunks, labels, new_chunks, questions, problems, replace_bad_text)
        work = _Work(inputs, min_overlap, writes=folder is not None, records=recorder is not None)
        doc_ids = sorted(inputs.documents.ids)
        results = stack.enter_context(in_order(work, doc_ids))
        keeper = stack.enter_context(recorder) if recorder is not None else None
        written = MigrationFolder(folder) if folder is not None else None
        qrels, cuts, counts = QrelsBuilder(), [], []
        old_placed = new_placed = Placed(0, 0, 0, 0)
        for result in progress(results, "migrating", len(doc_ids)):
            old_placed, new_placed = old_placed.plus(result.old), new_placed.plus(result.new)
            cuts.append(result.cuts)
            for label in result.carried:
                qrels.add(label)
                counts.append((label.bucket, label.reason))
            if written is not None:
                for number, lines in result.lines:
                    written.put(number, lines)
            if keeper is not None and result.migrated is not None:
                keeper.document(result.migrated)
        derived = qrels.build(min_overlap)
        if written is not None:
            written.finish(derived)
        return FileMigration(
            tally=tally(counts),
            decided=qrels.decided,
            waiting=len(derived.waiting),
            cuts=summarise_cuts(cuts),
            old_chunks=old_placed,
            new_chunks=new_placed,
            min_overlap=min_overlap,
            skipped=problems.skipped,
            out=Path(out) if out is not None else None,
            recorded=keeper.finish() if keeper is not None else None,
        )


def check_min_overlap(value: float) -> None:
    """Raises BadInput unless 0 < value <= 1."""
    if not 0 < value <= 1:
        raise BadInput([Problem("--min-overlap", None, f"{value} is not above 0 and up to 1; the usual one is 0.5")])


class _Inputs(NamedTuple):
    documents: DocumentFile
    old: ChunkFile
    new: ChunkFile
    labels: list[LabelRow]
    questions: dict[str, Question]


def _read(
    stack: ExitStack,
    documents: _Path,
    old_chunks: _Path,
    labels: _Path,
    new_chunks: _Path,
    questions: _Path | None,
    problems: Problems,
    replace_bad_text: bool,
) -> _Inputs:
    """Every file, checked; each file's problems are raised together."""
    docs = stack.enter_context(closing(DocumentFile(documents, problems, replace_bad_text)))
    problems.raise_if_any()
    cut = []
    for path in (old_chunks, new_chunks):
        file = ChunkFile(path, problems, docs.ids, Path(documents).name, replace_bad_text)
        cut.append(stack.enter_context(closing(file)))
        problems.raise_if_any()
    rows = require_known(read_labels(labels, problems), cut[0], labels, problems)
    problems.raise_if_any()
    asked = read_questions(questions, problems) if questions is not None else {}
    problems.raise_if_any()
    return _Inputs(docs, cut[0], cut[1], rows, asked)


def require_known(rows: list[LabelRow], chunks: ChunkFile, labels: _Path, problems: Problems) -> list[LabelRow]:
    """The labels whose chunk is there; the others are problems."""
    known = []
    for row in rows:
        if row.chunk_id in chunks.ids:
            known.append(row)
        else:
            problems.add(labels, row.line, f"chunk {row.chunk_id!r} is not in {chunks.path.name}")
    return known


class _Result(NamedTuple):
    """What comes back of one document."""

    old: Placed
    new: Placed
    carried: list[Carried]
    cuts: DocumentCuts
    lines: list[tuple[int, LabelLines]]
    migrated: Migrated | None


class _Work:
    """What is done with each document; called in whichever process."""

    def __init__(self, inputs: _Inputs, min_overlap: float, writes: bool, records: bool) -> None:
        self._inputs = inputs
        self._min_overlap = min_overlap
        self._writes, self._records = writes, records
        self._numbers: dict[str, list[int]] = {}
        for number, label in enumerate(inputs.labels):
            self._numbers.setdefault(inputs.old.document_of(label.chunk_id), []).append(number)

    def __call__(self, doc_id: str) -> _Result:
        document = self._inputs.documents.read(doc_id)
        old, new = self._inputs.old.of_document(doc_id), self._inputs.new.of_document(doc_id)
        numbers = self._numbers.get(doc_id, [])
        labels = [OldLabel(*self._inputs.labels[number][:3]) for number in numbers]
        done = migrate_document(doc_id, document.text, old, new, labels, self._min_overlap)
        migrated = Migrated(document, old, new, numbers, done, _judgments(document, done.outcomes))
        return _Result(
            count_placed(done.old),
            count_placed(done.new),
            [carried(outcome) for outcome in done.outcomes],
            document_cuts(done.outcomes),
            list(zip(numbers, self._lines(migrated), strict=True)) if self._writes else [],
            migrated if self._records else None,
        )

    def _lines(self, migrated: Migrated) -> list[LabelLines]:
        document, old, new, _, done, judgments = migrated
        anchored = {chunk: judgment.model_dump(exclude_none=True) for chunk, judgment in judgments.items()}
        texts = {chunk.chunk_id: chunk.text for chunk in old}
        places = {c.chunk_id: m.span for c, m in zip(new, done.new, strict=True) if m.sure and m.span}
        out = []
        for outcome in done.outcomes:
            chunk_id = outcome.chunk_id or ""
            span_line = None
            if chunk_id in anchored:
                span_line = json_line({"query_id": outcome.query_id, **anchored[chunk_id], "grade": outcome.grade})
            question = self._inputs.questions.get(outcome.query_id)
            passage = outcome.span.of(document.text) if outcome.span else texts[chunk_id]
            item = queue_item(outcome, question.text if question else "", passage, places)
            queue_line = json_line(item.to_row()) if item is not None else None
            out.append(LabelLines(json_line(outcome.to_row()), span_line, queue_line))
        return out


def _judgments(document: Document, outcomes: Sequence[Outcome]) -> dict[str, Judgment]:
    judgments: dict[str, Judgment] = {}
    for outcome in outcomes:
        span, chunk_id = outcome.span, outcome.chunk_id
        if span is not None and chunk_id is not None and chunk_id not in judgments:
            judgments[chunk_id] = Judgment(
                doc_id=document.doc_id,
                start=span.start,
                end=span.end,
                grade=outcome.grade,
                anchor=make_anchor(document.text, span),
                origin="chunk",
                chunk_id=chunk_id,
            )
    return judgments
