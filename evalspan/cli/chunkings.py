"""`evalspan chunking`."""

import json
from pathlib import Path
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.cutting import report_command
from evalspan.cli.main import FINE
from evalspan.cli.page import line, plural, print_json, progress, table
from evalspan.cli.reported import reported_row, show_reported
from evalspan.cli.skipped import show_skipped, skipped_rows
from evalspan.corpus import Chunk, ChunkingConfig
from evalspan.formats.chunkers import PRODUCERS, Told
from evalspan.store import ChunkingRecord
from evalspan.workflows.chunkings import AddedChunking, AddedReported, add_chunking, add_reported
from evalspan.workflows.stores import opened


@click.group("chunking")
def chunking_command() -> None:
    """One cut of one snapshot: where each chunk stands in its document."""


chunking_command.add_command(report_command)


@chunking_command.command("add")
@click.argument("name")
@click.argument("chunks", type=options.FILE)
@click.option("--snapshot", default="latest", show_default=True, help="What was cut (name, digest, latest).")
@click.option("--splitter", default="unknown", help="What cut it, as langchain.RecursiveCharacterTextSplitter.")
@click.option("--splitter-version", default="", help="Its version.")
@click.option(
    "--param", "parameters", multiple=True, callback=options.key_values, help="As chunk_size=400; repeatable."
)
@click.option(
    "--from",
    "producer",
    type=click.Choice(["auto", *PRODUCERS]),
    metavar="PRODUCER",
    help="Whose chunks these are, as the library dumped them (JSON, JSON lines, parquet): "
    f"{', '.join(PRODUCERS)}; auto guesses and says so.",
)
@click.option("--document", help="With --from: the document that all chunks are of.")
@click.option("--document-key", help="With --from: the field, of a chunk or its metadata, that has its document's id.")
@click.option("--in-order", is_flag=True, help="With --from: the file has the chunks in the order they were cut in.")
@click.option("--facts", is_flag=True, help="With --from and --json: what was found out of each chunk.")
@options.skip_bad
@options.replace_bad_text
@options.why
@options.store
@options.as_json
def add(
    name: str,
    chunks: Path,
    snapshot: str,
    splitter: str,
    splitter_version: str,
    parameters: dict[str, Any],
    producer: str | None,
    document: str | None,
    document_key: str | None,
    in_order: bool,
    facts: bool,
    as_json: bool,
    **shared: Any,
) -> int:
    """Place the chunks of a file, {"chunk_id","doc_id","text","start"?,"end"?} lines, in their documents.

    With --from, the file is what a library dumps; what its chunks report of their places is checked, and told.
    """
    config = ChunkingConfig(splitter=splitter, version=splitter_version, parameters=parameters)
    shared |= {"snapshot": snapshot, "config": config, "progress": progress}
    if producer is None:
        if document or document_key or in_order or facts:
            raise click.UsageError("--document, --document-key, --in-order and --facts go with --from, as --from auto")
        _print_added(add_chunking(name, chunks, **shared), as_json)
        return FINE
    if facts and not as_json:
        raise click.UsageError("--facts goes with --json")
    if document and document_key:
        raise click.UsageError("--document and --document-key exclude each other")
    told = Told(None if producer == "auto" else producer, document, document_key)
    found = add_reported(name, chunks, told, ordered=in_order, with_facts=facts, **shared)
    _print_added(found.added, as_json, found)
    return FINE


def _print_added(added: AddedChunking, as_json: bool, found: AddedReported | None = None) -> None:
    if as_json:
        row = {**_row(added.chunking), "documents_uncut": added.uncut, "skipped": skipped_rows(added.skipped)}
        print_json(row if found is None else row | reported_row(found))
        return
    _show(added.chunking)
    if found is not None:
        show_reported(found)
    if added.uncut:
        line(f"  {plural(added.uncut, 'document')} of the snapshot without a chunk", "yellow")
    show_skipped(added.skipped)


@chunking_command.command("list")
@options.store
@options.as_json
def list_(store: str | None, as_json: bool) -> int:
    """The chunkings of the store, oldest first."""
    with opened(store) as opened_store:
        records = opened_store.chunkings()
    if as_json:
        print_json([_row(record) for record in records])
    elif not records:
        line("No chunking yet. Add one: evalspan chunking add NAME CHUNKS.jsonl")
    else:
        rows = [
            (
                r.name,
                r.digest[:12],
                r.snapshot.label,
                f"{r.chunks:,}",
                _cut_by(r.config),
                r.provenance.at,
                r.provenance.by,
            )
            for r in records
        ]
        table(("name", "digest", "snapshot", "chunks", "cut by", "added", "by"), rows, right=(3,))
    return FINE


@chunking_command.command("show")
@click.argument("chunking", default="latest")
@click.option("--document", help="Only the chunks of this document.")
@options.store
@options.as_json
def show(chunking: str, document: str | None, store: str | None, as_json: bool) -> int:
    """A chunking (by name, digest, or latest); with --document, its chunks there."""
    with opened(store) as opened_store:
        record = opened_store.find_chunking(chunking)
        chunks: list[Chunk] = []
        if document is not None:
            opened_store.text(record.snapshot, document)
            chunks = [chunk for _, mine in opened_store.chunks(record, [document]) for chunk in mine]
    rows = [
        (chunk.chunk_id, chunk.match.status.value, *(chunk.span or (None, None)), chunk.match.reason)
        for chunk in chunks
    ]
    if as_json:
        keys = ("chunk_id", "status", "start", "end", "reason")
        print_json({**_row(record), "chunks_shown": [dict(zip(keys, row, strict=True)) for row in rows]})
        return FINE
    _show(record)
    line(f"  added     {record.provenance.at} by {record.provenance.by} {record.provenance.why}".rstrip())
    if document is not None:
        line()
        table(("chunk", "status", "start", "end", ""), rows, right=(2, 3))
    return FINE


def _show(record: ChunkingRecord) -> None:
    placed = record.placed
    line(f"Chunking {record.name} of snapshot {record.snapshot.label}: {plural(record.chunks, 'chunk')}", "bold")
    line(f"  digest    {record.digest}")
    line(f"  cut by    {_cut_by(record.config)}")
    line(
        f"  places    {placed.exact:,} exact, {placed.reformatted:,} reformatted, "
        f"{placed.repeated:,} in several places, {placed.missing:,} not found"
    )


def _cut_by(config: ChunkingConfig) -> str:
    parameters = ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in config.parameters.items())
    return f"{config.splitter} {config.version}".strip() + (f" ({parameters})" if parameters else "")


def _row(record: ChunkingRecord) -> dict[str, Any]:
    return {
        "name": record.name,
        "digest": record.digest,
        "snapshot": record.snapshot.digest,
        "config": record.config.model_dump(),
        "fingerprint": record.config.fingerprint,
        "chunks": record.chunks,
        "placed": record.placed._asdict(),
        "provenance": record.provenance.model_dump(),
    }
