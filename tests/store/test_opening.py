"""Opening: what can't be used is refused with the command to type, and stays as it is, byte for byte."""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from evalspan.errors import NoStore, NotAStore, StoreError, StoreTooNew, StoreTooOld, Unwritable
from evalspan.store import Store, create_store, upgrade_store
from evalspan.store.engine import has_content

from .helpers import contents, execute, fill, finish, put_snapshot, start, without_rights

ENTRANCES = [Store.open, create_store, upgrade_store]

KILLED_WRITER = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute(sys.argv[2])
os._exit(0)
"""


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.commit()


def damaged(path: Path) -> None:
    create_store(str(path))
    data = bytearray(path.read_bytes())
    data[100:] = b"\xff" * (len(data) - 100)
    path.write_bytes(data)


NO_STORES: list[tuple[Callable[[Path], object], type[StoreError]]] = [
    (lambda path: path.write_text("It is a letter, not a database. " * 20), NotAStore),
    (lambda path: path.write_bytes(b"x"), NotAStore),
    (foreign, NotAStore),
    (lambda path: path.mkdir(), NotAStore),
    (damaged, StoreError),
]


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize(("make", "error"), NO_STORES, ids=["text", "a byte", "foreign", "folder", "damaged"])
def test_what_is_no_store_is_refused_and_stays_as_it_is(
    tmp_path: Path, entrance: Callable[[str], object], make: Callable[[Path], object], error: type[StoreError]
) -> None:
    path = tmp_path / "x.db"
    make(path)
    before = contents(tmp_path)
    with pytest.raises(error, match=r"x\.db"):
        entrance(str(path))
    assert contents(tmp_path) == before


@pytest.mark.parametrize("entrance", [Store.open, upgrade_store])
def test_a_mistyped_path_leaves_no_file(tmp_path: Path, entrance: Callable[[str], object]) -> None:
    with pytest.raises(NoStore, match=f"Make one: evalspan init --store {tmp_path}/mistyped.db$"):
        entrance(f"{tmp_path}/mistyped.db")
    with pytest.raises(NoStore):
        entrance(f"{tmp_path}/no/folder.db")
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("entrance", [Store.open, upgrade_store])
def test_an_empty_file_is_no_store_yet(tmp_path: Path, entrance: Callable[[str], object]) -> None:
    path = tmp_path / "x.db"
    path.touch()
    with pytest.raises(NoStore):
        entrance(str(path))
    assert path.read_bytes() == b""
    assert create_store(str(path))
    Store.open(str(path)).close()


def test_the_usual_store_is_not_named_in_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoStore, match=r"evalspan init$"):
        Store.open()


@pytest.mark.parametrize("entrance", [Store.open, upgrade_store])
def test_a_database_without_a_store_says_how_to_make_one(address: str, entrance: Callable[[str], object]) -> None:
    with pytest.raises(NoStore, match="evalspan init --store"):
        entrance(address)


@pytest.mark.parametrize("entrance", [Store.open, create_store])
def test_an_older_store_is_refused(address: str, entrance: Callable[[str], object], tmp_path: Path) -> None:
    create_store(address)
    execute(address, "DELETE FROM evalspan_version")
    before = contents(tmp_path)
    with pytest.raises(StoreTooOld, match="evalspan store upgrade --store "):
        entrance(address)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_a_newer_store_is_refused(address: str, entrance: Callable[[str], object], tmp_path: Path) -> None:
    create_store(address)
    execute(address, "UPDATE evalspan_version SET version_num = '9999'")
    before = contents(tmp_path)
    with pytest.raises(StoreTooNew, match=r"schema 9999.*pip install -U evalspan$"):
        entrance(address)
    assert contents(tmp_path) == before


def test_a_refusal_does_not_tidy_up_after_a_killed_writer(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    create_store(str(path))
    finish(start(KILLED_WRITER, str(path), "UPDATE evalspan_version SET version_num = '9999'"))
    assert has_content(path, "-wal")
    before = contents(tmp_path)
    for entrance in ENTRANCES:
        with pytest.raises(StoreTooNew):
            entrance(str(path))
    after = contents(tmp_path)
    assert {name: after[name] for name in ("x.db", "x.db-wal")} == {name: before[name] for name in ("x.db", "x.db-wal")}


def test_opening_and_reading_leave_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    create_store(str(path))
    with Store.open(str(path)) as store:
        snapshot, *_ = fill(store)
    before = contents(tmp_path)
    with Store.open(str(path)) as store:
        assert len(list(store.texts(snapshot))) == 3
    assert contents(tmp_path) == before
    assert list(before) == ["x.db"]


def test_a_store_that_was_upgraded_meanwhile_takes_no_writes(store: Store, address: str) -> None:
    execute(address, "UPDATE evalspan_version SET version_num = '9999'")
    with pytest.raises(StoreTooNew):
        put_snapshot(store)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Anyone may read it: pytest's own folders belong to one user."""
    folder = Path(tempfile.mkdtemp(prefix="evalspan-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def filled(folder: Path) -> Path:
    path = folder / "x.db"
    create_store(str(path))
    with Store.open(str(path)) as store:
        fill(store)
    return path


@pytest.mark.parametrize(("file_mode", "folder_mode"), [(0o444, 0o777), (0o444, 0o555), (0o666, 0o555)])
def test_a_read_only_store_can_be_read_and_says_that_it_is(open_folder: Path, file_mode: int, folder_mode: int) -> None:
    path = filled(open_folder)
    path.chmod(file_mode)
    open_folder.chmod(folder_mode)
    before = contents(open_folder)
    with without_rights(), Store.open(str(path)) as store:
        assert dict(store.texts(store.find_snapshot("first")))["a.md"].startswith("Returns")
        assert store.check_digest(store.find_version("faq"))
        with pytest.raises(Unwritable, match="read-only"):
            put_snapshot(store)
    assert contents(open_folder) == before


def test_a_read_only_folder_takes_no_new_store_and_no_upgrade(open_folder: Path) -> None:
    path = filled(open_folder)
    execute(str(path), "DELETE FROM evalspan_version")
    open_folder.chmod(0o555)
    with without_rights():
        with pytest.raises(Unwritable):
            create_store(str(open_folder / "new.db"))
        with pytest.raises(Unwritable):
            upgrade_store(str(path))
    assert [one.name for one in open_folder.iterdir()] == ["x.db"]


def test_unfinished_changes_are_not_passed_over_in_a_read_only_folder(open_folder: Path) -> None:
    path = filled(open_folder)
    finish(start(KILLED_WRITER, str(path), "UPDATE evalspan_snapshot SET name = 'second'"))
    with closing(sqlite3.connect(path, isolation_level=None)) as keeper:
        keeper.execute("BEGIN")
        keeper.execute("SELECT * FROM evalspan_version").fetchall()
        for log in open_folder.iterdir():
            log.chmod(0o444)
        open_folder.chmod(0o555)
        with without_rights(), Store.open(str(path)) as store:
            assert [record.name for record in store.snapshots()] == ["second"]
            with pytest.raises(Unwritable):
                put_snapshot(store)
        open_folder.chmod(0o755)


def test_unfinished_changes_that_can_not_be_read_are_said(open_folder: Path) -> None:
    path = filled(open_folder)
    finish(start(KILLED_WRITER, str(path), "UPDATE evalspan_snapshot SET name = 'second'"))
    path.with_name("x.db-shm").unlink()
    open_folder.chmod(0o555)
    with without_rights(), pytest.raises(StoreError, match="not finished"):
        Store.open(str(path))
