"""`evalspan migrate` on files: labels of old chunks become labels of new ones."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from evalspan.corpus import Document, Placed, RawChunk, count_placed
from evalspan.errors import Problems
from evalspan.formats.files import staged_folder
from evalspan.formats.migration import LabelLines, MigrationFolder
from evalspan.labels import DEFAULT_MIN_OVERLAP, Judgment, LabelsAre
from evalspan.mapping import Carried, carried
from evalspan.migrator import (
    DocumentCuts,
    DocumentMigration,
    OldLabel,
    document_cuts,
    label_judgments,
    migrate_document,
    proposed_narrowing,
)
from evalspan.workflows.file_inputs import FileInputs, FilePath, FilePaths, read_inputs
from evalspan.workflows.migration import Migration, Sums, check_min_overlap, label_lines, span_row
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
    labels_are: LabelsAre | None = None,
    twins: Literal["ask", "ignore"] = "ignore",
    why: str = "",
    skip_bad: bool = False,
    replace_bad_text: bool = False,
    progress: Progress = silent,
) -> Migration:
    """Ties every label to text and carries it to the new chunks; writes outcomes.jsonl, qrels.txt, waiting.jsonl,
    spans.jsonl and queue.jsonl into the folder `out`, which must be absent or empty. With `store`, the corpus, both
    chunkings, the set (named `set_name`, else as the labels' file) and the mapping are kept there as well; `twins`: ask
    offers passages that stand elsewhere too as alternatives there.

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

            record = stack.enter_context(
                recording(store, set_name, paths, inputs, min_overlap, labels_are, why, progress)
            )
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
        migration = Migration(
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
            offers=record.offers() if record is not None else None,
        )
    if twins == "ignore" or recorded is None:
        return migration
    return _with_twins(migration, recorded.eval_set, store, progress)


def _with_twins(result: Migration, eval_set: str, store: str | None, progress: Progress) -> Migration:
    """After the labels have landed: the whole corpus is looked through, and other writers need not wait for that."""
    from evalspan.workflows.twins import look_for_twins

    found = look_for_twins(eval_set, store=store, progress=progress)
    offers = result.offers
    assert offers is not None
    more = offers._replace(twins=found.places, proposals=offers.proposals + len(found.twins))
    return replace(result, offers=more)


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
        self._questions = {query_id: asked.question for query_id, asked in inputs.questions.items()}
        self._numbers: dict[str, list[int]] = {}
        for number, label in enumerate(inputs.labels):
            self._numbers.setdefault(inputs.old.document_of(label.chunk_id), []).append(number)

    def __call__(self, doc_id: str) -> _Result:
        document = self._inputs.documents.read(doc_id)
        old, new = self._inputs.old.of_document(doc_id), self._inputs.new.of_document(doc_id)
        numbers = self._numbers.get(doc_id, [])
        labels = [OldLabel(*self._inputs.labels[number][:3]) for number in numbers]
        done = migrate_document(doc_id, document.text, old, new, labels, self._min_overlap, self._questions)
        judgments = label_judgments(doc_id, document.text, done.outcomes, done.narrowings)
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
        judgments: Sequence[Judgment | None],
    ) -> list[LabelLines]:
        rows: dict[Judgment, dict[str, Any]] = {}
        texts = {chunk.chunk_id: chunk.text for chunk in old}
        places = {c.chunk_id: m.span for c, m in zip(new, done.new, strict=True) if m.sure and m.same and m.span}
        text = document.text
        out = []
        for outcome, narrowing, judgment in zip(done.outcomes, done.narrowings, judgments, strict=True):
            row = None
            if judgment is not None:
                row = rows.get(judgment)
                if row is None:
                    row = rows[judgment] = span_row(judgment)
            asked = self._questions.get(outcome.query_id)
            passage = outcome.span.of(text) if outcome.span else texts[outcome.chunk_id or ""]
            question = asked.text if asked else ""
            out.append(label_lines(outcome, row, question, passage, places, proposed_narrowing(narrowing, text)))
        return out
