"""Decisions that a person filled in."""

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.errors import Problems
from evalspan.formats.decisions import DecidedRange, DecisionRow, read_csv_decisions, read_jsonl_decisions
from evalspan.formats.review import render_csv
from evalspan.labels import Action

from .helpers import found, in_file, refusal, rows
from .review_items import TEXT, item

NAME = "0123456789ab"


def line_of(**fields: Any) -> tuple[list[DecisionRow], list[str]]:
    return found(read_jsonl_decisions, rows({"item": NAME, **fields}))


def csv_of(header: str, *lines: str) -> tuple[list[DecisionRow], list[str]]:
    return found(read_csv_decisions, "\r\n".join([header, *lines, ""]).encode())


def test_a_filled_in_line_is_a_decision() -> None:
    read, bad = line_of(
        decision="set", start=3, end=9, document="b.md", grade="direct", note=" sure ", by="Ann", answer="30 days"
    )
    assert bad == []
    assert read == [
        DecisionRow(NAME, Action.SET, (), (DecidedRange("b.md", 3, 9),), False, 3, "30 days", "sure", "Ann", 1)
    ]


@pytest.mark.parametrize("given", ["1; 3", "1;3", " 1 3 ", [1, 3], ["1", "3"]])
def test_several_candidates(given: object) -> None:
    read, bad = line_of(decision="Accept", candidate=given, either="yes")
    assert bad == []
    assert (read[0].action, read[0].candidates, read[0].either) == (Action.ACCEPT, (1, 3), True)


def test_several_ranges() -> None:
    read, _ = csv_of("item,decision,start,end", f"{NAME},split,0;20,10;30")
    assert read[0].spans == (DecidedRange(None, 0, 10), DecidedRange(None, 20, 30))
    assert read[0].line == 2


