"""The review queue as JSON lines or CSV, for a person to fill in. What they decided is read in `decisions`."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evalspan.formats.lines import json_line
from evalspan.labels import Candidate, render_grade

if TYPE_CHECKING:
    from evalspan.migrator.review import ReviewItem

CandidateText = Callable[[Candidate], str]
"""The text of a candidate, in the set's own snapshot."""

Answers = Mapping[str, Sequence[str]]
"""query_id → reference answers."""

FILLED = ("decision", "candidate", "document", "start", "end", "either", "grade", "answer", "note", "by")
"""What a person fills in."""

ASKED = (
    "item",
    "source",
    "reason",
    "query_id",
    "question",
    "answers",
    "fact",
    "graded",
    "doc_id",
    "ranges",
    "passage",
    "candidates",
    "chunking",
    "hint",
    "seen",
)
"""What is asked, in the columns of a CSV file. Only `item` and `seen` are read again."""

CELL = 32_000
"""Characters of a cell: spreadsheets cut what is longer than 32,767. JSON lines hold everything."""

_BOM = "\ufeff"

_FORMULA = r"\s*[=+\-@＝＋－＠]|[\t\r\n]"
"""How a cell begins that a spreadsheet may take for a formula, behind white space and with full-width signs too."""

_RISKY = re.compile(f"'*(?:{_FORMULA})")
_PREFIXED = re.compile(f"'+(?:{_FORMULA})")


def render_jsonl(
    items: "Iterable[ReviewItem]", text_of: CandidateText, answers: Answers | None = None
) -> Iterator[bytes]:
    """A line an item: `item`, `asked` (all that is known of it), and the fields of `FILLED`, empty."""
    for item in items:
        asked = item.to_row()
        name = asked.pop("item")
        candidates = [
            {"number": number, **one.model_dump(mode="json", exclude_defaults=True), "text": text_of(one)}
            for number, one in enumerate(item.candidates, 1)
        ]
        told: dict[str, Any] = {"answers": list((answers or {}).get(item.query_id, ())), "candidates": candidates}
        asked |= {key: value for key, value in told.items() if value}
        yield json_line({"item": name, "seen": item.seen, "asked": asked, **dict.fromkeys(FILLED)})


def render_csv(items: "Iterable[ReviewItem]", text_of: CandidateText, answers: Answers | None = None) -> Iterator[str]:
    """Its rows, the first with a byte order mark, by which spreadsheets know that it is UTF-8. No cell is a formula."""
    yield _BOM + _csv_row((*ASKED, *FILLED))
    for item in items:
        cells = _cells(item, text_of, (answers or {}).get(item.query_id, ()))
        yield _csv_row([*(_safe(_short(cell)) for cell in cells), *[""] * len(FILLED)])


def _csv_row(cells: Sequence[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()


def _cells(item: "ReviewItem", text_of: CandidateText, answers: Sequence[str]) -> tuple[str, ...]:
    candidates = [
        f"{number}: {one.doc_id} {one.start}–{one.end}{f' ({one.why})' if one.why else ''}: {text_of(one)}"
        for number, one in enumerate(item.candidates, 1)
    ]
    return (
        item.name,
        item.source.value,
        item.reason,
        item.query_id,
        item.question,
        "\n".join(answers),
        item.fact,
        render_grade(item.grade) if item.subject is not None or item.holds else "",
        item.doc_id,
        "; ".join(f"{start}–{end}" for start, end in item.ranges),
        item.passage,
        "\n".join(candidates),
        item.chunking or "",
        item.note,
        item.seen,
    )


def _short(cell: str) -> str:
    left = len(cell) - CELL
    if left <= 0:
        return cell
    half = CELL // 2
    return f"{cell[:half]} […{left:,} characters are left out here; JSON lines hold them…] {cell[-half:]}"


def _safe(cell: str) -> str:
    """Behind an apostrophe where a spreadsheet might run it. `plain_cell` takes that away again, and nothing else."""
    return f"'{cell}" if _RISKY.match(cell) else cell


def plain_cell(cell: str) -> str:
    """A cell as it was before it was made safe."""
    return cell[1:] if _PREFIXED.match(cell) else cell
