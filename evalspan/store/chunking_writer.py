"""A chunking written, document by document, its digest taken on the way."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from evalspan.corpus import Chunk, ChunkingConfig, Placed
from evalspan.digests import ArrayDigest, canonical_json
from evalspan.errors import BadInput, Conflict, Problem
from evalspan.provenance import Provenance
from evalspan.store.blocks import ChunkBlock, chunk_block
from evalspan.store.bulk import insert_rows
from evalspan.store.chunkings import chunking_records
from evalspan.store.naming import require_name, require_sound
from evalspan.store.records import ChunkingRecord, SnapshotRecord
from evalspan.store.schema import CHUNKING, DOCUMENT_CHUNKS
from evalspan.store.snapshots import provenance_columns

PENDING_BYTES = 4_000_000
"""Documents are written in batches of so much."""

_UNKNOWN = ""
"""Stands in the row's digests until `finish`, in the same transaction."""


class ChunkingWriter:
    """`add` the chunks of every document in code-point order of doc_id, then `finish`.

    Where the name is taken nothing is written: `finish` tells whether what is there is the same.
    """

    def __init__(
        self,
        connection: Connection,
        name: str,
        snapshot: SnapshotRecord,
        config: ChunkingConfig,
        provenance: Provenance,
    ) -> None:
        require_name("chunking", name)
        self._connection = connection
        self._name = name
        self._snapshot = snapshot
        self._config = config
        self._digest = ArrayDigest()
        self._identity = ArrayDigest()
        self._ids: set[str] = set()
        self._rows: list[tuple[Any, ...]] = []
        self._bytes = 0
        self._placed = Placed(0, 0, 0, 0)
        self._last: str | None = None
        self.finished = False
        self._there = connection.execute(select(CHUNKING).where(CHUNKING.c.name == name)).first()
        self._key = 0 if self._there is not None else self._insert(provenance)

    def add(self, doc_id: str, chunks: Sequence[Chunk]) -> None:
        """All chunks of one document, in their order. Raises BadInput where a chunk id came before."""
        self.add_block(chunk_block(doc_id, chunks))

    def add_block(self, block: ChunkBlock) -> None:
        """The same, made ready elsewhere."""
        doc_id = block.doc_id
        if self._last is not None and doc_id <= self._last:
            raise ValueError(f"chunks come in ascending order of doc_id, and {doc_id!r} comes after {self._last!r}")
        self._last = doc_id
        if not block.ids:
            return
        before = len(self._ids)
        self._ids.update(block.ids)
        if len(self._ids) != before + len(block.ids):
            raise BadInput([Problem("chunking", None, f"two chunks have one id, the second in document {doc_id!r}")])
        require_sound("chunking", [doc_id, *block.ids])
        self._digest.add_encoded(block.ranges)
        self._identity.add_encoded(block.named)
        self._placed = self._placed.plus(block.placed)
        if self._there is None:
            self._rows.append((self._key, doc_id, len(block.ids), block.body))
            self._bytes += len(block.body)
            if self._bytes >= PENDING_BYTES:
                self._flush()

    def _flush(self) -> None:
        insert_rows(self._connection, DOCUMENT_CHUNKS, self._rows)
        self._rows, self._bytes = [], 0

    def finish(self) -> ChunkingRecord:
        """The new chunking, or the one of that name where it is the same. Raises Conflict where it is another."""
        self.finished = True
        if self._there is not None:
            self._require_same()
        else:
            self._flush()
            self._complete()
        return next(record for record in chunking_records(self._connection) if record.name == self._name)

    def _require_same(self) -> None:
        there = self._there
        assert there is not None
        ours = (self._snapshot.id, self._config.fingerprint, self._identity.hexdigest())
        if (there.snapshot_id, there.fingerprint, there.identity) == ours:
            return
        differs = (
            "of another snapshot"
            if there.snapshot_id != self._snapshot.id
            else "with another configuration"
            if there.fingerprint != self._config.fingerprint
            else "with other chunk ids"
            if there.digest == self._digest.hexdigest()
            else "with other chunks"
        )
        raise Conflict(
            f"There is a chunking {self._name!r} already, {differs} ({there.chunks} chunks, by {there.made_by}, "
            f"{there.made_at}): nothing was written. Give this one another name, as {self._name}-2."
        )

    def _insert(self, provenance: Provenance) -> int:
        values = {
            "name": self._name,
            "snapshot_id": self._snapshot.id,
            "config": canonical_json(self._config.model_dump(mode="json")),
            "fingerprint": self._config.fingerprint,
            "digest": _UNKNOWN,
            "identity": _UNKNOWN,
            **_counts(Placed(0, 0, 0, 0)),
            **provenance_columns(provenance),
        }
        key: int = self._connection.execute(insert(CHUNKING).values(values).returning(CHUNKING.c.id)).scalar_one()
        return key

    def _complete(self) -> None:
        values = {
            "digest": self._digest.hexdigest(),
            "identity": self._identity.hexdigest(),
            **_counts(self._placed),
        }
        self._connection.execute(update(CHUNKING).where(CHUNKING.c.id == self._key).values(values))


def _counts(placed: Placed) -> dict[str, int]:
    return {"chunks": placed.total, **placed._asdict()}
