"""`evalspan review`."""

import re
from pathlib import Path
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.drawing import drawn_document, show_item
from evalspan.cli.main import FINE, NO
from evalspan.cli.page import line, plural, print_json, table
from evalspan.errors import NotFound
from evalspan.formats.decisions import DecidedRange, DecisionRow
from evalspan.labels import Action, Decision, Grade, parse_grade, render_grade
from evalspan.migrator.review import ReviewItem
from evalspan.store import DecisionRecord
from evalspan.workflows.decisions import find_item
from evalspan.workflows.queue import Queue
from evalspan.workflows.review import Applied, apply_decisions, decide, review_queue
from evalspan.workflows.review_files import Kind, export_queue, import_decisions
from evalspan.workflows.stores import opened
from evalspan.workflows.texts import Texts

SHOWN = 20
"""Items listed; --all and --json list all."""

BEGINNING = 50
"""Characters of a question and of a passage in the list."""

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


chunking = click.option("--chunking", help="Ask about the mapping on this one. [default: the newest mapping]")


@review_command.command("list")
@click.option("--reason", help="Only what is asked for this reason.")
@click.option("--all", "every", is_flag=True, help=f"Every item, not the first {SHOWN}.")
@chunking
@options.store
@options.as_json
@click.pass_obj
def list_(
    eval_set: str, reason: str | None, every: bool, chunking: str | None, store: str | None, as_json: bool
) -> int:
    """What is asked: first what holds a question back, then what is offered.

    Exit 0 nothing holds a question back, 1 something does.
    """
    queue = review_queue(eval_set, chunking=chunking, store=store)
    items = [item for item in queue.items if reason is None or item.reason == reason]
    if as_json:
        rows = [{**item.to_row(), "decided": _decided(queue, item)} for item in items]
        print_json({"set": queue.version.label, "items": rows})
    else:
        _show_list(queue, items, len(items) if every else SHOWN)
    return NO if any(item.holds for item in queue.open) else FINE


def _show_list(queue: Queue, items: list[ReviewItem], most: int) -> None:
    held = sum(item.holds for item in queue.open)
    label = queue.version.label
    if not queue.items:
        line(f"{label} asks nothing.", "green")
    else:
        asked = f"{plural(held, 'label', 'waits', 'wait')} for a person"
        line(f"{label}: {asked}; {plural(len(queue.items) - held, 'other item')}", "bold")
        rows = [
            (item.name, item.reason, item.query_id, item.doc_id, _begin(item.passage), _decided(queue, item))
            for item in items[:most]
        ]
        table(("item", "asked", "question", "document", "passage", "decided"), rows)
        if len(items) > most:
            line(f"… and {len(items) - most:,} more: --all")
        name = queue.version.name
        line()
        line(f"Look at one: evalspan review {name} show {items[0].name if items else 'ITEM'}")
    waiting = [record for record in queue.waiting if record.decision.action is not Action.DEFER]
    if waiting:
        said = plural(len(waiting), "decision", "is", "are")
        line(f"{said} not applied yet: evalspan review {queue.version.name} apply")


def _begin(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= BEGINNING else f"{words[: BEGINNING - 1]}…"


def _decided(queue: Queue, item: ReviewItem) -> str:
    record = queue.decisions.get(item.name)
    return record.decision.action.value if record is not None else ""


@review_command.command("show")
@click.argument("items", metavar="[ITEM]...", nargs=-1)
@chunking
@options.store
@options.as_json
@click.pass_obj
def show(eval_set: str, items: tuple[str, ...], chunking: str | None, store: str | None, as_json: bool) -> int:
    """An item with its passage in the document, the chunks' boundaries drawn in; without ITEM, the first open one."""
    with opened(store) as opened_store:
        queue = review_queue(eval_set, chunking=chunking, store=opened_store)
        chosen = [find_item(queue, name) for name in items] or list(queue.open[:1])
        if as_json:
            print_json([item.to_row() for item in chosen])
            return FINE
        if not chosen:
            line(f"{queue.version.label} asks nothing.", "green")
            return FINE
        digest = queue.version.terms.snapshot_digest
        asked = {one.query_id: one.question for one in opened_store.eval_set(queue.version).questions}
        texts = Texts(opened_store)

        def text_of(doc_id: str, snapshot: str) -> str | None:
            try:
                return texts(doc_id, snapshot)
            except NotFound:
                return None

        for number, item in enumerate(chosen):
            if number:
                line()
            here = drawn_document(item)
            cut = opened_store.find_chunking(item.chunking) if item.chunking else None
            found = dict(opened_store.chunks(cut, [here])).get(here, []) if cut else []
            chunks = [(chunk.chunk_id, chunk.span) for chunk in found if chunk.span is not None]
            old = text_of(item.doc_id, item.snapshot_digest) if item.snapshot_digest != digest else None
            others = {
                one.doc_id: text
                for one in item.candidates
                if one.doc_id != here and (text := text_of(one.doc_id, digest)) is not None
            }
            answers = asked[item.query_id].reference_answers
            show_item(item, text_of(here, digest), chunks, old, answers=answers, others=others)
            _show_next(queue, item)
    return FINE


def _show_next(queue: Queue, item: ReviewItem) -> None:
    record = queue.decisions.get(item.name)
    line()
    if record is not None:
        line(f"Decided: {_said(record.decision)}", "green")
    start = f"evalspan review {queue.version.name} decide {item.name}"
    if item.reason == "stale_answer":
        line(f"Decide: {start} accept   (the answer still holds), or {start} set --answer TEXT")
    elif item.candidates:
        line(f"Decide: {start} accept NUMBER, or set|narrow|widen --span START-END, retire, abstain, defer")
    else:
        line(f"Decide: {start} set --span START-END, or retire, abstain, defer")


def _said(decision: Decision) -> str:
    where = ", ".join(f"{span.doc_id} {span.start}-{span.end}" for span in decision.spans)
    grade = f", {render_grade(decision.grade)}" if decision.grade is not None else ""
    made = decision.provenance
    why = f": {made.why}" if made.why else ""
    return f"{decision.action.value}{f' {where}' if where else ''}{grade}, by {made.by}{why}"


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
    record = decide(eval_set, [row], chunking=chunking, store=store)[0]
    if as_json:
        print_json(_row(record))
    else:
        line(f"{record.decision.item}: {_said(record.decision)}")
        line(f"  When all is decided: evalspan review {eval_set} apply")
    return FINE


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
    left = [item for item in review_queue(applied.version.name, store=store).open if item.holds]
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
        line(f"  left: {record.decision.item} ({_said(record.decision)})", "yellow")
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
        print_json({"out": str(out), "format": written.kind, "items": written.items})
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
    """Record the decisions of a file that `export` wrote; items without one are passed over."""
    records = import_decisions(eval_set, file, kind=kind, by=by, skip_bad=skip_bad, chunking=chunking, store=store)
    if as_json:
        print_json([_row(record) for record in records])
        return FINE
    line(f"{plural(len(records), 'decision')} recorded", "bold")
    if records:
        line(f"  Apply them: evalspan review {eval_set} apply")
    return FINE


def _row(record: DecisionRecord) -> dict[str, Any]:
    return {"id": record.id, "versions": list(record.versions), **record.decision.model_dump(mode="json")}
