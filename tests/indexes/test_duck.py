"""A DuckDB table: its manifest is its comment, or a row beside it where the comment is the user's."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from evalspan.errors import CannotTell
from evalspan.indexes import open_index
from evalspan.indexes.sqltable import META_TABLE

from .samples import CHUNKS, a_manifest, content, of_the_future, tampered, too_long

COMMENT = "SELECT comment FROM duckdb_tables() WHERE table_name = ?"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """With a table of chunks."""
    path = tmp_path / "rag.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE chunks (chunk_id text, text text, doc_id text, start int, vector float[2])")
        rows = [(one, text, "a", at, [0.0, 1.0]) for at, (one, text) in enumerate(CHUNKS.items())]
        connection.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?)", rows)
    return path


def run(file: Path, *statements: str) -> None:
    with duckdb.connect(str(file)) as connection:
        for one in statements:
            connection.execute(one)


def write(address: str, text: str | None = None) -> None:
    """A manifest, or what somebody put in its place."""
    if text is None:
        with open_index(address, write=True) as index:
            index.write_manifest(a_manifest())
        return
    path, _, table = address.removeprefix("duckdb:").partition("#")
    literal = text.replace("'", "''")
    run(Path(path), f"COMMENT ON TABLE {table} IS '{literal}'")


def test_what_is_written_is_read(file: Path) -> None:
    manifest = a_manifest()
    with open_index(f"duckdb:{file}#chunks", write=True) as index:
        index.write_manifest(manifest)
        assert index.read_manifest() == manifest
    with open_index(f"duckdb:{file}#chunks") as index:
        assert index.read_manifest() == manifest


def test_chunks_come_back_with_their_ids_whatever_they_hold(file: Path) -> None:
    with open_index(f"duckdb:{file}#chunks") as index:
        assert index.count() == len(CHUNKS)
        chunks = list(index.chunks())
        assert {one.chunk_id: one.text for one in chunks} == CHUNKS
        assert {one.doc_id for one in chunks} == {"a"}
        assert sorted(one.start or 0 for one in chunks) == list(range(len(CHUNKS)))
        asked = [*list(CHUNKS)[2:4], "nowhere", "😀"]
        assert sorted(one.chunk_id for one in index.chunks(asked)) == sorted(asked[:2])
        assert list(index.chunks([])) == []


def test_reading_changes_nothing(file: Path) -> None:
    write(f"duckdb:{file}#chunks")
    before = content(file)
    with open_index(f"duckdb:{file}#chunks") as index:
        index.read_manifest()
        list(index.chunks())
    assert content(file) == before


def test_a_comment_of_the_users_stays_and_the_manifest_goes_beside_it(file: Path) -> None:
    run(file, "COMMENT ON TABLE chunks IS 'ours since 2024'")
    write(f"duckdb:{file}#chunks")
    with open_index(f"duckdb:{file}#chunks") as index:
        assert index.read_manifest() == a_manifest().model_copy(update={"created_at": index.read_manifest().created_at})
    with duckdb.connect(str(file)) as connection:
        assert connection.execute(COMMENT, ["chunks"]).fetchall() == [("ours since 2024",)]
    write(f"duckdb:{file}#chunks")
    with duckdb.connect(str(file)) as connection:
        assert connection.execute(f"SELECT name FROM {META_TABLE}").fetchall() == [("chunks",)]


def test_once_the_comment_is_free_the_manifest_stands_there_alone(file: Path) -> None:
    address = f"duckdb:{file}#chunks"
    run(file, "COMMENT ON TABLE chunks IS 'ours'")
    write(address)
    run(file, "COMMENT ON TABLE chunks IS NULL")
    with open_index(address, write=True) as index:
        index.write_manifest(a_manifest(chunks=7))
        assert index.read_manifest().chunks == 7
    with duckdb.connect(str(file)) as connection:
        assert connection.execute(f"SELECT * FROM {META_TABLE}").fetchall() == []


def test_two_manifests_that_differ_are_no_answer(file: Path) -> None:
    address = f"duckdb:{file}#chunks"
    run(file, "COMMENT ON TABLE chunks IS 'ours'")
    write(address)
    write(address, a_manifest(chunks=7).to_json())
    with open_index(address) as index, pytest.raises(CannotTell, match="different manifests"):
        index.read_manifest()


def test_a_table_that_was_replaced_has_no_manifest(file: Path) -> None:
    write(f"duckdb:{file}#chunks")
    run(file, "CREATE OR REPLACE TABLE chunks AS SELECT 'n' AS chunk_id, 'new' AS text")
    with open_index(f"duckdb:{file}#chunks") as index, pytest.raises(CannotTell, match="manifest write CHUNKING --ind"):
        index.read_manifest()


def test_added_columns_and_rows_leave_the_manifest(file: Path) -> None:
    write(f"duckdb:{file}#chunks")
    run(file, "ALTER TABLE chunks ADD COLUMN lang text", "INSERT INTO chunks (chunk_id, text) VALUES ('n', 'new')")
    with open_index(f"duckdb:{file}#chunks") as index:
        assert index.read_manifest().chunks + 1 == index.count()


def test_a_view_gives_columns_the_names_that_are_known(file: Path) -> None:
    run(file, "CREATE TABLE odd (nr int, body text)", "INSERT INTO odd VALUES (1, 'One.')")
    run(file, "CREATE VIEW shop AS SELECT nr AS chunk_id, body AS text FROM odd")
    with (
        open_index(f"duckdb:{file}#odd") as index,
        pytest.raises(CannotTell, match=r"there is: nr, body\. Make a view"),
    ):
        list(index.chunks())
    with open_index(f"duckdb:{file}#shop", write=True) as index:
        index.write_manifest(a_manifest())
        assert [(one.chunk_id, one.text) for one in index.chunks()] == [("1", "One.")]
    with open_index(f"duckdb:{file}#shop") as index:
        assert index.read_manifest().chunks == len(CHUNKS)


def test_a_table_without_texts_is_no_answer(file: Path) -> None:
    run(file, "CREATE TABLE vectors (id text, vector float[2])")
    with open_index(f"duckdb:{file}#vectors") as index, pytest.raises(CannotTell, match="no column of texts"):
        list(index.chunks())


def test_a_row_without_an_id_is_no_answer(file: Path) -> None:
    run(file, "INSERT INTO chunks (text) VALUES ('Whose?')")
    with open_index(f"duckdb:{file}#chunks") as index, pytest.raises(CannotTell, match="a row has no chunk_id"):
        list(index.chunks())


@pytest.mark.parametrize("name", ["shop's", "a.b", 'say "so"', "100%", "😀"])
def test_a_table_may_have_any_name(file: Path, name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    run(file, f"CREATE TABLE {quoted} (id text, content text)", f"INSERT INTO {quoted} VALUES ('1', 'One.')")
    with open_index(f"duckdb:{file}#{name}", write=True) as index:
        index.write_manifest(a_manifest())
        assert index.read_manifest().chunks == len(CHUNKS)
        assert [one.text for one in index.chunks()] == ["One."]


def test_a_name_in_two_schemas_must_be_said_with_its_schema(file: Path) -> None:
    run(file, "CREATE SCHEMA old", "CREATE TABLE old.chunks (id text, text text)")
    with pytest.raises(CannotTell, match=r"main\.chunks, old\.chunks"):
        open_index(f"duckdb:{file}#chunks")
    with open_index(f"duckdb:{file}#old.chunks") as index:
        assert index.count() == 0


def test_what_is_not_there_is_said_and_not_made(file: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotTell, match=r"no table 'chunk'\. There is: chunks"):
        open_index(f"duckdb:{file}#chunk")
    for write_too in (False, True):
        with pytest.raises(CannotTell, match="no such DuckDB file"):
            open_index(f"duckdb:{tmp_path / 'none.duckdb'}#chunks", write=write_too)
    assert not (tmp_path / "none.duckdb").exists()


def test_a_file_of_something_else_is_said(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    path.write_bytes(b"SQLite format 3\0" + b"\0" * 5000)
    with pytest.raises(CannotTell, match=r"x\.duckdb"):
        open_index(f"duckdb:{path}#chunks")


HOLD = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


@pytest.fixture
def held(file: Path) -> Iterator[Path]:
    """Open for writing in another process."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield file
        process.communicate("")


