"""What a person sees: tables and colours on a terminal, plain text in a pipe, JSON when asked."""

import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import click

from evalspan.cli.columns import laid_out, places

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


def table(
    headers: Sequence[str],
    rows: Iterable[Sequence[object]],
    right: Sequence[int] = (),
    long: Sequence[int] | None = None,
) -> None:
    """`right`: numbers of the columns that are set flush right; `long`: of those that give way on a narrow terminal,
    the last one unless said.
    """
    cells = [["" if cell is None else _one_line(str(cell)) for cell in row] for row in rows]
    width = shutil.get_terminal_size().columns if on_terminal() else None
    drawn = laid_out(headers, cells, right, (len(headers) - 1,) if long is None else long, width)
    if width is None:
        click.echo("\n".join((*drawn.header, *drawn.rows)))
        return
    rule = "─" * min(width, max(map(places, (*drawn.header, *drawn.rows))))
    click.echo("\n".join((*(click.style(text, bold=True) for text in drawn.header), rule, *drawn.rows)))


def _one_line(text: str) -> str:
    """As a cell: a note may hold line ends."""
    return tame(" ".join(text.splitlines())).replace("\t", " ")


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
