"""A LanceDB table: the manifest is a value of its schema's metadata, and an overwrite loses it."""

import json
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
import pytest

from evalspan.errors import CannotTell
from evalspan.indexes import open_index

from . import helpers
from .samples import CHUNKS, a_manifest, content

ROWS = [
    {"chunk_id": one, "text": text, "doc_id": "a", "start": at, "vector": [float(at), 1.0]}
    for at, (one, text) in enumerate(CHUNKS.items())
]
SCHEMA = pa.schema(
    [
        ("chunk_id", pa.string()),
        ("text", pa.string()),
        ("doc_id", pa.string()),
        ("start", pa.int64()),
        ("vector", pa.list_(pa.float32(), 2)),
    ],
    metadata={"mine": "é"},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With the table faq."""
    lancedb.connect(str(tmp_path / "index")).create_table("faq", ROWS, schema=SCHEMA)
    return tmp_path / "index"


@pytest.fixture
def address(folder: Path) -> str:
    return f"lancedb:{folder}#faq"


def table(folder: Path) -> Any:
    return lancedb.connect(str(folder)).open_table("faq")


def test_it_keeps_a_manifest(address: str) -> None:
    helpers.keeps_a_manifest(address)
    helpers.refuses_what_is_too_long_and_keeps_what_was(address)


def test_a_manifest_that_lies_is_refused(folder: Path, address: str) -> None:
    helpers.refuses_a_manifest_that_lies(
        address, lambda text: table(folder).to_lance().update_schema_metadata({"evalspan": text})
    )


def test_chunks_come_back(address: str) -> None:
    helpers.gives_its_chunks_back(address)


def test_reading_changes_nothing(folder: Path, address: str) -> None:
    helpers.reading_changes_nothing(address, folder)


def test_reading_does_not_load_lancedb(address: str) -> None:
    helpers.write(address)
    assert helpers.loaded_to_read(address, "lancedb", "sqlalchemy", "lance") == {"lance"}


def test_writing_keeps_the_users_metadata_and_rows(folder: Path, address: str) -> None:
    written = helpers.write(address)
    found = table(folder)
    assert found.schema.metadata == {b"mine": "é".encode(), b"evalspan": written.to_json().encode()}
    assert found.to_arrow().to_pylist() == ROWS


def test_what_is_given_when_the_table_is_made_is_read(tmp_path: Path) -> None:
    schema = SCHEMA.with_metadata({"evalspan": a_manifest().to_json()})
    lancedb.connect(str(tmp_path)).create_table("new", ROWS, schema=schema)
    assert helpers.read(f"lancedb:{tmp_path}#new").chunks == len(CHUNKS)


def test_an_addition_keeps_it_and_the_count_shows_that_it_lies(folder: Path, address: str) -> None:
    written = helpers.write(address)
    table(folder).add([ROWS[0] | {"chunk_id": "another"}])
    with open_index(address) as index:
        assert index.read_manifest() == written
        assert index.count() == written.chunks + 1


def test_an_overwrite_loses_it_and_a_tag_does_not_bring_it_back(folder: Path, address: str) -> None:
    helpers.write(address)
    table(folder).tags.create("live", table(folder).version)
    lancedb.connect(str(folder)).create_table("faq", ROWS[:2], schema=SCHEMA, mode="overwrite")
    message = helpers.refusal(address)
    assert "version 2 of the table had a manifest, and version 3 has none: the table was overwritten since" in message
    assert table(folder).tags.get_version("live") == 2
    helpers.write(address, a_manifest(chunks=2))
    assert helpers.read(address).chunks == 2


def test_an_index_that_is_open_reads_the_version_it_was_opened_at(folder: Path, address: str) -> None:
    with open_index(address) as index:
        table(folder).add([ROWS[0] | {"chunk_id": "another"}])
        assert index.count() == len(CHUNKS)


def test_langchains_layout_is_read(tmp_path: Path) -> None:
    rows = [{"id": "1", "text": "t", "metadata": {"source": "a", "start_index": 3}, "vector": [1.0, 2.0]}]
    lancedb.connect(str(tmp_path)).create_table("lc", rows)
    with open_index(f"lancedb:{tmp_path}#lc") as index:
        assert list(index.chunks()) == [("1", "t", "a", 3, None)]


def test_ids_that_are_numbers_are_found(tmp_path: Path) -> None:
    lancedb.connect(str(tmp_path)).create_table("n", [{"id": at, "text": str(at)} for at in range(1200)])
    with open_index(f"lancedb:{tmp_path}#n") as index:
        assert [one.chunk_id for one in index.chunks(["7", "x", "-1", "²", "5000"])] == ["7"]
        assert len(list(index.chunks())) == len(list(index.chunks(list(map(str, range(1200)))))) == 1200


def test_rows_without_an_id_are_told(tmp_path: Path) -> None:
    lancedb.connect(str(tmp_path)).create_table("bare", [{"text": "t", "vector": [1.0, 2.0]}])
    with open_index(f"lancedb:{tmp_path}#bare") as index, pytest.raises(CannotTell, match="chunk_id or id is wanted"):
        list(index.chunks())


def test_a_table_that_is_not_there_lists_those_that_are(folder: Path) -> None:
    assert "no table 'a b'. There is: faq." in helpers.refusal(f"lancedb:{folder}#a b")
    assert "no table '../x'" in helpers.refusal(f"lancedb:{folder}#../x")


def test_what_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    assert "no such folder" in helpers.refusal(f"lancedb:{tmp_path / 'nowhere'}#faq")
    assert not (tmp_path / "nowhere").exists()
    (tmp_path / "file").write_text("x")
    assert "is a file" in helpers.refusal(f"lancedb:{tmp_path / 'file'}#faq")
    assert "There is no table in it." in helpers.refusal(f"lancedb:{tmp_path}#faq")
    (tmp_path / "faq.lance" / "_versions").mkdir(parents=True)
    (tmp_path / "faq.lance" / "_versions" / "1.manifest").write_text(json.dumps({"other": "tool"}))
    before = content(tmp_path)
    assert "is no LanceDB table that can be read" in helpers.refusal(f"lancedb:{tmp_path}#faq")
    assert content(tmp_path) == before
