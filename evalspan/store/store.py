"""Store: the one door. Values in, values out."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Self

from sqlalchemy import Connection, Engine, Table, func, select

from evalspan.corpus import Chunk, Document, Snapshot, SnapshotDiff
from evalspan.labels import EvalSet, Proposal
from evalspan.mapping import Outcome
from evalspan.runs import Run
from evalspan.scoring.figures import Figure
from evalspan.store import chunkings, engine, evalsets, mappings, reviews, scores, snapshots
from evalspan.store.address import DEFAULT_ADDRESS, Address, parse_address
from evalspan.store.look import look, look_inside, require_current
from evalspan.store.records import (
    BridgeRecord,
    ChunkingRecord,
    DecisionRecord,
    MappingRecord,
    OverrideRecord,
    ScoreRecord,
    SnapshotRecord,
    StoreInfo,
    VersionRecord,
)
from evalspan.store.schema import (
    CHUNKING,
    DECISION,
    EVAL_SET,
    MAPPING,
    OVERRIDE,
    REVISIONS,
    SCORE,
    SET_VERSION,
    SNAPSHOT,
)
from evalspan.store.transaction import Transaction


class Store:
    """An open store. `Store.open` makes one; use it in a `with` block, or call `close`.

    Every method is a consistent read of its own. Iterators read in pages and hold nothing open between them; what they
    read is never changed.
    """

    def __init__(self, address: Address, opened: Engine, mode: engine.Mode) -> None:
        self._address = address
        self._engine = opened
        self._mode = mode

    @classmethod
    def open(cls, address: str = DEFAULT_ADDRESS) -> Self:
        """Raises NoStore, NotAStore, StoreTooOld or StoreTooNew; a refusal changes nothing there."""
        parsed = parse_address(address)
        if parsed.path is not None:
            require_current(look(parsed), parsed)
            mode = engine.reading_mode(parsed.path)
            return cls(parsed, engine.make_engine(parsed, mode), mode)
        opened = engine.make_engine(parsed)
        try:
            with engine.reading(opened) as connection:
                require_current(look_inside(connection), parsed)
        except BaseException:
            opened.dispose()
            raise
        return cls(parsed, opened, "rw")

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def address(self) -> str:
        """Without a password."""
        return self._address.shown

    def _reading(self) -> AbstractContextManager[Connection]:
        return engine.reading(self._engine)

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """One transaction. It waits for other writers, lands as a whole at the end of the block, or not at all.

        Raises Unwritable where nothing can be written, StoreBusy where another writer takes too long.
        """
        engine.require_writable(self._address, self._mode)
        with engine.writing(self._engine) as connection:
            require_current(look_inside(connection), self._address)
            transaction = Transaction(connection)
            yield transaction
            transaction.require_finished()

    def info(self) -> StoreInfo:
        with self._reading() as connection:

            def count(table: Table) -> int:
                return connection.execute(select(func.count()).select_from(table)).scalar_one()

            texts, size, stored = snapshots.text_sizes(connection)
            return StoreInfo(
                address=self._address.shown,
                revision=REVISIONS[-1],
                snapshots=count(SNAPSHOT),
                chunkings=count(CHUNKING),
                eval_sets=count(EVAL_SET),
                versions=count(SET_VERSION),
                mappings=count(MAPPING),
                decisions=count(DECISION),
                scores=count(SCORE),
                overrides=count(OVERRIDE),
                texts=texts,
                text_bytes=size,
                stored_bytes=stored,
            )

    # Snapshots

    def snapshots(self) -> list[SnapshotRecord]:
        """Oldest first."""
        with self._reading() as connection:
            return snapshots.snapshot_records(connection)

    def find_snapshot(self, reference: str) -> SnapshotRecord:
        """By name, by digest or its unique beginning (6 hex digits or more), or "latest". Raises NotFound."""
        with self._reading() as connection:
            return snapshots.find_snapshot(connection, reference)

    def snapshot_by_digest(self, digest: str) -> SnapshotRecord | None:
        """The newest with exactly these texts."""
        with self._reading() as connection:
            return snapshots.snapshot_where(connection, SNAPSHOT.c.digest == digest)

    def snapshot(self, record: SnapshotRecord) -> Snapshot:
        with self._reading() as connection:
            return snapshots.read_snapshot(connection, record)

    def diff(self, old: SnapshotRecord, new: SnapshotRecord) -> SnapshotDiff:
        with self._reading() as connection:
            return snapshots.diff_snapshots(connection, old, new)

    def texts(self, record: SnapshotRecord, doc_ids: Iterable[str] | None = None) -> Iterator[tuple[str, str]]:
        """(doc_id, text) in code-point order of doc_id; of `doc_ids`, those that the snapshot holds."""
        return snapshots.iter_texts(self._reading, record, doc_ids)

    def documents(self, record: SnapshotRecord, doc_ids: Iterable[str] | None = None) -> Iterator[Document]:
        """The same with version labels and metadata."""
        return snapshots.iter_documents(self._reading, record, doc_ids)

    def text(self, record: SnapshotRecord, doc_id: str) -> str:
        """Raises NotFound where the snapshot holds no such document."""
        with self._reading() as connection:
            return snapshots.read_text(connection, record, doc_id)

    # Chunkings

    def chunkings(self) -> list[ChunkingRecord]:
        """Oldest first."""
        with self._reading() as connection:
            return chunkings.chunking_records(connection)

    def find_chunking(self, reference: str) -> ChunkingRecord:
        """By name, by digest or its unique beginning (6 hex digits or more), or "latest". Raises NotFound."""
        with self._reading() as connection:
            return chunkings.find_chunking(connection, reference)

    def chunking_by_identity(self, identity: str, snapshot_digest: str) -> ChunkingRecord | None:
        """The newest cut of that snapshot with these chunk ids."""
        with self._reading() as connection:
            return chunkings.chunking_by_identity(connection, identity, snapshot_digest)

    def chunks(self, record: ChunkingRecord, doc_ids: Iterable[str] | None = None) -> Iterator[tuple[str, list[Chunk]]]:
        """(doc_id, its chunks) in code-point order of doc_id; documents without chunks are left out."""
        return chunkings.iter_chunks(self._reading, record, doc_ids)

    def chunk_index(self, record: ChunkingRecord, chunk_ids: Iterable[str]) -> dict[str, Chunk]:
        """chunk_id → chunk, of those that the chunking holds."""
        return chunkings.read_chunk_index(self._reading, record, chunk_ids)

    # Eval sets

    def sets(self) -> list[VersionRecord]:
        """The newest version of each set, by name."""
        with self._reading() as connection:
            return evalsets.newest_versions(connection)

    def versions(self, name: str) -> list[VersionRecord]:
        """Oldest first. Raises NotFound."""
        with self._reading() as connection:
            return evalsets.versions_of(connection, name)

    def find_version(self, reference: str) -> VersionRecord:
        """`name` is the newest version, `name@3` the third. Raises NotFound."""
        with self._reading() as connection:
            return evalsets.find_version(connection, reference)

    def eval_set(self, record: VersionRecord) -> EvalSet:
        with self._reading() as connection:
            return evalsets.read_eval_set(connection, record)

    def check_digest(self, record: VersionRecord) -> bool:
        """Whether what is stored is still what the version's digest was taken over."""
        with self._reading() as connection:
            return evalsets.digest_holds(connection, record)

    def bereft_questions(self, record: VersionRecord) -> tuple[str, ...]:
        """query_ids of questions that lost all their evidence."""
        with self._reading() as connection:
            return evalsets.bereft_questions(connection, record)

    def evidence_documents(self, record: VersionRecord) -> set[str]:
        """doc_ids of the documents that its judgments stand in."""
        with self._reading() as connection:
            return evalsets.evidence_documents(connection, record)

    def proposals(self, versions: Iterable[VersionRecord]) -> list[Proposal]:
        """What was offered for these versions, oldest first."""
        with self._reading() as connection:
            return reviews.read_proposals(connection, versions)

    def decisions(self, name: str) -> list[DecisionRecord]:
        """Of the set, oldest first."""
        with self._reading() as connection:
            return reviews.decision_records(connection, name)

    # Mappings

    def mappings(
        self, version: VersionRecord | None = None, chunking: ChunkingRecord | None = None
    ) -> list[MappingRecord]:
        """Newest last."""
        with self._reading() as connection:
            return mappings.mapping_records(connection, version, chunking)

    def newest_mapping(self, version: VersionRecord, chunking: ChunkingRecord) -> MappingRecord | None:
        return next(reversed(self.mappings(version, chunking)), None)

    def outcomes(self, record: MappingRecord) -> Iterator[Outcome]:
        """In the order they were added."""
        return mappings.iter_outcomes(self._reading, record)

    def waiting_questions(self, record: MappingRecord) -> int:
        """How many questions have a label that is not clean."""
        with self._reading() as connection:
            return mappings.count_waiting(connection, record)

    # Scores

    def scores(self, name: str) -> list[ScoreRecord]:
        """Of the set, oldest first."""
        with self._reading() as connection:
            return scores.score_records(connection, name)

    def question_figures(self, record: ScoreRecord) -> dict[str, dict[str, Figure]]:
        """measure → query_id → figure."""
        with self._reading() as connection:
            return scores.read_question_figures(connection, record.id)

    def run(self, digest: str) -> Run:
        """One that was scored, with its full rankings. Raises NotFound."""
        with self._reading() as connection:
            return scores.read_run(connection, digest)

    def bridges(self) -> list[BridgeRecord]:
        with self._reading() as connection:
            return scores.bridge_records(connection)

    # Refusals that were overridden

    def overrides(self, version: VersionRecord) -> list[OverrideRecord]:
        """Newest last."""
        with self._reading() as connection:
            return mappings.override_records(connection, version)
