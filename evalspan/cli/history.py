"""`evalspan history`, `bridge` and `compare`."""

from pathlib import Path
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, plural, print_json, table
from evalspan.cli.score import PIPELINE_HELP, figure_rows, read_pipeline, score_row, shown
from evalspan.scoring.history import History
from evalspan.scoring.named import DEFAULT_MEASURES
from evalspan.scoring.page import drawn_at
from evalspan.scoring.paired import Slice

SHOWN = 10
"""Questions named on each side of a comparison; --json names all."""

ROWS, COLUMNS = 16, 76
"""Of the plot in a terminal."""


@click.command("history")
@click.argument("eval_set", metavar="SET")
@click.option("--measure", default="R@10", show_default=True, help="The measure that is drawn.")
@click.option("--html", type=options.FILE, help="Also write a page with the drawing to this file; it needs no network.")
@click.option("--no-plot", is_flag=True, help="Only the table.")
@options.store
@options.as_json
def history_command(
    eval_set: str, measure: str, html: Path | None, no_plot: bool, store: str | None, as_json: bool
) -> int:
    """A set's scores over time. Where corpus, chunking, embedding, set version or min_overlap change, the line breaks,
    and says so."""
    from evalspan.workflows.history import history

    found = history(eval_set, measure=measure, store=store)
    if html is not None:
        from evalspan.formats.files import write_text
        from evalspan.scoring.page import render_page

        write_text(html, render_page(found, f"{eval_set}: {measure}"))
    if as_json:
        print_json(_history_row(found))
        return FINE
    if not no_plot:
        _plot(found)
    _show_history(found)
    if html is not None:
        line(f"Wrote {html}")
    return FINE


def _show_history(found: History) -> None:
    breaks = {found.series[one.series].points[0].id: one for one in found.breaks}
    settings = found.settings
    rows: list[tuple[object, ...]] = []
    for point, number in found.points:
        broken = breaks.get(point.id)
        if broken is not None:
            bridged = " (bridged)" if broken.bridged else ""
            rows += [("", f"── break{bridged}", "", change, "", "") for change in broken.changes]
        figure = shown(point.figure, point.waiting)
        rows.append(
            (
                point.id,
                point.at,
                _letter(settings.index(found.series[number].setting)),
                figure,
                point.code_version,
                point.run,
            )
        )
    table(("score", "time", "series", found.measure, "code", "run"), rows, right=(0,))
    line()
    for number, setting in enumerate(settings):
        line(
            f"  {_letter(number)}  {setting.set_version} on {setting.chunking} of {setting.corpus}, "
            f"embedding {setting.embedding}, min_overlap {setting.min_overlap}"
        )
    for bridge in found.bridges:
        line(
            f"  bridge: score {bridge.old.id} {shown(bridge.old.figure)} — score {bridge.new.id} "
            f"{shown(bridge.new.figure)}, taken together"
        )


def _letter(number: int) -> str:
    """A, B, … Z, A1, …"""
    return chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else "")


