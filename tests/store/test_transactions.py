"""Writing: all or nothing, whoever else is there, and whatever happens to the process."""

import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from evalspan.corpus import chunks_digest
from evalspan.digests import snapshot_digest, text_digest
from evalspan.errors import BadInput, StoreBusy, Unwritable
from evalspan.labels import SetTerms
from evalspan.store import Store, create_store, engine, parse_address
from evalspan.store.failures import failure_of

from .helpers import documents, fill, finish, put_snapshot, put_version, query, question, start
from .strategies import BY
from .test_creating import ROUNDS

IMPORT = """
import random, sys
from evalspan.anchoring import Match, Status
from evalspan.corpus import Chunk, ChunkingConfig, Document
from evalspan.digests import text_digest
from evalspan.provenance import Provenance
from evalspan.spans import Span
from evalspan.store import Store

address, seed, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
dice = random.Random(seed)
by = Provenance.now("a test")
with Store.open(address) as store:
    for number in range(rounds):
        # All writers store the same texts, each in an order of its own: locks on rows would wait in a ring.
        documents = [Document(f"{n:03}", f"text {n} " * 50) for n in dice.sample(range(300), 250)]
        with store.writing() as tx:
            snapshot = tx.put_snapshot(documents, f"{seed}-{number}", None, by)
            writer = tx.add_chunking(f"{seed}-{number}", snapshot, ChunkingConfig(), by)
            for document in sorted(documents, key=lambda one: one.doc_id):
                spans = [Span(start, start + 10) for start in range(0, 100, 10)]
                writer.add(document.doc_id, [
                    Chunk(f"{document.doc_id}#{n}", document.doc_id, Match(span, Status.EXACT, True, pieces=(span,)),
                        text_digest(span.of(document.text)))
                    for n, span in enumerate(spans)
                ])
            writer.finish()
        print(number, flush=True)
"""

ADD_VERSION = """
import sys
from evalspan.errors import Conflict
from evalspan.labels import JudgedQuestion, Question, SetTerms
from evalspan.provenance import Provenance
from evalspan.store import Store
with Store.open(sys.argv[1]) as store:
    terms = SetTerms(snapshot_digest="0" * 32)
    body = JudgedQuestion(question=Question(query_id=sys.argv[2])).body()
    try:
        with store.writing() as tx:
            tx.add_version("faq", None, terms, [body], Provenance.now())
        print("written")
    except Conflict as error:
        print("conflict" if "nothing was written" in str(error) else error)
"""


def test_nothing_lands_unless_the_block_ends_well(store: Store) -> None:
    before = store.info()

    def write() -> None:
        with store.writing() as tx:
            record = tx.put_snapshot(documents(), "first", None, BY)
            tx.add_version("latest", None, SetTerms(snapshot_digest=record.digest), [question().body()], BY)

    with pytest.raises(BadInput):
        write()
    assert store.info() == before


def test_half_a_thing_does_not_land(store: Store) -> None:
    before = store.info()
    with pytest.raises(RuntimeError, match="not finished"), store.writing() as tx:
        tx.add_snapshot("first", None, BY).add(documents()[0])
    assert store.info() == before


def test_a_reader_sees_nothing_of_an_unfinished_transaction(store: Store) -> None:
    fill(store)
    before = store.info()
    with store.writing() as tx:
        tx.put_snapshot(documents(**{"a.md": "changed"}), "second", None, BY)
        assert store.info() == before
        assert store.find_snapshot("latest").name == "first"
    assert store.find_snapshot("latest").name == "second"


def test_reading_goes_on_while_somebody_writes(store: Store) -> None:
    snapshot, *_ = fill(store)
    texts = store.texts(snapshot)
    next(texts)
    put_snapshot(store, "second", **{"a.md": "changed"})
    assert [doc_id for doc_id, _ in texts] == ["b.md", "é.md"]


def test_a_second_writer_gives_up_in_time(store: Store, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.2)
    with (
        Store.open(address) as other,
        other.writing(),
        pytest.raises(StoreBusy, match="another process"),
        Store.open(address) as second,
    ):
        put_snapshot(second)
    assert put_snapshot(store).id


def test_of_two_with_the_same_parent_one_is_told(store: Store, address: str) -> None:
    printed = finish(*[start(ADD_VERSION, address, f"q{number}") for number in range(4)])
    assert sorted(printed) == ["conflict"] * 3 + ["written"]
    assert len(store.versions("faq")) == 1
    assert query(address, "SELECT count(*) FROM evalspan_question") == [(1,)]


def test_imports_at_the_same_time_all_land(store: Store, address: str) -> None:
    finish(*[start(IMPORT, address, str(seed), "3") for seed in range(4)])
    require_whole(store)
    assert len(store.snapshots()) == len(store.chunkings()) == 12
    assert store.info().texts == 300


def test_a_killed_import_leaves_whole_things_only(store: Store, address: str) -> None:
    dice = random.Random(7)
    seen = 0
    for number in range(ROUNDS):
        process = start(IMPORT, address, str(number), "100")
        assert process.stdout is not None
        process.stdout.readline()  # it writes now
        time.sleep(dice.uniform(0, 0.4))
        process.kill()
        process.communicate()
        seen = require_whole(store, seen)
    put_snapshot(store, "after all")
    if "://" not in address:
        assert query(address, "PRAGMA integrity_check") == [("ok",)]


def require_whole(store: Store, seen: int = 0) -> int:
    """Every snapshot and chunking is what its digest says; the first `seen` were looked at before."""
    snapshots, chunkings = store.snapshots(), store.chunkings()
    for snapshot in snapshots[seen:]:
        texts = list(store.texts(snapshot))
        assert snapshot_digest((doc_id, text_digest(text)) for doc_id, text in texts) == snapshot.digest
    for chunking in chunkings[seen:]:
        chunks = [chunk for _, part in store.chunks(chunking) for chunk in part]
        assert (chunks_digest(chunks), len(chunks)) == (chunking.digest, chunking.chunks)
    assert [record.name for record in chunkings] == [record.name for record in snapshots]
    return len(snapshots)


def test_a_closed_store_leaves_one_file(tmp_path: Path) -> None:
    address = str(tmp_path / "x.db")
    create_store(address)
    with Store.open(address) as store:
        fill(store)
    assert [path.name for path in tmp_path.iterdir()] == ["x.db"]


def test_a_full_disk_is_unwritable(tmp_path: Path) -> None:
    address = parse_address(str(tmp_path / "x.db"))
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute("PRAGMA max_page_count = 2")
        with pytest.raises(sqlite3.OperationalError) as caught:
            connection.executescript("CREATE TABLE a (b); CREATE TABLE c (d)")
    failure = failure_of(caught.value, address)
    assert isinstance(failure, Unwritable)
    assert "disk is full" in str(failure)


def test_what_a_driver_says_is_one_line_of_ours(store: Store) -> None:
    version = put_version(store, "faq", None, put_snapshot(store), question())
    with pytest.raises(Exception, match=r".") as caught, store.writing() as tx:
        tx.add_override(version, "nul \0" if "://" in store.address else "half \ud800", "", BY)
    assert type(caught.value).__module__ == "evalspan.errors"
