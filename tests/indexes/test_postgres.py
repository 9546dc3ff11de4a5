"""A table of PostgreSQL, of pgvector or any other: the manifest is its comment, or a row beside it."""

import uuid
from collections.abc import Iterator
from urllib.parse import quote

import psycopg
import pytest

from evalspan.errors import CannotTell
from evalspan.indexes import open_index
from evalspan.indexes.sqltable import META_TABLE

from .samples import CHUNKS, a_manifest, of_the_future, tampered, too_long


@pytest.fixture
def url(postgres: str) -> Iterator[str]:
    """Of a schema of its own, with a table of chunks."""
    schema = f"t{uuid.uuid4().hex}"
    url = f"{postgres}&options={quote(f'-csearch_path={schema}')}"
    run(postgres, f"CREATE SCHEMA {schema}")
    run(url, "CREATE TABLE chunks (chunk_id text, text text, doc_id text, start int, vector real[])")
    with psycopg.connect(url) as connection:
        rows = [(one, text, "a", at, [0.0, 1.0]) for at, (one, text) in enumerate(CHUNKS.items())]
        connection.cursor().executemany("INSERT INTO chunks VALUES (%s, %s, %s, %s, %s)", rows)
    yield url
    run(postgres, f"DROP SCHEMA {schema} CASCADE")


def run(url: str, *statements: str) -> list[tuple[object, ...]]:
    """What the last one gives."""
    with psycopg.connect(url, autocommit=True) as connection:
        for one in statements:
            cursor = connection.execute(one.encode())
        return cursor.fetchall() if cursor.description else []


def write(address: str) -> None:
    with open_index(address, write=True) as index:
        index.write_manifest(a_manifest())


def comment(url: str, text: str, table: str = "chunks") -> None:
    literal = text.replace("'", "''")
    run(url, f"COMMENT ON TABLE {table} IS '{literal}'")


def test_what_is_written_is_read(url: str) -> None:
    manifest = a_manifest()
    with open_index(f"{url}#chunks", write=True) as index:
        index.write_manifest(manifest)
        assert index.read_manifest() == manifest
    with open_index(f"{url}#chunks") as index:
        assert index.read_manifest() == manifest


def test_chunks_come_back_with_their_ids_whatever_they_hold(url: str) -> None:
    with open_index(f"{url}#chunks") as index:
        assert index.count() == len(CHUNKS)
        chunks = list(index.chunks())
        assert {one.chunk_id: one.text for one in chunks} == CHUNKS
        assert sorted(one.start or 0 for one in chunks) == list(range(len(CHUNKS)))
        asked = [*list(CHUNKS)[2:4], "nowhere", "😀"]
        assert sorted(one.chunk_id for one in index.chunks(asked)) == sorted(asked[:2])


def test_a_reading_left_half_way_hinders_nothing(url: str) -> None:
    with open_index(f"{url}#chunks") as index:
        chunks = index.chunks()
        next(chunks)
        assert index.count() == len(CHUNKS)
        assert len(list(index.chunks(list(CHUNKS)))) == len(CHUNKS)
        assert len(list(chunks)) == len(CHUNKS) - 1


def test_an_index_opened_to_read_writes_nothing(url: str) -> None:
    with open_index(f"{url}#chunks") as index, pytest.raises(CannotTell, match="read-only"):
        index.write_manifest(a_manifest())
    assert run(url, "SELECT obj_description('chunks'::regclass, 'pg_class')") == [(None,)]


def test_a_comment_of_the_users_stays_and_the_manifest_goes_beside_it(url: str) -> None:
    comment(url, "ours since 2024")
    write(f"{url}#chunks")
    write(f"{url}#chunks")
    assert run(url, "SELECT obj_description('chunks'::regclass, 'pg_class')") == [("ours since 2024",)]
    assert run(url, f"SELECT name FROM {META_TABLE}") == [("chunks",)]
    with open_index(f"{url}#chunks") as index:
        assert index.read_manifest().chunks == len(CHUNKS)


def test_two_manifests_that_differ_are_no_answer(url: str) -> None:
    comment(url, "ours")
    write(f"{url}#chunks")
    comment(url, a_manifest(chunks=7).to_json())
    with open_index(f"{url}#chunks") as index, pytest.raises(CannotTell, match="different manifests"):
        index.read_manifest()


def test_a_table_that_was_replaced_has_no_manifest(url: str) -> None:
    write(f"{url}#chunks")
    run(url, "DROP TABLE chunks", "CREATE TABLE chunks (id text, text text)")
    with open_index(f"{url}#chunks") as index, pytest.raises(CannotTell, match="holds no manifest"):
        index.read_manifest()


