"""`evalspan why`."""

import click

from evalspan.cli import options
from evalspan.cli.main import FINE
from evalspan.cli.page import line, print_json, table


@click.command("why")
@click.argument("eval_set", metavar="SET")
@click.argument("old")
@click.argument("new", default="latest")
@click.option("--measure", default="R@10", show_default=True, help="Whose difference is attributed.")
@options.store
@options.as_json
def why_command(eval_set: str, old: str, new: str, measure: str, store: str | None, as_json: bool) -> int:
    """What moved a figure between two scores (numbers of `evalspan history`): the retriever, the corpus, the labels or
    the chunking. What is stored is scored again, with each change made alone and together with the others.
    """
    from evalspan.workflows.why import why

    found = why(eval_set, old, new, measure=measure, store=store)
    if as_json:
        print_json(
            {
                "measure": measure,
                "old": {"score": found.old.id, "value": found.old_value},
                "new": {"score": found.new.id, "value": found.new_value},
                "difference": found.difference,
                "shares": [{"of": list(share.of), "value": share.value} for share in found.shares],
                "unchanged": list(found.unchanged),
                "notes": list(found.notes),
            }
        )
        return FINE
    line(
        f"{measure}: {found.old_value:.3f} (score {found.old.id}) → {found.new_value:.3f} (score {found.new.id}), "
        f"{found.difference:+.3f}",
        "bold",
    )
    line()
    if found.shares:
        rows = [(" and ".join(share.of), f"{share.value:+.3f}") for share in found.shares]
        table(("share of", measure), rows, right=(1,))
    line(f"The same in both: {', '.join(found.unchanged) or 'nothing'}")
    for note in found.notes:
        line(note, "yellow")
    return FINE
