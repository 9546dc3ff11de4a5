"""`evalspan chunking report`."""

from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, plural, print_json, share, table
from evalspan.scoring.cutting import Family, Found, Held
from evalspan.workflows.cutting import SHOWN, ChunkingReport, CuttingReport, Shown, report

NAMED = 10
"""Questions whose ids are printed; --json has them all."""


@click.command("report")
@click.argument("eval_set", metavar="SET")
@click.option("--chunking", "chunkings", multiple=True, required=True, help="May be repeated: side by side.")
@click.option("--show", "shown", default=SHOWN, show_default=True, help="How many of the worst cuts to show.")
@options.store
@options.as_json
def report_command(eval_set: str, chunkings: tuple[str, ...], shown: int, store: str | None, as_json: bool) -> int:
    """How many of a set's passages stand whole in one chunk, and how many are cut, before any run."""
    if shown < 0:
        raise click.BadParameter(f"{shown} is below 0", param_hint="--show")
    found = report(eval_set, chunkings, shown=shown, store=store)
    if as_json:
        print_json(_row(found))
        return FINE
    line(f"{found.version.label}, min_overlap {found.min_overlap:g}", "bold")
    line()
    first = [one.cutting.families[0] for one in found.reports]
    names = [one.chunking.name for one in found.reports]
    _side_by_side(names, first)
    if found.lost:
        line(f"{plural(found.lost, 'label')} more lost a place in a rebase: no chunking is to blame", "yellow")
    if first[0].coarse:
        line(
            f"{plural(first[0].coarse, 'label')} coarse: of whole old chunks, whose being split says little about the "
            "answers in them",
            "yellow",
        )
    for one in found.reports:
        _show(one)
    return FINE


def _side_by_side(names: list[str], families: list[Family]) -> None:
    rows = [(kind.value, *(_count(family, kind) for family in families)) for kind in Held]
    rows.append(("labels", *(f"{family.labels:,}" for family in families)))
    rows.append(("unwinnable questions", *(_unwinnable(family) for family in families)))
    table(("relevant labels", *names), rows, right=tuple(range(1, len(names) + 1)))


def _count(family: Family, kind: Held) -> str:
    return f"{family.held[kind]:,} ({share(family.held[kind], family.labels)})"


def _unwinnable(family: Family) -> str:
    return f"{len(family.unwinnable):,} of {family.questions:,}"


def _show(one: ChunkingReport) -> None:
    from evalspan.cli.drawing import show_drawing

    everything, *families = one.cutting.families
    line()
    line(f"{one.chunking.name}: {plural(one.chunking.chunks, 'chunk')} of {one.chunking.snapshot.label}", "bold")
    if everything.unwinnable:
        more = len(everything.unwinnable) - NAMED
        line(f"  unwinnable: {', '.join(everything.unwinnable[:NAMED])}{f' … and {more:,} more' if more > 0 else ''}")
    if families:
        rows = [
            (
                family.name,
                f"{family.labels:,}",
                _count(family, Held.WHOLE),
                _count(family, Held.SPLIT),
                _unwinnable(family),
            )
            for family in families
        ]
        table(("family", "labels", "whole", "split", "unwinnable"), rows, right=(1, 2, 3, 4))
    if one.worst:
        precise = sum(not found.outcome.coarse for found in one.cutting.split)
        line()
        if precise:
            line(f"Your splitter is cutting answers in half: {plural(precise, 'passage')}.", "bold red")
    for shown in one.worst:
        show_drawing(_title(shown.found), shown.drawing)


def _family_cells(family: Family) -> tuple[str, ...]:
    counts = (_count(family, Held.WHOLE), _count(family, Held.SPLIT))
    return (family.name, f"{family.labels:,}", *counts, _unwinnable(family))


def _title(found: Found) -> str:
    coarse = ", coarse" if found.outcome.coarse else ""
    tabular = ", tabular" if found.judgment is not None and found.judgment.tabular else ""
    return (
        f"{found.query_id} in {found.outcome.doc_id}{tabular}{coarse}: the best chunk holds {_percent(found.best)}, "
        f"all together {_percent(found.outcome.union_coverage)}"
    )


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"


def _row(found: CuttingReport) -> dict[str, Any]:
    return {
        "set": found.version.label,
        "min_overlap": found.min_overlap,
        "lost": found.lost,
        "chunkings": [
            {
                "chunking": one.chunking.name,
                "digest": one.chunking.digest,
                "families": [_family_row(family) for family in one.cutting.families],
                "worst": [_worst_row(shown) for shown in one.worst],
            }
            for one in found.reports
        ],
    }


def _family_row(family: Family) -> dict[str, Any]:
    counts = {kind.value: count for kind, count in family.held.items()}
    return {
        "family": family.name,
        "labels": family.labels,
        **counts,
        "coarse": family.coarse,
        "questions": family.questions,
        "unwinnable": list(family.unwinnable),
    }


def _worst_row(shown: Shown) -> dict[str, Any]:
    found = shown.found
    return {
        "query_id": found.query_id,
        "doc_id": found.outcome.doc_id,
        "spans": [list(span) for span in found.outcome.match.places],
        "held": found.held.value,
        "coarse": found.outcome.coarse,
        "min_overlap": found.outcome.min_overlap,
        "best": round(found.best, 4),
        "together": round(found.outcome.union_coverage, 4),
        "chunks": [cover.chunk_id for cover in found.outcome.covers],
    }
