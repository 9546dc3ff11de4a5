"""The examples of the pages on harnesses and CI."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
HARNESS, CI = ROOT / "docs" / "harness.md", ROOT / "docs" / "ci.md"


def blocks(page: Path, heading: str, language: str = "py") -> list[str]:
    """Under a heading, in their order."""
    pattern = rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)"
    section = re.search(pattern, page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert section
    found = re.findall(rf"```{language}\n(.*?)```", section.group(1), re.DOTALL)
    assert found
    return found


def other_index() -> None:
    """In the place of index.json, of another corpus."""
    Path("index.json").write_text(Path("later.json").read_text())
