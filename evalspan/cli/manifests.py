"""`evalspan manifest`."""

from pathlib import Path
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, print_data, print_json
from evalspan.corpus import EmbeddingConfig
from evalspan.formats.files import write_text
from evalspan.indexes import KINDS
from evalspan.workflows.manifests import manifest, manifest_of, require_replaceable, write_manifest

KINDS_SHOWN = f"An index is one of these: {', '.join(KINDS.values())}."


@click.group("manifest")
def manifest_command() -> None:
    """What an index says of itself: the guard judges by it."""


@manifest_command.command("write", epilog=KINDS_SHOWN)
@click.argument("chunking")
@click.option("--out", type=options.FILE, help="The file to write. [default: standard output, unless --index]")
@click.option("--index", help="The index to keep it with: chroma:PATH#COLLECTION and the like.")
@click.option("--embedding", help="The embedding model's name.")
@click.option("--embedding-version", default="", help="Its version.")
@click.option("--dimensions", type=click.IntRange(min=1), help="Of its vectors.")
@click.option("--normalised/--not-normalised", default=None, help="Whether vectors are scaled to length 1.")
@click.option(
    "--prefix", "prefixes", multiple=True, help="Put before a text, by its role, as query='query: '; repeatable."
)
@options.store
@options.as_json
def write(
    chunking: str,
    out: Path | None,
    index: str | None,
    embedding: str | None,
    embedding_version: str,
    dimensions: int | None,
    normalised: bool | None,
    prefixes: tuple[str, ...],
    store: str | None,
    as_json: bool,
) -> int:
    """Write the manifest of an index built now from CHUNKING (name, digest, latest). Keep it with the index."""
    told = embedding_version or dimensions is not None or normalised is not None or prefixes
    if told and embedding is None:
        raise click.UsageError("Name the model with --embedding.")
    config = None
    if embedding is not None:
        config = EmbeddingConfig(
            model=embedding,
            version=embedding_version,
            dimensions=dimensions,
            normalised=normalised,
            prefixes=_prefixes(prefixes),
        )
    if out is not None:
        require_replaceable(out)
    written = manifest(chunking, embedding=config, store=store)
    text = written.to_json() + "\n"
    place = None if index is None else write_manifest(written, index)
    if out is not None:
        write_text(out, text)
    if as_json:
        row = {"out": str(out) if out else None, "index": place, "manifest": written.model_dump(mode="json")}
        print_json(row)
        return FINE
    for there in (place, out):
        if there is not None:
            line(f"Wrote {there}")
    if place is None and out is None:
        print_data(text)
    return FINE


def _prefixes(pairs: tuple[str, ...]) -> dict[str, str]:
    out = {}
    for pair in pairs:
        role, equals, prefix = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--prefix {pair!r} is not of the form role=text.")
        out[role] = prefix
    return out


@manifest_command.command("show", epilog=KINDS_SHOWN)
@click.argument("index")
@options.as_json
def show(index: str, as_json: bool) -> int:
    """Read the manifest of INDEX (chroma:PATH#COLLECTION and the like), or in a file."""
    found = manifest_of(index)
    row: dict[str, Any] = found.model_dump(mode="json")
    if as_json:
        print_json(row)
        return FINE
    for key, value in row.items():
        if isinstance(value, dict):
            line(f"{key}")
            for inner, detail in value.items():
                line(f"  {inner:20} {detail}")
        else:
            line(f"{key:22} {'–' if value is None else value}")
    return FINE
