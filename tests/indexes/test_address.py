"""Where an index is: taken apart, or refused with the forms there are."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.errors import BadInput
from evalspan.indexes import KINDS, IndexAddress, is_index, open_index, parse_address

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("address", "parsed"),
    [
        ("chroma:./index#faq", ("chroma", "./index", "faq")),
        ("chroma:http://localhost:8000#faq", ("chroma", "http://localhost:8000", "faq")),
        ("qdrant:/data/a b#x y", ("qdrant", "/data/a b", "x y")),
        ("lancedb:C:\\data#t", ("lancedb", "C:\\data", "t")),
        ("lancedb:s3://bucket/x#t", ("lancedb", "s3://bucket/x", "t")),
        ("milvus:rag.db#faq", ("milvus", "rag.db", "faq")),
        ("duckdb:a#b.duckdb#main.chunks", ("duckdb", "a#b.duckdb", "main.chunks")),
        ("faiss:folder#1/index.faiss", ("faiss", "folder#1/index.faiss", "")),
        ("llamaindex:storage", ("llamaindex", "storage", "")),
        ("langchain:store.json", ("langchain", "store.json", "")),
        ("postgresql://u:p@h/d#t", ("postgres", "postgresql://u:p@h/d", "t")),
        ("postgres://h/d#s.t", ("postgres", "postgres://h/d", "s.t")),
        ("postgresql+psycopg://h/d#t", ("postgres", "postgresql+psycopg://h/d", "t")),
    ],
)
def test_each_form_is_taken_apart(address: str, parsed: tuple[str, str, str]) -> None:
    assert is_index(address)
    assert parse_address(address) == IndexAddress(*parsed)


@pytest.mark.parametrize("path", ["index.json", "./chroma", "C:\\index.json", "a/b:c.json", "", "#", "x#y"])
def test_anything_else_is_the_path_of_a_file(path: str) -> None:
    assert not is_index(path)
    with pytest.raises(BadInput, match="names no index") as caught:
        parse_address(path)
    assert all(form in str(caught.value) for form in KINDS.values())


@pytest.mark.parametrize(
    "address", ["pinecone:x#y", "http://host/x", "Chroma:x#y", "postgres:x#y", "s3://bucket/m.json"]
)
def test_an_unknown_kind_is_refused_with_those_there_are(address: str) -> None:
    with pytest.raises(BadInput, match="is no kind of index that is known here") as caught:
        is_index(address)
    assert all(form in str(caught.value) for form in KINDS.values())
    assert "the path of a manifest file" in str(caught.value)


def test_a_file_that_is_called_like_an_address_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nightly:new.json").write_text("{}")
    assert not is_index("nightly:new.json")


@pytest.mark.parametrize("address", ["chroma:index", "chroma:index#", "chroma:#faq", "chroma:", "postgresql://h/d"])
def test_a_collection_must_be_named(address: str) -> None:
    with pytest.raises(BadInput, match="say which one in it: "):
        parse_address(address)


def test_a_place_must_be_named() -> None:
    with pytest.raises(BadInput, match="names no place: faiss:FILE"):
        parse_address("faiss:")
    with pytest.raises(BadInput, match="NUL"):
        parse_address("chroma:a\0b#c")


def test_no_password_is_shown() -> None:
    address = "postgresql://me:s3cret@host/db"
    assert parse_address(f"{address}#t").shown == "postgresql://me:***@host/db#t"
    with pytest.raises(BadInput) as caught:
        parse_address(address)
    assert "s3cret" not in str(caught.value)
    assert parse_address("qdrant:http://me:s3cret@host#t").shown == "qdrant:http://me:***@host#t"


@law
@given(st.sampled_from([kind for kind, form in KINDS.items() if "#" in form and kind != "postgres"]), words, words)
def test_what_is_put_together_is_taken_apart(kind: str, path: str, name: str) -> None:
    name = name.replace("#", "_")
    parsed = parse_address(f"{kind}:{path}#{name}")
    assert parsed == (kind, path, name)


def test_a_plain_path_opens_no_index() -> None:
    with pytest.raises(BadInput, match="names no index"):
        open_index("index.json")
