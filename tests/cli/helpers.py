"""Runs of the command, in this process or in one of its own."""

import contextlib
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from evalspan.cli.main import main

SAMPLE = Path(__file__).parents[2] / "sample_corpus"

COMMAND = (sys.executable, "-c", "from evalspan.cli import main; main()")
"""The command without the need to find it on a path."""


class Ran(NamedTuple):
    """What came of a run."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON document."""
        return json.loads(self.out)


def run(*arguments: object) -> Ran:
    """In this process, with standard output and error as pipes."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as done:
        main([str(argument) for argument in arguments])
    assert isinstance(done.value.code, int)
    texts = [stream.buffer.getvalue().decode("utf-8") for stream in (out, err)]
    return Ran(done.value.code, *texts)


def fine(*arguments: object) -> Ran:
    """A run that must end with exit code 0 and say nothing on standard error."""
    ran = run(*arguments)
    assert (ran.code, ran.err) == (0, ""), ran
    return ran


def refused(*arguments: object) -> str:
    """A run that must end with exit code 2, and print nothing but one message without a traceback."""
    ran = run(*arguments)
    assert ran.code == 2, ran
    assert ran.out == ""
    assert "Traceback" not in ran.err
    assert "fault of evalspan" not in ran.err
    return ran.err


def process(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """In a process of its own."""
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=60, check=False, **options)


def on_terminal(*arguments: object, columns: int = 100) -> tuple[int, str]:
    """With a terminal as standard output and error: exit code, and all that was drawn."""
    handle, terminal = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment |= {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "50"}
    # Not pty.fork(): in a process in which a library has threads of its own, forking warns.
    child = subprocess.Popen([*COMMAND, *map(str, arguments)], stdout=terminal, stderr=terminal, env=environment)
    os.close(terminal)
    drawn = b""
    with contextlib.suppress(OSError):  # how Linux says that the other end is closed
        while block := os.read(handle, 65536):
            drawn += block
    os.close(handle)
    return child.wait(timeout=60), drawn.decode("utf-8").replace("\r\n", "\n")


def column_starts(line: str) -> list[int]:
    """Where the cells of a table line begin: behind two blanks or more."""
    return [i for i in range(len(line)) if line[i] != " " and (i == 0 or line[max(0, i - 2) : i] == "  ")]
