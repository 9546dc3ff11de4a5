"""A set's name or a set file: which is meant, and that both give the same set."""

from pathlib import Path

import pytest

from evalspan.errors import BadInput, NoStore, NotFound
from evalspan.formats.setfile import render_set
from evalspan.labels import JudgedQuestion, Question, SetTerms
from evalspan.provenance import Provenance
from evalspan.store import Store, create_store
from evalspan.workflows.set_references import find_set, is_set_file

BY = Provenance(by="ada", at="2026-03-01T09:30:00Z")


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    """A store with faq@1."""
    address = str(tmp_path / "evalspan.db")
    create_store(address)
    store = Store.open(address)
    with store.writing() as tx:
        question = JudgedQuestion(question=Question(query_id="q1", text="How?"))
        tx.add_version("faq", None, SetTerms(snapshot_digest="0" * 32), [question.body()], BY)
    return store


def test_a_set_is_the_same_from_the_store_and_from_its_file(kept: Store, tmp_path: Path) -> None:
    with kept as store:
        found = find_set("faq@1", store)
    path = tmp_path / "faq.jsonl"
    path.write_text("".join(render_set(found.eval_set)), "utf-8")
    from_file = find_set(path, None)
    assert from_file.eval_set.digest == found.eval_set.digest
    assert (found.label, from_file.label) == ("faq@1", str(path))
    assert found.record is not None
    assert from_file.record is None


def test_a_file_asks_for_no_store(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text('{"evalspan_set": 1, "terms": {"snapshot_digest": ""}}\n')
    assert find_set(tmp_path / "s.jsonl", str(tmp_path / "no.db")).eval_set.questions == ()
    with pytest.raises(NoStore):
        find_set("s", str(tmp_path / "no.db"))


def test_what_is_not_there_is_named(kept: Store, tmp_path: Path) -> None:
    with kept as store, pytest.raises(NotFound, match="There is: faq"):
        find_set("nope", store)
    with pytest.raises(BadInput, match="no such file"):
        find_set(tmp_path / "nope.jsonl")


@pytest.mark.parametrize(
    ("reference", "file"),
    [
        ("gone.jsonl", True),
        ("there", True),
        ("folder", False),
        ("faq", False),
        ("faq@2", False),
        ("", False),
        ("a\0b", False),
        ("x" * 5000, False),
        (Path("faq"), True),
    ],
    ids=["ending", "a file", "a folder", "name", "version", "empty", "NUL", "long", "a path"],
)
def test_which_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str | Path, file: bool) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").touch()
    (tmp_path / "folder").mkdir()
    assert is_set_file(reference) is file
