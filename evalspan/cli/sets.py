"""`evalspan set`."""

from pathlib import Path
from typing import Any, Literal

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, plural, print_data, print_json, table
from evalspan.cli.skipped import show_skipped, skipped_rows
from evalspan.labels import DEFAULT_MIN_OVERLAP, JudgedQuestion
from evalspan.store import VersionRecord
from evalspan.workflows.sets import export_qrels, export_set, import_labels, import_set_file, write_lines
from evalspan.workflows.stores import opened

SHOWN = 20
"""Questions listed in the text; --all and --json list all."""


@click.group("set")
def set_command() -> None:
    """Eval sets and their versions."""


@set_command.command("import")
@click.argument("name")
@click.option("--labels", type=options.FILE, help="Qrels that name chunks, TREC or BEIR.")
@click.option("--chunking", help="With --labels: the chunking whose chunks they name. [default: latest]")
@click.option("--questions", type=options.FILE, help='With --labels: {"query_id","text","reference_answers"?} lines.')
@click.option("--min-overlap", type=float, help=f"With --labels: pinned by the set. [default: {DEFAULT_MIN_OVERLAP}]")
@click.option(
    "--guard-scope",
    type=click.Choice(["corpus", "evidence"]),
    help="With --labels: what must agree with an index, all documents or those with evidence. [default: corpus]",
)
@click.option("--file", "set_file", type=options.FILE, help="Instead of --labels: a file that `set export` wrote.")
@options.skip_bad
@options.why
@options.store
@options.as_json
def import_(
    name: str,
    labels: Path | None,
    chunking: str | None,
    questions: Path | None,
    min_overlap: float | None,
    guard_scope: Literal["corpus", "evidence"] | None,
    set_file: Path | None,
    skip_bad: bool,
    why: str,
    store: str | None,
    as_json: bool,
) -> int:
    """Append a version of the set NAME from a file."""
    if (labels is None) == (set_file is None):
        raise click.UsageError("One of --labels QRELS and --file SET.jsonl is wanted.")
    if set_file is not None:
        if any(given is not None for given in (chunking, questions, min_overlap, guard_scope)):
            raise click.UsageError(
                "--chunking, --questions, --min-overlap and --guard-scope stand in the --file itself."
            )
        imported = import_set_file(set_file, name=name, store=store, why=why, skip_bad=skip_bad)
    else:
        assert labels is not None
        imported = import_labels(
            name,
            labels,
            chunking=chunking or "latest",
            questions=questions,
            min_overlap=DEFAULT_MIN_OVERLAP if min_overlap is None else min_overlap,
            guard_scope=guard_scope or "corpus",
            store=store,
            why=why,
            skip_bad=skip_bad,
        )
    if as_json:
        print_json({**_row(imported.version), "new": imported.new, "skipped": skipped_rows(imported.skipped)})
        return FINE
    line(f"{imported.version.label}{'' if imported.new else ' holds this already: nothing was written'}", "bold")
    line(f"  {_content(imported.version)}")
    show_skipped(imported.skipped)
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
        print_json([_row(record) for record in records])
    elif not records:
        line("No set yet. Import one: evalspan set import NAME --labels QRELS --chunking CHUNKING")
    else:
        _table(records)
    return FINE


@set_command.command("log")
@click.argument("name")
@options.store
@options.as_json
def log(name: str, store: str | None, as_json: bool) -> int:
    """Every version, mapping and overridden refusal of a set: who, when, why."""
    with opened(store) as opened_store:
        records = opened_store.versions(name)
        mappings = [record for record in opened_store.mappings() if record.version.name == name]
        overrides = [override for record in records for override in opened_store.overrides(record)]
    if as_json:
        rows = [
            {
                "mapping": m.id,
                "version": m.version.number,
                "chunking": m.chunking.name,
                "min_overlap": m.min_overlap,
                "tally": m.tally._asdict(),
                "provenance": m.provenance.model_dump(),
            }
            for m in mappings
        ]
        gone_on = [
            {"version": o.version.number, "refusal": o.refusal, "provenance": o.provenance.model_dump()}
            for o in overrides
        ]
        print_json({"versions": [_row(record) for record in records], "mappings": rows, "overrides": gone_on})
        return FINE
    _table(records)
    if mappings:
        line()
        table(
            ("mapping", "version", "chunking", "clean", "ambiguous", "unmapped", "made", "by"),
            [
                (
                    m.id,
                    m.version.label,
                    m.chunking.name,
                    f"{m.tally.clean:,}",
                    f"{m.tally.ambiguous:,}",
                    f"{m.tally.unmapped:,}",
                    m.provenance.at,
                    m.provenance.by,
                )
                for m in mappings
            ],
            right=(0, 3, 4, 5),
        )
    if overrides:
        line()
        whys = [(o.version.label, o.provenance.at, o.provenance.by, o.provenance.why) for o in overrides]
        table(("overridden", "at", "by", "reason"), whys)
    return FINE


