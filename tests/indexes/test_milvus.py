"""A Milvus Lite collection: the manifest is a property of it, among the user's own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from milvus_lite.server_manager import server_manager_instance
from pymilvus import DataType, MilvusClient

from evalspan.errors import CannotTell
from evalspan.indexes import open_index

from . import helpers
from .samples import CHUNKS, a_manifest, content


@contextmanager
def client(store: Path) -> Iterator[Any]:
    opened = MilvusClient(str(store))
    try:
        yield opened
    finally:
        opened.close()
        server_manager_instance.release_server(str(store))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """With the collections faq, which has the alias live, and bare, which is empty."""
    path = tmp_path / "rag.db"
    with client(path) as opened:
        schema = opened.create_schema(auto_id=False, enable_dynamic_field=True)
        schema.add_field("id", DataType.VARCHAR, max_length=65535, is_primary=True)
        schema.add_field("text", DataType.VARCHAR, max_length=65535)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=2)
        opened.create_collection("faq", schema=schema, properties={"mine": "é"})
        rows = [
            {"id": one, "text": text, "vector": [float(at), 1.0], "doc_id": "a", "start": at}
            for at, (one, text) in enumerate(CHUNKS.items())
        ]
        opened.insert("faq", rows)
        opened.create_alias("faq", "live")
        opened.create_collection("bare", dimension=2)
    return path


@pytest.fixture
def address(store: Path) -> str:
    return f"milvus:{store}#faq"


def put(store: Path, text: str) -> None:
    with client(store) as opened:
        opened.alter_collection_properties("faq", properties={"evalspan": text})


def test_it_keeps_a_manifest(address: str) -> None:
    helpers.keeps_a_manifest(address)
    helpers.refuses_what_is_too_long_and_keeps_what_was(address)


def test_a_manifest_that_lies_is_refused(store: Path, address: str) -> None:
    helpers.refuses_a_manifest_that_lies(address, lambda text: put(store, text))


def test_chunks_come_back(address: str) -> None:
    helpers.gives_its_chunks_back(address)


def test_reading_changes_nothing(store: Path, address: str) -> None:
    helpers.reading_changes_nothing(address, store)


def test_reading_leaves_what_the_client_would_tidy_up(tmp_path: Path) -> None:
    """Rows that a process died over stand in the log alone."""
    code = (
        "import os, sys\nfrom pymilvus import MilvusClient\nc = MilvusClient(sys.argv[1])\n"
        "c.create_collection('faq', dimension=2)\nc.insert('faq', [{'id': 1, 'vector': [1.0, 2.0], 'text': 't'}])\n"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "rag.db"], check=True, timeout=60)
    before = content(tmp_path / "rag.db")
    with open_index(f"milvus:{tmp_path / 'rag.db'}#faq") as index:
        assert index.count() == 1
        assert [(one.chunk_id, one.text) for one in index.chunks()] == [("1", "t")]
    assert content(tmp_path / "rag.db") == before


def test_reading_a_manifest_loads_no_client(address: str) -> None:
    helpers.write(address)
    assert helpers.loaded_to_read(address, "pymilvus", "milvus_lite", "numpy", "sqlalchemy") == set()


def test_writing_keeps_the_users_properties(store: Path, address: str) -> None:
    written = helpers.write(address)
    with client(store) as opened:
        assert opened.describe_collection("faq")["properties"] == {"mine": "é", "evalspan": written.to_json()}


def test_what_is_given_when_the_collection_is_made_is_read(tmp_path: Path) -> None:
    with client(tmp_path / "rag.db") as opened:
        opened.create_collection("new", dimension=2, properties={"evalspan": a_manifest().to_json()})
    assert helpers.read(f"milvus:{tmp_path / 'rag.db'}#new").chunks == len(CHUNKS)


def test_an_alias_names_its_collection(store: Path, address: str) -> None:
    written = helpers.write(f"milvus:{store}#live")
    assert helpers.read(address) == written
    helpers.gives_its_chunks_back(f"milvus:{store}#live")


def test_ids_that_are_numbers_are_found(tmp_path: Path) -> None:
    with client(tmp_path / "rag.db") as opened:
        opened.create_collection("n", dimension=2)
        opened.insert("n", [{"id": at, "vector": [1.0, 2.0], "text": str(at)} for at in range(1201)])
    with open_index(f"milvus:{tmp_path / 'rag.db'}#n") as index:
        assert sorted(one.chunk_id for one in index.chunks(["7", "8", "x", "a'b"])) == ["7", "8"]
        assert [one.chunk_id for one in index.chunks(["7", "x", "²"])] == ["7"]
        assert len(list(index.chunks())) == index.count() == 1201


def test_this_processs_own_open_client_is_used_and_stays_open(store: Path, address: str) -> None:
    with client(store) as opened:
        written = helpers.write(address)
        helpers.gives_its_chunks_back(address)
        assert opened.describe_collection("faq")["properties"]["evalspan"] == written.to_json()


def test_another_process_is_no_hindrance_to_read_a_manifest_and_told_of_else(store: Path, address: str) -> None:
    written = helpers.write(address)
    code = "import sys\nfrom pymilvus import MilvusClient\nc = MilvusClient(sys.argv[1])\nprint(flush=True)\ninput()"
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code, store], **pipes) as other:
        assert other.stdout is not None
        other.stdout.readline()
        try:
            assert helpers.read(address) == written
            assert "another process has this store open" in helpers.refusal(address, write=True)
            with open_index(address) as index, pytest.raises(CannotTell, match="another process has this store open"):
                index.count()
        finally:
            other.communicate("\n")


def test_no_complaint_of_the_client_is_printed(store: Path, address: str, capfd: pytest.CaptureFixture[str]) -> None:
    with open_index(address) as index:
        assert index.count() == len(CHUNKS)
        assert len(list(index.chunks(["a'b", "\\"]))) == 0
    assert "nope" in helpers.refusal(f"milvus:{store}#nope")
    assert capfd.readouterr() == ("", "")


def test_a_collection_that_is_not_there_lists_those_that_are(store: Path) -> None:
    assert "no collection 'a b'. There is: bare, faq, live." in helpers.refusal(f"milvus:{store}#a b")
    with open_index(f"milvus:{store}#bare") as index:
        assert (index.count(), list(index.chunks())) == (0, [])


def test_what_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    assert "no such store" in helpers.refusal(f"milvus:{tmp_path / 'nowhere.db'}#faq")
    assert not (tmp_path / "nowhere.db").exists()
    assert "holds no collections" in helpers.refusal(f"milvus:{tmp_path}#faq")
    (tmp_path / "old.db").write_bytes(b"SQLite format 3\0")
    assert "If version 2 wrote it" in helpers.refusal(f"milvus:{tmp_path / 'old.db'}#faq", write=True)
    assert "files of Milvus Lite are read here" in helpers.refusal("milvus:http://localhost:19530#faq")


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("", "can't be read"),
        ("[]", "not what Milvus Lite writes"),
        (json.dumps({"schema_format_version": 99}), "by a later Milvus Lite"),
        (json.dumps({"properties": None}), "holds no manifest"),
    ],
)
def test_a_description_that_is_not_understood_is_told(store: Path, address: str, schema: str, said: str) -> None:
    (store / "collections" / "faq" / "schema.json").write_text(schema)
    before = content(store)
    assert said in helpers.refusal(address)
    assert content(store) == before
