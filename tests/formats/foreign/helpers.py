"""Foreign files written down in a few words, and what is read of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalspan.errors import BadInput, Problems
from evalspan.formats.foreign.form import ForeignSet, ForeignSpan, Format, ReadOptions
from evalspan.formats.foreign.registry import FORMATS


def put(folder: Path, name: str, value: Any) -> Path:
    """A file: text, bytes, JSON lines for a list under a name in .jsonl, or JSON."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(value, bytes):
        path.write_bytes(value)
        return path
    if not isinstance(value, str):
        lines = name.endswith(".jsonl")
        value = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in value) if lines else json.dumps(value)
    path.write_text(value, "utf-8", newline="")
    return path


def read(name: str, *files: Path, **options: Any) -> ForeignSet:
    """Raises BadInput with every problem."""
    problems = Problems()
    found = FORMATS[name].read(files, problems, ReadOptions(**options))
    problems.raise_if_any()
    return found


def refusal(name: str, *files: Path, **options: Any) -> str:
    with pytest.raises(BadInput) as caught:
        read(name, *files, **options)
    return str(caught.value)


def spans(foreign: ForeignSet) -> list[ForeignSpan]:
    return [span for one in foreign.questions for span in one.spans]


def labels(foreign: ForeignSet) -> dict[str, list[tuple[str, int]]]:
    return {
        one.question.query_id: [(label.chunk_id, label.grade) for label in one.question.chunk_labels]
        for one in foreign.questions
    }


def write(form: Format, foreign: ForeignSet, folder: Path) -> Path:
    """The file, or the folder, that an export of the set is."""
    files = form.write(foreign)
    for name, content in files.items():
        path = folder / (name or f"set{form.suffixes[0]}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / f"set{form.suffixes[0]}" if "" in files else folder
