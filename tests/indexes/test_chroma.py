"""A Chroma collection: the manifest is a value of its metadata, among the user's own."""

import gc
import json
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import chromadb
import pytest
from store.helpers import without_rights

from evalspan.errors import CannotTell, Unwritable
from evalspan.indexes import chroma as module
from evalspan.indexes import open_index

from . import helpers
from .samples import CHUNKS, a_manifest, content

CHROMA: Any = chromadb
"""Its own types refuse lists of numbers for vectors, and know of no `close`."""

OWN: dict[str, Any] = {"team": "search", "size": 3, "share": 0.5, "live": True}
"""The user's metadata."""


def fill(client: Any, metadata: dict[str, Any] | None) -> None:
    collection = client.create_collection("faq", metadata=metadata, embedding_function=None)
    collection.add(
        ids=list(CHUNKS),
        documents=list(CHUNKS.values()),
        metadatas=[{"doc_id": "a", "start_index": at, "kept": True} for at in range(len(CHUNKS))],
        embeddings=[[float(at), 1.0] for at in range(len(CHUNKS))],
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With the collection faq."""
    fill(CHROMA.PersistentClient(str(tmp_path / "index")), OWN | {"hnsw:space": "cosine"})
    return tmp_path / "index"


@pytest.fixture
def address(folder: Path) -> str:
    return f"chroma:{folder}#faq"


def metadata(folder: Path) -> dict[str, Any]:
    """As a client of a process of its own sees it."""
    code = (
        "import chromadb, json, sys\n"
        "collection = chromadb.PersistentClient(sys.argv[1]).get_collection('faq', embedding_function=None)\n"
        "print(json.dumps(collection.metadata))"
    )
    ran = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, timeout=60, check=True)
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def put(folder: Path, text: str) -> None:
    """By the client, which replaces all metadata."""
    client = CHROMA.PersistentClient(str(folder))
    client.get_collection("faq", embedding_function=None).modify(metadata={"evalspan": text})


def change(folder: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / module.FILE)) as connection, connection:
        connection.execute(statement, values)


def test_it_keeps_a_manifest(address: str) -> None:
    helpers.keeps_a_manifest(address)
    helpers.refuses_what_is_too_long_and_keeps_what_was(address)


def test_a_manifest_that_lies_is_refused(folder: Path, address: str) -> None:
    helpers.refuses_a_manifest_that_lies(address, lambda text: put(folder, text))
    change(folder, "UPDATE collection_metadata SET str_value = NULL, int_value = 7 WHERE key = 'evalspan'")
    assert "not JSON" in helpers.refusal(address)


def test_chunks_come_back(address: str) -> None:
    helpers.gives_its_chunks_back(address)


def test_reading_changes_nothing(folder: Path, address: str) -> None:
    helpers.reading_changes_nothing(address, folder)


def test_reading_loads_no_client(address: str) -> None:
    helpers.write(address)
    assert helpers.loaded_to_read(address, "chromadb", "sqlalchemy", "numpy") == set()


def test_writing_loses_none_of_the_users_metadata_nor_the_indexs_own(folder: Path, address: str) -> None:
    written = helpers.write(address)
    assert metadata(folder) == OWN | {"hnsw:space": "cosine", "evalspan": written.to_json()}
    assert helpers.read(address) == written


def test_what_the_client_writes_is_read(folder: Path, address: str) -> None:
    put(folder, a_manifest().to_json())
    assert helpers.read(address).chunks == len(CHUNKS)


def test_a_client_that_is_open_sees_what_was_written(folder: Path, address: str) -> None:
    client = CHROMA.PersistentClient(str(folder))
    written = helpers.write(address)
    found = client.get_collection("faq", embedding_function=None).metadata
    assert found is not None
    assert found["evalspan"] == written.to_json()


def test_asking_for_the_collection_with_other_metadata_leaves_the_manifest(folder: Path, address: str) -> None:
    written = helpers.write(address)
    client = CHROMA.PersistentClient(str(folder))
    client.get_or_create_collection("faq", metadata={"other": "x"}, embedding_function=None)
    assert helpers.read(address) == written


def test_a_modify_of_the_user_that_wiped_the_manifest_is_told(folder: Path, address: str) -> None:
    helpers.write(address)
    client = CHROMA.PersistentClient(str(folder))
    client.get_collection("faq", embedding_function=None).modify(metadata={"team": "other"})
    assert "holds no manifest" in helpers.refusal(address)


def test_chunks_that_were_changed_are_read_as_they_are_now(folder: Path, address: str) -> None:
    collection = CHROMA.PersistentClient(str(folder)).get_collection("faq", embedding_function=None)
    first, second, *_ = CHUNKS
    collection.update(ids=[first], documents=["Otherwise."], embeddings=[[0.0, 1.0]])
    collection.delete(ids=[second])
    with open_index(address) as index:
        assert index.count() == len(CHUNKS) - 1
        texts = {one.chunk_id: one.text for one in index.chunks()}
    assert texts[first] == "Otherwise."
    assert second not in texts


def test_more_chunks_than_a_page_all_come(tmp_path: Path) -> None:
    collection = CHROMA.PersistentClient(str(tmp_path)).create_collection("many", embedding_function=None)
    ids = [f"c{number}" for number in range(1201)]
    collection.add(ids=ids, documents=ids, embeddings=[[1.0, 2.0]] * len(ids))
    with open_index(f"chroma:{tmp_path}#many") as index:
        assert sorted(one.chunk_id for one in index.chunks()) == sorted(ids)
        assert sorted(one.chunk_id for one in index.chunks(ids)) == sorted(ids)


def test_records_that_were_not_taken_in_are_told_and_not_passed_over(folder: Path, address: str) -> None:
    change(
        folder,
        "INSERT INTO embeddings_queue (seq_id, operation, topic, id) SELECT max(seq_id) + 1, 0, topic, 'late' "
        "FROM embeddings_queue",
    )
    with open_index(address) as index, pytest.raises(CannotTell, match="has not taken into the collection yet"):
        index.count()


def test_a_store_of_an_older_chroma_that_counts_in_bytes_is_read(folder: Path, address: str) -> None:
    change(folder, "UPDATE max_seq_id SET seq_id = ?", (len(CHUNKS)).to_bytes(8, "big"))
    helpers.gives_its_chunks_back(address)


def test_a_collection_that_is_not_there_lists_those_that_are(folder: Path) -> None:
    message = helpers.refusal(f"chroma:{folder}#nope")
    assert f"chroma:{folder}#nope: no collection 'nope'. There is: faq." in message
    assert "no collection 'a b'" in helpers.refusal(f"chroma:{folder}#a b")


def test_a_store_without_collections_says_so(tmp_path: Path) -> None:
    CHROMA.PersistentClient(str(tmp_path / "empty")).heartbeat()
    assert "There is no collection in it." in helpers.refusal(f"chroma:{tmp_path / 'empty'}#faq")


def test_what_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    assert "no such folder" in helpers.refusal(f"chroma:{tmp_path / 'nowhere'}#faq")
    assert not (tmp_path / "nowhere").exists()
    assert "holds no chroma.sqlite3" in helpers.refusal(f"chroma:{tmp_path}#faq")
    (tmp_path / module.FILE).write_bytes(b"not a database" * 100)
    assert "is no Chroma store" in helpers.refusal(f"chroma:{tmp_path}#faq")
    (tmp_path / module.FILE).unlink()
    change(tmp_path, "CREATE TABLE other (tool TEXT)")
    before = content(tmp_path)
    assert "is no Chroma store" in helpers.refusal(f"chroma:{tmp_path}#faq", write=True)
    assert content(tmp_path) == before


def test_a_store_that_another_process_writes_is_told_and_does_not_hang(
    folder: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAIT", 0.1)
    with closing(sqlite3.connect(folder / module.FILE, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert "locked: another process has held it" in helpers.refusal(address)
        other.execute("ROLLBACK")
        other.execute("BEGIN IMMEDIATE")  # a writer that has written nothing yet lets others read
        assert "holds no manifest" in helpers.refusal(address)
        with pytest.raises(CannotTell, match="locked"):
            helpers.write(address)


def test_a_store_that_must_not_be_written_is_read(folder: Path) -> None:
    # Not in tmp_path: its parents are closed to everybody else.
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(folder, Path(place, "index"))
        address = f"chroma:{place}/index#faq"
        written = helpers.write(address)
        for path in (Path(place, "index", module.FILE), Path(place, "index"), Path(place)):
            path.chmod(0o555)
        with without_rights():
            assert helpers.read(address) == written
            helpers.gives_its_chunks_back(address)
            with open_index(address) as index, pytest.raises(Unwritable, match="Keep the manifest in a file"):
                index.write_manifest(written)
            with open_index(address, write=True) as index, pytest.raises(Unwritable):
                index.write_manifest(written)
        Path(place, "index").chmod(0o755)


def test_collections_of_one_name_in_two_databases_are_not_guessed_between(folder: Path) -> None:
    admin = CHROMA.AdminClient(CHROMA.Settings(is_persistent=True, persist_directory=str(folder)))
    admin.create_database("second")
    CHROMA.PersistentClient(str(folder), database="second").create_collection("faq", embedding_function=None)
    assert "2 databases of this store" in helpers.refusal(f"chroma:{folder}#faq")


LEAKS = pytest.mark.filterwarnings(
    # Chroma's client closes no connection of its own: they go with the garbage.
    "ignore::pytest.PytestUnraisableExceptionWarning",
    "ignore:unclosed <socket:ResourceWarning",
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a Chroma server with the collection faq."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    command = ["chroma", "run", "--path", str(tmp_path / "served"), "--host", "127.0.0.1", "--port", str(port)]
    program = str(Path(sys.executable).with_name(command[0]))
    with subprocess.Popen([program, *command[1:]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            client = None
            for _ in range(300):
                with suppress(ValueError):
                    client = CHROMA.HttpClient("127.0.0.1", port)
                    break
                time.sleep(0.1)
            assert client is not None
            fill(client, OWN)
            client.close()
            yield f"chroma:http://127.0.0.1:{port}#faq"
        finally:
            process.terminate()


@LEAKS
def test_a_server_does_the_same(server: str) -> None:
    helpers.keeps_a_manifest(server)
    helpers.refuses_what_is_too_long_and_keeps_what_was(server)
    helpers.gives_its_chunks_back(server)
    assert "no collection 'nope'. There is: faq." in helpers.refusal(server.replace("#faq", "#nope"))
    host, _, port = server.removeprefix("chroma:http://").removesuffix("#faq").partition(":")
    with CHROMA.HttpClient(host, int(port)) as client:
        found = client.get_collection("faq", embedding_function=None).metadata
        assert found is not None
        assert {key: found[key] for key in OWN} == OWN
        client.create_collection("old", metadata={"hnsw:space": "cosine"}, embedding_function=None)
        with pytest.raises(CannotTell, match="refuses to write back"):
            helpers.write(server.replace("#faq", "#old"))
        assert client.get_collection("old", embedding_function=None).metadata == {"hnsw:space": "cosine"}
    del client
    gc.collect()


@LEAKS
def test_a_server_that_is_not_there_is_told() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    assert "Chroma can't be asked" in helpers.refusal(f"chroma:http://127.0.0.1:{port}#faq")
    gc.collect()
