"""`evalspan review`: what waits for a person in a set, decided and applied."""

import re
from pathlib import Path
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE, NO
from evalspan.cli.page import line, plural, print_json
from evalspan.cli.review_queue import chunking, list_command, said, show_command
from evalspan.cli.skipped import show_skipped, skipped_rows
from evalspan.formats.decisions import DecidedRange, DecisionRow
from evalspan.labels import Action, Grade, parse_grade
from evalspan.store import DecisionRecord
from evalspan.workflows.deciding import Decided, decide
from evalspan.workflows.review import Applied, apply_decisions, review_queue
from evalspan.workflows.review_files import Kind, export_queue, import_decisions

_SPAN = re.compile(r"(?:(?P<document>.+):)?(?P<start>\d+)-(?P<end>\d+)", re.DOTALL)

GRADES = ", ".join(grade.name.lower() for grade in reversed(Grade))

_FORMATS = ["jsonl", "csv", "labelstudio"]


@click.group("review")
@click.argument("eval_set", metavar="SET")
@click.pass_context
def review_command(context: click.Context, eval_set: str) -> None:
    """What waits for a person in a set, and what they decide.

    \b
    evalspan review SET list                      what is asked
    evalspan review SET show ITEM                 the passage in its context
    evalspan review SET decide ITEM accept 2      its second candidate is right
    evalspan review SET apply                     a new version with all that was decided
    """
    context.obj = eval_set


review_command.add_command(list_command)
review_command.add_command(show_command)


