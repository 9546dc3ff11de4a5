"""README and docs hold what is true: their examples run, their pages are what the commands say of themselves.

With EVALSPAN_UPDATE_DOCS=1 the generated parts are written anew.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from evalspan.cli.main import cli

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DEMO = README.parent / "docs" / "demo.md"
COMMANDS = ROOT / "docs" / "commands.md"
PAGES = sorted([README, *(ROOT / "docs").glob("*.md")])

UPDATE = bool(os.environ.get("EVALSPAN_UPDATE_DOCS"))


def evalspan(*arguments: str, cwd: Path) -> str:
    """What the command prints in a pipe, whatever its exit code."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("EVALSPAN_")}
    run = subprocess.run(
        [sys.executable, "-m", "evalspan", *arguments],
        cwd=cwd,
        env=environment | {"PYTHONIOENCODING": "utf-8", "TERM": "dumb", "COLUMNS": "100"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.stderr == ""
    return run.stdout


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder that the demo leaves, and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    printed = evalspan("demo", "--keep", "shop", cwd=folder)
    return folder / "shop", printed


def hold(page: Path, found: str, right: str) -> None:
    """`found` is `right`, or becomes it."""
    if UPDATE and found != right:
        page.write_text(page.read_text("utf-8").replace(found, right), "utf-8")
        return
    assert found == right, f"{page.name} is out of date: EVALSPAN_UPDATE_DOCS=1 pytest tests/test_docs.py"


def test_the_readme_shows_what_the_demo_prints_first(shop: tuple[Path, str]) -> None:
    first, act, _ = _printed(shop).partition("# The set moves to the new pages.")
    assert act
    hold_block(README, first)


def test_the_page_of_the_demo_shows_all_that_it_prints(shop: tuple[Path, str]) -> None:
    hold_block(DEMO, _printed(shop))


def _printed(shop: tuple[Path, str]) -> str:
    printed = shop[1].replace("\nThe files of this demo are in shop.\n", "\n")
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2026-03-01T09:30:00Z", printed)


def hold_block(page: Path, printed: str) -> None:
    block = re.search(r"<!-- demo -->\n.*?<!-- /demo -->", page.read_text("utf-8"), re.DOTALL)
    assert block
    hold(page, block.group(), f"<!-- demo -->\n```text\n{printed.rstrip()}\n```\n<!-- /demo -->")


def examples() -> Iterator[object]:
    for page in PAGES:
        for number, found in enumerate(re.finditer(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL), 1):
            yield pytest.param(found.group(1), id=f"{page.name}-{number}")


@pytest.mark.parametrize("example", list(examples()))
def test_python_examples_run(example: str, shop: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop[0])
    monkeypatch.setenv("EVALSPAN_STORE", "evalspan.db")
    exec(compile(example, "example", "exec"), {})


def test_the_page_of_commands_is_what_help_says() -> None:
    right = "# Commands\n\nEvery command and option, as `--help` prints them.\n" + "".join(
        f"\n## {' '.join(path)}\n\n```text\n{text}\n```\n" for path, text in helps(("evalspan",), cli)
    )
    if UPDATE:
        COMMANDS.write_text(right, "utf-8")
    hold(COMMANDS, COMMANDS.read_text("utf-8"), right)


def helps(
    path: tuple[str, ...], command: click.Command, parent: click.Context | None = None
) -> Iterator[tuple[tuple[str, ...], str]]:
    settings = {"max_content_width": 100, "terminal_width": 100}
    context = command.make_context(path[-1], [], parent, resilient_parsing=True, **settings)
    with context:
        yield path, "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                arguments = [str(one.metavar) for one in command.params if isinstance(one, click.Argument)]
                yield from helps((*path, *arguments, name), inner, context)


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
