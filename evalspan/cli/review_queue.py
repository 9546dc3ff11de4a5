"""`evalspan review SET list` and `show`: what is asked."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.drawing import REASONS, drawn_document, show_evidence, show_item
from evalspan.cli.main import FINE, NO
from evalspan.cli.page import line, plural, print_json, table
from evalspan.errors import NotFound
from evalspan.labels import Action, Decision, render_grade
from evalspan.migrator.review import STALE_ANSWER, ReviewItem, Source
from evalspan.workflows.decisions import find_item
from evalspan.workflows.queue import Queue, questions_of
from evalspan.workflows.review import review_queue
from evalspan.workflows.stale_evidence import stale_evidence
from evalspan.workflows.stores import opened
from evalspan.workflows.texts import Texts

SHOWN = 20
"""Items listed; --all and --json list all."""

BEGINNING = 50
"""Characters of a question and of a passage in the list."""

chunking = click.option("--chunking", help="Ask about the mapping on this one. [default: the newest mapping]")


@click.command("list")
@click.option("--reason", help="Only what is asked for this reason.")
@click.option("--all", "every", is_flag=True, help=f"Every item, not the first {SHOWN}.")
@chunking
@options.store
@options.as_json
@click.pass_obj
def list_command(
    eval_set: str, reason: str | None, every: bool, chunking: str | None, store: str | None, as_json: bool
) -> int:
    """What is asked: first what holds a question back, then what is offered.

    Exit 0 nothing holds a question back, 1 something does: what is decided too, until it is applied; or the set was
    mapped before, and its newest labels are not.
    """
    if reason is not None and reason not in REASONS:
        raise click.BadParameter(f"{reason!r} is none; there are {', '.join(REASONS)}", param_hint="--reason")
    queue = review_queue(eval_set, chunking=chunking, store=store)
    items = [item for item in queue.items if reason is None or item.reason == reason]
    if as_json:
        mapped = queue.mapping.chunking.name if queue.mapping else None
        rows = [_item_row(queue, item) for item in items]
        print_json({"set": queue.version.label, "chunking": mapped, "counts": _counts(queue, items), "items": rows})
    else:
        _show_list(queue, items, len(items) if every else SHOWN, reason, chunking)
    return NO if any(item.holds for item in queue.items) or queue.last_mapping is not None else FINE


def _item_row(queue: Queue, item: ReviewItem) -> dict[str, Any]:
    return {"candidates": [], **item.to_row(), "holds": item.holds, "decided": _decided(queue, item) or None}


def _counts(queue: Queue, items: Sequence[ReviewItem]) -> dict[str, int]:
    """Each item counts once."""
    left = [item for item in items if not queue.is_decided(item)]
    waiting = sum(item.holds for item in left)
    answers = sum(item.reason == STALE_ANSWER for item in left)
    return {
        "decided": len(items) - len(left),
        "waiting": waiting,
        "offers": len(left) - waiting - answers,
        "answers": answers,
    }


def _show_list(queue: Queue, items: list[ReviewItem], most: int, reason: str | None, chunking: str | None) -> None:
    label, name = queue.version.label, queue.version.name
    if not items:
        line(f"{label} asks nothing{f' for the reason {reason}' if reason else ''}.", "green")
    else:
        line(f"{label}: {_in_numbers(_counts(queue, items))}", "bold")
        rows = [
            (item.name, item.reason, item.query_id, item.doc_id, _begin(item.passage), _decided(queue, item))
            for item in items[:most]
        ]
        table(("item", "asked", "question", "document", "passage", "decided"), rows, long=(4,))
        if len(items) > most:
            line(f"… and {len(items) - most:,} more: --all")
        line()
        line(f"Look at one: evalspan review {name} show {items[0].name}")
    last = queue.last_mapping
    if queue.mapping is None and (last is not None or chunking is not None):
        there = last is not None and last.chunking.snapshot.digest == queue.version.terms.snapshot_digest
        on = chunking or (last.chunking.name if last is not None and there else "CHUNKING")
        where = f" on {chunking}" if chunking else ""
        line(f"{label} is not mapped{where} yet, and so it asks less: evalspan migrate {name} --to {on}", "yellow")
    waiting = [record for record in queue.waiting if record.decision.action is not Action.DEFER]
    if waiting:
        line(f"{plural(len(waiting), 'decision', 'is', 'are')} not applied yet: evalspan review {name} apply")


def _in_numbers(counts: Mapping[str, int]) -> str:
    """As "4 decided and not applied; 0 wait; 3 offers"."""
    parts = [f"{counts['decided']:,} decided and not applied"] if counts["decided"] else []
    parts += [plural(counts["waiting"], "label", "waits", "wait"), plural(counts["offers"], "offer")]
    parts += [f"{plural(counts['answers'], 'reference answer')} to confirm"] if counts["answers"] else []
    return "; ".join(parts)


def _begin(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= BEGINNING else f"{words[: BEGINNING - 1]}…"


def _decided(queue: Queue, item: ReviewItem) -> str:
    record = queue.decisions.get(item.name)
    return record.decision.action.value if record is not None else ""


@click.command("show")
@click.argument("items", metavar="[ITEM]...", nargs=-1)
@chunking
@options.store
@options.as_json
@click.pass_obj
def show_command(eval_set: str, items: tuple[str, ...], chunking: str | None, store: str | None, as_json: bool) -> int:
    """An item with its passage in the document, the chunks' boundaries drawn in; without ITEM, the first open one."""
    with opened(store) as opened_store:
        queue = review_queue(eval_set, chunking=chunking, store=opened_store)
        chosen = [find_item(queue, name) for name in items] or list(queue.open[:1])
        if as_json:
            print_json([_item_row(queue, item) for item in chosen])
            return FINE
        if not chosen:
            line(f"{queue.version.label} asks nothing.", "green")
            return FINE
        digest = queue.version.terms.snapshot_digest
        asked = questions_of(opened_store, queue.version)
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
            about = asked[item.query_id]
            answers = about.question.reference_answers
            show_item(item, text_of(here, digest), chunks, old, answers=answers, others=others)
            if item.reason == STALE_ANSWER:
                show_evidence(stale_evidence(opened_store, queue.version, about, texts))
            _show_next(queue, item)
    return FINE


