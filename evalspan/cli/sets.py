"""`evalspan set`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, plural, print_data, print_json, progress
from evalspan.cli.set_formats import export_files, foreign_options, formats_command, import_files, unpack_command
from evalspan.cli.set_page import show_command, show_versions, version_content
from evalspan.cli.set_versions import COMMANDS, version_row
from evalspan.cli.skipped import show_skipped, skipped_rows
from evalspan.labels import DEFAULT_MIN_OVERLAP
from evalspan.workflows.sets import (
    ImportedSet,
    export_qrels,
    export_set,
    import_labels,
    import_set_file,
    write_lines,
)
from evalspan.workflows.stores import opened

OWN_FORMATS = ("jsonl", "trec", "beir", "rubric")
"""Of `export`; they may go to standard output."""


@click.group("set")
def set_command() -> None:
    """Eval sets and their versions."""


for command in (*COMMANDS, show_command, formats_command, unpack_command):
    set_command.add_command(command)


@set_command.command("import")
@click.argument("name")
@click.argument("files", nargs=-1, type=options.FILE)
@click.option("--labels", type=options.FILE, help="Qrels that name chunks, TREC or BEIR.")
@click.option("--chunking", help="With --labels: the chunking whose chunks they name. [default: latest]")
@click.option("--questions", type=options.FILE, help='With --labels: {"query_id","text","reference_answers"?} lines.')
@click.option("--spans", type=options.FILE, help='Or: {"query_id","text","facts"?,"spans"?} lines, written by hand.')
@click.option("--snapshot", help="With --spans: the snapshot that they are of. [default: latest]")
@click.option("--file", "set_file", type=options.FILE, help="Or: a file that `set export` wrote.")
@foreign_options
@click.option("--min-overlap", type=float, help=f"Not with --file: pinned by the set. [default: {DEFAULT_MIN_OVERLAP}]")
@click.option(
    "--guard-scope",
    type=click.Choice(["corpus", "evidence"]),
    help="Not with --file: what must agree with an index, all documents or those with evidence. [default: corpus]",
)
@options.labels_are
@click.option(
    "--twins",
    type=click.Choice(["ask", "accept", "ignore"]),
    help="With --spans: passages that stand elsewhere too are offered as alternatives, taken as such, or not looked "
    "for. [default: ask]",
)
@options.skip_bad
@options.why
@options.store
@options.as_json
def import_(
    name: str,
    files: tuple[Path, ...],
    labels: Path | None,
    chunking: str | None,
    questions: Path | None,
    spans: Path | None,
    snapshot: str | None,
    set_file: Path | None,
    kind: str | None,
    one_dim: str | None,
    list_delimiter: str | None,
    rel_threshold: int | None,
    relocate: bool | None,
    min_overlap: float | None,
    guard_scope: Literal["corpus", "evidence"] | None,
    labels_are: Literal["any", "all"] | None,
    twins: Literal["ask", "accept", "ignore"] | None,
    skip_bad: bool,
    why: str,
    store: str | None,
    as_json: bool,
) -> int:
    """Append a version of the set NAME from a file: one of the options below, or FILES of another tool."""
    given: dict[str, Any] = {"--chunking": chunking, "--questions": questions, "--snapshot": snapshot}
    given |= {"--min-overlap": min_overlap, "--guard-scope": guard_scope, "--twins": twins}
    terms: dict[str, Any] = {
        "min_overlap": DEFAULT_MIN_OVERLAP if min_overlap is None else min_overlap,
        "guard_scope": guard_scope or "corpus",
        "labels_are": labels_are,
    }
    kept: dict[str, Any] = {"store": store, "why": why, "skip_bad": skip_bad}
    foreign: dict[str, Any] = {"kind": kind, "one_dim": one_dim, "list_delimiter": list_delimiter}
    foreign |= {"rel_threshold": rel_threshold, "relocate": relocate or None}
    if sum((bool(files), *(file is not None for file in (labels, spans, set_file)))) != 1:
        raise click.UsageError("One of --labels QRELS, --spans FILE, --file SET.jsonl and FILES is wanted.")
    if files:
        _refuse("FILES", given, ("--questions",))
        terms |= {"snapshot": snapshot, "chunking": chunking, "twins": twins}
        return _show_imported(name, *import_files(name, files, **foreign, **terms, **kept), as_json=as_json)
    if any(value is not None for value in foreign.values()):
        raise click.UsageError("--format and what goes with it want FILES.")
    if set_file is not None:
        _refuse(
            "--file", given, ("--chunking", "--questions", "--snapshot", "--min-overlap", "--guard-scope", "--twins")
        )
        imported = import_set_file(set_file, name=name, labels_are=labels_are, **kept)
    elif labels is not None:
        _refuse("--labels", given, ("--snapshot", "--twins"))
        imported = import_labels(name, labels, chunking=chunking or "latest", questions=questions, **terms, **kept)
    else:
        from evalspan.workflows.import_spans import import_spans

        assert spans is not None
        _refuse("--spans", given, ("--chunking", "--questions"))
        imported = import_spans(name, spans, snapshot=snapshot or "latest", twins=twins or "ask", **terms, **kept)
    return _show_imported(name, imported, as_json=as_json)


def _refuse(file: str, given: dict[str, Any], unfit: tuple[str, ...]) -> None:
    wrong = [option for option in unfit if given[option] is not None]
    if wrong:
        raise click.UsageError(f"{' and '.join(wrong)} can't go with {file}, which settles that itself.")


def _show_imported(
    name: str, imported: ImportedSet, first: Sequence[str] = (), data: Mapping[str, Any] | None = None, *, as_json: bool
) -> int:
    if as_json:
        more = {"new": imported.new, "twins": imported.twins, "skipped": skipped_rows(imported.skipped)}
        print_json({**version_row(imported.version), **more, **(data or {})})
        return FINE
    for one in first:
        line(one)
    line(f"{imported.version.label}{'' if imported.new else ' holds this already: nothing was written'}", "bold")
    line(f"  {version_content(imported.version)}")
    show_skipped(imported.skipped)
    if imported.twins:
        line(f"  {plural(imported.twins, 'place')} elsewhere hold a labelled passage too: evalspan review {name} list")
    if imported.version.chunk_labels:
        line(f"  Tie its labels to text: evalspan migrate {name} --to CHUNKING")
    return FINE


@set_command.command("list")
@options.store
@options.as_json
def list_(store: str | None, as_json: bool) -> int:
    """The sets of the store, each at its newest version."""
    with opened(store) as opened_store:
        records = opened_store.sets()
    if as_json:
        print_json([version_row(record) for record in records])
    elif not records:
        line("No set yet. Import one: evalspan set import NAME --labels QRELS --chunking CHUNKING")
    else:
        show_versions(records)
    return FINE


@set_command.command("export")
@click.argument("eval_set", metavar="SET")
@click.option(
    "--format",
    "kind",
    metavar="FORMAT",
    default="jsonl",
    show_default=True,
    help="jsonl, the set itself; trec or beir, its qrels; rubric, what a result must hold; or a format of another "
    "tool, as docs/formats.md names them.",
)
@click.option("--chunking", help="For formats that name chunks: the chunking.")
@click.option("--out", type=options.FILE, help="The file to write. [default: standard output]")
@options.store
@options.as_json
def export(eval_set: str, kind: str, chunking: str | None, out: Path | None, store: str | None, as_json: bool) -> int:
    """A set as a file: jsonl is the set itself (sorted, one question a line); trec and beir are its qrels; rubric says
    of each question which chunks are enough, alone or together. Formats of other tools want --out."""
    if kind not in OWN_FORMATS:
        if out is None:
            raise click.UsageError(f"--format {kind} wants --out.")
        return export_files(eval_set, kind, chunking, out, store, as_json)
    if (kind == "jsonl") == (chunking is not None):
        raise click.UsageError("--chunking CHUNKING goes with --format trec, beir or rubric, and they with it.")
    counts: dict[str, int] = {}
    if chunking is None:
        lines = list(export_set(eval_set, store=store))
    elif kind == "rubric":
        from evalspan.workflows.rubrics import chunk_rubrics, render_rubrics

        derived = chunk_rubrics(eval_set, chunking, store=store)
        lines = list(render_rubrics(derived.rubrics))
        counts = {"waiting": len(derived.waiting), "unlabelled": len(derived.unlabelled)}
    else:
        lines = list(export_qrels(eval_set, chunking, beir=kind == "beir", store=store))
    if out is not None:
        write_lines(lines, out)
    if as_json:
        content = {"lines": len(lines), "out": str(out)} if out else {"content": "".join(lines)}
        print_json({"set": eval_set, "format": kind, **content, **counts})
    elif out is not None:
        line(f"Wrote {out}: {plural(len(lines), 'line')}")
        if counts.get("waiting"):
            line(f"  Left out: {plural(counts['waiting'], 'question')} with a label that waits")
        if counts.get("unlabelled"):
            line(f"  Left out: {plural(counts['unlabelled'], 'question')} without a relevant label")
    else:
        print_data("".join(lines))
    return FINE


@set_command.command("amend")
@click.argument("eval_set", metavar="SET")
@click.option("--question", "questions", multiple=True, help="Of this question; may be repeated. [default: of all]")
@options.labels_are
@click.option("--tabular/--no-tabular", default=None, help="Spans count only where they are whole.")
@click.option("--tabular-by-rule", is_flag=True, help="Tabular: the spans of which most lines are rows of a table.")
@click.option("--retire", is_flag=True, help="With --question: it is no longer asked.")
@click.option("--no-answer", is_flag=True, help="With --question: the corpus has none; relevant labels are retired.")
@options.why
@options.store
@options.as_json
def amend(eval_set: str, questions: tuple[str, ...], store: str | None, as_json: bool, **said: Any) -> int:
    """Append a version of a set in which something else is said of it, or of some of its questions."""
    from evalspan.workflows.amend import amend_set

    amended = amend_set(eval_set, questions=questions, store=store, **said)
    if as_json:
        counts = {"questions_changed": amended.questions, "spans_changed": amended.spans}
        print_json({**version_row(amended.version), "new": amended.new, **counts})
        return FINE
    if not amended.new:
        line(f"{amended.version.label} says all of this already: nothing was written", "bold")
        return FINE
    line(f"{amended.version.label}", "bold")
    line(f"  changed: {plural(amended.questions, 'question')}, {plural(amended.spans, 'span')}")
    return FINE


@set_command.command("twins")
@click.argument("eval_set", metavar="SET")
@click.argument("policy", type=click.Choice(["ask", "accept"]), default="ask")
@options.why
@options.store
@options.as_json
def twins(eval_set: str, policy: Literal["ask", "accept"], why: str, store: str | None, as_json: bool) -> int:
    """Look for labelled passages elsewhere in the corpus, equal up to white space: so that returning the copy is no
    miss, they are offered as alternatives (ask), or taken as such in a new version (accept)."""
    from evalspan.workflows.twins import look_for_twins

    found = look_for_twins(eval_set, twins=policy, store=store, why=why, progress=progress)
    if as_json:
        rows = [
            {"query_id": one.query_id, "doc_id": one.doc_id, "ranges": [list(span) for span in one.spans]}
            for one in found.twins
        ]
        print_json({**version_row(found.version), "places": found.places, "twins": rows})
        return FINE
    line(f"{plural(found.places, 'place')} elsewhere hold a passage of {found.version.label}", "bold")
    if found.places and policy == "ask":
        line(f"  Look at them: evalspan review {found.version.name} list --reason twin")
    elif found.places:
        line(f"  They are alternatives in {found.version.label}")
    return FINE
