"""Creating: any number of processes at once, killed at any moment."""

import os
import random
import sqlite3
import struct
import time
from contextlib import closing
from pathlib import Path

import pytest

from evalspan.errors import NoStore, StoreError
from evalspan.store import Store, create_store

from .helpers import execute, finish, put_snapshot, query, start

ROUNDS = int(os.environ.get("EVALSPAN_TEST_KILLS", "5"))
"""How often each loop of kills goes round; 50 takes some minutes."""

CREATE = "import sys; from evalspan.store import create_store; print(create_store(sys.argv[1]))"


def test_a_new_store_is_made_once(address: str) -> None:
    assert create_store(address)
    assert not create_store(address)
    with Store.open(address) as store:
        assert store.info().snapshots == 0


def test_a_store_that_is_there_keeps_what_it_holds(store: Store, address: str) -> None:
    record = put_snapshot(store)
    assert not create_store(address)
    assert store.snapshots() == [record]


def test_eight_processes_make_one_store(address: str) -> None:
    printed = finish(*[start(CREATE, address) for _ in range(8)])
    assert sorted(printed) == ["False"] * 7 + ["True"]
    with Store.open(address) as store:
        put_snapshot(store)


def test_a_killed_creation_is_no_store_or_a_whole_one(address: str, tmp_path: Path) -> None:
    dice = random.Random(3)
    began = time.monotonic()
    finish(start(CREATE, address))
    usual = time.monotonic() - began
    for number in range(ROUNDS):
        here = str(tmp_path / f"{number}.db") if "://" not in address else address
        if here == address:
            ((schema,),) = query(address, "SELECT current_schema()")
            execute(address, f"DROP SCHEMA {schema} CASCADE", f"CREATE SCHEMA {schema}")
        process = start(CREATE, here)
        time.sleep(usual * dice.uniform(0.6, 1.0))
        process.kill()
        process.communicate()
        try:
            Store.open(here).close()
        except StoreError:
            assert create_store(here)
        with Store.open(here) as store:
            store.info()


def test_a_creation_killed_at_its_first_page_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    assert path.stat().st_size == 4096
    with pytest.raises(NoStore):
        Store.open(str(path))
    # A rollback journal that says: the file had no page before.
    journal = struct.pack(">8sIIIII", bytes.fromhex("d9d505f920a163d7"), 0, 1, 0, 512, 4096).ljust(512, b"\0")
    path.with_name("x.db-journal").write_bytes(journal)
    with pytest.raises(NoStore):
        Store.open(str(path))
    assert create_store(str(path))
    Store.open(str(path)).close()


def test_other_tables_may_stand_beside_ours_in_postgres(address: str) -> None:
    if "://" not in address:
        pytest.skip("a file of SQLite belongs to one program")
    execute(address, "CREATE TABLE alembic_version (version_num TEXT)", "CREATE TABLE snapshot (id INTEGER)")
    assert create_store(address)
    with Store.open(address) as store:
        put_snapshot(store)
    assert query(address, "SELECT count(*) FROM alembic_version") == [(0,)]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=f"mkdir -p {tmp_path}/no"):
        create_store(str(tmp_path / "no" / "x.db"))
    assert list(tmp_path.iterdir()) == []
