"""What can be appended to a store, inside one transaction."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from sqlalchemy import Connection

from evalspan.corpus import ChunkingConfig, Document, EmbeddingConfig, Extractor
from evalspan.labels import Decision, Proposal, QuestionBody, SetTerms
from evalspan.provenance import Provenance
from evalspan.runs import Run
from evalspan.scoring.figures import Figure
from evalspan.store.chunking_writer import ChunkingWriter
from evalspan.store.evalsets import add_version
from evalspan.store.mappings import MappingWriter, add_override
from evalspan.store.records import (
    BridgeRecord,
    ChunkingRecord,
    DecisionRecord,
    MappingRecord,
    OverrideRecord,
    ScoreRecord,
    SnapshotRecord,
    VersionRecord,
)
from evalspan.store.reviews import add_applied, add_decisions, add_proposals
from evalspan.store.scores import QuestionFigures, add_bridge, add_score
from evalspan.store.snapshot_writer import SnapshotWriter


class _Writer(Protocol):
    finished: bool


class Transaction:
    """From `Store.writing`. Nothing lands unless that block ends well; records are returned at once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._writers: list[_Writer] = []

    def add_snapshot(self, name: str | None, extractor: Extractor | None, provenance: Provenance) -> SnapshotWriter:
        """`add` its documents in any order, then `finish`."""
        writer = SnapshotWriter(self._connection, name, extractor, provenance)
        self._writers.append(writer)
        return writer

    def put_snapshot(
        self, documents: Iterable[Document], name: str | None, extractor: Extractor | None, provenance: Provenance
    ) -> SnapshotRecord:
        """The same in one call."""
        writer = self.add_snapshot(name, extractor, provenance)
        for document in documents:
            writer.add(document)
        return writer.finish()

    def add_chunking(
        self, name: str, snapshot: SnapshotRecord, config: ChunkingConfig, provenance: Provenance
    ) -> ChunkingWriter:
        """`add` the chunks of each document, in code-point order of doc_id, then `finish`."""
        writer = ChunkingWriter(self._connection, name, snapshot, config, provenance)
        self._writers.append(writer)
        return writer

    def add_version(
        self,
        name: str,
        parent: int | None,
        terms: SetTerms,
        questions: Iterable[QuestionBody],
        provenance: Provenance,
        restores: int | None = None,
    ) -> VersionRecord:
        """Version `parent` + 1 of the set; a parent of None makes the set. Raises Conflict if somebody was faster.

        `restores`: the number of the version whose content it has again.
        """
        return add_version(self._connection, name, parent, terms, questions, provenance, restores)

    def add_proposals(self, version: VersionRecord, proposals: Iterable[Proposal]) -> None:
        """What a person may want to say about the version's questions."""
        add_proposals(self._connection, version, proposals)

    def add_decisions(self, version: VersionRecord, decisions: Iterable[Decision]) -> list[DecisionRecord]:
        """Of the version's set; they are applied when `apply` says so."""
        return add_decisions(self._connection, version, decisions)

    def apply(self, decisions: Iterable[DecisionRecord], version: VersionRecord) -> None:
        """Notes that the version was made with these decisions."""
        add_applied(self._connection, decisions, version)

    def add_mapping(
        self,
        version: VersionRecord,
        chunking: ChunkingRecord,
        embedding: EmbeddingConfig | None,
        min_overlap: float,
        provenance: Provenance,
    ) -> MappingWriter:
        """`add` its outcomes, then `finish`."""
        writer = MappingWriter(self._connection, version, chunking, embedding, min_overlap, provenance)
        self._writers.append(writer)
        return writer

    def add_score(
        self,
        mapping: MappingRecord,
        run: Run,
        figures: Mapping[str, Figure],
        questions: QuestionFigures,
        waiting: int,
        code_version: str,
        provenance: Provenance,
    ) -> ScoreRecord:
        """What the run scored under the mapping; the run is kept whole. `questions`: measure → query_id → figure."""
        return add_score(self._connection, mapping, run, figures, questions, waiting, code_version, provenance)

    def add_bridge(self, old: ScoreRecord, new: ScoreRecord, provenance: Provenance) -> BridgeRecord:
        """Raises Conflict where there is one already."""
        return add_bridge(self._connection, old, new, provenance)

    def add_override(
        self, version: VersionRecord, manifest: str, refusal: str, provenance: Provenance
    ) -> OverrideRecord:
        """Somebody goes on although the guard refuses; `manifest` is JSON."""
        return add_override(self._connection, version, manifest, refusal, provenance)

    def require_finished(self) -> None:
        """Raises RuntimeError if a writer was begun and not finished: half of something must not land."""
        if not all(writer.finished for writer in self._writers):
            raise RuntimeError("a writer of this transaction was not finished; nothing was written")