def _plot(found: History) -> None:
    """Letters of the settings at their figures, dots at the ends of intervals; a bar at each break; time goes right."""
    points, settings = found.points, found.settings
    starts = {found.series[one.series].points[0].id for one in found.breaks}
    width = max(1, min(COLUMNS, 2 * len(points) + len(starts)))
    shown_points = points if len(points) * 2 <= COLUMNS else points[-(COLUMNS // 2) :]
    grid = [[" "] * (width + 2) for _ in range(ROWS + 1)]
    column = 0
    for point, number in shown_points:
        if point.id in starts:
            for row in grid:
                row[min(column, width + 1)] = "┊"
            column += 1
        at = min(column, width + 1)
        for end in (point.figure.low, point.figure.high) if point.figure.low != point.figure.high else ():
            grid[_row_of(end)][at] = "·"
        grid[_row_of(drawn_at(point))][at] = _letter(settings.index(found.series[number].setting))[0]
        column += 2
    for number, row in enumerate(grid):
        label = f"{1 - number / ROWS:.2f}" if number % 4 == 0 else "    "
        line(f"{label} │{''.join(row).rstrip()}")
    line(f"     └{'─' * (width + 2)}")
    if len(shown_points) < len(points):
        line(f"      the last {len(shown_points)} of {len(points):,} scores; --html draws all")
    line()


def _row_of(value: float) -> int:
    return ROWS - round(ROWS * max(0.0, min(1.0, value)))


def _history_row(found: History) -> dict[str, Any]:
    return {
        "measure": found.measure,
        "series": [
            {
                "setting": series.setting._asdict(),
                "points": [{**p._asdict(), "setting": None, "figure": p.figure._asdict()} for p in series.points],
            }
            for series in found.series
        ],
        "breaks": [one._asdict() for one in found.breaks],
        "bridges": [[bridge.old.id, bridge.new.id] for bridge in found.bridges],
    }


@click.command("bridge")
@click.argument("eval_set", metavar="SET")
@click.option("--run", "runs", type=options.FILE, multiple=True, required=True, help="The old run, then the new one.")
@click.option("--index", "indexes", multiple=True, required=True, help="The old index, then the new one.")
@click.option("--measure", "measures", multiple=True, help="As of `evalspan score`; may be repeated.")
@click.option("--pipeline", "pipelines", type=options.FILE, multiple=True, help=f"{PIPELINE_HELP} Old, then new.")
@click.option("--code-version", default="", help="Of the code under test; kept with both scores.")
@options.why
@options.store
@options.as_json
def bridge_command(
    eval_set: str,
    runs: tuple[Path, ...],
    indexes: tuple[str, ...],
    measures: tuple[str, ...],
    pipelines: tuple[Path, ...],
    code_version: str,
    why: str,
    store: str | None,
    as_json: bool,
) -> int:
    """Scores two configurations on the same set version at the same time, and records the pair: the only link that
    `history` draws across a break.

    evalspan bridge SET --run OLD_RUN --index OLD_INDEX --run NEW_RUN --index NEW_INDEX
    """
    if len(runs) != 2 or len(indexes) != 2 or len(pipelines) not in (0, 2):
        raise click.UsageError("Two --run and two --index are wanted (and two --pipeline, or none): old, then new.")
    from evalspan.workflows.history import bridge

    made = [read_pipeline(path) for path in pipelines] or [None, None]
    found = bridge(
        eval_set,
        old_run=runs[0],
        old_index=indexes[0],
        new_run=runs[1],
        new_index=indexes[1],
        measures=measures or DEFAULT_MEASURES,
        old_pipeline=made[0],
        new_pipeline=made[1],
        code_version=code_version,
        store=store,
        why=why,
    )
    if as_json:
        print_json(
            {"old": score_row(found.old), "new": score_row(found.new), "scores": [found.bridge.old, found.bridge.new]}
        )
        return FINE
    rows = [
        (name, shown(figure, found.old.waiting_labels), shown(found.new.figures[name], found.new.waiting_labels))
        for name, figure in found.old.figures.items()
        if name in found.new.figures
    ]
    old, new = found.old.mapping, found.new.mapping
    table(("measure", f"old: {old.chunking.name}", f"new: {new.chunking.name}"), rows)
    line()
    line(f"Kept as scores {found.bridge.old} and {found.bridge.new}, bridged: evalspan history {old.version.name}")
    return FINE


@click.command("compare")
@click.argument("eval_set", metavar="SET")
@click.argument("old")
@click.argument("new", default="latest")
@click.option("--measure", default="R@10", show_default=True, help="What is compared, question by question.")
@options.store
@options.as_json
def compare_command(eval_set: str, old: str, new: str, measure: str, store: str | None, as_json: bool) -> int:
    """Two scores of a set (numbers of `evalspan history`), question by question and slice by slice.

    Exit 0 compared, 1 refused: they stand on two sides of a break.
    """
    from evalspan.workflows.compare import compare

    found = compare(eval_set, old, new, measure=measure, store=store)
    if as_json:
        print_json(
            {
                "measure": measure,
                "old": {"score": found.old.id, "figures": figure_rows(found.old.figures)},
                "new": {"score": found.new.id, "figures": figure_rows(found.new.figures)},
                "slices": [{**one._asdict(), "test": one.test._asdict()} for one in found.slices],
                "stages": list(found.stages),
                "confounded": found.confounded,
                "left_out": found.left_out,
                "bridged": found.bridged,
            }
        )
        return FINE
    line(f"{measure}: score {found.old.id} ({found.old.run}) → score {found.new.id} ({found.new.run})", "bold")
    if found.bridged:
        line("  Across a break, by the bridge between them.", "yellow")
    stages = ", ".join(found.stages) or "none that was named"
    line(f"  Stages that differ: {stages}")
    if found.confounded:
        line("  Confounded: more than one stage differs, and nothing tells which of them did it.", "bold yellow")
    if found.left_out:
        line(f"  Left out: {plural(found.left_out, 'question')} with a label that waits.")
    line()
    headers = ("slice", "questions", "old", "new", "difference", "95 % interval", "p", "better", "worse", "same")
    table(headers, [_slice_row(one) for one in found.slices], right=(1, 2, 3, 4, 6, 7, 8, 9))
    line()
    everything = found.slices[0]
    for what, queries in (("Better", everything.fixes), ("Worse", everything.regressions)):
        if queries:
            more = f" and {len(queries) - SHOWN:,} more" if len(queries) > SHOWN else ""
            line(f"{what}: {', '.join(queries[:SHOWN])}{more}")
    return FINE


def _slice_row(one: Slice) -> tuple[object, ...]:
    test = one.test
    p_value = "–" if test.p_value is None else f"{test.p_value:.3f}"
    counts = (len(one.fixes), len(one.regressions), one.ties)
    interval = f"{test.low:+.3f} to {test.high:+.3f}"
    return (
        one.name,
        one.questions,
        f"{one.old:.3f}",
        f"{one.new:.3f}",
        f"{one.difference:+.3f}",
        interval,
        p_value,
        *counts,
    )
