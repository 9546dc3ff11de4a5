"""The review queue as JSON lines and CSV."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.formats.decisions import read_csv_decisions, read_jsonl_decisions
from evalspan.formats.review import ASKED, CELL, FILLED, plain_cell, render_csv, render_jsonl
from evalspan.labels import Candidate
from evalspan.migrator.review import ReviewItem, Source

from .helpers import found
from .review_items import TEXT, candidate, item, items, words


def text_of(one: Candidate) -> str:
    return TEXT[one.start : one.end]


def table(text: str) -> list[list[str]]:
    """As any reader of CSV has it."""
    assert text[0] == "\ufeff"
    return list(csv.reader(io.StringIO(text[1:], newline="")))


def test_a_row_of_the_table_says_what_is_asked() -> None:
    one = item(candidates=(candidate("30 days", why="chunk c1 holds 40%"), candidate("of delivery")))
    header, row = table("".join(render_csv([one], text_of, {"q1": ["30 days.", "A month."]})))
    assert tuple(header) == (*ASKED, *FILLED)
    cells = dict(zip(header, row, strict=True))
    assert cells["item"] == one.name
    assert cells["passage"] == one.passage
    assert cells["graded"] == "supporting (2)"
    assert cells["answers"] == "30 days.\nA month."
    assert cells["candidates"].splitlines() == [
        "1: a.md 26–33 (chunk c1 holds 40%): 30 days",
        "2: a.md 36–47: of delivery",
    ]
    assert [cells[name] for name in FILLED] == [""] * len(FILLED)


def test_what_nobody_has_judged_has_no_grade_yet() -> None:
    header, row = table("".join(render_csv([item(source=Source.PROPOSAL, reason="unjudged", grade=0)], text_of)))
    assert dict(zip(header, row, strict=True))["graded"] == ""


def test_a_line_of_json_holds_all_of_the_item_and_the_texts_of_its_candidates() -> None:
    one = item(candidates=(candidate("30 days"),))
    (line,) = render_jsonl([one], text_of, {"q1": ["A month."]})
    row = json.loads(line)
    assert row["item"] == one.name
    (offered,) = row["asked"].pop("candidates")
    assert (offered["number"], offered["text"]) == (1, "30 days")
    assert row["asked"].pop("answers") == ["A month."]
    assert ReviewItem.model_validate_json(
        json.dumps({**row["asked"], "candidates": [candidate("30 days").model_dump()]})
    )
    assert [row[name] for name in FILLED] == [None] * len(FILLED)


def test_an_empty_queue_is_a_header() -> None:
    assert table("".join(render_csv([], text_of))) == [[*ASKED, *FILLED]]
    assert list(render_jsonl([], text_of)) == []


def test_a_cell_that_no_spreadsheet_can_hold_is_shortened_and_says_so() -> None:
    text = "x" * 3 * CELL
    header, row = table("".join(render_csv([item(text, text)], text_of)))
    cell = dict(zip(header, row, strict=True))["passage"]
    assert len(cell) < 32_767
    assert f"…{2 * CELL:,} characters are left out here" in cell
    assert text in next(iter(render_jsonl([item(text, text)], text_of))).decode()


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "＝", "\u00a0+", "'="])
def test_no_cell_is_a_formula(start: str) -> None:
    question = start + 'HYPERLINK("http://x")'
    header, row = table("".join(render_csv([item(question=question)], text_of)))
    cell = dict(zip(header, row, strict=True))["question"]
    assert cell == "'" + question
    assert plain_cell(cell) == question


@law
@given(st.lists(items, max_size=3))
def test_every_cell_is_what_it_was_once_it_is_made_plain_again(queue: list[ReviewItem]) -> None:
    header, *rows = table("".join(render_csv(queue, lambda _: "text")))
    for one, row in zip(queue, rows, strict=True):
        cells = dict(zip(header, map(plain_cell, row), strict=True))
        asked = [cells[name] for name in ("item", "query_id", "question", "fact", "doc_id", "passage", "hint")]
        assert asked == [one.name, one.query_id, one.question, one.fact, one.doc_id, one.passage, one.note]
        assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in row)


@law
@given(words)
def test_plain_takes_away_what_safe_put_there_and_nothing_else(cell: str) -> None:
    (_, row) = table("".join(render_csv([item(question=cell)], text_of)))
    assert plain_cell(row[ASKED.index("question")]) == cell


@law
@given(st.lists(items, max_size=3))
def test_what_nobody_filled_in_decides_nothing(queue: list[ReviewItem]) -> None:
    lines = b"".join(render_jsonl(queue, lambda _: "text"))
    cells = "".join(render_csv(queue, lambda _: "text")).encode()
    assert found(read_jsonl_decisions, lines) == ([], [])
    assert found(read_csv_decisions, cells) == ([], [])
