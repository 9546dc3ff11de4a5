"""`evalspan snapshot`."""

from pathlib import Path
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, plural, print_json, progress, table
from evalspan.cli.skipped import show_skipped, skipped_rows
from evalspan.corpus import Extractor
from evalspan.store import SnapshotRecord
from evalspan.workflows.snapshots import add_snapshot, diff_snapshots
from evalspan.workflows.stores import opened

NAMED = 20
"""Documents of a kind that a difference names; --json names all."""


@click.group("snapshot")
def snapshot_command() -> None:
    """The exact content of a corpus, at one time."""


@snapshot_command.command("add")
@click.argument("source", type=options.FILE)
@click.option("--name", help="A name to call it by.")
@click.option("--extractor", help="What made the texts, as pypdf.")
@click.option("--extractor-version", default="", help="Its version.")
@options.skip_bad
@options.replace_bad_text
@options.why
@options.store
@options.as_json
def add(
    source: Path,
    name: str | None,
    extractor: str | None,
    extractor_version: str,
    skip_bad: bool,
    replace_bad_text: bool,
    why: str,
    store: str | None,
    as_json: bool,
) -> int:
    """Keep the documents of SOURCE: a folder of text files, or JSON lines {"doc_id","text","version"?,"metadata"?}."""
    if extractor_version and not extractor:
        raise click.UsageError("--extractor-version goes with --extractor.")
    added = add_snapshot(
        source,
        name=name,
        extractor=Extractor(name=extractor, version=extractor_version) if extractor else None,
        store=store,
        why=why,
        skip_bad=skip_bad,
        replace_bad_text=replace_bad_text,
        progress=progress,
    )
    if as_json:
        more = {"new_texts": added.new_texts, "passed_over": added.passed_over, "skipped": skipped_rows(added.skipped)}
        print_json({**_row(added.snapshot), **more})
        return FINE
    record = added.snapshot
    line(
        f"Snapshot {record.label}: {plural(record.documents, 'document')}, {plural(added.new_texts, 'new text')}",
        "bold",
    )
    line(f"  digest {record.digest}")
    if added.passed_over:
        line(f"  {plural(added.passed_over, 'file')} passed over: hidden, or no text by the ending", "yellow")
    show_skipped(added.skipped)
    return FINE


@snapshot_command.command("list")
@options.store
@options.as_json
def list_(store: str | None, as_json: bool) -> int:
    """The snapshots of the store, oldest first."""
    with opened(store) as opened_store:
        records = opened_store.snapshots()
    if as_json:
        print_json([_row(record) for record in records])
    elif not records:
        line("No snapshot yet. Add one: evalspan snapshot add DOCUMENTS")
    else:
        rows = [
            (r.name or "–", r.digest[:12], f"{r.documents:,}", _extractor(r), r.provenance.at, r.provenance.by)
            for r in records
        ]
        table(("name", "digest", "documents", "extractor", "added", "by"), rows, right=(2,))
    return FINE


@snapshot_command.command("show")
@click.argument("snapshot", default="latest")
@options.store
@options.as_json
def show(snapshot: str, store: str | None, as_json: bool) -> int:
    """The documents of a snapshot (by name, digest, or latest)."""
    with opened(store) as opened_store:
        record = opened_store.find_snapshot(snapshot)
        entries = opened_store.snapshot(record).entries
    if as_json:
        documents = [{"doc_id": e.doc_id, "text_digest": e.text_digest, "version": e.version} for e in entries]
        print_json({**_row(record), "entries": documents})
        return FINE
    line(f"Snapshot {record.label}: {plural(record.documents, 'document')}", "bold")
    line(f"  digest     {record.digest}")
    line(f"  extractor  {_extractor(record)}")
    line(f"  added      {record.provenance.at} by {record.provenance.by} {record.provenance.why}".rstrip())
    line()
    table(("document", "text", "version"), [(e.doc_id, e.text_digest[:12], e.version or "–") for e in entries])
    return FINE


@snapshot_command.command("diff")
@click.argument("old")
@click.argument("new")
@options.store
@options.as_json
def diff(old: str, new: str, store: str | None, as_json: bool) -> int:
    """What changed between two snapshots."""
    found = diff_snapshots(old, new, store=store)
    groups = (
        ("added", found.added),
        ("removed", found.removed),
        ("changed", found.changed),
        ("relabelled", found.relabelled),
    )
    if as_json:
        print_json({**{what: list(doc_ids) for what, doc_ids in groups}, "same": found.same})
        return FINE
    line(", ".join(f"{len(doc_ids):,} {what}" for what, doc_ids in groups) + f", {found.same:,} with the same text")
    for what, doc_ids in groups:
        for doc_id in doc_ids[:NAMED]:
            line(f"  {what:10}  {doc_id}")
        if len(doc_ids) > NAMED:
            line(f"  {what:10}  … and {len(doc_ids) - NAMED:,} more (--json names all)")
    return FINE


def _extractor(record: SnapshotRecord) -> str:
    return f"{record.extractor.name} {record.extractor.version}".strip() if record.extractor else "–"


def _row(record: SnapshotRecord) -> dict[str, Any]:
    return {
        "name": record.name,
        "digest": record.digest,
        "documents": record.documents,
        "extractor": record.extractor.model_dump() if record.extractor else None,
        "provenance": record.provenance.model_dump(),
    }
