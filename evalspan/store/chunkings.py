"""Chunkings read: records, and chunks in a stream."""

from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from evalspan.corpus import Chunk, ChunkingConfig, Placed
from evalspan.store.bulk import LOOKUP, batches
from evalspan.store.codec import chunks_of_body
from evalspan.store.naming import find_by_reference
from evalspan.store.records import ChunkingRecord
from evalspan.store.schema import CHUNKING, DOCUMENT_CHUNKS
from evalspan.store.snapshots import Reading, provenance_of, snapshot_records

PAGE_OF_DOCUMENTS = 500


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
            identity=row.identity,
            placed=Placed(row.exact, row.reformatted, row.repeated, row.missing),
            provenance=provenance_of(row),
        )
        for row in connection.execute(select(CHUNKING).order_by(CHUNKING.c.id))
    ]


def find_chunking(connection: Connection, reference: str) -> ChunkingRecord:
    records = chunking_records(connection)
    return find_by_reference("chunking", reference, records, lambda one: one.name, lambda one: one.digest)


def chunking_by_identity(connection: Connection, identity: str, snapshot_digest: str) -> ChunkingRecord | None:
    """The newest cut of that snapshot with these chunk ids."""
    for record in reversed(chunking_records(connection)):
        if (record.identity, record.snapshot.digest) == (identity, snapshot_digest):
            return record
    return None


def iter_chunks(
    reading: Reading, record: ChunkingRecord, doc_ids: Iterable[str] | None
) -> Iterator[tuple[str, list[Chunk]]]:
    """Document by document; within one, in the order they were added."""
    query = (
        select(DOCUMENT_CHUNKS.c.doc_id, DOCUMENT_CHUNKS.c.body)
        .where(DOCUMENT_CHUNKS.c.chunking_id == record.id)
        .order_by(DOCUMENT_CHUNKS.c.doc_id)
    )
    rows = _whole(reading, query) if doc_ids is None else _some(reading, query, doc_ids)
    for row in rows:
        yield row.doc_id, chunks_of_body(row.doc_id, row.body)


def _whole(reading: Reading, query: Select[Any]) -> Iterator[Row[Any]]:
    page = query.limit(PAGE_OF_DOCUMENTS)
    while True:
        with reading() as connection:
            rows = connection.execute(page).all()
        yield from rows
        if len(rows) < PAGE_OF_DOCUMENTS:
            return
        page = query.where(DOCUMENT_CHUNKS.c.doc_id > rows[-1].doc_id).limit(PAGE_OF_DOCUMENTS)


def _some(reading: Reading, query: Select[Any], doc_ids: Iterable[str]) -> Iterator[Row[Any]]:
    for batch in batches(sorted(set(doc_ids)), LOOKUP):
        with reading() as connection:
            rows = connection.execute(query.where(DOCUMENT_CHUNKS.c.doc_id.in_(batch))).all()
        yield from rows


def read_chunk_index(reading: Reading, record: ChunkingRecord, chunk_ids: Iterable[str]) -> dict[str, Chunk]:
    """Looks through all documents: labels are tied to text once in the life of a set."""
    wanted = set(chunk_ids)
    return {
        chunk.chunk_id: chunk
        for _, chunks in iter_chunks(reading, record, None)
        for chunk in chunks
        if chunk.chunk_id in wanted
    }
