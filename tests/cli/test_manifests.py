"""`evalspan manifest`, and `evalspan verify` against an index where it lives."""

import json
from pathlib import Path
from typing import Any

import chromadb
import lancedb
import pytest

import evalspan

from .helpers import fine, process, refused, run


@pytest.fixture
def chroma(shop: Path) -> str:
    """The address of a Chroma collection."""
    client: Any = chromadb.PersistentClient(str(shop / "chroma"))
    client.create_collection("shop", metadata={"team": "search"}, embedding_function=None)
    return "chroma:chroma#shop"


@pytest.fixture
def lance(shop: Path) -> str:
    """The address of a LanceDB table."""
    lancedb.connect(str(shop / "lance")).create_table("shop", [{"id": "1", "text": "t", "vector": [1.0, 2.0]}])
    return "lancedb:lance#shop"


@pytest.mark.parametrize("kind", ["chroma", "lance"])
def test_a_manifest_written_into_an_index_is_what_verify_judges_by(
    kind: str, shop: Path, request: pytest.FixtureRequest
) -> None:
    index = request.getfixturevalue(kind)
    assert fine("manifest", "write", "old", "--index", index).out == f"Wrote {index}\n"
    assert fine("verify", "shop", "--index", index).out == "Passed: shop@1 belongs to this index.\n"
    assert evalspan.verify("shop", index).passed
    fine("manifest", "write", "new", "--index", index)
    assert run("verify", "shop", "--index", index).code == 1
    with pytest.raises(evalspan.Refused):
        evalspan.require("shop", index, store=str(shop / "evalspan.db"))


def test_what_is_written_is_shown(chroma: str) -> None:
    written = fine("manifest", "write", "new", "--index", chroma, "--out", "copy.json", "--embedding", "m", "--json")
    assert (written.json["index"], written.json["out"]) == (chroma, "copy.json")
    shown = fine("manifest", "show", chroma, "--json").json
    assert shown == written.json["manifest"] == fine("manifest", "show", "copy.json", "--json").json
    assert fine("manifest", "show", chroma).out == fine("manifest", "show", "copy.json").out


def test_a_manifest_is_written_over_a_manifest_alone(shop: Path, chroma: str) -> None:
    fine("manifest", "write", "old", "--out", "m.json")
    fine("manifest", "write", "new", "--out", "m.json")
    (shop / "mine.json").write_text('{"mine": 1}')
    message = refused("manifest", "write", "new", "--out", "mine.json", "--index", chroma)
    assert "mine.json: is there, and is no manifest" in message
    assert (shop / "mine.json").read_text() == '{"mine": 1}'
    refused("manifest", "show", chroma)


def test_without_a_place_it_goes_to_standard_output(shop: Path) -> None:
    text = fine("manifest", "write", "new").out
    assert json.loads(text)["chunks_digest"] == json.loads((shop / "new.json").read_text())["chunks_digest"]


def test_an_index_without_a_manifest_is_exit_2_with_what_to_type(chroma: str) -> None:
    message = refused("verify", "shop", "--index", chroma)
    assert message.endswith(f"evalspan manifest write CHUNKING --index {chroma}\n")
    assert refused("manifest", "show", chroma) == message


@pytest.mark.parametrize("command", [("verify", "shop", "--index"), ("manifest", "show")])
@pytest.mark.parametrize(
    ("index", "said"),
    [
        ("pinecone:x#y", "'pinecone' is no kind of index"),
        ("chroma:here", "chroma:PATH#COLLECTION"),
        ("chroma:nowhere#x", "no such folder"),
        ("lancedb:nowhere#x", "no such folder"),
        ("qdrant:nowhere#x", "no such folder"),
        ("milvus:nowhere.db#x", "no such store"),
        ("nowhere.json", "no such manifest"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_an_index_that_is_none_is_exit_2(command: tuple[str, ...], index: str, said: str) -> None:
    assert said in refused(*command, index)


@pytest.mark.usefixtures("shop")
def test_a_manifest_is_written_into_what_is_an_index_alone() -> None:
    assert "names no index" in refused("manifest", "write", "new", "--index", "new.json")
    assert "no such folder" in refused("manifest", "write", "new", "--index", "chroma:nowhere#x", "--out", "o.json")
    assert not Path("o.json").exists()
    assert not Path("nowhere").exists()


def test_verify_of_a_set_file_needs_neither_store_nor_client(shop: Path, chroma: str) -> None:
    fine("set", "export", "shop", "--out", "shop.jsonl")
    fine("manifest", "write", "old", "--index", chroma)
    (shop / "evalspan.db").unlink()
    ran = process("verify", "shop.jsonl", "--index", chroma, cwd=shop)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.startswith(b"Passed: shop.jsonl")
