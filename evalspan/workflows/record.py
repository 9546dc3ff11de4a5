"""Keeping a migration of files in a store: corpus, both chunkings, the set before and after, the mapping."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from evalspan.corpus import Chunk, ChunkingConfig
from evalspan.digests import fingerprint
from evalspan.formats.chunks import ChunkFile
from evalspan.labels import EvalSet, JudgedQuestion, Judgment, SetTerms
from evalspan.mapping import Outcome
from evalspan.migrator import rebuild
from evalspan.provenance import Provenance
from evalspan.store import SnapshotRecord, Store, Transaction, VersionRecord
from evalspan.workflows.file_inputs import FileInputs, FilePaths
from evalspan.workflows.migration import Recorded
from evalspan.workflows.progress import Progress
from evalspan.workflows.sets import label_questions, newest_version


class MigratedDocument(NamedTuple):
    """One document, done."""

    doc_id: str
    old: Sequence[Chunk]
    new: Sequence[Chunk]
    numbers: Sequence[int]
    """Of its labels."""
    outcomes: Sequence[Outcome]
    judgments: Mapping[str, Judgment]
    """Old chunk id → the judgment its labels become (each with its own grade), where its place is certain."""


@contextmanager
def recording(
    address: str, set_name: str | None, paths: FilePaths, inputs: FileInputs, min_overlap: float, progress: Progress
) -> Iterator["Recording"]:
    """One transaction around the migration: it lands when the block ends well."""
    with Store.open(address) as store, store.writing() as tx:
        yield Recording(store, tx, set_name or Path(paths.labels).stem, paths, inputs, min_overlap, progress)


class Recording:
    """Takes the documents in code-point order of doc_id."""

    def __init__(
        self,
        store: Store,
        tx: Transaction,
        set_name: str,
        paths: FilePaths,
        inputs: FileInputs,
        min_overlap: float,
        progress: Progress,
    ) -> None:
        self._store, self._tx = store, tx
        self._set_name, self._paths, self._inputs = set_name, paths, inputs
        self._min_overlap = min_overlap
        self._newest = newest_version(store, set_name)
        snapshot = self._snapshot(progress)
        self._old, self._new = (
            tx.add_chunking(
                _chunking_name(file, snapshot), snapshot, ChunkingConfig(), Provenance.now(f"from {file.path.name}")
            )
            for file in (inputs.old, inputs.new)
        )
        self._outcomes: dict[int, Outcome] = {}
        self._judgments: dict[str, Judgment] = {}

    def _snapshot(self, progress: Progress) -> SnapshotRecord:
        documents = self._inputs.documents
        writer = self._tx.add_snapshot(None, None, Provenance.now(f"from {Path(self._paths.documents).name}"))
        for doc_id in progress(sorted(documents.ids), "keeping texts", len(documents.ids)):
            writer.add(documents.read(doc_id))
        return writer.finish()

    def document(self, migrated: MigratedDocument) -> None:
        if migrated.old:
            self._old.add(migrated.doc_id, migrated.old)
        if migrated.new:
            self._new.add(migrated.doc_id, migrated.new)
        self._outcomes.update(zip(migrated.numbers, migrated.outcomes, strict=True))
        self._judgments.update(migrated.judgments)

    def finish(self) -> Recorded:
        """Appends the set as it came, the set as spans, and the mapping."""
        old, new = self._old.finish(), self._new.finish()
        labels = Path(self._paths.labels).name
        terms = SetTerms(snapshot_digest=old.snapshot.digest, min_overlap=self._min_overlap, chunking_digest=old.digest)
        asked = label_questions(self._inputs.labels, self._inputs.questions)
        spans = tuple(rebuild(question, self._judgments) for question in asked)
        newest = self._newest
        if newest is None or newest.digest != EvalSet(self._set_name, 0, terms, spans).digest:
            if newest is None or newest.digest != EvalSet(self._set_name, 0, terms, asked).digest:
                came = f"imported {labels}, whose labels name chunks of {old.name}"
                newest = self._append(newest, terms, asked, came)
            newest = self._append(newest, terms, spans, f"tied {labels} to text, by way of the chunks of {old.name}")
        mapping = self._tx.add_mapping(
            newest, new, None, self._min_overlap, Provenance.now(f"migrated {labels} to {new.name}")
        )
        mapping.add(self._outcomes[number] for number in sorted(self._outcomes))
        return Recorded(self._store.address, newest.label, new.name, mapping.finish().id)

    def _append(
        self, parent: VersionRecord | None, terms: SetTerms, questions: Sequence[JudgedQuestion], why: str
    ) -> VersionRecord:
        number = parent.number if parent else None
        return self._tx.add_version(self._set_name, number, terms, questions, Provenance.now(why))


def _chunking_name(file: ChunkFile, snapshot: SnapshotRecord) -> str:
    """The file's name and a digest of what it holds: the same files again are the same chunking."""
    return f"{file.path.stem}-{fingerprint([snapshot.digest, file.digest()])[:8]}"
