"""A FAISS file holds vectors alone: its manifest is a sidecar, and knows the file by content and count."""

import json
from pathlib import Path

import faiss
import numpy as np
import pytest

from evalspan.errors import CannotTell, Unwritable
from evalspan.indexes import open_index
from evalspan.indexes.sidecar import SUFFIX

from .samples import a_manifest, content, too_long


def put(path: Path, count: int = 3, ids: list[int] | None = None) -> Path:
    vectors = np.arange(2 * count, dtype="float32").reshape(count, 2)
    flat = faiss.IndexFlatL2(2)
    if ids is None:
        flat.add(vectors)
        faiss.write_index(flat, str(path))
    else:
        named = faiss.IndexIDMap(flat)
        named.add_with_ids(vectors, np.array(ids))
        faiss.write_index(named, str(path))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return put(tmp_path / "my index.faiss")


def write(file: Path) -> None:
    with open_index(f"faiss:{file}", write=True) as index:
        index.write_manifest(a_manifest(chunks=3))


def sidecar(file: Path) -> Path:
    return file.with_name(file.name + SUFFIX)


def test_what_is_written_is_read(file: Path) -> None:
    manifest = a_manifest(chunks=3)
    with open_index(f"faiss:{file}", write=True) as index:
        index.write_manifest(manifest)
    with open_index(f"faiss:{file}") as index:
        assert index.read_manifest() == manifest
        assert index.count() == 3


def test_only_the_sidecar_is_written_and_reading_writes_nothing(file: Path) -> None:
    before = content(file)
    write(file)
    after = content(file)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {sidecar(file).name}
    with open_index(f"faiss:{file}") as index:
        index.read_manifest()
    assert content(file) == after


def test_an_index_without_a_sidecar_is_no_answer(file: Path) -> None:
    with open_index(f"faiss:{file}") as index, pytest.raises(CannotTell, match="no such manifest beside the index"):
        index.read_manifest()


def test_a_file_that_was_written_anew_is_no_longer_the_one_spoken_of(file: Path) -> None:
    write(file)
    put(file, count=4)
    with open_index(f"faiss:{file}") as index, pytest.raises(CannotTell, match=r"another content of my index\.faiss"):
        index.read_manifest()


def test_equal_counts_do_not_hide_another_content(file: Path) -> None:
    write(file)
    put(file, ids=[7, 8, 9])
    with open_index(f"faiss:{file}") as index, pytest.raises(CannotTell, match="another content"):
        index.read_manifest()


def test_a_count_that_differs_is_said(file: Path) -> None:
    write(file)
    row = json.loads(sidecar(file).read_text())
    sidecar(file).write_text(json.dumps({**row, "count": 6}))
    with (
        open_index(f"faiss:{file}") as index,
        pytest.raises(CannotTell, match="index of 6 chunks, and this one holds 3"),
    ):
        index.read_manifest()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "can't be read"),
        ("[]", "not a sidecar"),
        ("\N{SNOWMAN}", "can't be read"),
        ('{"evalspan_sidecar": true}', "not a sidecar"),
        ('{"evalspan_sidecar": 2}', "Upgrade: pip install -U evalspan"),
        ('{"evalspan_sidecar": 1, "files": [], "count": 3, "manifest": {}}', "is missing"),
        ('{"evalspan_sidecar": 1, "files": {}, "count": 3, "manifest": {}}', "not a manifest"),
        (a_manifest().to_json(), "not a sidecar"),
    ],
)
def test_a_sidecar_that_cannot_be_believed_is_no_answer(file: Path, text: str, said: str) -> None:
    sidecar(file).write_text(text, "utf-8")
    with open_index(f"faiss:{file}") as index, pytest.raises(CannotTell, match=said):
        index.read_manifest()


def test_a_manifest_that_was_changed_by_hand_is_no_answer(file: Path) -> None:
    write(file)
    sidecar(file).write_text(sidecar(file).read_text().replace('"plain"', '"other"'))
    with open_index(f"faiss:{file}") as index, pytest.raises(CannotTell, match="changed by hand"):
        index.read_manifest()


def test_a_manifest_that_is_too_long_changes_nothing(file: Path) -> None:
    write(file)
    before = content(file)
    with open_index(f"faiss:{file}", write=True) as index, pytest.raises(CannotTell, match="2048"):
        index.write_manifest(too_long())
    assert content(file) == before


def test_ids_come_back_where_the_file_has_them(tmp_path: Path) -> None:
    file = put(tmp_path / "x", ids=[7, 8, 9])
    with open_index(f"faiss:{file}") as index:
        assert [(one.chunk_id, one.text) for one in index.chunks()] == [("7", None), ("8", None), ("9", None)]
        assert [one.chunk_id for one in index.chunks(["9", "nine"])] == ["9"]


def test_positions_are_no_chunk_ids(file: Path) -> None:
    with open_index(f"faiss:{file}") as index, pytest.raises(CannotTell, match="by position"):
        index.chunks()


def test_what_is_no_index_is_said(tmp_path: Path) -> None:
    (tmp_path / "text.faiss").write_text("hello")
    with open_index(f"faiss:{tmp_path / 'text.faiss'}") as index, pytest.raises(CannotTell, match="not a FAISS index"):
        index.count()
    with pytest.raises(CannotTell, match="langchain:"):
        open_index(f"faiss:{tmp_path}")
    with pytest.raises(CannotTell, match="no such FAISS index"):
        open_index(f"faiss:{tmp_path / 'none'}", write=True)
    assert not (tmp_path / "none").exists()


def test_a_folder_that_cannot_be_written_is_said(file: Path) -> None:
    sidecar(file).mkdir()
    (sidecar(file) / "x").write_text("")
    with open_index(f"faiss:{file}", write=True) as index, pytest.raises(Unwritable):
        index.write_manifest(a_manifest(chunks=3))
