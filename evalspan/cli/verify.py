"""`evalspan verify`."""

import click

from evalspan.cli import options
from evalspan.cli.main import FINE, NO
from evalspan.cli.page import line, print_json
from evalspan.indexes import KINDS
from evalspan.workflows.verify import SAMPLE, verify


@click.command("verify", epilog=f"An index is one of these: {', '.join(KINDS.values())}.")
@click.argument("eval_set", metavar="SET")
@click.option(
    "--index", required=True, help="Where the index is: chroma:PATH#COLLECTION and the like, or its manifest's file."
)
@click.option("--deep", is_flag=True, help="Read chunks back out of the index and hold them against their documents.")
@click.option(
    "--sample",
    metavar="N|all",
    help=f"How many chunks --deep reads back ({SAMPLE} unless said); those that hold labelled passages always are.",
)
@click.option("--allow-waiting", is_flag=True, help="Run without the questions that wait for review.")
@click.option("--override", metavar="REASON", help="Go on although the guard refuses; the reason is recorded.")
@options.store
@options.as_json
def verify_command(
    eval_set: str,
    index: str,
    deep: bool,
    sample: str | None,
    allow_waiting: bool,
    override: str | None,
    store: str | None,
    as_json: bool,
) -> int:
    """Refuses an index that the set was not made for.

    SET is a set's name (its newest version), NAME@VERSION, or a set file, which needs no store.

    Exit 0 passed, 1 refused, 2 could not tell.
    """
    if sample is not None and not deep:
        raise click.UsageError("--sample says how much --deep reads back: add --deep")
    verdict = verify(
        eval_set,
        index,
        allow_waiting=allow_waiting,
        override=override,
        deep=deep,
        sample=sample or SAMPLE,
        store=store,
    )
    if as_json:
        print_json(verdict.to_row())
        return FINE if verdict.passed else NO
    first, _, rest = verdict.text.partition("\n")
    line(first, ("yellow" if verdict.override else "green") if verdict.passed else "bold red")
    if rest:
        line(rest)
    if verdict.refusals and not verdict.overridable and override is not None:
        line("An override does not cover a damaged set.", "red")
    return FINE if verdict.passed else NO
