"""`evalspan migrate` on files: labels of old chunks become labels of new ones."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from evalspan.corpus import Document, Placed, RawChunk, count_placed
from evalspan.errors import Problems
from evalspan.formats.files import staged_folder
from evalspan.formats.migration import LabelLines, MigrationFolder
from evalspan.labels import DEFAULT_MIN_OVERLAP, Judgment
from evalspan.mapping import Carried, Outcome, carried
from evalspan.migrator import (
    DocumentCuts,
    DocumentMigration,
    OldLabel,
    chunk_judgment,
    document_cuts,
    migrate_document,
)
from evalspan.workflows.file_inputs import FileInputs, FilePath, FilePaths, read_inputs
from evalspan.workflows.migration import Migration, Sums, check_min_overlap, label_lines
from evalspan.workflows.parallel import in_order
from evalspan.workflows.progress import Progress, silent

if TYPE_CHECKING:
    from evalspan.workflows.record import DocumentRecord, Recording


def migrate_files(
    *,
    documents: FilePath,
    old_chunks: FilePath,
    labels: FilePath,
    new_chunks: FilePath,
    questions: FilePath | None = None,
    min_overlap: float = DEFAULT_MIN_OVERLAP,
    out: FilePath | None = None,
    store: str | None = None,
    set_name: str | None = None,
    why: str = "",
    skip_bad: bool = False,
    replace_bad_text: bool = False,
    progress: Progress = silent,
) -> Migration:
    """Ties every label to text and carries it to the new chunks; writes outcomes.jsonl, qrels.txt, waiting.jsonl,
    spans.jsonl and queue.jsonl into the folder `out`, which must be absent or empty. With `store`, the corpus, both
    chunkings, the set (named `set_name`, else as the labels' file) and the mapping are kept there as well.

    Raises BadInput with every problem of a file, StoreError, Unwritable, Conflict; then nothing was written.
    """
    check_min_overlap(min_overlap)
    paths = FilePaths(documents, old_chunks, labels, new_chunks, questions)
    with ExitStack() as stack:
        folder = stack.enter_context(staged_folder(Path(out))) if out is not None else None
        if store is not None:
            _require_store(store)
        problems = Problems(skip_bad)
        inputs = read_inputs(stack, paths, problems, replace_bad_text)
        work = _Work(inputs, min_overlap, writes=folder is not None, records=store is not None)
        doc_ids = sorted(inputs.documents.ids)
        results = stack.enter_context(in_order(work, doc_ids))
        record: Recording | None = None
        if store is not None:
            from evalspan.workflows.record import recording

            record = stack.enter_context(recording(store, set_name, paths, inputs, min_overlap, why, progress))
        written = stack.enter_context(MigrationFolder(folder.path)) if folder is not None else None
        sums = Sums()
        sums.hold(inputs.left_out)
        old_placed = new_placed = Placed(0, 0, 0, 0)
        for result in progress(results, "migrating", len(doc_ids)):
            old_placed, new_placed = old_placed.plus(result.old), new_placed.plus(result.new)
            sums.add(result.carried, result.cuts)
            if written is not None:
                for number, lines in result.lines:
                    written.put(number, lines)
            if record is not None and result.record is not None:
                record.document(result.record)
        recorded = record.finish() if record is not None else None
        if written is not None and folder is not None:
            written.finish(sums.qrels(min_overlap))
            folder.land()  # before the store's transaction ends: if either fails, neither is there
        return Migration(
            tally=sums.tally,
            decided=sums.decided,
            waiting=sums.waiting,
            cuts=sums.cuts,
            old_chunks=old_placed,
            new_chunks=new_placed,
            min_overlap=min_overlap,
            skipped=problems.skipped,
            out=Path(out) if out is not None else None,
            recorded=recorded,
        )


def _require_store(address: str) -> None:
    """Refuses now rather than after the work. Without a store nothing of it is loaded: half of a small migration."""
    from evalspan.workflows.stores import opened

    with opened(address):
        pass


class _Result(NamedTuple):
    """What comes back of one document."""

    old: Placed
    new: Placed
    carried: list[Carried]
    cuts: DocumentCuts
    lines: list[tuple[int, LabelLines]]
    record: "DocumentRecord | None"


class _Work:
    """What is done with each document; called in whichever process."""

    def __init__(self, inputs: FileInputs, min_overlap: float, writes: bool, records: bool) -> None:
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
        judgments = _judgments(document, done.outcomes)
        lines = self._lines(document, old, new, done, judgments) if self._writes else []
        record = None
        if self._records:
            from evalspan.workflows.record import document_record

            record = document_record(doc_id, old, new, numbers, done, judgments)
        return _Result(
            count_placed(done.old),
            count_placed(done.new),
            [carried(outcome) for outcome in done.outcomes],
            document_cuts(done.outcomes),
            list(zip(numbers, lines, strict=True)) if self._writes else [],
            record,
        )

    def _lines(
        self,
        document: Document,
        old: Sequence[RawChunk],
        new: Sequence[RawChunk],
        done: DocumentMigration,
        judgments: Mapping[str, Judgment],
    ) -> list[LabelLines]:
        anchored = {chunk: judgment.model_dump(exclude_none=True) for chunk, judgment in judgments.items()}
        texts = {chunk.chunk_id: chunk.text for chunk in old}
        places = {c.chunk_id: m.span for c, m in zip(new, done.new, strict=True) if m.sure and m.same and m.span}
        out = []
        for outcome in done.outcomes:
            chunk_id = outcome.chunk_id or ""
            asked = self._inputs.questions.get(outcome.query_id)
            passage = outcome.span.of(document.text) if outcome.span else texts[chunk_id]
            out.append(label_lines(outcome, anchored.get(chunk_id), asked.text if asked else "", passage, places))
        return out


def _judgments(document: Document, outcomes: Sequence[Outcome]) -> dict[str, Judgment]:
    """Old chunk id → the judgment its labels become (each with its own grade), where its place is certain."""
    judgments: dict[str, Judgment] = {}
    for outcome in outcomes:
        span, chunk_id = outcome.span, outcome.chunk_id
        if span is not None and chunk_id is not None and chunk_id not in judgments:
            judgments[chunk_id] = chunk_judgment(document.text, document.doc_id, span, chunk_id, outcome.grade)
    return judgments
