"""Snapshots read: records, entries, differences, and texts in a stream.

Rows never change once they are there, so a long reading goes in pages: each page is a short read of its own, and no
connection is held while the caller works.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Connection, Row, Select, func, or_, select

from evalspan.corpus import Document, Extractor, Snapshot, SnapshotDiff, SnapshotEntry
from evalspan.errors import NotFound
from evalspan.provenance import Provenance
from evalspan.store.bulk import batches
from evalspan.store.naming import find_by_reference
from evalspan.store.records import SnapshotRecord
from evalspan.store.schema import ENTRY, SNAPSHOT, TEXT

Reading = Callable[[], AbstractContextManager[Connection]]
"""Opens one consistent view."""

PAGE_OF_TEXTS = 32
"""Documents of one page: large ones take a megabyte each."""


def snapshot_records(connection: Connection) -> list[SnapshotRecord]:
    """Oldest first."""
    return [_record(row) for row in connection.execute(select(SNAPSHOT).order_by(SNAPSHOT.c.id))]


def provenance_of(row: Row[Any]) -> Provenance:
    return Provenance(by=row.made_by, at=row.made_at, why=row.why)


def provenance_columns(provenance: Provenance) -> dict[str, str]:
    return {"made_by": provenance.by, "made_at": provenance.at, "why": provenance.why}


def _record(row: Row[Any]) -> SnapshotRecord:
    extractor = None
    if row.extractor_name is not None:
        extractor = Extractor(name=row.extractor_name, version=row.extractor_version)
    return SnapshotRecord(row.id, row.name, row.digest, row.documents, extractor, provenance_of(row))


def find_snapshot(connection: Connection, reference: str) -> SnapshotRecord:
    records = snapshot_records(connection)
    return find_by_reference("snapshot", reference, records, lambda one: one.name, lambda one: one.digest)


def snapshot_where(connection: Connection, condition: Any) -> SnapshotRecord | None:
    """The newest that fulfils the condition."""
    row = connection.execute(select(SNAPSHOT).where(condition).order_by(SNAPSHOT.c.id.desc()).limit(1)).first()
    return None if row is None else _record(row)


def read_snapshot(connection: Connection, record: SnapshotRecord) -> Snapshot:
    query = (
        select(ENTRY.c.doc_id, ENTRY.c.text_digest, ENTRY.c.version, ENTRY.c.metadata_digest)
        .where(ENTRY.c.snapshot_id == record.id)
        .order_by(ENTRY.c.doc_id)
    )
    return Snapshot(tuple(SnapshotEntry(*row) for row in connection.execute(query)), record.extractor)


def diff_snapshots(connection: Connection, old: SnapshotRecord, new: SnapshotRecord) -> SnapshotDiff:
    """The database compares; only what differs comes out."""
    a, b = ENTRY.alias("a"), ENTRY.alias("b")
    joined = a.outerjoin(b, (b.c.snapshot_id == new.id) & (b.c.doc_id == a.c.doc_id))
    query = (
        select(a.c.doc_id, b.c.doc_id.is_(None), a.c.text_digest != b.c.text_digest)
        .select_from(joined)
        .where(
            a.c.snapshot_id == old.id,
            or_(
                b.c.doc_id.is_(None),
                a.c.text_digest != b.c.text_digest,
                a.c.version.is_distinct_from(b.c.version),
                a.c.metadata_digest.is_distinct_from(b.c.metadata_digest),
            ),
        )
        .order_by(a.c.doc_id)
    )
    removed: list[str] = []
    changed: list[str] = []
    relabelled: list[str] = []
    for doc_id, gone, differs in connection.execute(query):
        (removed if gone else changed if differs else relabelled).append(doc_id)
    shared = old.documents - len(removed)
    added = () if shared == new.documents else _added(connection, old, new)
    return SnapshotDiff(added, tuple(removed), tuple(changed), tuple(relabelled), shared - len(changed))


def _added(connection: Connection, old: SnapshotRecord, new: SnapshotRecord) -> tuple[str, ...]:
    a, b = ENTRY.alias("a"), ENTRY.alias("b")
    joined = b.outerjoin(a, (a.c.snapshot_id == old.id) & (a.c.doc_id == b.c.doc_id))
    query = select(b.c.doc_id).select_from(joined).where(b.c.snapshot_id == new.id, a.c.doc_id.is_(None))
    return tuple(connection.execute(query.order_by(b.c.doc_id)).scalars())


def iter_texts(reading: Reading, record: SnapshotRecord, doc_ids: Iterable[str] | None) -> Iterator[tuple[str, str]]:
    for row in _pages(reading, select(ENTRY.c.doc_id, TEXT.c.body), record, doc_ids):
        yield row.doc_id, decompress(row.body)


def iter_documents(reading: Reading, record: SnapshotRecord, doc_ids: Iterable[str] | None) -> Iterator[Document]:
    query = select(ENTRY.c.doc_id, TEXT.c.body, ENTRY.c.version, ENTRY.c.metadata)
    for row in _pages(reading, query, record, doc_ids):
        metadata: Mapping[str, Any] = from_json(row.metadata) if row.metadata else {}
        yield Document(row.doc_id, decompress(row.body), row.version, metadata)


def _pages(
    reading: Reading, query: Select[Any], record: SnapshotRecord, doc_ids: Iterable[str] | None
) -> Iterator[Row[Any]]:
    query = query.join_from(ENTRY, TEXT, TEXT.c.digest == ENTRY.c.text_digest)
    query = query.where(ENTRY.c.snapshot_id == record.id).order_by(ENTRY.c.doc_id)
    if doc_ids is not None:
        for batch in batches(sorted(set(doc_ids)), PAGE_OF_TEXTS):
            with reading() as connection:
                rows = connection.execute(query.where(ENTRY.c.doc_id.in_(batch))).all()
            yield from rows
        return
    rows = _page(reading, query)
    while rows:
        yield from rows
        rows = _page(reading, query.where(ENTRY.c.doc_id > rows[-1].doc_id))


def _page(reading: Reading, query: Select[Any]) -> list[Row[Any]]:
    with reading() as connection:
        return list(connection.execute(query.limit(PAGE_OF_TEXTS)).all())


def read_text(connection: Connection, record: SnapshotRecord, doc_id: str) -> str:
    query = select(TEXT.c.body).join_from(ENTRY, TEXT, TEXT.c.digest == ENTRY.c.text_digest)
    body = connection.execute(query.where(ENTRY.c.snapshot_id == record.id, ENTRY.c.doc_id == doc_id)).scalar()
    if body is None:
        raise NotFound("document", doc_id, _neighbours(connection, record, doc_id))
    return decompress(body)


def _neighbours(connection: Connection, record: SnapshotRecord, doc_id: str) -> list[str]:
    query = select(ENTRY.c.doc_id).where(ENTRY.c.snapshot_id == record.id)
    near = query.where(ENTRY.c.doc_id > doc_id).order_by(ENTRY.c.doc_id).limit(3)
    before = query.where(ENTRY.c.doc_id < doc_id).order_by(ENTRY.c.doc_id.desc()).limit(3)
    return sorted([*connection.execute(before).scalars(), *connection.execute(near).scalars()])


def text_sizes(connection: Connection) -> tuple[int, int, int]:
    """How many texts, their UTF-8 bytes, and the bytes they take here."""
    query = select(func.count(), func.sum(TEXT.c.size), func.sum(func.length(TEXT.c.body))).select_from(TEXT)
    count, size, stored = connection.execute(query).one()
    return count, int(size or 0), int(stored or 0)


def compress(data: bytes) -> bytes:
    """Level 1: half the size at the speed of a disk; higher levels save a tenth more for three times the work."""
    return zlib.compress(data, 1)


def decompress(body: bytes) -> str:
    return zlib.decompress(body).decode("utf-8")
