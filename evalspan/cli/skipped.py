"""What --skip-bad left out."""

from collections.abc import Sequence
from typing import Any

from evalspan.cli.page import line, plural
from evalspan.errors import SHOWN, Problem


def show_skipped(skipped: Sequence[Problem]) -> None:
    """The first ones, and how many more."""
    if not skipped:
        return
    line()
    line(f"Left out as bad: {plural(len(skipped), 'row')}", "yellow")
    for problem in skipped[:SHOWN]:
        line(f"  {problem}")
    if len(skipped) > SHOWN:
        line(f"  … and {len(skipped) - SHOWN:,} more (--json lists all)")


def skipped_rows(skipped: Sequence[Problem]) -> list[dict[str, Any]]:
    return [{"file": problem.file, "line": problem.line, "what": problem.what} for problem in skipped]
