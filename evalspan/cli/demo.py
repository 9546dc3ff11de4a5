"""`evalspan demo`: a re-chunk and an edit of the corpus, told by running the commands on the sample corpus."""

import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import click

from evalspan.cli import options
from evalspan.cli.main import COULD_NOT, FINE, cli
from evalspan.cli.page import line, print_json
from evalspan.errors import EvalspanError
from evalspan.formats.files import require_vacant


class _Step(NamedTuple):
    told: str
    commands: tuple[str, ...]


_STORY = (
    _Step(
        "A shop's eval set names the chunks of its old index. The index was cut anew. How much of the set is alive?",
        ("check --labels qrels.txt --chunks chunks-new.jsonl --run run.txt",),
    ),
    _Step(
        "Tie every label to text by way of the old chunks, carry it to the new ones, and keep all of it in a store.",
        (
            "init",
            "migrate --documents documents.jsonl --old-chunks chunks-old.jsonl --labels qrels.txt "
            "--questions questions.jsonl --new-chunks chunks-new.jsonl --out migrated "
            "--store evalspan.db --set shop-faq",
            "manifest write latest --out index.json",
        ),
    ),
    _Step(
        "Months later the shop edits its pages, and somebody builds an index from the new ones.",
        (
            "snapshot add documents-v2.jsonl --name spring",
            "chunking add spring-cut chunks-v2.jsonl --snapshot spring",
            "manifest write spring-cut --out index-spring.json",
        ),
    ),
    _Step("Before a run on it:", ("verify shop-faq --index index-spring.json --allow-waiting",)),
    _Step(
        "And on the index that the set was made for:",
        ("verify shop-faq --index index.json --allow-waiting",),
    ),
    _Step(
        "The set moves to the new pages. What stands there unchanged comes along; what changed is asked.",
        ("rebase shop-faq --to spring --show 2", "review shop-faq list"),
    ),
    _Step(
        "A person looks at two of them: a fee that was raised, and a page that is gone.",
        (
            "review shop-faq show d9c57bec320c",
            "review shop-faq decide d9c57bec320c accept 1 --by Mara --note 'the fee is 20% now'",
            "review shop-faq decide 906ffe69e3f6 abstain --by Mara --note 'the promise was withdrawn'",
            "review shop-faq apply",
        ),
    ),
    _Step(
        "On the new index, what was decided is in force, and what is not decided yet is left out.",
        (
            "migrate shop-faq --to spring-cut",
            "verify shop-faq --index index-spring.json --allow-waiting",
        ),
    ),
)


_SCORES = (
    _Step(
        "Back to the re-chunk: what did it do to the figures? The old index is still there: map the set on it too.",
        (
            "migrate shop-faq@2 --to chunks-old-f56e7269 --twins ignore",
            "manifest write chunks-old-f56e7269 --out index-old.json",
            "score shop-faq@2 --run run-old.txt --index index-old.json --measure R@10 --measure CharRecall@5",
        ),
    ),
    _Step(
        "Recall over chunks of two sizes is not to be compared. The only honest link is both, once, at the same time:",
        (
            "bridge shop-faq@2 --run run-old.txt --index index-old.json --run run.txt --index index.json "
            "--measure R@10",
            "history shop-faq",
        ),
    ),
)
"""Told where ir_measures is installed, which an extra brings."""

_WITHOUT_SCORES = "A third act scores runs on both indexes, and draws their history: pip install 'evalspan[score]'"


@click.command("demo")
@click.option("--keep", type=options.FILE, help="Leave the demo's files in this folder (absent or empty).")
@options.as_json
def demo_command(keep: Path | None, as_json: bool) -> int:
    """A re-chunk and an edit on a small corpus: check, migrate, verify, rebase, review, score."""
    heard = []
    with _workshop(keep) as folder:
        shutil.copytree(_sample_corpus(), folder, dirs_exist_ok=True)
        with chdir(folder):
            scores = find_spec("ir_measures") is not None
            for step in (*_STORY, *(_SCORES if scores else ())):
                if as_json:
                    heard += [_heard(command) for command in step.commands]
                else:
                    _tell(step)
            if not scores and not as_json:
                line(f"# {_WITHOUT_SCORES}", "cyan")
    if as_json:
        print_json(heard)
    elif keep is not None:
        line(f"The files of this demo are in {keep}.")
    return FINE


def _tell(step: _Step) -> None:
    """Types each command, runs it, and says how it ended."""
    line(f"# {step.told}", "cyan")
    for command in step.commands:
        line(f"$ evalspan {command}", "bold")
        code = _run(command)
        if code:
            line(f"[exit {code}]", "dim")
        line()


def _heard(command: str) -> dict[str, Any]:
    """The same for a program."""
    with redirect_stdout(StringIO()) as printed:
        code = _run(command)
    return {"command": f"evalspan {command}", "exit": code, "printed": printed.getvalue()}


def _run(command: str) -> int:
    try:
        code = cli.main(args=shlex.split(command), prog_name="evalspan", standalone_mode=False)
    except EvalspanError as error:
        line(str(error))
        return COULD_NOT
    return code if isinstance(code, int) else FINE


@contextmanager
def _workshop(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="evalspan-demo-") as folder:
            yield Path(folder)
        return
    require_vacant(keep)
    yield keep


def _sample_corpus() -> Path:
    """The one in the package, else the checkout's."""
    package = Path(__file__).parent.parent
    for folder in (package / "_sample_corpus", package.parent / "sample_corpus"):
        if folder.is_dir():
            return folder
    raise EvalspanError(
        "The sample corpus is not installed. Install evalspan anew: pip install --force-reinstall evalspan"
    )
