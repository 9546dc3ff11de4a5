"""Chunkings: every chunk comes out whole, the digest is taken on the way, and a name means one thing."""

import pytest
from hypothesis import given

from evalspan.anchoring import Match, Status
from evalspan.corpus import Chunk, ChunkingConfig, chunks_digest, count_placed
from evalspan.errors import BadInput, Conflict, NotFound
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, SnapshotRecord, Store
from evalspan.store import chunkings as reading

from . import strategies
from .helpers import TEXTS, in_one_store, put_chunking, put_snapshot, whole
from .strategies import BY

CONFIG = ChunkingConfig(splitter="by.Hand", version="1", parameters={"size": 400, "é": [1.5, None]})


def put(store: Store, name: str, snapshot: SnapshotRecord, cut: dict[str, list[Chunk]]) -> ChunkingRecord:
    with store.writing() as tx:
        writer = tx.add_chunking(name, snapshot, CONFIG, BY)
        for doc_id, chunks in cut.items():
            writer.add(doc_id, chunks)
        return writer.finish()


@in_one_store
@given(strategies.cuts())
def test_a_chunking_comes_out_as_it_went_in(store: Store, cut: dict[str, list[Chunk]]) -> None:
    record = put(store, f"n{len(store.chunkings())}", put_snapshot(store), cut)
    chunks = [chunk for part in cut.values() for chunk in part]
    assert dict(store.chunks(record)) == cut
    assert list(dict(store.chunks(record))) == sorted(cut)
    assert store.chunk_index(record, [chunk.chunk_id for chunk in chunks]) == {c.chunk_id: c for c in chunks}
    assert record.digest == chunks_digest(chunks)
    assert record.placed == count_placed([chunk.match for chunk in chunks])
    assert record.chunks == len(chunks)
    assert record.config == CONFIG


def test_reading_in_pages_leaves_nothing_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PAGE_OF_DOCUMENTS", 2)
    missing = Match(None, Status.MISSING, False)
    cut = {doc: [Chunk(f"{doc}{n}", doc, missing, "0") for n in range(4)] for doc in ("a", "b", "c")}
    record = put(store, "n", put_snapshot(store), cut)
    assert dict(store.chunks(record)) == cut
    assert dict(store.chunks(record, ["c", "a", "unknown"])) == {"a": cut["a"], "c": cut["c"]}
    assert store.chunk_index(record, ["b2", "unknown"]) == {"b2": cut["b"][2]}


def test_the_same_content_under_the_same_name_is_not_stored_twice(store: Store) -> None:
    snapshot = put_snapshot(store)
    first = put_chunking(store, "whole", snapshot)
    assert put_chunking(store, "whole", snapshot) == first
    assert store.chunkings() == [first]


def test_another_content_under_the_same_name_is_refused(store: Store) -> None:
    snapshot = put_snapshot(store)
    first = put_chunking(store, "whole", snapshot)
    with pytest.raises(Conflict, match=r"another configuration.*as whole-2"):
        put(store, "whole", snapshot, {"a.md": [whole("a.md", 5)]})
    other = put_snapshot(store, None, **{"a.md": "changed"})
    with pytest.raises(Conflict, match="another snapshot"):
        put_chunking(store, "whole", other)
    assert store.chunkings() == [first]
    assert len(list(store.chunks(first))) == len(TEXTS)


def test_other_chunk_ids_are_another_chunking_although_the_digest_is_the_same(store: Store) -> None:
    snapshot = put_snapshot(store)
    chunk = whole("a.md", 5)
    put(store, "n", snapshot, {"a.md": [chunk]})
    with pytest.raises(Conflict, match="other chunk ids"):
        put(store, "n", snapshot, {"a.md": [chunk._replace(chunk_id="another")]})
    with pytest.raises(Conflict, match="other chunks"):
        put(store, "n", snapshot, {"a.md": [whole("a.md", 6)]})


def test_a_chunk_id_comes_once(store: Store) -> None:
    snapshot = put_snapshot(store)
    with pytest.raises(BadInput, match="second in document 'b'"):
        put(store, "n", snapshot, {"a": [whole("a", 3)], "b": [whole("b", 3)._replace(chunk_id="a#0")]})
    assert store.chunkings() == []


def test_one_chunk_id_may_stand_in_two_chunkings(store: Store) -> None:
    snapshot = put_snapshot(store)
    one = put(store, "one", snapshot, {"a": [whole("a", 3)]})
    two = put(store, "two", snapshot, {"a": [whole("a", 4)]})
    assert store.chunk_index(one, ["a#0"])["a#0"].span == Span(0, 3)
    assert store.chunk_index(two, ["a#0"])["a#0"].span == Span(0, 4)


def test_documents_come_in_ascending_order(store: Store) -> None:
    snapshot = put_snapshot(store)
    with pytest.raises(ValueError, match="ascending order"):
        put(store, "n", snapshot, {"b": [whole("b", 3)], "a": [whole("a", 3)]})
    with pytest.raises(ValueError, match="another document"):
        put(store, "n", snapshot, {"b": [whole("a", 3)]})
    assert store.chunkings() == []


def test_a_chunking_is_found_by_name_digest_prefix_and_latest(store: Store) -> None:
    snapshot = put_snapshot(store)
    first = put_chunking(store, "whole", snapshot)
    second = put(store, "part", snapshot, {"a.md": [whole("a.md", 5)]})
    assert store.find_chunking("whole") == first
    assert store.find_chunking("latest") == second
    assert store.find_chunking(first.digest[:8]) == first
    assert store.chunking_by_identity(second.identity, snapshot.digest) == second
    assert store.chunking_by_identity(second.identity, "0" * 32) is None
    with pytest.raises(NotFound, match="There is: part, whole"):
        store.find_chunking("none")
