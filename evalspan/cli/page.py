"""What a person sees: tables and colours on a terminal, plain text in a pipe, JSON when asked."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar
from unicodedata import east_asian_width

import click

T = TypeVar("T")


def on_terminal() -> bool:
    return sys.stdout.isatty()


def print_json(value: Any) -> None:
    """One JSON document; in ASCII where the output is not UTF-8, so that no character is lost."""
    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    click.echo(json.dumps(value, ensure_ascii=plain, indent=2))


def print_data(text: str) -> None:
    """The content of a file: UTF-8, whatever the terminal takes."""
    click.echo(text.encode("utf-8"), nl=False)


_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)), "\ufffd")


def tame(text: str) -> str:
    """Without control characters: an id must not set a terminal's title."""
    return text.translate(_CONTROLS)


def line(text: str = "", style: str | None = None) -> None:
    """A line; `style` as "bold green"."""
    words = (style or "").split()
    colour = next((word for word in words if word not in ("bold", "dim")), None)
    text = tame(text)
    click.echo(click.style(text, fg=colour, bold="bold" in words, dim="dim" in words) if words else text)


def table(headers: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[int] = ()) -> None:
    """`right`: numbers of the columns that are set flush right."""
    cells = [["" if cell is None else tame(str(cell)) for cell in row] for row in rows]
    if on_terminal():
        _rich_table(headers, cells, right)
        return
    widths = [max(map(_width, column)) for column in zip(headers, *cells, strict=True)]
    for row in ([*headers], *cells):
        padded = [_pad(cell, widths[i], i in right) for i, cell in enumerate(row)]
        click.echo("  ".join(padded).rstrip())


def _rich_table(headers: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[int]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for i, header in enumerate(headers):
        last = i == len(headers) - 1  # the one that may be long: a reason, a question, a digest
        drawn.add_column(header, justify="right" if i in right else "left", overflow="fold", no_wrap=not last)
    for row in cells:
        drawn.add_row(*(Text(cell) for cell in row))
    Console().print(drawn)


def _width(text: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int, right: bool) -> str:
    blanks = " " * (width - _width(text))
    return blanks + text if right else text + blanks


def share(part: int, whole: int) -> str:
    """As "14.4 %"."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def plural(count: int, noun: str, verb: str = "", verbs: str = "") -> str:
    """As "1 label", "2,000 labels"; with verbs, "1 label waits", "2,000 labels wait"."""
    said = f"{count:,} {noun}" + ("" if count == 1 else "s")
    return f"{said} {verb if count == 1 else verbs}" if verb else said


def progress(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """A bar on standard error where that is a terminal; nothing else."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=what, total=total or None, console=Console(stderr=True), transient=True)
