"""Chunkings read: records, and chunks in a stream."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Row, Select, select, tuple_

from evalspan.corpus import Chunk, ChunkingConfig, Placed
from evalspan.store.bulk import LOOKUP, batches
from evalspan.store.codec import chunk_of
from evalspan.store.naming import find_by_reference
from evalspan.store.records import ChunkingRecord
from evalspan.store.schema import CHUNK, CHUNKING
from evalspan.store.snapshots import Reading, provenance_of, snapshot_records

PAGE_OF_CHUNKS = 5000


def chunking_records(connection: Connection) -> list[ChunkingRecord]:
    """Oldest first."""
    snapshots = {record.id: record for record in snapshot_records(connection)}
    return [
        ChunkingRecord(
            id=row.id,
            name=row.name,
            snapshot=snapshots[row.snapshot_id],
            config=ChunkingConfig.model_validate_json(row.config),
            digest=row.digest,
            placed=Placed(row.exact, row.reformatted, row.repeated, row.missing),
            provenance=provenance_of(row),
        )
        for row in connection.execute(select(CHUNKING).order_by(CHUNKING.c.id))
    ]


def find_chunking(connection: Connection, reference: str) -> ChunkingRecord:
    records = chunking_records(connection)
    return find_by_reference("chunking", reference, records, lambda one: one.name, lambda one: one.digest)


def chunking_by_digest(connection: Connection, digest: str) -> ChunkingRecord | None:
    """The newest of them."""
    return next((record for record in reversed(chunking_records(connection)) if record.digest == digest), None)


def iter_chunks(
    reading: Reading, record: ChunkingRecord, doc_ids: Iterable[str] | None
) -> Iterator[tuple[str, list[Chunk]]]:
    """Document by document; within one, in the order they were added."""
    query = _of(record).order_by(CHUNK.c.doc_id, CHUNK.c.position)
    rows = _whole(reading, query) if doc_ids is None else _some(reading, query, doc_ids)
    for doc_id, group in groupby(rows, key=itemgetter(1)):
        yield doc_id, [chunk_of(row) for row in group]


def _of(record: ChunkingRecord) -> Select[Any]:
    return select(CHUNK).where(CHUNK.c.chunking_id == record.id)


def _whole(reading: Reading, query: Select[Any]) -> Iterator[Row[Any]]:
    page = query.limit(PAGE_OF_CHUNKS)
    while True:
        with reading() as connection:
            rows = connection.execute(page).all()
        yield from rows
        if len(rows) < PAGE_OF_CHUNKS:
            return
        here = tuple_(CHUNK.c.doc_id, CHUNK.c.position)
        page = query.where(here > tuple_(rows[-1].doc_id, rows[-1].position)).limit(PAGE_OF_CHUNKS)


def _some(reading: Reading, query: Select[Any], doc_ids: Iterable[str]) -> Iterator[Row[Any]]:
    for batch in batches(sorted(set(doc_ids)), LOOKUP):
        with reading() as connection:
            rows = connection.execute(query.where(CHUNK.c.doc_id.in_(batch))).all()
        yield from rows


def read_chunk_index(connection: Connection, record: ChunkingRecord, chunk_ids: Iterable[str]) -> dict[str, Chunk]:
    found: dict[str, Chunk] = {}
    for batch in batches(sorted(set(chunk_ids)), LOOKUP):
        # The sum keeps SQLite from reading the whole chunking: it takes a key's first column for a narrow choice.
        query = select(CHUNK).where(CHUNK.c.chunk_id.in_(batch), CHUNK.c.chunking_id + 0 == record.id)
        for row in connection.execute(query):
            chunk = chunk_of(row)
            found[chunk.chunk_id] = chunk
    return found
