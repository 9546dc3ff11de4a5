"""Real eval sets that stand beside a checkout and are not part of it; where they are absent, tests are skipped."""

import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_data(name: str) -> Path:
    """The folder of that name, or a skip."""
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip(f"no {name} beside this checkout")
    return folder


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
