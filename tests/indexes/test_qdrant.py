"""A Qdrant collection: the manifest is a value of its metadata, among the user's own."""

import gc
import json
import sqlite3
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import QdrantClient, models

from evalspan.errors import CannotTell, Unwritable
from evalspan.indexes import open_index

from . import helpers
from .samples import CHUNKS, a_manifest, content

OWN = {"team": {"name": "search", "since": 2024}, "live": True}
"""The user's metadata."""

SIZE = models.VectorParams(size=2, distance=models.Distance.COSINE)


@contextmanager
def client(folder: Path) -> Iterator[QdrantClient]:
    with closing(QdrantClient(path=str(folder))) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With the collections faq, which has the alias live, and "a b😀", which is empty."""
    with client(tmp_path / "index") as opened:
        opened.create_collection("faq", vectors_config=SIZE, metadata=OWN)
        points = [
            models.PointStruct(
                id=str(uuid.uuid4()),
                vector=[float(at), 1.0],
                payload={"chunk_id": one, "text": text, "doc_id": "a", "start": at},
            )
            for at, (one, text) in enumerate(CHUNKS.items())
        ]
        opened.upsert("faq", points)
        opened.create_collection("a b😀", vectors_config=SIZE)
        alias = models.CreateAlias(collection_name="faq", alias_name="live")
        opened.update_collection_aliases([models.CreateAliasOperation(create_alias=alias)])
    return tmp_path / "index"


@pytest.fixture
def address(folder: Path) -> str:
    return f"qdrant:{folder}#faq"


def put(folder: Path, value: object) -> None:
    with client(folder) as opened:
        opened.update_collection("faq", metadata={"evalspan": value})


def test_it_keeps_a_manifest(address: str) -> None:
    helpers.keeps_a_manifest(address)
    helpers.refuses_what_is_too_long_and_keeps_what_was(address)


def test_a_manifest_that_lies_is_refused(folder: Path, address: str) -> None:
    helpers.refuses_a_manifest_that_lies(address, lambda text: put(folder, text))
    put(folder, 7)
    assert "not a manifest" in helpers.refusal(address)


def test_chunks_come_back(address: str) -> None:
    helpers.gives_its_chunks_back(address)


def test_reading_changes_nothing(folder: Path, address: str) -> None:
    helpers.reading_changes_nothing(address, folder)


def test_reading_a_manifest_loads_no_client(address: str) -> None:
    helpers.write(address)
    assert helpers.loaded_to_read(address, "qdrant_client", "numpy", "sqlalchemy") == set()


def test_writing_keeps_the_users_metadata(folder: Path, address: str) -> None:
    written = helpers.write(address)
    with client(folder) as opened:
        assert opened.get_collection("faq").config.metadata == OWN | {"evalspan": written.to_json()}


def test_nested_json_is_read_too(folder: Path, address: str) -> None:
    put(folder, json.loads(a_manifest().to_json()))
    assert helpers.read(address).chunks == len(CHUNKS)


def test_an_alias_names_its_collection(folder: Path, address: str) -> None:
    written = helpers.write(f"qdrant:{folder}#live")
    assert helpers.read(address) == written
    helpers.gives_its_chunks_back(f"qdrant:{folder}#live")


def test_a_point_without_a_chunk_id_is_called_by_its_own(tmp_path: Path) -> None:
    name = str(uuid.uuid4())
    with client(tmp_path) as opened:
        opened.create_collection("own", vectors_config=SIZE)
        points = [models.PointStruct(id=one, vector=[1.0, 1.0], payload={"text": str(one)}) for one in (7, name)]
        opened.upsert("own", points)
    with open_index(f"qdrant:{tmp_path}#own") as index:
        assert {one.chunk_id for one in index.chunks()} == {"7", name}
        assert [one.text for one in index.chunks(["7", "8", "no id", "²", str(2**70)])] == ["7"]
        assert [one.text for one in index.chunks([name])] == [name]


def test_more_chunks_than_a_page_all_come(tmp_path: Path) -> None:
    with client(tmp_path) as opened:
        opened.create_collection("many", vectors_config=SIZE)
        opened.upsert("many", [models.PointStruct(id=at, vector=[1.0, 1.0]) for at in range(1201)])
    with open_index(f"qdrant:{tmp_path}#many") as index:
        assert len(list(index.chunks())) == index.count() == 1201


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # the client's, where it can't have its lock
def test_a_client_that_has_it_open_is_no_hindrance_to_read_and_told_of_to_write(folder: Path, address: str) -> None:
    written = helpers.write(address)
    code = "import sys\nfrom qdrant_client import QdrantClient\nc = QdrantClient(path=sys.argv[1])\nprint()\ninput()"
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code, folder], **pipes) as other:
        assert other.stdout is not None
        other.stdout.readline()
        try:
            assert helpers.read(address) == written
            helpers.gives_its_chunks_back(address)
            assert "another process has this store open" in helpers.refusal(address, write=True)
        finally:
            other.communicate("\n")
    helpers.write(address)
    gc.collect()  # here, and not in whichever test comes next


def test_a_collection_that_is_not_there_lists_those_that_are(folder: Path) -> None:
    assert "no collection 'nope'. There is: a b😀, faq, live." in helpers.refusal(f"qdrant:{folder}#nope")
    assert "holds no manifest" in helpers.refusal(f"qdrant:{folder}#a b😀")
    with open_index(f"qdrant:{folder}#a b😀") as index:
        assert (index.count(), list(index.chunks())) == (0, [])


def test_an_empty_store_says_so(tmp_path: Path) -> None:
    with client(tmp_path):
        pass
    assert "There is no collection in it." in helpers.refusal(f"qdrant:{tmp_path}#faq")


@pytest.mark.parametrize(
    "meta", ["", "{", "[]", "{}", '{"collections": []}', '{"collections": {"faq": 1}, "aliases": {}}', "\ud800"]
)
def test_what_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path, meta: str) -> None:
    assert "no such folder" in helpers.refusal(f"qdrant:{tmp_path / 'nowhere'}#faq")
    assert not (tmp_path / "nowhere").exists()
    assert "holds no meta.json" in helpers.refusal(f"qdrant:{tmp_path}#faq")
    (tmp_path / "meta.json").write_bytes(meta.encode("utf-8", "surrogatepass"))
    before = content(tmp_path)
    assert "meta.json: " in helpers.refusal(f"qdrant:{tmp_path}#faq", write=True)
    assert content(tmp_path) == before


def test_points_that_are_gone_or_damaged_are_told(folder: Path, address: str) -> None:
    points = folder / "collection" / "faq" / "storage.sqlite"
    points.write_bytes(b"x" * 1000)
    with open_index(address) as index, pytest.raises(CannotTell, match="points can't be read"):
        index.count()
    points.unlink()
    with open_index(address) as index, pytest.raises(CannotTell, match="the store is damaged"):
        index.count()
    with closing(sqlite3.connect(points)) as connection, connection:
        connection.execute("CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)")
        connection.execute("INSERT INTO points VALUES ('x', 'no pickle')")
    with open_index(address) as index, pytest.raises(CannotTell, match="Qdrant can't be asked"):
        index.count()


class Answers(BaseHTTPRequestHandler):
    """As a server of Qdrant 1.16 answers the questions of a manifest; an older one where it forgets metadata."""

    metadata: dict[str, Any]
    forgets: bool

    def log_message(self, *_: object) -> None: ...

    def _answer(self, result: object, code: int = 200) -> None:
        body = json.dumps({"result": result, "status": "ok", "time": 0.0}).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.headers.get("api-key") != "secret":
            self._answer({"error": "no key"}, 403)
        elif self.path == "/collections":
            self._answer({"collections": [{"name": "faq"}]})
        elif self.path == "/aliases":
            self._answer({"aliases": []})
        else:
            params = {"vectors": {"size": 2, "distance": "Cosine"}}
            config = {
                "params": params,
                "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000},
                "optimizer_config": {
                    "deleted_threshold": 0.2,
                    "vacuum_min_vector_number": 1,
                    "default_segment_number": 0,
                }
                | {"flush_interval_sec": 5},
                "wal_config": {"wal_capacity_mb": 32, "wal_segments_ahead": 0},
            }
            if not self.forgets:
                config["metadata"] = self.metadata
            self._answer(
                {"status": "green", "optimizer_status": "ok", "segments_count": 1, "config": config}
                | {"payload_schema": {}}
            )

    def do_PATCH(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.metadata.update(sent["metadata"])
        self._answer(True)


@contextmanager
def server(forgets: bool) -> Iterator[str]:
    kept: dict[str, Any] = {}
    handler = type("Handler", (Answers,), {"metadata": kept, "forgets": forgets})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        try:
            yield f"qdrant:http://127.0.0.1:{serving.server_port}#faq"
        finally:
            serving.shutdown()


WARNS = pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection:UserWarning")


@WARNS
def test_a_server_is_asked_with_the_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with server(forgets=False) as address:
        assert "Qdrant can't be asked" in helpers.refusal(address)
        monkeypatch.setenv("QDRANT_API_KEY", "secret")
        helpers.keeps_a_manifest(address)
        assert "no collection 'x'. There is: faq." in helpers.refusal(address.replace("#faq", "#x"))


@WARNS
def test_a_server_that_keeps_no_metadata_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_API_KEY", "secret")
    with server(forgets=True) as address, open_index(address) as index:
        with pytest.raises(Unwritable, match=r"from Qdrant 1\.16 on"):
            index.write_manifest(a_manifest())
        with pytest.raises(CannotTell, match="holds no manifest"):
            index.read_manifest()
    assert "Qdrant can't be asked" in helpers.refusal(address)
