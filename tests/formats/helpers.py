"""Files with given bytes, and what a reader says of them."""

import contextlib
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from evalspan.errors import BadInput, Problems

T = TypeVar("T")

SAMPLE = Path(__file__).parents[2] / "sample_corpus"


@contextmanager
def in_file(data: bytes, name: str = "input") -> Iterator[Path]:
    """A file of its own, for properties (whose examples share a test's fixtures)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


def rows(*values: Any) -> bytes:
    """JSON lines; strings are taken as lines already."""
    lines = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def found(read: Callable[[Path, Problems], T], data: bytes) -> tuple[T, list[str]]:
    """What is read when bad rows are skipped, and what is said of those: `line: what`."""
    problems = Problems(skip=True)
    with in_file(data) as path:
        value = read(path, problems)
        assert all(problem.file == str(path) for problem in problems.skipped)
    return value, [f"{problem.line}: {problem.what}" for problem in problems.skipped]


def refusal(read: Callable[[Path, Problems], object], data: bytes) -> BadInput:
    """The error that a reader without --skip-bad ends in."""
    problems = Problems()
    with in_file(data) as path, contextlib.suppress(BadInput):
        read(path, problems)
    with pytest.raises(BadInput) as caught:
        problems.raise_if_any()
    return caught.value
