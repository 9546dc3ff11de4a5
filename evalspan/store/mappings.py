"""Mappings and overrides, read and written: what became of a version's judgments under a chunking."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Connection, Row, func, insert, select, update

from evalspan.corpus import EmbeddingConfig
from evalspan.digests import canonical_json
from evalspan.mapping import Bucket, Outcome, Reason, Tally, tally
from evalspan.provenance import Provenance
from evalspan.store.blocks import OutcomeRow, outcome_rows
from evalspan.store.bulk import ROWS, insert_rows
from evalspan.store.chunkings import chunking_records
from evalspan.store.codec import outcome_of
from evalspan.store.evalsets import version_records
from evalspan.store.records import ChunkingRecord, MappingRecord, OverrideRecord, VersionRecord
from evalspan.store.schema import MAPPING, OUTCOME, OVERRIDE
from evalspan.store.snapshots import Reading, provenance_columns, provenance_of

PAGE_OF_OUTCOMES = 5000


def mapping_records(
    connection: Connection, version: VersionRecord | None = None, chunking: ChunkingRecord | None = None
) -> list[MappingRecord]:
    """Newest last."""
    query = select(MAPPING).order_by(MAPPING.c.id)
    if version is not None:
        query = query.where(MAPPING.c.version_id == version.id)
    if chunking is not None:
        query = query.where(MAPPING.c.chunking_id == chunking.id)
    rows = connection.execute(query).all()
    versions = version_records(connection, [row.version_id for row in rows])
    chunkings = {record.id: record for record in chunking_records(connection)} if rows else {}
    return [_record(row, versions[row.version_id], chunkings[row.chunking_id]) for row in rows]


def _record(row: Row[Any], version: VersionRecord, chunking: ChunkingRecord) -> MappingRecord:
    return MappingRecord(
        id=row.id,
        version=version,
        chunking=chunking,
        embedding=None if row.embedding is None else EmbeddingConfig.model_validate_json(row.embedding),
        min_overlap=row.min_overlap,
        tally=Tally(row.clean, row.ambiguous, row.unmapped, from_json(row.reasons)),
        provenance=provenance_of(row),
    )


def iter_outcomes(reading: Reading, record: MappingRecord) -> Iterator[Outcome]:
    """In the order they were added."""
    query = (
        select(OUTCOME.c.query_id, OUTCOME.c.bucket, OUTCOME.c.reason, OUTCOME.c.body, OUTCOME.c.position)
        .where(OUTCOME.c.mapping_id == record.id)
        .order_by(OUTCOME.c.position)
        .limit(PAGE_OF_OUTCOMES)
    )
    last = -1
    while True:
        with reading() as connection:
            rows = connection.execute(query.where(OUTCOME.c.position > last)).all()
        for query_id, bucket, reason, body, _ in rows:
            yield outcome_of(query_id, bucket, reason, body)
        if len(rows) < PAGE_OF_OUTCOMES:
            return
        last = rows[-1].position


def count_waiting(connection: Connection, record: MappingRecord) -> int:
    """Questions with a label that no bucket but `clean` holds."""
    query = select(func.count(OUTCOME.c.query_id.distinct()))
    conditions = (OUTCOME.c.mapping_id == record.id, OUTCOME.c.bucket != Bucket.CLEAN.value)
    return connection.execute(query.where(*conditions)).scalar_one()


class MappingWriter:
    """`add` outcomes, all at once or in parts, then `finish`."""

    def __init__(
        self,
        connection: Connection,
        version: VersionRecord,
        chunking: ChunkingRecord,
        embedding: EmbeddingConfig | None,
        min_overlap: float,
        provenance: Provenance,
    ) -> None:
        self._connection = connection
        self._counts: Counter[tuple[Bucket, Reason]] = Counter()
        self._rows: list[tuple[Any, ...]] = []
        self._position = 0
        self.finished = False
        values = {
            "version_id": version.id,
            "chunking_id": chunking.id,
            "embedding": canonical_json(embedding.model_dump(mode="json")) if embedding else None,
            "embedding_fingerprint": embedding.fingerprint if embedding else None,
            "min_overlap": min_overlap,
            **_columns(Tally(0, 0, 0, {})),
            **provenance_columns(provenance),
        }
        self._key: int = connection.execute(insert(MAPPING).values(values).returning(MAPPING.c.id)).scalar_one()

    def add(self, outcomes: Iterable[Outcome]) -> None:
        self.add_rows(outcome_rows(outcomes))

    def add_rows(self, rows: Iterable[OutcomeRow]) -> None:
        """The same, made ready elsewhere."""
        for query_id, bucket, reason, asks, body in rows:
            self._counts[bucket, reason] += 1
            self._rows.append((self._key, self._position, query_id, bucket.value, reason.value, asks, body))
            self._position += 1
            if len(self._rows) >= ROWS:
                self._flush()

    def _flush(self) -> None:
        insert_rows(self._connection, OUTCOME, self._rows)
        self._rows = []

    def finish(self) -> MappingRecord:
        self.finished = True
        self._flush()
        counted = _columns(tally(self._counts.elements()))
        self._connection.execute(update(MAPPING).where(MAPPING.c.id == self._key).values(counted))
        return next(record for record in mapping_records(self._connection) if record.id == self._key)


def _columns(counted: Tally) -> dict[str, Any]:
    return {**counted._asdict(), "reasons": canonical_json(counted.reasons)}


def override_records(connection: Connection, version: VersionRecord) -> list[OverrideRecord]:
    """Newest last."""
    query = select(OVERRIDE).where(OVERRIDE.c.version_id == version.id).order_by(OVERRIDE.c.id)
    return [
        OverrideRecord(row.id, version, row.manifest, row.refusal, provenance_of(row))
        for row in connection.execute(query)
    ]


def add_override(
    connection: Connection, version: VersionRecord, manifest: str, refusal: str, provenance: Provenance
) -> OverrideRecord:
    values = {"version_id": version.id, "manifest": manifest, "refusal": refusal, **provenance_columns(provenance)}
    key = connection.execute(insert(OVERRIDE).values(values).returning(OVERRIDE.c.id)).scalar_one()
    return OverrideRecord(key, version, manifest, refusal, provenance)
