"""Which store is meant."""

import os
from pathlib import Path

import pytest

from evalspan.errors import BadInput
from evalspan.workflows.stores import store_address


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder two levels below the one with the settings."""
    monkeypatch.delenv("EVALSPAN_STORE", raising=False)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(below)
    return tmp_path


def configure(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text)


def test_the_option_comes_first_then_the_environment_then_the_settings_then_the_default(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store_address() == "evalspan.db"
    configure(folder, '[tool.evalspan]\nstore = "team.db"\n')
    assert os.path.realpath(store_address()) == os.path.realpath(folder / "team.db")
    monkeypatch.setenv("EVALSPAN_STORE", "env.db")
    assert store_address() == "env.db"
    assert store_address("given.db") == "given.db"


def test_a_url_is_taken_as_it_is(folder: Path) -> None:
    configure(folder, '[tool.evalspan]\nstore = "postgresql://me@host/db"\n')
    assert store_address() == "postgresql://me@host/db"


def test_the_nearest_settings_count(folder: Path) -> None:
    configure(folder, '[tool.evalspan]\nstore = "far.db"\n')
    configure(folder / "a", '[tool.evalspan]\nstore = "near.db"\n')
    assert Path(store_address()).resolve() == (folder / "a" / "near.db").resolve()


@pytest.mark.parametrize("text", ["not toml [", "[tool.evalspan]\nstore = 3\n"])
def test_settings_that_can_not_be_read_are_named(folder: Path, text: str) -> None:
    configure(folder, text)
    with pytest.raises(BadInput, match=r"pyproject\.toml: "):
        store_address()


@pytest.mark.parametrize("text", ['tool = "x"\n', "[tool]\nevalspan = 3\n"])
def test_settings_of_another_shape_are_named(folder: Path, text: str) -> None:
    configure(folder, text)
    with pytest.raises(BadInput, match=r"pyproject\.toml: "):
        store_address()
