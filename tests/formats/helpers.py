"""Files with given bytes, and what a reader says of them."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import strategies as st

from evalspan.errors import BadInput, Problems

T = TypeVar("T")

NO_ID = "\0\t\n\r"
"""Characters that no id in a JSON lines file may hold, besides lone surrogates."""

ids = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=NO_ID), min_size=1, max_size=8)

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
    """What is read when bad rows are skipped, and what is said of those, and then of the whole file: `line: what`."""
    problems = Problems(skip=True)
    with in_file(data) as path:
        value = read(path, problems)
        said = problems.skipped
        try:
            problems.raise_if_any()
        except BadInput as error:
            said += error.problems
        assert all(problem.file == str(path) for problem in said)
    return value, [f"{problem.line}: {problem.what}" for problem in said]


def refusal(read: Callable[[Path, Problems], object], data: bytes, skip: bool = False) -> BadInput:
    """The error that a reader ends in, by itself or with what it noted."""

    def read_through(path: Path) -> None:
        problems = Problems(skip)
        read(path, problems)
        problems.raise_if_any()

    with in_file(data) as path, pytest.raises(BadInput) as caught:
        read_through(path)
    return caught.value
