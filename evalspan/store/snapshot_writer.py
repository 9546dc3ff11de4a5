"""A snapshot written: documents come in any order, a text that is there already costs nothing."""

from sqlalchemy import Connection, insert, update

from evalspan.corpus import Document, Extractor
from evalspan.digests import ArrayDigest, canonical_json, fingerprint, snapshot_digest
from evalspan.digests import text_digest as digest_of
from evalspan.errors import BadInput, Conflict, Problem
from evalspan.provenance import Provenance
from evalspan.store.bulk import ROWS, batches, insert_rows, known_keys
from evalspan.store.naming import require_name, require_sound
from evalspan.store.records import SnapshotRecord
from evalspan.store.schema import ENTRY, SNAPSHOT, TEXT
from evalspan.store.snapshots import compress, provenance_columns, snapshot_where
from evalspan.text import find_bad_character

PENDING_TEXTS = 500
PENDING_CHARACTERS = 8_000_000
"""Texts are looked up and written in batches, which end at so many texts or so much of them."""

_Entry = tuple[str, str, str | None, str | None, str | None]
"""doc_id, text digest, version, metadata, digest of the metadata."""


class SnapshotWriter:
    """`add` every document, then `finish`. Nothing but texts is written before that."""

    def __init__(
        self, connection: Connection, name: str | None, extractor: Extractor | None, provenance: Provenance
    ) -> None:
        if name is not None:
            require_name("snapshot", name)
        self._connection = connection
        self._name = name
        self._extractor = extractor
        self._provenance = provenance
        self._entries: dict[str, _Entry] = {}
        self._pending: dict[str, str] = {}
        self._characters = 0
        self.finished = False

    def add(self, document: Document, text_digest: str | None = None) -> None:
        """`text_digest` is given where the caller has taken it already.

        Raises BadInput for an id that came before, and for a text that holds NUL or a lone surrogate.
        """
        doc_id = document.doc_id
        if doc_id in self._entries:
            raise BadInput([Problem("snapshot", None, f"two documents have the id {doc_id!r}")])
        bad = find_bad_character(document.text)
        if bad is not None:
            raise BadInput([Problem("snapshot", None, f"document {doc_id!r} holds {bad[1]} at offset {bad[0]}")])
        metadata = metadata_digest = None
        if document.metadata:
            plain = dict(document.metadata)
            metadata, metadata_digest = canonical_json(plain), fingerprint(plain)
        digest = text_digest or digest_of(document.text)
        self._entries[doc_id] = (doc_id, digest, document.version, metadata, metadata_digest)
        if digest not in self._pending:
            self._pending[digest] = document.text
            self._characters += len(document.text)
        if len(self._pending) >= PENDING_TEXTS or self._characters >= PENDING_CHARACTERS:
            self._write_texts()

    def _write_texts(self) -> None:
        known = known_keys(self._connection, TEXT.c.digest, self._pending)
        rows = []
        for digest, text in self._pending.items():
            if digest not in known:
                data = text.encode("utf-8")
                rows.append((digest, len(data), compress(data)))
        insert_rows(self._connection, TEXT, rows)
        self._pending, self._characters = {}, 0

    def finish(self) -> SnapshotRecord:
        """The new snapshot, or the one that was there already and is the same in everything but its name."""
        self.finished = True
        self._write_texts()
        require_sound("snapshot", self._entries)
        entries = [self._entries[doc_id] for doc_id in sorted(self._entries)]
        identity = _identity(self._extractor, entries)
        there = snapshot_where(self._connection, SNAPSHOT.c.identity == identity)
        named = None if self._name is None else snapshot_where(self._connection, SNAPSHOT.c.name == self._name)
        if named is not None and (there is None or there.id != named.id):
            raise Conflict(
                f"There is a snapshot {self._name!r} already, with other content ({named.documents} documents, by "
                f"{named.provenance.by}, {named.provenance.at}): nothing was written. Give this one another name."
            )
        if there is None:
            return self._insert(identity, entries)
        if there.name is None and self._name is not None:
            self._connection.execute(update(SNAPSHOT).where(SNAPSHOT.c.id == there.id).values(name=self._name))
            return _require(self._connection, there.id)
        return there

    def _insert(self, identity: str, entries: list[_Entry]) -> SnapshotRecord:
        values = {
            "digest": snapshot_digest((entry[0], entry[1]) for entry in entries),
            "identity": identity,
            "name": self._name,
            "documents": len(entries),
            "extractor_name": self._extractor.name if self._extractor else None,
            "extractor_version": self._extractor.version if self._extractor else None,
            **provenance_columns(self._provenance),
        }
        key = self._connection.execute(insert(SNAPSHOT).values(values).returning(SNAPSHOT.c.id)).scalar_one()
        for batch in batches(entries, ROWS):
            insert_rows(self._connection, ENTRY, [(key, *entry) for entry in batch])
        return _require(self._connection, key)


def _require(connection: Connection, key: int) -> SnapshotRecord:
    record = snapshot_where(connection, SNAPSHOT.c.id == key)
    assert record is not None
    return record


def _identity(extractor: Extractor | None, entries: list[_Entry]) -> str:
    """Over everything that makes two snapshots one and the same."""
    digest = ArrayDigest()
    digest.add(extractor.model_dump(mode="json") if extractor else None)
    for doc_id, text, version, _, metadata in entries:
        digest.add([doc_id, text, version, metadata])
    return digest.hexdigest()
