"""Questions that lost their last relevant label, as commands name them."""

from collections.abc import Sequence

from evalspan.cli.page import line, plural

NAMED = 10
"""Questions that are named; the JSON form has all."""


def show_bereft(name: str, query_ids: Sequence[str]) -> None:
    """`name`: of the set."""
    if not query_ids:
        return
    rest = len(query_ids) - NAMED
    named = ", ".join(query_ids[:NAMED]) + (f" and {rest:,} more" if rest > 0 else "")
    said = plural(len(query_ids), "question", "has", "have")
    line(f"{said} no relevant label any more: {named}", "yellow")
    line(f"  Where the corpus has no answer now: evalspan set amend {name} --question ID --no-answer")
