"""Keeping a migration of files in a store: corpus, both chunkings, the set before and after, the mapping.

What is kept of a document is made ready where the document is done; here it is only written.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from evalspan.corpus import ChunkingConfig, RawChunk, as_chunks
from evalspan.digests import canonical_json, fingerprint, text_digest
from evalspan.errors import Conflict
from evalspan.formats.chunks import ChunkFile
from evalspan.labels import Judgment, Question, QuestionBody, SetTerms, question_body, set_digest
from evalspan.mapping import Outcome
from evalspan.migrator import DocumentMigration
from evalspan.provenance import Provenance
from evalspan.store import (
    ChunkBlock,
    ChunkingWriter,
    OutcomeRow,
    SnapshotRecord,
    Store,
    Transaction,
    VersionRecord,
    chunk_block,
    outcome_rows,
)
from evalspan.workflows.file_inputs import FileInputs, FilePaths
from evalspan.workflows.migration import Recorded
from evalspan.workflows.progress import Progress
from evalspan.workflows.sets import newest_version


class DocumentRecord(NamedTuple):
    """What is kept of one document."""

    old: ChunkBlock
    new: ChunkBlock
    numbers: Sequence[int]
    """Of its labels; the two lists below have one item for each."""
    outcomes: Sequence[OutcomeRow]
    judgments: Sequence[str | None]
    """The judgment a label becomes, as canonical JSON; None where the place is not certain."""


def document_record(
    doc_id: str,
    old: Sequence[RawChunk],
    new: Sequence[RawChunk],
    numbers: Sequence[int],
    done: DocumentMigration,
    judgments: Mapping[str, Judgment],
) -> DocumentRecord:
    """`judgments`: old chunk id → the judgment that its labels become, each with its own grade."""
    return DocumentRecord(
        chunk_block(doc_id, as_chunks(doc_id, old, done.old)),
        chunk_block(doc_id, as_chunks(doc_id, new, done.new)),
        numbers,
        outcome_rows(done.outcomes),
        [_judgment_json(outcome, judgments) for outcome in done.outcomes],
    )


def _judgment_json(outcome: Outcome, judgments: Mapping[str, Judgment]) -> str | None:
    judgment = judgments.get(outcome.chunk_id or "")
    if judgment is None:
        return None
    return canonical_json({**judgment.model_dump(mode="json", exclude_defaults=True), "grade": outcome.grade})


@contextmanager
def recording(
    address: str,
    set_name: str | None,
    paths: FilePaths,
    inputs: FileInputs,
    min_overlap: float,
    why: str,
    progress: Progress,
) -> Iterator["Recording"]:
    """One transaction around the migration: it lands when the block ends well."""
    with Store.open(address) as store, store.writing() as tx:
        yield Recording(store, tx, set_name, paths, inputs, min_overlap, why, progress)


class Recording:
    """Takes the documents in code-point order of doc_id."""

    def __init__(
        self,
        store: Store,
        tx: Transaction,
        set_name: str | None,
        paths: FilePaths,
        inputs: FileInputs,
        min_overlap: float,
        why: str,
        progress: Progress,
    ) -> None:
        self._store, self._tx = store, tx
        self._set_name, self._paths, self._inputs = set_name, paths, inputs
        self._min_overlap, self._why = min_overlap, why
        self._writers: dict[str, ChunkingWriter] = {}
        snapshot = self._snapshot(progress)
        self._old, self._new = (self._chunking(file, snapshot) for file in (inputs.old, inputs.new))
        self._outcomes: dict[int, OutcomeRow] = {}
        self._judgments: dict[int, str] = {}

    def _snapshot(self, progress: Progress) -> SnapshotRecord:
        documents = self._inputs.documents
        writer = self._tx.add_snapshot(None, None, Provenance.now(f"from {Path(self._paths.documents).name}"))
        for doc_id in progress(sorted(documents.ids), "keeping texts", len(documents.ids)):
            writer.add(documents.read(doc_id))
        return writer.finish()

    def _chunking(self, file: ChunkFile, snapshot: SnapshotRecord) -> ChunkingWriter:
        """One writer for one content: both files may be the same."""
        name = _chunking_name(file, snapshot)
        writer = self._writers.get(name)
        if writer is None:
            made = Provenance.now(f"from {file.path.name}")
            writer = self._writers[name] = self._tx.add_chunking(name, snapshot, ChunkingConfig(), made)
        return writer

    def document(self, record: DocumentRecord) -> None:
        self._old.add_block(record.old)
        if self._new is not self._old:
            self._new.add_block(record.new)
        for number, outcome, judgment in zip(record.numbers, record.outcomes, record.judgments, strict=True):
            self._outcomes[number] = outcome
            if judgment is not None:
                self._judgments[number] = judgment

    def finish(self) -> Recorded:
        """Appends the set as it came, the set as spans, and the mapping. What is there already is not appended."""
        old = self._old.finish()
        new = old if self._new is self._old else self._new.finish()
        labels = Path(self._paths.labels).name
        came_terms = SetTerms(
            snapshot_digest=old.snapshot.digest, min_overlap=self._min_overlap, chunking_identity=old.identity
        )
        left_over = len(self._judgments) < len(self._inputs.labels)
        terms = came_terms if left_over else came_terms.model_copy(update={"chunking_identity": None})
        came, tied = _Content(self, came_terms, {}), _Content(self, terms, self._judgments)
        name, version = self._place(came, tied)
        if version is None or version.digest != tied.digest:
            if version is None:
                why = f"imported {labels}, whose labels name chunks of {old.name}"
                version = self._tx.add_version(name, None, came.terms, came.questions(), Provenance.now(why))
            why = f"tied {labels} to text, by way of the chunks of {old.name}"
            version = self._tx.add_version(name, version.number, tied.terms, tied.questions(), Provenance.now(why))
        migrated = Provenance.now(self._why or f"migrated {labels} to {new.name}")
        mapping = self._tx.add_mapping(version, new, None, self._min_overlap, migrated)
        mapping.add_rows(self._outcomes[number] for number in sorted(self._outcomes))
        return Recorded(self._store.address, version.label, new.name, mapping.finish().id)

    def _place(self, came: "_Content", tied: "_Content") -> tuple[str, VersionRecord | None]:
        """The set's name, and its version that these labels made. A set that others have worked on is not touched."""
        name = self._set_name or Path(self._paths.labels).stem
        newest = newest_version(self._store, name)
        if newest is None or newest.digest in (came.digest, tied.digest):
            return name, newest
        if self._set_name is not None:
            raise Conflict(
                f"{name} is at version {newest.number} ({newest.provenance.why}), which these labels did not make: "
                "nothing was written. Name another: --set NAME"
            )
        name = f"{name}-{came.digest[:8]}"
        return name, newest_version(self._store, name)

    def questions(self, judgments: Mapping[int, str]) -> Iterator[QuestionBody]:
        """Labels that have a judgment stand as that, the others as they came."""
        asked = self._inputs.questions
        numbers: dict[str, list[int]] = {query_id: [] for query_id in asked}
        for number, label in enumerate(self._inputs.labels):
            numbers.setdefault(label.query_id, []).append(number)
        for query_id, mine in sorted(numbers.items()):
            yield question_body(
                asked.get(query_id) or Question(query_id=query_id),
                [judgments[number] for number in mine if number in judgments],
                [self._label_json(number) for number in mine if number not in judgments],
            )

    def _label_json(self, number: int) -> str:
        label = self._inputs.labels[number]
        return canonical_json({"chunk_id": label.chunk_id, "grade": label.grade})


class _Content:
    """What a version would hold."""

    def __init__(self, recording: Recording, terms: SetTerms, judgments: Mapping[int, str]) -> None:
        self.terms = terms
        self._recording, self._judgments = recording, judgments

    def questions(self) -> Iterator[QuestionBody]:
        return self._recording.questions(self._judgments)

    @cached_property
    def digest(self) -> str:
        return set_digest(self.terms, ((body.query_id, text_digest(body.text)) for body in self.questions()))


def _chunking_name(file: ChunkFile, snapshot: SnapshotRecord) -> str:
    """The file's name and a digest of what it holds: the same files again are the same chunking."""
    return f"{file.path.stem}-{fingerprint([snapshot.digest, file.digest()])[:8]}"
