"""`evalspan relabel`."""

from pathlib import Path
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, plural, print_json, table
from evalspan.cli.skipped import show_skipped, skipped_rows
from evalspan.workflows.relabel import Offer, PooledRun, Relabelling, relabel

SHOWN = 20
"""Passages in the table; the review queue and --json have all."""

BEGINNING = 60
"""Characters of a passage in the table."""


@click.command("relabel")
@click.argument("eval_set", metavar="SET")
@click.option("--run", "runs", type=options.FILE, multiple=True, required=True, help="A TREC run; once for each.")
@click.option(
    "--chunking",
    "chunkings",
    multiple=True,
    help="Whose chunks the runs name: once for all of them, or once for each, in their order. [default: latest]",
)
@click.option("--depth", default=10, show_default=True, help="How many results of each question are pooled.")
@options.skip_bad
@options.store
@options.as_json
def relabel_command(
    eval_set: str,
    runs: tuple[Path, ...],
    chunkings: tuple[str, ...],
    depth: int,
    skip_bad: bool,
    store: str | None,
    as_json: bool,
) -> int:
    """Finds what runs return and nobody has judged, and adds it to the review queue.

    \b
    evalspan relabel SET --run bm25.txt --run dense.txt

    New documents may answer old questions. The first results of all runs are pooled; passages that overlap a
    judgment of their question count as judged. What the runs disagree about most comes first.
    """
    found = relabel(eval_set, runs, chunking=chunkings or "latest", depth=depth, store=store, skip_bad=skip_bad)
    if as_json:
        print_json(_row(found))
    else:
        _show(found)
    return FINE


def _show(found: Relabelling) -> None:
    offers = found.offers
    questions = len({offer.proposal.query_id for offer in offers})
    said = f"{plural(len(offers), 'passage')} that nobody has judged"
    line(f"{found.version.label}: {said}" + (f", of {plural(questions, 'question')}" if offers else ""), "bold")
    line()
    headers = ("run", "chunking", f"results in the first {found.depth}", "judged", "not judged")
    table(
        headers,
        [
            (run.name, run.chunking, f"{run.results:,}", f"{run.judged:,}", run.results - run.judged)
            for run in found.runs
        ],
        right=(2, 3, 4),
    )
    for run in found.runs:
        for said in _left_out(run, found):
            line(f"{run.name}: {said}", "yellow")
    if offers:
        line()
        rows = [(o.proposal.query_id, *_ranks(o), o.proposal.doc_id, _beginning(o.text)) for o in offers[:SHOWN]]
        columns = tuple(range(1, 1 + len(found.runs)))
        table(("question", *(run.name for run in found.runs), "document", "begins"), rows, right=columns)
        if len(offers) > SHOWN:
            line(f"… and {len(offers) - SHOWN:,} more (--json names all)")
    show_skipped(found.skipped)
    line()
    if offers:
        line(f"Look at them: evalspan review {found.version.name} list")
    else:
        line("Nothing was written: all that the runs return is judged.", "green")


def _left_out(run: PooledRun, found: Relabelling) -> list[str]:
    counts = (
        (run.strangers, "question", f"not in {found.version.label}, and left out."),
        (run.retired, "question", "no longer asked, and left out."),
        (run.unknown, "chunk id", f"not in chunking {run.chunking}: is the run of this index?"),
        (run.unplaced, "chunk", "without one certain place in its document, and left out."),
    )
    return [f"{plural(count, noun, 'is', 'are')} {what}" for count, noun, what in counts if count]


def _ranks(offer: Offer) -> tuple[str, ...]:
    return tuple(str(rank) if rank else "–" for rank in offer.ranks)


def _beginning(text: str) -> str:
    words = " ".join(text[: 4 * BEGINNING].split())
    return words if len(words) <= BEGINNING else f"{words[:BEGINNING]}…"


def _row(found: Relabelling) -> dict[str, Any]:
    return {
        "set": found.version.label,
        "depth": found.depth,
        "runs": [run._asdict() for run in found.runs],
        "passages": [
            {
                "item": offer.proposal.key.name,
                "query_id": offer.proposal.query_id,
                "candidates": [one.model_dump(mode="json", exclude_defaults=True) for one in offer.proposal.candidates],
                "ranks": list(offer.ranks),
                "weight": offer.proposal.weight,
                "text": offer.text,
            }
            for offer in found.offers
        ],
        "skipped": skipped_rows(found.skipped),
    }
