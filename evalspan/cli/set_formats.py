"""`evalspan set unpack`, and what `set import` and `set export` do with formats of other tools."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, plural, print_json, table

SHOWN = 10
"""Chunks left out that are named; the rest are counted."""


def foreign_options(command: Any) -> Any:
    """What may have to be said of a file of another tool."""
    for option in reversed(
        (
            click.option(
                "--format",
                "kind",
                metavar="FORMAT",
                help="With FILES: the format of another tool, as docs/formats.md names them. [default: auto]",
            ),
            click.option(
                "--one-dim",
                type=click.Choice(["and", "or"]),
                help="For autorag: a flat retrieval_gt needs all of its passages, or any.",
            ),
            click.option("--list-delimiter", help="For deepeval's CSV: what stands between the items of a list."),
            click.option(
                "--rel-threshold", type=click.IntRange(1), help="With FILES: grades from 1 below it are not relevant."
            ),
            click.option(
                "--relocate",
                is_flag=True,
                default=None,
                help="With FILES: take a passage where it surely stands, if that is elsewhere than its offsets say.",
            ),
        )
    ):
        command = option(command)
    return command


def import_files(name: str, files: Sequence[Path], **said: Any) -> tuple[Any, list[str], dict[str, Any]]:
    """The set that came of it, lines to be shown, and what JSON says of them."""
    from evalspan.workflows.foreign import AUTO, import_foreign

    kind = said.pop("kind") or AUTO
    given = {key: value for key, value in said.items() if value is not None}
    done = import_foreign(name, files, kind=kind, **given)
    lines = [f"Read as {done.format}{', a guess by what stands in it' if done.guessed else ''}"]
    lines += [f"  Not carried, or taken otherwise: {note}" for note in done.notes]
    return done.imported, lines, {"format": done.format, "guessed": done.guessed, "notes": list(done.notes)}


def export_files(eval_set: str, kind: str, chunking: str | None, out: Path, store: str | None, as_json: bool) -> int:
    """Writes a set in the form of another tool."""
    from evalspan.workflows.foreign_export import export_foreign

    done = export_foreign(eval_set, kind, out, chunking=chunking, store=store)
    if as_json:
        content = {"questions": done.questions, "out": str(done.out), "not_held": done.lost}
        print_json({"set": eval_set, "format": done.format, **content})
        return FINE
    line(f"Wrote {done.out}: {plural(done.questions, 'question')} as {done.format}", "bold")
    for what, count in done.lost.items():
        line(f"  Not held by it: {what} ({count:,})")
    return FINE


@click.command("formats")
@options.as_json
def formats_command(as_json: bool) -> int:
    """The formats of other tools that a set can come from, and go to."""
    from evalspan.formats.foreign.registry import FORMATS

    if as_json:
        rows = [
            {"name": one.name, "title": one.title, "suffixes": list(one.suffixes), "holds": sorted(one.holds)}
            for one in FORMATS.values()
        ]
        print_json(rows)
        return FINE
    table(("format", "what it is"), [(one.name, one.title) for one in FORMATS.values()])
    return FINE


@click.command("unpack")
@click.argument("files", nargs=-1, required=True, type=options.FILE)
@click.option(
    "--format", "kind", default="auto", show_default=True, metavar="FORMAT", help="As docs/formats.md has it."
)
@click.option("--out", type=options.FILE, required=True, help="A new folder.")
@click.option("--snapshot", help="Its passages are chunks of this snapshot's documents. [default: of their own]")
@options.store
@options.as_json
def unpack_command(
    files: tuple[Path, ...], kind: str, out: Path, snapshot: str | None, store: str | None, as_json: bool
) -> int:
    """The corpus that a data set of another tool carries, as files for `snapshot add` and `chunking add`."""
    from evalspan.workflows.unpack import unpack_corpus

    done = unpack_corpus(files, out, kind=kind, snapshot=snapshot, store=store)
    if as_json:
        print_json({**done._asdict(), "left_out": list(done.left_out), "notes": list(done.notes), "out": str(out)})
        return FINE
    line(f"Read as {done.format}", "bold")
    line(f"  {out}: {plural(done.documents, 'document')}, {plural(done.chunks, 'chunk')}")
    for note in done.notes:
        line(f"  Not carried: {note}")
    for one in done.left_out[:SHOWN]:
        line(f"  Left out: {one}")
    if len(done.left_out) > SHOWN:
        line(f"  … and {len(done.left_out) - SHOWN:,} more")
    return FINE
