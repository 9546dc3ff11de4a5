"""`evalspan check`."""

from pathlib import Path
from shlex import quote
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE, NO
from evalspan.cli.page import line, plural, print_json, share, table
from evalspan.cli.skipped import show_skipped, skipped_rows
from evalspan.scoring import Interval, RunScore
from evalspan.workflows.check import Check, check

NAMED = 10
"""Questions named in the text; --json names all."""


@click.command("check")
@click.option("--labels", type=options.FILE, required=True, help="Qrels that name chunks, TREC or BEIR.")
@click.option(
    "--chunks", type=options.FILE, required=True, help='The chunks there are now: JSON lines with "chunk_id".'
)
@click.option("--run", type=options.FILE, help="A TREC run: also print what it would score, and within which bounds.")
@click.option("--k", default=10, show_default=True, help="Cut-off of the scores.")
@options.skip_bad
@options.as_json
def check_command(labels: Path, chunks: Path, run: Path | None, k: int, skip_bad: bool, as_json: bool) -> int:
    """How much of a set of chunk labels is still alive.

    Needs no store and no text. Exit 1 when a label names a chunk that does not exist.
    """
    result = check(labels, chunks, run, k=k, skip_bad=skip_bad)
    if as_json:
        print_json(_row(result))
    else:
        _show(result, labels, chunks)
    return NO if result.dead else FINE


def _show(result: Check, labels: Path, chunks: Path) -> None:
    whole = f"{plural(result.labels, 'label')} of {plural(result.questions, 'question')} in {labels.name}"
    line(f"{whole}, {plural(result.chunks, 'chunk')} in {chunks.name}", "bold")
    line()
    untouched = result.questions - len(result.lost) - len(result.hurt)
    rows = [
        ("labels that name a chunk which exists", result.alive, share(result.alive, result.labels)),
        ("dead labels", len(result.dead), share(len(result.dead), result.labels)),
        ("questions that lost all their labels", len(result.lost), share(len(result.lost), result.questions)),
        ("questions that lost some", len(result.hurt), share(len(result.hurt), result.questions)),
        ("questions that lost none", untouched, share(untouched, result.questions)),
    ]
    table(("", "count", "share"), [(what, f"{count:,}", part) for what, count, part in rows], right=(1, 2))
    if result.lost:
        named = ", ".join(result.lost[:NAMED])
        rest = len(result.lost) - NAMED
        line()
        line(f"All labels lost: {named}{f' and {rest:,} more (--json names them)' if rest > 0 else ''}")
    if result.score is not None:
        _show_score(result, result.score)
    show_skipped(result.skipped)
    line()
    if result.dead:
        line("An id that survived can still name another text: only the texts tell. Carry the labels over:", "yellow")
        line(f"  evalspan migrate --documents DOCUMENTS.jsonl --old-chunks OLD.jsonl --labels {quote(str(labels))} \\")
        line(f"      --new-chunks {quote(str(chunks))} --out migrated")
    else:
        line("Every label names a chunk that exists.", "green")


def _show_score(result: Check, score: RunScore) -> None:
    line()
    line(f"The run, over {plural(score.questions, 'question')} with a relevant label:", "bold")
    rows = [
        (name, *(f"{value:.3f}" for value in interval))
        for name, interval in (
            (f"recall@{score.k}", score.recall),
            (f"hit@{score.k}", score.hit),
            (f"MRR@{score.k}", score.mrr),
        )
    ]
    table(("", "as printed", "dead labels all missed", "all hit"), rows, right=(1, 2, 3))
    if score.unanswered:
        line(f"{plural(score.unanswered, 'question', 'is', 'are')} not in the run, and counted as 0.")
    if result.run_unknown:
        unknown = plural(result.run_unknown, "chunk id", "does", "do")
        line(f"Of the run, {unknown} not exist either: is it a run of this index?", "yellow")


def _row(result: Check) -> dict[str, Any]:
    score = result.score
    return {
        "labels": result.labels,
        "alive": result.alive,
        "dead": len(result.dead),
        "chunks": result.chunks,
        "questions": result.questions,
        "questions_lost": list(result.lost),
        "questions_hurt": list(result.hurt),
        "dead_labels": [
            {"query_id": row.query_id, "chunk_id": row.chunk_id, "grade": row.grade} for row in result.dead
        ],
        "score": None
        if score is None
        else {
            "k": score.k,
            "questions": score.questions,
            "questions_not_in_run": score.unanswered,
            "recall": _interval(score.recall),
            "hit": _interval(score.hit),
            "mrr": _interval(score.mrr),
        },
        "run_chunks_unknown": result.run_unknown,
        "skipped": skipped_rows(result.skipped),
    }


def _interval(interval: Interval) -> dict[str, float]:
    return {key: round(value, 6) for key, value in interval._asdict().items()}
