"""`evalspan gate`."""

from pathlib import Path

import click

from evalspan.cli import options
from evalspan.cli.main import COULD_NOT, FINE, NO
from evalspan.cli.page import line, print_json, table
from evalspan.scoring.gate import Verdict

CODES = {Verdict.PASS: FINE, Verdict.FAIL: NO, Verdict.INDETERMINATE: COULD_NOT}

COLOURS = {Verdict.PASS: "bold green", Verdict.FAIL: "bold red", Verdict.INDETERMINATE: "bold yellow"}


@click.command("gate")
@click.argument("eval_set", metavar="SET")
@click.option("--rules", type=options.FILE, required=True, help="The TOML file of thresholds: docs/scores.md.")
@click.option("--score", default="latest", show_default=True, help="Number of the score, or latest.")
@click.option("--baseline", help="Number of the score that drops are measured from.")
@click.option("--markdown", type=options.FILE, help="Also write the report for a pull request to this file.")
@options.store
@options.as_json
def gate_command(
    eval_set: str,
    rules: Path,
    score: str,
    baseline: str | None,
    markdown: Path | None,
    store: str | None,
    as_json: bool,
) -> int:
    """Holds a recorded score against thresholds.

    Exit 0 PASS, 1 FAIL, 2 INDETERMINATE (a threshold lies inside an interval: labels that wait decide) or could not be
    done.
    """
    from evalspan.formats.files import write_text
    from evalspan.workflows.gate import gate

    found = gate(eval_set, rules, score=score, baseline=baseline, store=store)
    if markdown is not None:
        write_text(markdown, found.markdown())
    if as_json:
        rows = [
            {"rule": r.rule.name, "kind": r.rule.kind, "limit": r.rule.limit, "verdict": r.verdict, "found": r.said}
            for r in found.results
        ]
        print_json({"verdict": found.verdict, "score": found.score.id, "rules": rows})
        return CODES[found.verdict]
    line(f"{found.verdict}: score {found.score.id} of {found.score.mapping.version.label}", COLOURS[found.verdict])
    told = [(r.verdict.value, r.rule.name, f"{r.rule.limit:g}", r.said) for r in found.results]
    table(("verdict", "rule", "limit", "found"), told, right=(2,))
    if markdown is not None:
        line(f"Wrote {markdown}")
    return CODES[found.verdict]
