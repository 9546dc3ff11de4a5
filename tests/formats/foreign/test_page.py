"""docs/formats.md names every format, and tests that there are."""

import re
from pathlib import Path

from evalspan.formats.foreign.registry import FORMATS

ROOT = Path(__file__).parents[3]

PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")


def test_every_format_has_its_row() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([a-z0-9-]+)`", row.split("|")[1])}
    assert set(FORMATS) <= named


def test_every_test_that_is_named_is_there() -> None:
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named
    assert {name for name in named if f"def {name}(" not in tests} == set()
