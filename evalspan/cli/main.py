"""The `evalspan` command."""

import gc
import importlib
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from evalspan.cli.page import print_json, tame
from evalspan.errors import BadInput, EvalspanError, Incomparable, Refused

FINE, NO, COULD_NOT = 0, 1, 2
"""Exit codes: fine · the check says no · could not tell, or could not be done."""

INTERRUPTED, UNREAD, TERMINATED = 130, 141, 143
"""As shells have it for Ctrl-C, a pipe that nobody reads, and SIGTERM."""

COLLECT_LATE = (100_000, 20, 20)
"""Python's cycle collector looks at every new object some ten times while modules load, a tenth of what `verify` takes,
and finds nothing: our values hold no cycles."""

_COMMANDS = {
    "init": "stores",
    "check": "check",
    "migrate": "migrate",
    "rebase": "rebase",
    "review": "review",
    "relabel": "relabel",
    "verify": "verify",
    "score": "score",
    "history": "history",
    "bridge": "history",
    "compare": "history",
    "why": "why",
    "gate": "gate",
    "snapshot": "snapshots",
    "chunking": "chunkings",
    "set": "sets",
    "manifest": "manifests",
    "store": "stores",
    "demo": "demo",
}
"""Each command, and the module it is in: loaded when it is asked for, since `verify` must answer at once."""


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's shape
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        module = _COMMANDS.get(cmd_name)
        if module is None:
            return None
        command = getattr(importlib.import_module(f"evalspan.cli.{module}"), f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="evalspan")
def cli() -> None:
    """Eval sets for retrieval whose labels are ranges of text, so that they outlive a re-chunk.

    Exit codes: 0 fine, 1 the check says no, 2 could not tell or could not be done.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits."""
    gc.set_threshold(*COLLECT_LATE)
    signal.signal(signal.SIGTERM, _terminated)
    # Pydantic looks through all installed packages for plugins when it makes its first model.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    given = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:  # closed by the shell
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as we run
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.exit(_run(given))


def _terminated(*_: object) -> NoReturn:
    """On SIGTERM, as on Ctrl-C: what was begun is taken back."""
    sys.exit(TERMINATED)


def _run(arguments: list[str]) -> int:
    try:
        return _outcome(arguments)
    except BrokenPipeError:
        # The reader went away, as `head` does. What is left unwritten must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD


def _outcome(arguments: list[str]) -> int:
    as_json = "--json" in arguments
    try:
        # Not cli.main(): it makes exit code 1 of a closed pipe, which is our "no".
        with cli.make_context("evalspan", list(arguments)) as context:
            code = cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except (KeyboardInterrupt, click.Abort):
        return _fail("Interrupted; nothing was written.", as_json, INTERRUPTED)
    except BrokenPipeError:
        raise
    except Refused as refused:
        return _fail(str(refused), as_json, NO, {"verdict": refused.verdict.to_row()})
    except Incomparable as error:
        return _fail(str(error), as_json, NO)
    except BadInput as bad:
        problems = [{"file": p.file, "line": p.line, "what": p.what} for p in bad.problems]
        return _fail(str(bad), as_json, COULD_NOT, {"problems": problems, "count": bad.count})
    except EvalspanError as error:
        return _fail(str(error), as_json, COULD_NOT)
    except click.ClickException as error:
        if as_json:
            return _fail(error.format_message(), as_json, COULD_NOT)
        error.show()
        return COULD_NOT
    except OSError as error:
        return _fail(f"{error.filename or 'standard output'}: {error.strerror or error}", False, COULD_NOT)
    except Exception:
        traceback.print_exc()
        return _fail("This is a fault of evalspan, not of yours; nothing was written.", as_json, COULD_NOT)
    return code if isinstance(code, int) else FINE


def _fail(message: str, as_json: bool, code: int, more: dict[str, Any] | None = None) -> int:
    if as_json:
        print_json({"error": message, **(more or {})})
        sys.stdout.flush()
    else:
        click.echo(tame(message), err=True)
    return code
