"""A store with the sample corpus in it, copied for each test that wants one."""

import shutil
from pathlib import Path

import pytest

from .helpers import SAMPLE, fine


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EVALSPAN_STORE", "EVALSPAN_CORES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("EVALSPAN_USER", "tester")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def _template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVALSPAN_USER", "tester")
        return _fill(tmp_path_factory.mktemp("template"))


def _fill(folder: Path) -> Path:
    store = ("--store", folder / "evalspan.db")
    fine("init", *store)
    fine("snapshot", "add", SAMPLE / "documents.jsonl", "--name", "v1", *store)
    fine("chunking", "add", "old", SAMPLE / "chunks-old.jsonl", *store)
    fine("chunking", "add", "new", SAMPLE / "chunks-new.jsonl", "--splitter", "md", "--param", "size=320", *store)
    labels = ("--labels", SAMPLE / "qrels.txt", "--questions", SAMPLE / "questions.jsonl", "--chunking", "old")
    fine("set", "import", "shop", *labels, *store)
    for name in ("old", "new"):
        fine("manifest", "write", name, "--out", folder / f"{name}.json", *store)
    return folder


@pytest.fixture
def shop(_template: Path, here: Path) -> Path:
    """The working folder, with a store in evalspan.db: snapshot v1, chunkings old and new, the set shop@1 whose labels
    name chunks of old, and the manifests old.json and new.json."""
    for path in _template.iterdir():
        shutil.copy(path, here)
    return here


@pytest.fixture
def second_snapshot(shop: Path) -> Path:
    """With the snapshot v2, its chunking new2 and new2.json as well."""
    fine("snapshot", "add", SAMPLE / "documents-v2.jsonl", "--name", "v2")
    fine("chunking", "add", "new2", SAMPLE / "chunks-v2.jsonl", "--snapshot", "v2")
    fine("manifest", "write", "new2", "--out", "new2.json")
    return shop