def test_a_file_that_another_process_holds_is_said(held: Path) -> None:
    before = content(held)
    for write_too in (False, True):
        with pytest.raises(CannotTell, match="another process holds it open for writing"):
            open_index(f"duckdb:{held}#chunks", write=write_too)
    assert content(held) == before


def test_a_file_that_this_process_writes_is_read_all_the_same(file: Path) -> None:
    write(f"duckdb:{file}#chunks")
    with duckdb.connect(str(file)) as connection:
        connection.execute("INSERT INTO chunks (chunk_id, text) VALUES ('n', 'new')")
        with open_index(f"duckdb:{file}#chunks") as index:
            assert index.count() == len(CHUNKS) + 1
            assert index.read_manifest().chunks == len(CHUNKS)


@pytest.mark.parametrize("write_too", [False, True])
@pytest.mark.parametrize(
    ("name", "content"),
    [("a.csv", b"chunk_id,text\n1,One.\n"), ("a.json", b"{}"), ("a.db", b"SQLite format 3\0" + b"\0" * 84), ("e", b"")],
)
def test_a_file_of_another_kind_is_said(tmp_path: Path, name: str, content: bytes, write_too: bool) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CannotTell, match=r"is no DuckDB file$"):
        open_index(f"duckdb:{tmp_path / name}#a", write=write_too)


def test_a_manifest_that_is_too_long_changes_nothing(file: Path) -> None:
    write(f"duckdb:{file}#chunks")
    before = content(file)
    with open_index(f"duckdb:{file}#chunks", write=True) as index, pytest.raises(CannotTell, match="2048"):
        index.write_manifest(too_long())
    assert content(file) == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (of_the_future(a_manifest()), "pip install -U evalspan"),
        (tampered(a_manifest()), "changed by hand"),
        (a_manifest().to_json()[:-20], "not JSON"),
    ],
)
def test_a_manifest_that_cannot_be_believed_is_no_answer(file: Path, text: str, said: str) -> None:
    write(f"duckdb:{file}#chunks", text)
    with open_index(f"duckdb:{file}#chunks") as index, pytest.raises(CannotTell, match=said):
        index.read_manifest()


def test_fields_that_are_not_known_are_kept(file: Path) -> None:
    write(f"duckdb:{file}#chunks", a_manifest().to_json().replace("{", '{"mine":"é",', 1))
    with open_index(f"duckdb:{file}#chunks", write=True) as index:
        manifest = index.read_manifest()
        index.write_manifest(manifest)
        assert index.read_manifest().model_dump()["mine"] == "é"


def test_offsets_and_documents_are_read_from_metadata_too(file: Path) -> None:
    run(
        file,
        "CREATE TABLE lc (langchain_id text, content text, langchain_metadata json)",
        """INSERT INTO lc VALUES ('1', 'One.', '{"source": "a.md", "start_index": 7}')""",
    )
    with open_index(f"duckdb:{file}#lc") as index:
        assert [(one.doc_id, one.start) for one in index.chunks()] == [("a.md", 7)]
