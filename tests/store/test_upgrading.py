"""The schema: one road to it, and every past store finds its way."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from evalspan.errors import StoreError
from evalspan.store import Store, create_store, parse_address, upgrade_store
from evalspan.store import look as looking
from evalspan.store import upgrade as upgrading
from evalspan.store.engine import make_engine
from evalspan.store.schema import METADATA, PREFIX, REVISIONS, VERSION_TABLE

from .helpers import fill, query

ROOT = Path(__file__).parents[2]
OLD_STORES = sorted((ROOT / "tests" / "old_stores").glob("*.sql"))


def test_the_chain_of_revisions_is_that_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(upgrading.migrations_folder()))
    script = ScriptDirectory.from_config(config)
    assert len(script.get_heads()) == 1
    assert tuple(step.revision for step in reversed(list(script.walk_revisions()))) == REVISIONS


def test_revisions_stand_for_themselves() -> None:
    for path in (upgrading.migrations_folder() / "versions").glob("*.py"):
        assert "import evalspan" not in path.read_text(encoding="utf-8")
        assert "from evalspan" not in path.read_text(encoding="utf-8")


def test_the_tables_are_what_the_revisions_make(address: str) -> None:
    create_store(address)
    engine = make_engine(parse_address(address))
    try:
        with engine.connect() as connection:
            options = {
                "version_table": VERSION_TABLE,
                "compare_type": True,
                "include_name": lambda name, kind, _: kind != "table" or name.startswith(PREFIX),
            }
            assert compare_metadata(MigrationContext.configure(connection, opts=options), METADATA) == []
    finally:
        engine.dispose()


def test_the_laws_that_tables_guard_are_those_of_the_revisions() -> None:
    """Alembic compares no CHECK, so their names and texts are compared here."""
    written = (upgrading.migrations_folder() / "versions" / "0001_first_tables.py").read_text(encoding="utf-8")
    for table in METADATA.tables.values():
        for constraint in table.constraints:
            if constraint.__visit_name__ == "check_constraint":
                assert f'"{constraint.name}"' in written
                assert f'"{constraint.sqltext}"' in written  # type: ignore[attr-defined]


def test_upgrading_a_current_store_changes_nothing(store: Store, address: str) -> None:
    fill(store)
    before = store.info()
    assert upgrade_store(address) == (REVISIONS[-1], REVISIONS[-1])
    assert store.info() == before


def test_a_schema_that_was_taken_back_is_brought_up_again(address: str) -> None:
    create_store(address)
    with upgrading.upgrading(parse_address(address)) as connection:
        for table in reversed(METADATA.sorted_tables):
            connection.exec_driver_sql(f"DROP TABLE {table.name}")
        connection.exec_driver_sql(f"DELETE FROM {VERSION_TABLE}")
    assert upgrade_store(address) == (None, REVISIONS[-1])
    with Store.open(address) as store:
        fill(store)


NEXT = "9999"

NEXT_REVISION = """
import sqlalchemy as sa
from alembic import op
revision = "{new}"
down_revision = "{old}"


def upgrade():
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    with op.batch_alter_table("evalspan_snapshot", recreate=recreate) as batch:
        batch.add_column(sa.Column("colour", sa.Text(), nullable=True))
    {more}
"""


def next_step(more: str = "") -> str:
    return NEXT_REVISION.format(new=NEXT, old=REVISIONS[-1], more=more)


@pytest.fixture
def next_revision(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of today, one of everything in it; and where to write the revision after today's."""
    fill(store)
    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    original = upgrading.migrations_folder()
    steps = [f"versions/{path.name}" for path in (original / "versions").glob("*.py")]
    for name in ("env.py", "script.py.mako", *steps):
        (folder / name).write_text((original / name).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(upgrading, "migrations_folder", lambda: folder)
    monkeypatch.setattr(upgrading, "REVISIONS", (*REVISIONS, NEXT))
    monkeypatch.setattr(looking, "REVISIONS", (*REVISIONS, NEXT))
    return folder / "versions" / f"{NEXT}.py"


def test_rebuilding_a_table_keeps_the_rows_that_point_to_it(store: Store, address: str, next_revision: Path) -> None:
    before = store.info()
    next_revision.write_text(next_step())
    assert upgrade_store(address) == (REVISIONS[-1], NEXT)
    assert store.info() == before
    assert query(address, "SELECT colour FROM evalspan_snapshot") == [(None,)]
    assert upgrade_store(address) == (NEXT, NEXT)


def test_an_upgrade_that_fails_changes_nothing(store: Store, address: str, next_revision: Path) -> None:
    next_revision.write_text(next_step("op.execute('SELECT * FROM nowhere')"))
    with pytest.raises(StoreError, match="nowhere"):
        upgrade_store(address)
    assert query(address, f"SELECT * FROM {VERSION_TABLE}") == [(REVISIONS[-1],)]
    with pytest.raises(StoreError, match="colour"):
        query(address, "SELECT colour FROM evalspan_snapshot")
    assert store.find_version("faq").number == 1


def test_an_upgrade_that_leaves_a_row_pointing_to_nothing_is_undone(address: str, next_revision: Path) -> None:
    next_revision.write_text(next_step("op.execute('DELETE FROM evalspan_text')"))
    with pytest.raises(StoreError, match="evalspan_text"):
        upgrade_store(address)
    assert query(address, "SELECT count(*) FROM evalspan_text") == [(3,)]


@pytest.mark.parametrize("dump", OLD_STORES, ids=lambda path: path.stem)
def test_a_store_of_every_past_schema_is_upgraded_and_read(tmp_path: Path, dump: Path) -> None:
    path = tmp_path / "old.db"  # made with `sqlite3 evalspan.db .dump`, of the store that `helpers.fill` makes
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
    assert upgrade_store(str(path)) == (dump.stem, REVISIONS[-1])
    with Store.open(str(path)) as store:
        version, chunking = store.find_version("faq"), store.find_chunking("whole")
        assert store.check_digest(version)
        assert store.snapshot(store.find_snapshot("first")).digest == version.terms.snapshot_digest
        assert len(list(store.chunks(chunking))) == 3
        mapping = store.newest_mapping(version, chunking)
        assert mapping is not None
        assert [outcome.query_id for outcome in store.outcomes(mapping)] == ["q1"]


def test_every_revision_has_an_old_store() -> None:
    assert tuple(path.stem for path in OLD_STORES) == REVISIONS


def test_importing_and_opening_import_neither_alembic_nor_a_driver(tmp_path: Path) -> None:
    address = str(tmp_path / "x.db")
    create_store(address)
    script = (
        "import sys\nfrom evalspan.store import Store\n"
        "with Store.open(sys.argv[1]) as store: store.snapshots()\n"
        "bad = {'alembic', 'psycopg', 'sqlalchemy.dialects.postgresql', 'sqlalchemy.orm'} & set(sys.modules)\n"
        "sys.exit(str(bad) if bad else 0)"
    )
    subprocess.run([sys.executable, "-c", script, address], check=True)


def test_developers_reach_a_store_with_alembic(tmp_path: Path) -> None:
    address = str(tmp_path / "x.db")
    create_store(address)
    command = [sys.executable, "-m", "alembic", "-x", f"store={address}", "check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "No new upgrade operations detected" in done.stdout + done.stderr