@pytest.mark.parametrize("given", ["", None, "  "])
def test_a_blank_decision_is_passed_over(given: str | None) -> None:
    assert line_of(decision=given, note="look again", by="Ann", either=False) == ([], [])


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"decision": "yes"}, "decision 'yes' is none of accept, reject"),
        ({"decision": 1}, "'decision' is no text"),
        ({"start": 0, "end": 5}, "'start' is filled in, and no decision"),
        ({"candidate": "1"}, "'candidate' is filled in, and no decision"),
        ({"decision": "accept", "candidate": "first"}, "'candidate' is 'first': whole numbers"),
        ({"decision": "accept", "candidate": "1,3"}, "'candidate' is '1,3': whole numbers are wanted, with ; between"),
        ({"decision": "accept", "candidate": True}, "'candidate' is True"),
        ({"decision": "accept", "candidate": 1.5}, "'candidate' is 1.5"),
        ({"decision": "accept", "candidate": -1}, "'candidate' is -1"),
        ({"decision": "set", "start": "1.200", "end": "1.300"}, "'start' is '1.200'"),
        ({"decision": "set", "start": "5"}, "1 starts and 0 ends"),
        ({"decision": "set", "start": "5", "end": "5"}, "the range 5..5 is empty"),
        ({"decision": "set", "start": "9", "end": "5"}, "the range 9..5 is empty"),
        ({"decision": "accept", "document": "b"}, "a document without a start and an end"),
        ({"decision": "accept", "grade": "good"}, "grade 'good' is none"),
        ({"decision": "accept", "grade": 1.5}, "grade 1.5 is none"),
        ({"decision": "accept", "either": "maybe"}, "'either' is 'maybe'"),
        ({"decision": "accept", "by": ["Ann"]}, "'by' is no text"),
        ({"decision": "accept", "item": ""}, "a decision without its item"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(fields: dict[str, Any], what: str) -> None:
    read, bad = line_of(**fields)
    assert read == []
    assert len(bad) == 1
    assert bad[0].startswith(f"1: {what}")


def test_an_item_that_is_decided_twice_is_told() -> None:
    read, bad = csv_of("item,decision", f"{NAME},retire", "other,defer", f"{NAME},retire")
    assert [row.item for row in read] == [NAME, "other"]
    assert bad == [f"4: item {NAME!r} is decided on line 2 already"]


def test_a_line_without_an_item_is_told() -> None:
    assert found(read_jsonl_decisions, rows({"decision": "retire"}))[1][0].startswith('1: "item" is missing')


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_tables_come_with_what_a_country_takes_for_a_comma(delimiter: str) -> None:
    text = "".join(render_csv([item(question="a, b; c"), item(question="other", query_id="q2")], lambda _: TEXT))
    table = list(csv.reader(io.StringIO(text[1:], newline="")))
    table[1][table[0].index("decision")] = "retire"
    table[1][table[0].index("note")] = "a;b,c\td\r\ne"
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(table)
    read, bad = found(read_csv_decisions, out.getvalue().encode("utf-8-sig"))
    assert bad == []
    assert [(row.item, row.note) for row in read] == [(item(question="a, b; c").name, "a;b,c\td\r\ne")]


def test_the_line_of_a_row_is_its_first() -> None:
    read, bad = csv_of("item,decision,passage", f'{NAME},retire,"a\r\nb\nc"', "x,defer,", "y,never,")
    assert [row.line for row in read] == [2, 5]
    assert bad[0].startswith("6: ")


def test_old_line_ends_are_read() -> None:
    assert len(found(read_csv_decisions, f"item,decision\r{NAME},retire\r".encode())[0]) == 1


def test_columns_may_stand_in_any_order_and_others_beside_them() -> None:
    read, _ = csv_of("mine,Decision,ITEM", f"x,retire,{NAME}")
    assert read[0].item == NAME


def test_numbers_that_became_floats_are_read() -> None:
    read, bad = csv_of("item,decision,candidate,grade", f"{NAME},accept,2.0,3", ",,,")
    assert (read[0].candidates, bad) == ((2,), [])


def test_an_apostrophe_before_a_formula_is_ours() -> None:
    read, _ = csv_of("item,decision,note", f"{NAME},retire,'=x", "b,retire,'tis")
    assert [row.note for row in read] == ["=x", "'tis"]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "has no column 'item' or 'decision'"),
        (b"item,note\r\n", "has no column 'decision'"),
        (b"item,decision,decision\r\n", "has two columns 'decision'"),
        (b"item,decision\r\na,\xe9\r\n", "not UTF-8 (byte 0xe9): save it as"),
        ("item,decision\r\n".encode("utf-16"), "not UTF-8"),
        (b'item,decision\r\na,"retire\r\nb,defer\r\n', "can't be read as CSV"),
        (b"item,decision\r\na,retire,extra\r\n", "3 cells where the header has 2"),
        (b"item,decision\r\na,ret\0ire\r\n", "holds NUL"),
        (b'item,decision\r\na,"' + b"x" * 200_000 + b'"\r\n', "can't be read as CSV (field larger"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(data: bytes, what: str) -> None:
    assert what in str(refusal(read_csv_decisions, data))


def test_a_file_that_is_not_there_is_said() -> None:
    with in_file(b"") as path, pytest.raises(Exception, match="no such file"):
        read_csv_decisions(path.with_name("nope"), Problems())


decisions = st.builds(
    DecisionRow,
    item=st.text("0123456789abcdef", min_size=12, max_size=12),
    action=st.sampled_from(Action),
    candidates=st.lists(st.integers(1, 99), max_size=3).map(tuple),
    spans=st.lists(
        st.builds(lambda start, size: DecidedRange(None, start, start + size), st.integers(0, 9), st.integers(1, 9)),
        max_size=3,
    ).map(tuple),
    either=st.booleans(),
    grade=st.none() | st.integers(-1, 3),
    answer=st.none() | st.sampled_from(["30 days", "=1+1", "-", "返品"]),
    note=st.sampled_from(["", "a\r\nb", "'=x", 'say "no"', "@me"]),
    by=st.sampled_from(["", "Ann", "+Bob"]),
    line=st.just(0),
    seen=st.sampled_from(["", "0a59e56a"]),
)


def fields_of(row: DecisionRow) -> dict[str, Any]:
    return {
        "item": row.item,
        "decision": row.action.value,
        "candidate": list(row.candidates),
        "start": [span.start for span in row.spans],
        "end": [span.end for span in row.spans],
        "either": row.either,
        "grade": row.grade,
        "answer": row.answer,
        "note": row.note,
        "by": row.by,
        "seen": row.seen,
    }


@law
@given(st.lists(decisions, max_size=3, unique_by=lambda row: row.item))
def test_a_decision_is_read_as_it_was_written(written: list[DecisionRow]) -> None:
    data = "".join(json.dumps(fields_of(row)) + "\n" for row in written).encode()
    read, bad = found(read_jsonl_decisions, data)
    assert bad == []
    assert [row._replace(line=0) for row in read] == written
    assert [row.line for row in read] == list(range(1, len(written) + 1))
