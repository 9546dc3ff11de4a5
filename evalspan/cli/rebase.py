"""`evalspan rebase`."""

from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.bereft import show_bereft
from evalspan.cli.drawing import differing
from evalspan.cli.main import FINE, NO
from evalspan.cli.page import line, plural, print_json, progress, share, table
from evalspan.migrator.carry import Deleted, Fate
from evalspan.workflows.rebase import Rebase, rebase
from evalspan.workflows.rebase_moves import RebasedLabel, Renamed

EXPLAINED = {
    Fate.KEPT: "the same text in the same place",
    Fate.MOVED: "the same text in another place",
    Fate.RE_EXTRACTED: "the same letters and digits; blanks, case or punctuation differ",
    Fate.EDITED: "words differ; digits, negation and names are the same",
    Fate.CHANGED: "digits, negation or names differ",
    Fate.UNCERTAIN: "several places fit, or one does weakly",
    Fate.MISSING: "the passage is gone from its document",
    Fate.DELETED: "the document is gone",
    Fate.RENAMED: "the document is gone, and another one may be it",
    Fate.NOT_TIED: "it names a chunk that had no certain place",
}

SHOWN = 10
"""Labels that are shown with both passages unless --show says otherwise; --json has all."""

TAKEN = "the document has another id now, and the label went along (--renamed accept)"

_QUIET = frozenset({Fate.KEPT, Fate.MOVED, Fate.RE_EXTRACTED})


@click.command("rebase")
@click.argument("eval_set", metavar="SET")
@click.option("--to", default="latest", show_default=True, help="The snapshot: its name, digest, or latest.")
@click.option(
    "--deleted",
    type=click.Choice(["ask", "retire", "abstain"]),
    default="ask",
    show_default=True,
    help="Labels whose document or passage is gone: ask a person, retire them, or also make questions without any "
    "other evidence abstention cases.",
)
@click.option(
    "--renamed",
    type=click.Choice(["ask", "accept"]),
    default="ask",
    show_default=True,
    help="Labels of a document that came back under another id: ask, or go with it where only one can be it.",
)
@click.option(
    "--show",
    "shown",
    type=click.IntRange(min=0),
    default=SHOWN,
    show_default=True,
    help="How many labels that were edited, or wait, are shown with both passages.",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 also when something waits for a person.")
@options.store
@options.why
@options.as_json
def rebase_command(
    eval_set: str,
    to: str,
    deleted: Deleted,
    renamed: Renamed,
    shown: int,
    exit_zero: bool,
    store: str | None,
    why: str,
    as_json: bool,
) -> int:
    """Moves a set to another snapshot of its corpus, in a new version; the old one stays.

    Exit 0 every label has its place, 1 something waits for a person, 2 could not be done.
    """
    result = rebase(eval_set, to, deleted=deleted, renamed=renamed, store=store, why=why, progress=progress)
    if as_json:
        print_json(_row(result))
    else:
        _show(result, shown)
    return NO if result.waiting and not exit_zero else FINE


def _show(result: Rebase, most: int) -> None:
    if not result.new:
        line(
            f"{result.version.label} is about the texts of {result.snapshot.label} already: nothing was written", "bold"
        )
        if result.waiting:
            _show_waiting(result)
        return
    line(f"{result.version.label} is about snapshot {result.snapshot.label}", "bold")
    diff = result.diff
    line(
        f"  documents: {diff.same:,} the same, {len(diff.changed):,} changed, {len(diff.added):,} added, "
        f"{len(diff.removed):,} removed"
    )
    line()
    rows = [(fate.value, f"{n:,}", share(n, result.labels), EXPLAINED[fate]) for fate, n in result.fates.items()]
    if result.taken:
        rows.append(("taken", f"{result.taken:,}", share(result.taken, result.labels), TAKEN))
    table(("label is", "labels", "share", "which means"), rows, right=(1, 2))
    _show_renames(result, most)
    told = [label for label in result.moved if label.fate not in _QUIET and label.grade]
    told.sort(key=lambda label: label.fate is Fate.EDITED)  # what waits comes first
    for label in told[:most]:
        line()
        _show_label(label)
    if len(told) > most:
        line()
        line(f"… and {len(told) - most:,} more: --show {len(told)}")
    line()
    if result.settled:
        line(f"{plural(result.settled, 'earlier decision', 'was', 'were')} applied again.")
    if result.retired:
        line(f"Retired: {plural(result.retired, 'label')}. They are kept in the set.")
    show_bereft(result.version.name, result.bereft)
    if result.bereft and result.retired:
        line("  A rebase makes them so by itself: --deleted abstain")
    if result.stale:
        line(f"Reference answers to confirm or rewrite: {plural(len(result.stale), 'question')}", "yellow")
        line(f"  evalspan set show {result.version.name} --stale")
    if result.waiting:
        _show_waiting(result)
    else:
        line("Nothing waits. Map it on a chunking of the new snapshot:", "green")
        line(f"  evalspan migrate {result.version.name} --to CHUNKING")


def _show_waiting(result: Rebase) -> None:
    line(f"{plural(result.waiting, 'label', 'waits', 'wait')} for a person:", "yellow")
    line(f"  evalspan review {result.version.name} list")


def _show_renames(result: Rebase, most: int) -> None:
    for rename in result.renames[:most]:
        how = "the same text" if rename.same else f"{rename.likeness:.0%} alike"
        verb = "is" if rename.old_id in result.accepted else "may be"
        line(f"  {rename.old_id} {verb} {rename.new_id} now ({how})")
    rest = len(result.renames) - most
    if rest > 0:
        line(f"  … and {plural(rest, 'document')} more that came back under another id (--json names all)")


def _show_label(label: RebasedLabel) -> None:
    where = label.doc_id if label.doc_id == label.new_doc_id else f"{label.doc_id} → {label.new_doc_id}"
    line(f"{label.fate.value}  {label.query_id}  {where}", "bold")
    if label.fate is Fate.CHANGED and label.old == label.new:
        line("  The same words; a negation, number or name beside them in the sentence differs.")
    differing(label.old, label.new)


def _row(result: Rebase) -> dict[str, Any]:
    diff = result.diff
    return {
        "set": result.version.name,
        "version": result.version.number,
        "new": result.new,
        "snapshot": result.snapshot.digest,
        "documents": {
            "same": diff.same,
            "changed": list(diff.changed),
            "added": list(diff.added),
            "removed": list(diff.removed),
        },
        "labels": result.labels,
        "fates": {fate.value: count for fate, count in result.fates.items()} | {"taken": result.taken},
        "moved": [label.to_row() for label in result.moved],
        "renames": [{**one._asdict(), "accepted": one.old_id in result.accepted} for one in result.renames],
        "settled": result.settled,
        "waiting": result.waiting,
        "retired": result.retired,
        "stale": list(result.stale),
        "without_relevant_label": list(result.bereft),
    }