def test_a_view_gives_columns_the_names_that_are_known(url: str) -> None:
    run(url, "CREATE TABLE odd (nr int, body text)", "INSERT INTO odd VALUES (1, 'One.')")
    run(url, "CREATE VIEW shop AS SELECT nr AS chunk_id, body AS text FROM odd")
    run(url, "CREATE MATERIALIZED VIEW kept AS SELECT * FROM shop")
    with open_index(f"{url}#odd") as index, pytest.raises(CannotTell, match=r"there is: nr, body\. Make a view"):
        list(index.chunks())
    for name in ("shop", "kept"):
        write(f"{url}#{name}")
        with open_index(f"{url}#{name}") as index:
            assert index.read_manifest().chunks == len(CHUNKS)
            assert [(one.chunk_id, one.text) for one in index.chunks(["1"])] == [("1", "One.")]


@pytest.mark.parametrize("name", ["shop's", "a.b", 'say "so"', "100%", "😀"])
def test_a_table_may_have_any_name(url: str, name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    run(url, f"CREATE TABLE {quoted} (id text, content text)", f"INSERT INTO {quoted} VALUES ('1', 'One.')")
    write(f"{url}#{name}")
    with open_index(f"{url}#{name}") as index:
        assert index.read_manifest().chunks == len(CHUNKS)
        assert [one.text for one in index.chunks()] == ["One."]


def test_a_table_of_another_schema_is_named_with_it(url: str, postgres: str) -> None:
    [(schema,)] = run(url, "SELECT current_schema()")
    with pytest.raises(CannotTell, match="no table 'chunks'"):
        open_index(f"{postgres}#chunks")
    with open_index(f"{postgres}#{schema}.chunks") as index:
        assert index.count() == len(CHUNKS)


def test_ids_that_are_no_text_are_found_again(url: str) -> None:
    one = uuid.uuid4()
    run(url, "CREATE TABLE lc (langchain_id uuid, content text, embedding real[], langchain_metadata json)")
    run(url, f"""INSERT INTO lc VALUES ('{one}', 'One.', NULL, '{{"source": "a.md", "start_index": 7}}')""")
    with open_index(f"{url}#lc") as index:
        [chunk] = index.chunks([str(one)])
        assert (chunk.chunk_id, chunk.doc_id, chunk.start) == (str(one), "a.md", 7)


def test_llamaindex_tables_are_read_by_their_node_ids(url: str) -> None:
    run(url, "CREATE TABLE data_docs (id bigserial, text varchar, metadata_ json, node_id varchar, embedding real[])")
    node = '{"ref_doc_id": "a", "_node_content": "{\\"start_char_idx\\": 3, \\"end_char_idx\\": 7}"}'
    run(url, f"INSERT INTO data_docs (text, metadata_, node_id) VALUES ('One.', '{node}', 'n1')")
    with open_index(f"{url}#data_docs") as index:
        [chunk] = index.chunks()
        assert (chunk.chunk_id, chunk.doc_id, chunk.start, chunk.end) == ("n1", "a", 3, 7)


def test_what_is_not_there_is_said(url: str) -> None:
    with pytest.raises(CannotTell, match=r"no table 'chunk'\. There is: .*chunks"):
        open_index(f"{url}#chunk")
    with pytest.raises(CannotTell, match=r"refused|No such file") as refused:
        open_index("postgresql://ada:secret@127.0.0.1:1/db#chunks")
    assert "secret" not in str(refused.value)


def test_a_table_that_belongs_to_somebody_else_is_left_alone(url: str, postgres: str) -> None:
    [(schema,)] = run(url, "SELECT current_schema()")
    role = f"r{uuid.uuid4().hex}"
    run(postgres, f"CREATE ROLE {role} LOGIN", f"GRANT USAGE ON SCHEMA {schema} TO {role}")
    run(postgres, f"GRANT SELECT ON {schema}.chunks TO {role}")
    try:
        theirs = f"{postgres}&options={quote(f'-csearch_path={schema} -crole={role}')}#chunks"
        with open_index(theirs, write=True) as index:
            assert index.count() == len(CHUNKS)
            with pytest.raises(CannotTell, match="must be owner"):
                index.write_manifest(a_manifest())
    finally:
        run(postgres, f"DROP OWNED BY {role}", f"DROP ROLE {role}")


def test_a_manifest_that_is_too_long_changes_nothing(url: str) -> None:
    write(f"{url}#chunks")
    with open_index(f"{url}#chunks", write=True) as index:
        with pytest.raises(CannotTell, match="2048"):
            index.write_manifest(too_long())
        assert index.read_manifest().chunks == len(CHUNKS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (of_the_future(a_manifest()), "pip install -U evalspan"),
        (tampered(a_manifest()), "changed by hand"),
        (a_manifest().to_json()[:-20], "not JSON"),
    ],
)
def test_a_manifest_that_cannot_be_believed_is_no_answer(url: str, text: str, said: str) -> None:
    comment(url, text)
    with open_index(f"{url}#chunks") as index, pytest.raises(CannotTell, match=said):
        index.read_manifest()