def _span(text: str) -> DecidedRange:
    found = _SPAN.fullmatch(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is no START-END, and no DOCUMENT:START-END", param_hint="--span")
    return DecidedRange(found["document"], int(found["start"]), int(found["end"]))


def _grade(context: click.Context, option: click.Parameter, value: str | None) -> int | None:  # noqa: ARG001
    if value is None:
        return None
    grade = parse_grade(value)
    if grade is None:
        raise click.BadParameter(f"{value!r} is neither a figure nor one of: {GRADES}")
    return grade


@review_command.command("decide")
@click.argument("item")
@click.argument("action", type=click.Choice([action.value for action in Action]))
@click.argument("candidates", metavar="[CANDIDATE]...", nargs=-1, type=int)
@click.option("--span", "spans", multiple=True, metavar="START-END", help="Where it stands; or DOCUMENT:START-END.")
@click.option("--either", is_flag=True, help="Of several places, one is enough; else all are needed together.")
@click.option("--grade", callback=_grade, help=f"A new grade: a figure, or {GRADES}.")
@click.option("--answer", help="A new reference answer, for stale ones.")
@click.option("--note", default="", help="Why; kept with who and when.")
@click.option("--by", help="Who decided. [default: EVALSPAN_USER, or the account]")
@chunking
@options.store
@options.as_json
@click.pass_obj
def decide_(
    eval_set: str,
    item: str,
    action: str,
    candidates: tuple[int, ...],
    spans: tuple[str, ...],
    either: bool,
    grade: int | None,
    answer: str | None,
    note: str,
    by: str | None,
    chunking: str | None,
    store: str | None,
    as_json: bool,
) -> int:
    """Record what is decided about ITEM. Labels change when it is applied.

    \b
    accept   candidates, by number        retire   the label is held against nothing more
    reject   no offered candidate         abstain  the corpus does not answer the question
    set      the evidence is --span       split    it is these --spans, all needed
    narrow   to --span inside it          merge    with the labels in --span, as one passage
    widen    to --span around it          defer    not now
    """
    places = tuple(_span(span) for span in spans)
    row = DecisionRow(item, Action(action), candidates, places, either, grade, answer, note, by or "")
    done = decide(eval_set, [row], chunking=chunking, store=store)
    record, *_ = (*done.records, *done.repeated)
    if as_json:
        print_json({**_row(record), "new": bool(done.records), "replaced": _replaced_row(done)})
        return FINE
    if done.repeated:
        line(f"{record.decision.item} is decided so already: {said(record.decision)}. Nothing was recorded")
        return FINE
    line(f"{record.decision.item}: {said(record.decision)}")
    _show_replaced(done)
    line(f"  When all is decided: evalspan review {eval_set} apply")
    return FINE


def _show_replaced(done: Decided) -> None:
    for record, old in zip(done.records, done.replaced, strict=True):
        if old is not None:
            said = f"{old.decision.action} by {old.decision.provenance.by}, {old.decision.provenance.at}"
            line(f"  {record.decision.item}: replaces {said}", "yellow")


def _replaced_row(done: Decided) -> list[dict[str, Any]]:
    return [_row(old) for old in done.replaced if old is not None]


@review_command.command("apply")
@click.option("--skip-gone", is_flag=True, help="Leave decisions whose item is gone, and list them.")
@options.store
@options.why
@options.as_json
@click.pass_obj
def apply_(eval_set: str, skip_gone: bool, store: str | None, why: str, as_json: bool) -> int:
    """A new version with every decision that waits, mapped again on the chunking that was asked about.

    Exit 0 nothing holds a question back any more, 1 something does.
    """
    applied = apply_decisions(eval_set, skip_gone=skip_gone, why=why, store=store)
    left = [item for item in review_queue(applied.version.name, store=store).items if item.holds]
    if as_json:
        rows = {"applied": applied.decisions, "left": applied.left}
        decisions = {key: [_row(record) for record in records] for key, records in rows.items()}
        print_json({"set": applied.version.label, **decisions, "waiting": len(left)})
    else:
        _show_applied(applied, len(left))
    return NO if left else FINE


def _show_applied(applied: Applied, left: int) -> None:
    line(f"{applied.version.label}: {plural(len(applied.decisions), 'decision')} applied", "bold")
    for record in applied.left:
        line(f"  left: {record.decision.item} ({said(record.decision)})", "yellow")
    if applied.migration is not None and applied.migration.recorded is not None:
        counts = applied.migration.tally
        on = applied.migration.recorded.chunking
        line(f"  on {on}: {counts.clean:,} clean, {counts.ambiguous:,} ambiguous, {counts.unmapped:,} unmapped")
    if left:
        line(f"{plural(left, 'label', 'waits', 'wait')} still: evalspan review {applied.version.name} list")


@review_command.command("export")
@click.option("--format", "kind", type=click.Choice(_FORMATS), help="[default: as the name of --out ends, else jsonl]")
@click.option("--out", type=options.FILE, required=True, help="The file to write.")
@chunking
@options.store
@options.as_json
@click.pass_obj
def export(eval_set: str, kind: Kind | None, out: Path, chunking: str | None, store: str | None, as_json: bool) -> int:
    """The queue as a file to decide in: JSON lines, a spreadsheet (CSV), or Label Studio tasks."""
    written = export_queue(eval_set, out, kind=kind, chunking=chunking, store=store)
    if as_json:
        beside = [str(path) for path in written.beside]
        print_json({"out": str(out), "format": written.kind, "items": written.items, "beside": beside})
        return FINE
    line(f"Wrote {out}: {plural(written.items, 'item')} as {written.kind}")
    for extra in written.beside:
        line(f"  and {extra}")
    line(f"  Decide in it, then: evalspan review {eval_set} import {out}")
    return FINE


@review_command.command("import")
@click.argument("file", type=options.FILE)
@click.option("--format", "kind", type=click.Choice(_FORMATS), help="[default: as FILE's name ends]")
@click.option("--by", help="Who decided, where the file does not say.")
@options.skip_bad
@chunking
@options.store
@options.as_json
@click.pass_obj
def import_(
    eval_set: str,
    file: Path,
    kind: Kind | None,
    by: str | None,
    skip_bad: bool,
    chunking: str | None,
    store: str | None,
    as_json: bool,
) -> int:
    """Record the decisions of a file that `export` wrote; items without one are passed over, and decisions that were
    recorded before.

    With --skip-bad rows that can't be read, or do not fit what is asked now, are left out.
    """
    done = import_decisions(eval_set, file, kind=kind, by=by, skip_bad=skip_bad, chunking=chunking, store=store)
    if as_json:
        rows = {"recorded": done.records, "repeated": done.repeated}
        decisions = {key: [_row(record) for record in records] for key, records in rows.items()}
        print_json({**decisions, "replaced": _replaced_row(done), "skipped": skipped_rows(done.skipped)})
        return FINE
    line(f"{plural(len(done.records), 'decision')} recorded", "bold")
    if done.repeated:
        line(f"  {plural(len(done.repeated), 'row')} passed over: recorded before")
    _show_replaced(done)
    show_skipped(done.skipped)
    if done.records:
        line(f"  Apply them: evalspan review {eval_set} apply")
    return FINE


def _row(record: DecisionRecord) -> dict[str, Any]:
    return {"id": record.id, "versions": list(record.versions), **record.decision.model_dump(mode="json")}
