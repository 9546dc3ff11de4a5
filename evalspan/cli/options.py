"""Options that several commands share."""

from pathlib import Path
from typing import Any

import click

FILE = click.Path(path_type=Path)
"""Missing files are reported by the readers, with what to do, and not by click."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
skip_bad = click.option("--skip-bad", is_flag=True, help="Leave bad rows out, and list them, instead of stopping.")
replace_bad_text = click.option(
    "--replace-bad-text", is_flag=True, help="Put U+FFFD for NUL and lone surrogates, one for one, instead of stopping."
)
store = click.option(
    "--store",
    help="The store: a path or URL. Else EVALSPAN_STORE, [tool.evalspan] store in pyproject.toml, evalspan.db here.",
)
labels_are = click.option(
    "--labels-are",
    type=click.Choice(["any", "all"]),
    help="Whether any one of a question's labels is enough, or all are needed. [default: nobody said]",
)
why = click.option("--why", default="", help="Why this is done; kept with who and when.")


def _no_number(constant: str) -> float:
    raise ValueError(constant)


def key_values(ctx: click.Context, option: click.Parameter, pairs: tuple[str, ...]) -> dict[str, Any]:  # noqa: ARG001
    """`--param chunk_size=400`: values are JSON where they parse as such, else text."""
    import json

    out: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise click.BadParameter(f"{pair!r} is not of the form name=value")
        try:
            out[key] = json.loads(value, parse_constant=_no_number)
        except ValueError:
            out[key] = value
    return out
