"""Addresses: what is taken for a store, and that no message shows a password."""

import importlib.util
from pathlib import Path

import pytest

from evalspan.errors import StoreError
from evalspan.store import DEFAULT_ADDRESS, Store, create_store, parse_address


@pytest.mark.parametrize("text", ["evalspan.db", "data/x.db", "./a b.db", "100%.db", "what?.db", "#1.db"])
def test_a_path_is_a_file_of_sqlite(text: str) -> None:
    address = parse_address(text)
    assert (address.path, address.shown) == (Path(text).absolute(), text)


def test_a_url_of_sqlite_is_a_file_too(tmp_path: Path) -> None:
    assert parse_address("sqlite:///data/x.db").path == Path("data/x.db").absolute()
    assert parse_address(f"sqlite:///{tmp_path}/x.db").path == tmp_path / "x.db"


@pytest.mark.parametrize("name", ["a b.db", "100%.db", "what?.db", "#1.db", "ü.db", "a%20b.db"])
def test_any_name_of_a_file_will_do(tmp_path: Path, name: str) -> None:
    create_store(str(tmp_path / name))
    Store.open(str(tmp_path / name)).close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("text", ["postgresql://u@h/d", "postgres://u@h/d", "postgresql+psycopg://u@h/d"])
def test_postgres_is_spelled_in_several_ways(text: str) -> None:
    address = parse_address(text)
    assert (address.path, address.url.drivername, address.shown) == (None, "postgresql+psycopg", "postgresql://u@h/d")


@pytest.mark.parametrize("text", ["sqlite://", "sqlite:///", ":memory:", "sqlite:///:memory:", "file:x.db"])
def test_a_store_in_memory_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(StoreError, match="gone with the process"):
        parse_address(text)


@pytest.mark.parametrize(
    "text", ["mysql://u:secret@h/d", "http://u:secret@h", "://secret", "postgresql://u:secret@h:x/d"]
)
def test_anything_else_is_refused_without_its_password(text: str) -> None:
    with pytest.raises(StoreError, match="It is a file") as caught:
        parse_address(text)
    assert "secret" not in str(caught.value)


def test_an_empty_address_is_refused() -> None:
    with pytest.raises(StoreError, match=r"--store evalspan\.db"):
        parse_address(" ")


@pytest.mark.parametrize("text", ["postgresql://u:secret@h/d", "postgresql://u@h/d?password=secret&sslmode=require"])
def test_a_password_is_not_shown(text: str) -> None:
    address = parse_address(text)
    assert "secret" not in address.shown
    assert "secret" not in address.option
    assert "secret" not in repr(address)


def test_a_server_that_does_not_answer_is_one_line_without_the_password() -> None:
    for attempt in (Store.open, create_store):
        with pytest.raises(StoreError) as caught:
            attempt("postgresql://u:secret@127.0.0.1:1/d")
        assert "secret" not in str(caught.value)
        assert "\n" not in str(caught.value)
        assert str(caught.value).startswith("postgresql://u@127.0.0.1:1/d: ")


def test_the_command_names_the_store_unless_it_is_the_usual_one() -> None:
    assert parse_address(DEFAULT_ADDRESS).command("init") == "evalspan init"
    assert parse_address("my data/x.db").command("init") == "evalspan init --store 'my data/x.db'"


def test_postgres_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(StoreError, match=r"pip install 'evalspan\[postgres\]'"):
        parse_address("postgresql://u@h/d")
