"""A persisted LlamaIndex storage context: nodes with vectors, texts in the docstore, the manifest beside them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalspan.errors import CannotTell
from evalspan.indexes import open_index
from evalspan.indexes.sidecar import SUFFIX

from .samples import CHUNKS, a_manifest, content

TEXT = " ".join(f"Sentence number {i} says something of its own." for i in range(60))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each case of `llamaindex_storage`."""
    root = tmp_path_factory.mktemp("storage")
    (root / "given.json").write_text(json.dumps({"chunks": CHUNKS, "text": TEXT}), "utf-8")
    script = Path(__file__).with_name("llamaindex_storage.py")
    subprocess.run([sys.executable, script, root, root / "given.json"], check=True, capture_output=True)
    return root


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made / "plain", tmp_path / "storage"))


def test_what_is_written_is_read_and_nothing_else_is_touched(folder: Path) -> None:
    before, manifest = content(folder), a_manifest()
    with open_index(f"llamaindex:{folder}", write=True) as index:
        index.write_manifest(manifest)
    with open_index(f"llamaindex:{folder}") as index:
        assert index.read_manifest() == manifest
        list(index.chunks())
    after = content(folder)
    assert {name: after[name] for name in before} == before
    assert [name for name in after if name not in before] == ["default__vector_store.json" + SUFFIX]


def test_nodes_come_back_and_whole_documents_do_not(folder: Path) -> None:
    with open_index(f"llamaindex:{folder}") as index:
        assert index.count() == len(CHUNKS)
        chunks = list(index.chunks())
        assert {one.chunk_id: one.text for one in chunks} == CHUNKS
        assert [one.start for one in chunks] == list(range(len(CHUNKS)))
        assert {one.doc_id for one in chunks} == {"a"}
        assert [one.chunk_id for one in index.chunks(["😀", "a", "nowhere"])] == ["😀"]


def test_without_vectors_the_docstore_is_the_index(made: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(made / "docstore", tmp_path / "docstore")
    with open_index(f"llamaindex:{folder}", write=True) as index:
        assert {one.chunk_id: one.text for one in index.chunks()} == CHUNKS
        index.write_manifest(a_manifest())
        assert index.read_manifest().chunks == len(CHUNKS)


def test_a_context_persisted_again_after_an_insert_is_no_longer_the_one_spoken_of(made: Path, folder: Path) -> None:
    with open_index(f"llamaindex:{folder}", write=True) as index:
        index.write_manifest(a_manifest())
    shutil.copytree(made / "more", folder, dirs_exist_ok=True)
    with open_index(f"llamaindex:{folder}") as index, pytest.raises(CannotTell, match="another content"):
        index.read_manifest()


def test_texts_changed_under_the_same_vectors_are_another_content(folder: Path) -> None:
    with open_index(f"llamaindex:{folder}", write=True) as index:
        index.write_manifest(a_manifest())
    docstore = folder / "docstore.json"
    docstore.write_text(docstore.read_text().replace("thirty days", "thirty-one days"))
    with open_index(f"llamaindex:{folder}") as index, pytest.raises(CannotTell, match=r"content of docstore\.json"):
        index.read_manifest()


def test_a_context_persisted_again_unchanged_keeps_its_manifest(made: Path, folder: Path) -> None:
    with open_index(f"llamaindex:{folder}", write=True) as index:
        index.write_manifest(a_manifest())
    shutil.copytree(made / "again", folder, dirs_exist_ok=True)
    with open_index(f"llamaindex:{folder}") as index:
        assert index.read_manifest().chunks == len(CHUNKS)


def test_offsets_of_a_part_of_a_node_count_from_the_document(made: Path) -> None:
    with open_index(f"llamaindex:{made / 'leaves'}") as index:
        chunks = list(index.chunks())
        assert len(chunks) > 4
        assert all(one.text == TEXT[one.start : one.end] for one in chunks)


def test_offsets_of_a_part_of_an_unknown_node_are_none(made: Path) -> None:
    with open_index(f"llamaindex:{made / 'orphans'}") as index:
        assert {(one.start, one.end) for one in index.chunks()} == {(None, None)}


def test_parents_in_a_ring_have_no_place(made: Path) -> None:
    with open_index(f"llamaindex:{made / 'ring'}") as index:
        assert [one.start for one in index.chunks()] == [None, None]


def test_offsets_that_are_not_known_are_none(made: Path) -> None:
    with open_index(f"llamaindex:{made / 'nowhere'}") as index:
        [chunk] = index.chunks()
        assert (chunk.text, chunk.doc_id, chunk.start, chunk.end) == ("One.", None, None, None)


def change(file: Path, key: str, value: Any) -> None:
    row = json.loads(file.read_text())
    file.write_text(json.dumps({**row, key: value}))


def test_nodes_are_read_out_of_node_content_too(folder: Path) -> None:
    node = {"text": "One.", "start_char_idx": 3, "end_char_idx": 7, "relationships": {"1": {"node_id": "b"}}}
    vectors = folder / "default__vector_store.json"
    change(vectors, "embedding_dict", {"n": [0.1]})
    change(vectors, "metadata_dict", {"n": {"_node_content": json.dumps(node), "document_id": "None"}})
    with open_index(f"llamaindex:{folder}") as index:
        [chunk] = index.chunks()
        assert chunk == ("n", "One.", "b", 3, 7)


def test_a_vector_without_a_node_has_no_text(folder: Path) -> None:
    vectors = folder / "default__vector_store.json"
    change(vectors, "embedding_dict", {"n": [0.1]})
    change(vectors, "text_id_to_ref_doc_id", {"n": "a"})
    with open_index(f"llamaindex:{folder}") as index:
        assert list(index.chunks()) == [("n", None, "a", None, None)]


def test_two_stores_of_vectors_ask_which(folder: Path) -> None:
    other = folder / "other__vector_store.json"
    other.write_bytes((folder / "default__vector_store.json").read_bytes())
    with pytest.raises(CannotTell, match=r"default__vector_store\.json, other__vector_store\.json"):
        open_index(f"llamaindex:{folder}")
    with open_index(f"llamaindex:{other}") as index:
        assert index.count() == len(CHUNKS)


@pytest.mark.parametrize("name", ["docstore.json", "default__vector_store.json"])
@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"embedding_dict": 1, "docstore/data": {"n": {}}, "x/data": {"n": {}}}']
)
def test_files_that_cannot_be_read_are_said(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(CannotTell, match="llamaindex:"):
        open_index(f"llamaindex:{folder}")


def test_a_folder_of_something_else_is_said(tmp_path: Path) -> None:
    with pytest.raises(CannotTell, match=r"no folder of StorageContext\.persist"):
        open_index(f"llamaindex:{tmp_path}")
    with pytest.raises(CannotTell, match="no such folder"):
        open_index(f"llamaindex:{tmp_path / 'none'}")
