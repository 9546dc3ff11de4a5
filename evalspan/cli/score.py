"""`evalspan score`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, plural, print_json, table
from evalspan.errors import BadInput, Problem
from evalspan.scoring.figures import Figure
from evalspan.scoring.named import DEFAULT_MEASURES, OWN

PIPELINE_HELP = "JSON file {stage: configuration} of what made the run; compared stage by stage."


@click.command("score")
@click.argument("eval_set", metavar="SET")
@click.option("--run", type=options.FILE, required=True, help="TREC, JSON lines with hits, or ranx JSON.")
@click.option("--index", help="The index's manifest, or its address: the guard is asked first.")
@click.option("--chunking", help="Instead: the chunking of the store whose chunks the run names.")
@click.option(
    "--measure",
    "measures",
    multiple=True,
    help=f"As ir_measures has them, or {', '.join(OWN)} at a cut-off; may be repeated. "
    f"[default: {' '.join(DEFAULT_MEASURES)}]",
)
@click.option("--pipeline", type=options.FILE, help=PIPELINE_HELP)
@click.option("--code-version", default="", help="Of the code under test, as a commit; kept with the score.")
@click.option("--sensitivity", is_flag=True, help="Show the figures over min_overlap 0.1 to 1.0; nothing is kept.")
@click.option("--dry-run", is_flag=True, help="Do not keep the score.")
@click.option("--override", metavar="REASON", help="Go on although the guard refuses; the reason is recorded.")
@options.why
@options.store
@options.as_json
def score_command(
    eval_set: str,
    run: Path,
    index: str | None,
    chunking: str | None,
    measures: tuple[str, ...],
    pipeline: Path | None,
    code_version: str,
    sensitivity: bool,
    dry_run: bool,
    override: str | None,
    why: str,
    store: str | None,
    as_json: bool,
) -> int:
    """What a run is worth on a set, with what nobody has decided yet as an interval; kept in the set's history.

    Exit 0 scored, 1 the guard refuses, 2 could not be done.
    """
    if (index is None) == (chunking is None):
        raise click.UsageError("One of --index MANIFEST and --chunking CHUNKING says which chunks the run names.")
    named = measures or DEFAULT_MEASURES
    if sensitivity:
        return _sensitivity(eval_set, run, index, chunking, named, store, as_json)
    from evalspan.workflows.score import score

    scored = score(
        eval_set,
        run,
        index=index,
        chunking=chunking,
        measures=named,
        pipeline=read_pipeline(pipeline),
        code_version=code_version,
        keep=not dry_run,
        override=override,
        store=store,
        why=why,
    )
    if as_json:
        print_json(score_row(scored))
        return FINE
    mapping = scored.mapping
    line(f"{mapping.version.label} on {mapping.chunking.name}, min_overlap {scored.min_overlap:g}", "bold")
    line()
    rows = [(name, shown(figure, scored.waiting_labels)) for name, figure in scored.figures.items()]
    table(("measure", "mean"), rows)
    line()
    line(f"{plural(scored.asked, 'question')}; not answered by the run: {scored.unanswered:,} (they count 0)")
    if scored.waiting_questions:
        questions = plural(scored.waiting_questions, "question")
        line(f"Means are over the others; intervals take in {questions} with a label that waits.")
    notes = (
        (scored.unknown, "question", "of the run that the set does not have"),
        (scored.run.repeated, "hit", "left out: the same chunk stands higher"),
        (scored.run.unscored, "hit", "left out: its score is no number"),
        (scored.unplaced, "hit", "of no chunk of this chunking, and of no place in it: counted as unjudged"),
    )
    for count, noun, what in notes:
        if count:
            line(f"{plural(count, noun)} {what}", "yellow")
    if scored.record is not None:
        line(f"Kept as score {scored.record.id}: evalspan history {mapping.version.name}")
    return FINE


def _sensitivity(
    eval_set: str,
    run: Path,
    index: str | None,
    chunking: str | None,
    measures: tuple[str, ...],
    store: str | None,
    as_json: bool,
) -> int:
    from evalspan.workflows.sensitivity import sensitivity

    rows = sensitivity(eval_set, run, index=index, chunking=chunking, measures=measures, store=store)
    if as_json:
        print_json([{"min_overlap": at, "figures": {n: list(f) for n, f in figures.items()}} for at, figures in rows])
        return FINE
    line("The figures over min_overlap; two of different values are never to be compared.", "bold")
    columns = [(f"{at:g}", *(shown(figures[name]) for name in measures)) for at, figures in rows]
    table(("min_overlap", *measures), columns, right=tuple(range(1, len(measures) + 1)))
    return FINE


def read_pipeline(path: Path | None) -> dict[str, Any] | None:
    """Raises BadInput."""
    if path is None:
        return None
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput([Problem(str(path), None, f"can't be read ({error})")]) from None
    if not isinstance(value, dict):
        raise BadInput([Problem(str(path), None, "{stage: configuration} is wanted")])
    return value


def shown(figure: Figure, waiting: int = 0) -> str:
    """As "0.710", or "0.710 (0.660–0.800, 12 labels wait)". The first figure is of the questions that are decided, the
    interval of all: where the one lies outside the other, that is said.
    """
    value = figure.value
    if figure.low == figure.high and value is not None:
        return f"{value:.3f}"
    interval = f"{figure.low:.3f}–{figure.high:.3f}"
    labels = f", {plural(waiting, 'label', 'waits', 'wait')}" if waiting else ""
    if value is None or not figure.low <= value <= figure.high:
        decided = "" if value is None else f"; {value:.3f} where decided"
        return f"{interval}{f' ({labels[2:]}{decided})' if labels else ''}"
    return f"{value:.3f} ({interval}{labels})"


def figure_rows(figures: Mapping[str, Figure]) -> dict[str, Any]:
    """As JSON."""
    return {name: figure._asdict() for name, figure in figures.items()}


def score_row(scored: Any) -> dict[str, Any]:
    """A score as JSON."""
    mapping = scored.mapping
    return {
        "set": mapping.version.label,
        "snapshot": mapping.chunking.snapshot.digest,
        "chunking": mapping.chunking.name,
        "embedding": mapping.embedding.model_dump() if mapping.embedding else None,
        "min_overlap": scored.min_overlap,
        "run": scored.run.name,
        "figures": figure_rows(scored.figures),
        "questions": scored.asked,
        "unanswered": scored.unanswered,
        "waiting_labels": scored.waiting_labels,
        "waiting_questions": scored.waiting_questions,
        "unknown_questions": scored.unknown,
        "repeated_hits": scored.run.repeated,
        "unscored_hits": scored.run.unscored,
        "unplaced_hits": scored.unplaced,
        "per_question": {name: figure_rows(figures) for name, figures in scored.questions.items()},
        "score": scored.record.id if scored.record else None,
    }
