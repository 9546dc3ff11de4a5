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
from evalspan.labels import (
    JudgedQuestion,
    Judgment,
    LabelsAre,
    Proposal,
    Question,
    QuestionBody,
    SetTerms,
    question_body,
    set_digest,
)
from evalspan.migrator import DocumentMigration
from evalspan.migrator.offers import narrowing_proposals
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
from evalspan.workflows.migration import Offers, Recorded
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
    narrowed: int
    """How many of them were narrowed."""
    proposals: Sequence[Proposal]
    """Narrowings that are likely."""


def document_record(
    doc_id: str,
    old: Sequence[RawChunk],
    new: Sequence[RawChunk],
    numbers: Sequence[int],
    done: DocumentMigration,
    judgments: Sequence[Judgment | None],
) -> DocumentRecord:
    """`judgments`: one for each label."""
    likely = {
        (outcome.query_id, judgment): narrowing
        for outcome, judgment, narrowing in zip(done.outcomes, judgments, done.narrowings, strict=True)
        if judgment is not None and narrowing is not None and judgment.coarse
    }
    return DocumentRecord(
        chunk_block(doc_id, as_chunks(doc_id, old, done.old)),
        chunk_block(doc_id, as_chunks(doc_id, new, done.new)),
        numbers,
        outcome_rows(done.outcomes),
        [_json(judgment) if judgment is not None else None for judgment in judgments],
        sum(judgment is not None and judgment.wide is not None for judgment in judgments),
        narrowing_proposals(likely),
    )


def _json(judgment: Judgment) -> str:
    return canonical_json(judgment.model_dump(mode="json", exclude_defaults=True))


@contextmanager
def recording(
    address: str,
    set_name: str | None,
    paths: FilePaths,
    inputs: FileInputs,
    min_overlap: float,
    labels_are: LabelsAre | None,
    why: str,
    progress: Progress,
) -> Iterator["Recording"]:
    """One transaction around the migration: it lands when the block ends well."""
    with Store.open(address) as store, store.writing() as tx:
        yield Recording(store, tx, set_name, paths, inputs, min_overlap, labels_are, why, progress)


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
        labels_are: LabelsAre | None,
        why: str,
        progress: Progress,
    ) -> None:
        self._store, self._tx = store, tx
        self._set_name, self._paths, self._inputs = set_name, paths, inputs
        self._min_overlap, self._labels_are, self._why = min_overlap, labels_are, why
        self._writers: dict[str, ChunkingWriter] = {}
        snapshot = self._snapshot(progress)
        self._old, self._new = (self._chunking(file, snapshot) for file in (inputs.old, inputs.new))
        self._outcomes: dict[int, OutcomeRow] = {}
        self._judgments: dict[int, str] = {}
        self._proposals: list[Proposal] = []
        self._narrowed = 0

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
        self._proposals += record.proposals
        self._narrowed += record.narrowed
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
            snapshot_digest=old.snapshot.digest,
            min_overlap=self._min_overlap,
            chunking_identity=old.identity,
            labels_are=self._labels_are,
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
        self._tx.add_proposals(version, self._proposals)
        mapping.add_rows(self._outcomes[number] for number in self._in_order())
        return Recorded(self._store.address, version.label, new.name, mapping.finish().id)

    def offers(self) -> Offers:
        """What was done to the labels, and what is offered. Twins are looked for when the set is next mapped."""
        return Offers(self._narrowed, 0, len(self._proposals), 0)

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

    def _numbers(self) -> list[tuple[str, list[int]]]:
        """query_id, ascending → numbers of its labels."""
        numbers: dict[str, list[int]] = {query_id: [] for query_id in self._inputs.questions}
        for number, label in enumerate(self._inputs.labels):
            numbers.setdefault(label.query_id, []).append(number)
        return sorted(numbers.items())

    def _in_order(self) -> Iterator[int]:
        """As the version has its labels: of each question those that are judgments, then those that name chunks."""
        for _, mine in self._numbers():
            yield from sorted(mine, key=lambda number: number not in self._judgments)

    def questions(self, judgments: Mapping[int, str]) -> Iterator[QuestionBody]:
        """Labels that have a judgment stand as that, the others as they came."""
        asked = self._inputs.questions
        for query_id, mine in self._numbers():
            said = asked.get(query_id) or JudgedQuestion(question=Question(query_id=query_id))
            yield question_body(
                said.question,
                [judgments[number] for number in mine if number in judgments],
                [self._label_json(number) for number in mine if number not in judgments],
                said.model_dump(mode="json", exclude_defaults=True, exclude={"question", "chunk_labels"}),
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
