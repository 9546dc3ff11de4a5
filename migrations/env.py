"""How alembic reaches a store: on the connection that evalspan hands it, or on one that a developer names.

alembic -x store=evalspan.db current
EVALSPAN_STORE=evalspan.db alembic revision --autogenerate -m "what changes"
"""

import os

from alembic import context
from alembic.util import CommandError
from sqlalchemy import Connection

VERSION_TABLE = "evalspan_version"
PREFIX = "evalspan_"


def migrate(connection: Connection) -> None:
    """In the transaction that is open already: its owner holds the lock, and commits."""
    context.configure(
        connection=connection,
        version_table=VERSION_TABLE,
        target_metadata=context.config.attributes.get("metadata"),
        include_name=lambda name, kind, _: kind != "table" or (name or "").startswith(PREFIX),
        render_as_batch=True,  # SQLite changes a table by a copy that takes its place
    )
    with context.begin_transaction():
        context.run_migrations()


def migrate_for_developer() -> None:
    from evalspan.store.address import parse_address
    from evalspan.store.schema import METADATA
    from evalspan.store.upgrade import upgrading

    address = context.get_x_argument(as_dictionary=True).get("store") or os.environ.get("EVALSPAN_STORE")
    if not address:
        raise CommandError("Name a store: alembic -x store=evalspan.db …, or set EVALSPAN_STORE")
    context.config.attributes["metadata"] = METADATA
    with upgrading(parse_address(address)) as connection:
        migrate(connection)


if context.is_offline_mode():
    raise CommandError("A store is upgraded in place, under its lock: there is no --sql")
given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    migrate_for_developer()
