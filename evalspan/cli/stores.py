"""`evalspan init` and `evalspan store`."""

from dataclasses import asdict

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, print_json
from evalspan.store import create_store, upgrade_store
from evalspan.workflows.stores import opened, store_address


@click.command("init")
@options.store
@options.as_json
def init_command(store: str | None, as_json: bool) -> int:
    """Make a store: evalspan.db here, unless told otherwise."""
    address = store_address(store)
    made = create_store(address)
    with opened(address) as opened_store:
        shown = opened_store.address
    if as_json:
        print_json({"store": shown, "made": made})
    else:
        line(f"Made a store: {shown}" if made else f"There is a store already: {shown}")
        if made:
            line("Next, keep your documents: evalspan snapshot add DOCUMENTS")
    return FINE


@click.group("store")
def store_command() -> None:
    """The store itself."""


@store_command.command("info")
@options.store
@options.as_json
def info(store: str | None, as_json: bool) -> int:
    """Where it is, and what it holds."""
    with opened(store) as opened_store:
        found = asdict(opened_store.info())
    if as_json:
        print_json(found)
        return FINE
    for key, value in found.items():
        line(f"{key.replace('_', ' '):14} {f'{value:,}' if isinstance(value, int) else value}")
    return FINE


@store_command.command("upgrade")
@options.store
@options.as_json
def upgrade(store: str | None, as_json: bool) -> int:
    """Bring the store's schema to the one this evalspan uses. All or nothing."""
    before, after = upgrade_store(store_address(store))
    if as_json:
        print_json({"from": before, "to": after})
    else:
        line(
            f"The schema is at {after} already."
            if before == after
            else f"Upgraded the schema from {before} to {after}."
        )
    return FINE