@set_command.command("show")
@click.argument("eval_set", metavar="SET")
@click.option("--question", "query_id", help="Only this question, with its judgments.")
@click.option("--all", "every", is_flag=True, help=f"All questions, not the first {SHOWN}.")
@options.store
@options.as_json
def show(eval_set: str, query_id: str | None, every: bool, store: str | None, as_json: bool) -> int:
    """A set (NAME, its newest version, or NAME@VERSION) and its questions."""
    with opened(store) as opened_store:
        record = opened_store.find_version(eval_set)
        questions = opened_store.eval_set(record).questions
    if query_id is not None:
        questions = tuple(question for question in questions if question.query_id == query_id)
        if not questions:
            raise click.UsageError(f"{record.label} has no question {query_id!r}.")
    if as_json:
        print_json({**_row(record), "questions_shown": [question.model_dump(mode="json") for question in questions]})
        return FINE
    line(f"{record.label}", "bold")
    line(f"  {_content(record)}")
    line(f"  snapshot {record.terms.snapshot_digest[:12]}, min_overlap {record.terms.min_overlap:g}")
    line(f"  digest {record.digest}")
    line(f"  {record.provenance.at} by {record.provenance.by}: {record.provenance.why}")
    line()
    if query_id is not None:
        _show_question(questions[0])
        return FINE
    shown = questions if every else questions[:SHOWN]
    rows = [(q.query_id, q.question.text, len(q.judgments), len(q.chunk_labels)) for q in shown]
    table(("question", "text", "spans", "chunk labels"), rows, right=(2, 3))
    if len(questions) > len(shown):
        line(f"… and {len(questions) - len(shown):,} more: --all")
    return FINE


def _show_question(question: JudgedQuestion) -> None:
    line(f"{question.query_id}  {question.question.text}", "bold")
    for answer in question.question.reference_answers:
        line(f"  answer  {answer}")
    for judgment in question.judgments:
        where = f"{judgment.doc_id} {judgment.start}–{judgment.end}"
        came = f" (from chunk {judgment.chunk_id})" if judgment.chunk_id else ""
        line(f"  grade {judgment.grade}  {where}{came}")
        words = judgment.anchor.exact or f"{judgment.anchor.head} … {judgment.anchor.tail}"
        line(f"           {' '.join(words.split())}", "dim")
    for label in question.chunk_labels:
        line(f"  grade {label.grade}  chunk {label.chunk_id} (not tied to text)")


@set_command.command("export")
@click.argument("eval_set", metavar="SET")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["jsonl", "trec", "beir"]),
    default="jsonl",
    show_default=True,
    help="The set itself, or its qrels.",
)
@click.option("--chunking", help="For trec and beir: the chunking whose chunks are named.")
@click.option("--out", type=options.FILE, help="The file to write. [default: standard output]")
@options.store
@options.as_json
def export(eval_set: str, kind: str, chunking: str | None, out: Path | None, store: str | None, as_json: bool) -> int:
    """A set as a file: jsonl is the set itself (sorted, one question a line); trec and beir are its qrels."""
    if (kind == "jsonl") == (chunking is not None):
        raise click.UsageError("--chunking CHUNKING goes with --format trec or beir, and they with it.")
    if chunking is None:
        lines = list(export_set(eval_set, store=store))
    else:
        lines = list(export_qrels(eval_set, chunking, beir=kind == "beir", store=store))
    if out is not None:
        write_lines(lines, out)
    if as_json:
        content = {"lines": len(lines), "out": str(out)} if out else {"content": "".join(lines)}
        print_json({"set": eval_set, "format": kind, **content})
    elif out is not None:
        line(f"Wrote {out}: {plural(len(lines), 'line')}")
    else:
        print_data("".join(lines))
    return FINE


def _table(records: list[VersionRecord]) -> None:
    rows = [
        (
            r.label,
            f"{r.questions:,}",
            f"{r.judgments:,}",
            f"{r.chunk_labels:,}",
            r.terms.snapshot_digest[:12],
            r.provenance.at,
            r.provenance.by,
            r.provenance.why,
        )
        for r in records
    ]
    headers = ("version", "questions", "spans", "chunk labels", "snapshot", "made", "by", "why")
    table(headers, rows, right=(1, 2, 3))


def _content(record: VersionRecord) -> str:
    parts = [plural(record.questions, "question"), plural(record.judgments, "span")]
    if record.chunk_labels:
        parts.append(f"{plural(record.chunk_labels, 'label')} naming chunks")
    return ", ".join(parts)


def _row(record: VersionRecord) -> dict[str, Any]:
    return {
        "set": record.name,
        "version": record.number,
        "parent": record.parent,
        "digest": record.digest,
        "terms": record.terms.model_dump(),
        "questions": record.questions,
        "spans": record.judgments,
        "chunk_labels": record.chunk_labels,
        "provenance": record.provenance.model_dump(),
    }
