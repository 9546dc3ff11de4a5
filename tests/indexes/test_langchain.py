"""What LangChain's own stores write to disk: a JSON dump, and FAISS with a pickle, which is never loaded."""

import pickle
import warnings
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore

from evalspan.errors import CannotTell
from evalspan.indexes import open_index
from evalspan.indexes.sidecar import SUFFIX

from .samples import CHUNKS, a_manifest, content

MODEL = DeterministicFakeEmbedding(size=3)


def documents() -> list[Document]:
    metadata = {"source": "a.md", "start_index": 7}
    return [Document(text, id=one, metadata=metadata) for one, text in CHUNKS.items()]


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    store = InMemoryVectorStore(MODEL)
    store.add_documents(documents())
    store.dump(str(tmp_path / "store.json"))
    return tmp_path / "store.json"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The folder of a FAISS store."""
    save(tmp_path / "saved", documents())
    return tmp_path / "saved"


def save(folder: Path, held: list[Document]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # langchain-community says of itself that it is no longer cared for
        from langchain_community.vectorstores import FAISS

    FAISS.from_documents(held, MODEL).save_local(str(folder))


def test_a_dump_keeps_its_manifest_beside_it(dump: Path) -> None:
    before = content(dump)
    manifest = a_manifest()
    with open_index(f"langchain:{dump}", write=True) as index:
        index.write_manifest(manifest)
    with open_index(f"langchain:{dump}") as index:
        assert index.read_manifest() == manifest
    assert {name: digest for name, digest in content(dump).items() if not name.endswith(SUFFIX)} == before


def test_chunks_of_a_dump_come_back(dump: Path) -> None:
    with open_index(f"langchain:{dump}") as index:
        assert index.count() == len(CHUNKS)
        assert {one.chunk_id: one.text for one in index.chunks()} == CHUNKS
        [chunk] = index.chunks(["😀", "nowhere"])
        assert (chunk.text, chunk.doc_id, chunk.start) == (CHUNKS["😀"], "a.md", 7)


def test_a_dump_that_was_written_anew_is_no_longer_the_one_spoken_of(dump: Path) -> None:
    with open_index(f"langchain:{dump}", write=True) as index:
        index.write_manifest(a_manifest())
    store = InMemoryVectorStore.load(str(dump), MODEL)
    store.add_documents([Document("More.")])
    store.dump(str(dump))
    with open_index(f"langchain:{dump}") as index, pytest.raises(CannotTell, match=r"another content of store\.json"):
        index.read_manifest()


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', '{"a": {"text": null}}', "\x80"])
def test_what_is_no_dump_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text, "latin-1")
    with pytest.raises(CannotTell, match=r"x\.json"):
        open_index(f"langchain:{tmp_path / 'x.json'}")


def test_a_saved_faiss_store_keeps_its_manifest_beside_its_vectors(saved: Path) -> None:
    manifest = a_manifest()
    with open_index(f"langchain:{saved}", write=True) as index:
        index.write_manifest(manifest)
    for address in (f"langchain:{saved}", f"langchain:{saved / 'index.faiss'}"):
        with open_index(address) as index:
            assert (index.read_manifest(), index.count()) == (manifest, len(CHUNKS))


def test_other_texts_under_the_same_vectors_are_another_content(saved: Path) -> None:
    with open_index(f"langchain:{saved}", write=True) as index:
        index.write_manifest(a_manifest())
    (saved / "index.pkl").write_bytes(pickle.dumps(({}, {})))
    with open_index(f"langchain:{saved}") as index, pytest.raises(CannotTell, match=r"another content of index\.pkl"):
        index.read_manifest()


class Trap:
    """Unpickled, it leaves a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def test_a_pickle_is_never_loaded(saved: Path, tmp_path: Path) -> None:
    (saved / "index.pkl").write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    with open_index(f"langchain:{saved}", write=True) as index:
        index.write_manifest(a_manifest())
        index.read_manifest()
        with pytest.raises(CannotTell, match="may run anything"):
            index.chunks()
    assert not (tmp_path / "sprung").exists()


def test_a_folder_of_several_indexes_asks_which(saved: Path) -> None:
    (saved / "other.faiss").write_bytes((saved / "index.faiss").read_bytes())
    with pytest.raises(CannotTell, match=r"index\.faiss, other\.faiss"):
        open_index(f"langchain:{saved}")


def test_a_folder_without_an_index_is_said(tmp_path: Path) -> None:
    with pytest.raises(CannotTell, match=r"no \.faiss file"):
        open_index(f"langchain:{tmp_path}")