def _show_next(queue: Queue, item: ReviewItem) -> None:
    record = queue.decisions.get(item.name)
    line()
    if record is not None:
        line(f"Decided: {said(record.decision)}", "green")
    line(f"Decide: evalspan review {queue.version.name} decide {item.name} {_choices(item)}")


def _choices(item: ReviewItem) -> str:
    """What can be said of it."""
    several = len(item.candidates) > 1
    accept = "accept NUMBER" if several else "accept"
    span = "--span START-END"
    if item.reason == STALE_ANSWER:
        return "accept   (the answer still holds), or set --answer TEXT"
    if item.reason == "unjudged":
        return f"{accept} --grade direct|supporting|tangential, or reject   (it is irrelevant)"
    if item.reason == "twin":
        return f"{accept}, or reject"
    if item.reason == "narrowing":
        return f"{accept}, narrow {span}, or reject   (the passage stays as it is)"
    if item.reason == "chunk_uncertain" or not item.candidates:
        return f"set {span}, or retire, abstain, defer"
    if item.source is Source.REBASE:
        return f"{accept}, set {span}, or retire, abstain, defer"
    return f"{accept}, set|narrow|widen {span}, or retire, abstain, defer"


def said(decision: Decision) -> str:
    where = ", ".join(f"{span.doc_id} {span.start}-{span.end}" for span in decision.spans)
    grade = f", {render_grade(decision.grade)}" if decision.grade is not None else ""
    made = decision.provenance
    answer = f", answer {decision.answer!r}" if decision.answer is not None else ""
    why = f": {' '.join(made.why.split())}" if made.why else ""
    return f"{decision.action.value}{f' {where}' if where else ''}{grade}{answer}, by {made.by}{why}"
