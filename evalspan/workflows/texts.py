"""Texts of several snapshots of a store, by digest: the last ones that were read are kept."""

from collections import OrderedDict

from evalspan.errors import NotFound
from evalspan.store import SnapshotRecord, Store

KEPT = 64
"""Texts that are held: what is asked comes document by document, with a few from other snapshots in between."""


class Texts:
    """Called with a document's id and the digest of a snapshot. Raises NotFound."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._snapshots: dict[str, SnapshotRecord] = {}
        self._texts: OrderedDict[tuple[str, str], str] = OrderedDict()

    def __call__(self, doc_id: str, snapshot_digest: str) -> str:
        key = (doc_id, snapshot_digest)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = self._store.text(self.snapshot(snapshot_digest), doc_id)
            if len(self._texts) > KEPT:
                self._texts.popitem(last=False)
        self._texts.move_to_end(key)
        return text

    def snapshot(self, digest: str) -> SnapshotRecord:
        record = self._snapshots.get(digest)
        if record is None:
            record = self._store.snapshot_by_digest(digest)
            if record is None:
                known = [one.label for one in self._store.snapshots()]
                raise NotFound("snapshot", digest, known, "Add the documents first: evalspan snapshot add DOCUMENTS")
            self._snapshots[digest] = record
        return record
