"""JSON lines: every line that is no row is named, and every row that is one is read."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalspan.errors import SHOWN, BadInput, Problems
from evalspan.formats.lines import JsonLines, LineFile, OrderedLines, json_line

from .helpers import found, in_file, refusal, rows

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def read_rows(path: Path, problems: Problems) -> list[tuple[int, dict[str, Any]]]:
    with JsonLines(path, problems) as lines:
        return [(line.number, row) for line, row in lines]


@given(st.lists(st.dictionaries(st.text(), json_values, max_size=3), max_size=5))
@settings(deadline=None)
def test_rows_come_out_as_they_went_in(values: list[dict[str, Any]]) -> None:
    read, bad = found(read_rows, b"".join(json_line(value) for value in values))
    assert [row for _, row in read] == values
    assert bad == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("nope", "not JSON"),
        ('{"a": 1', "not JSON"),
        ('{"a": 1} {"b": 2}', "not JSON"),
        ('{"a": NaN}', "NaN is no JSON"),
        ('{"a": Infinity}', "Infinity is no JSON"),
        ('{"a": "\t"}', "not JSON"),
        ("[1]", "not a JSON object"),
        ("17", "not a JSON object"),
        ("null", "not a JSON object"),
        ("[" * 5000, "nested too deeply"),
    ],
)
def test_a_line_that_is_no_row_is_named_with_its_number(line: str, what: str) -> None:
    read, bad = found(read_rows, rows({"a": 1}, line, {"b": 2}))
    assert read == [(1, {"a": 1}), (3, {"b": 2})]
    assert len(bad) == 1
    assert bad[0].startswith("2: ")
    assert what in bad[0]


@pytest.mark.parametrize("line", ['["\\ud800"]', '"\\udc00"'])
def test_a_line_that_is_no_object_is_named_also_where_it_holds_a_lone_surrogate(line: str) -> None:
    _, bad = found(read_rows, rows({"a": 1}, line))
    assert len(bad) == 1


@pytest.mark.parametrize("number", ["1e999", "-1e999"])
def test_a_number_beyond_a_double_is_no_number(number: str) -> None:
    read, bad = found(read_rows, rows(f'{{"a": {number}}}'))
    assert read == []
    assert len(bad) == 1


def test_bytes_that_are_not_utf8_are_named_with_their_place() -> None:
    read, bad = found(read_rows, b'{"a": "\xe9"}\n{"b": 2}\n')
    assert read == [(2, {"b": 2})]
    assert bad == ["1: not UTF-8: byte 0xe9 at byte 7 of the line"]


def test_utf16_is_refused_and_not_guessed() -> None:
    read, bad = found(read_rows, '{"a": 1}\n'.encode("utf-16"))
    assert read == []
    assert bad[0].startswith("1: not UTF-8")


@pytest.mark.parametrize(
    "data",
    [
        b'\xef\xbb\xbf{"a":1}\n{"a":2}\n',
        b'{"a":1}\r\n{"a":2}\r\n',
        b'{"a":1}\n{"a":2}',
        b'\n  \n{"a":1}\n\n\t\n{"a":2}\n\r\n',
        b'\xef\xbb\xbf\n{"a":1}\n{"a":2}',
    ],
    ids=["BOM", "CRLF", "no newline at the end", "blank lines", "BOM on a blank line"],
)
def test_marks_and_blank_lines_around_rows_do_not_matter(data: bytes) -> None:
    read, bad = found(read_rows, data)
    assert [row for _, row in read] == [{"a": 1}, {"a": 2}]
    assert bad == []


def test_line_numbers_count_blank_lines() -> None:
    read, _ = found(read_rows, b'\n\n{"a":1}\n\n{"a":2}\n')
    assert [number for number, _ in read] == [3, 5]


@given(st.lists(st.sampled_from([b'{"a":1}', b"", b"  ", b"\xef\xbb\xbf", b'{"a":"\xc3\xa9"}', b"\r"]), max_size=8))
@settings(deadline=None)
def test_each_line_is_found_again_at_its_offset(lines: list[bytes]) -> None:
    with in_file(b"\n".join(lines)) as path, LineFile(path) as file:
        for line in file:
            assert file.at(line.offset, len(line.data)) == line.data
            assert line.data.strip()


def test_a_line_of_many_megabytes_is_read() -> None:
    text = "word " * 1_000_000
    read, bad = found(read_rows, rows({"text": text}))
    assert read == [(1, {"text": text})]
    assert bad == []


def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(rows({"a": 1}, {"a": 2}),))
    writer.start()
    with LineFile(pipe) as file:
        writer.join()
        lines = list(file)
        assert [json.loads(line.data) for line in lines] == [{"a": 1}, {"a": 2}]
        assert file.at(lines[1].offset, len(lines[1].data)) == lines[1].data


def test_the_first_problems_are_shown_and_all_are_counted() -> None:
    error = refusal(read_rows, b"nope\n" * 25)
    assert error.count == 25
    assert [problem.line for problem in error.problems] == list(range(1, SHOWN + 1))
    assert "… and 5 more like these (25 in all)" in str(error)
    assert str(error).count("not JSON") == SHOWN


def test_as_many_problems_as_are_shown_need_no_count() -> None:
    assert "more like these" not in str(refusal(read_rows, b"nope\n" * SHOWN))


def test_skipped_rows_are_all_kept() -> None:
    _, bad = found(read_rows, b"nope\n" * 25)
    assert len(bad) == 25


@pytest.mark.parametrize("name", ["missing", "folder"])
def test_what_is_no_file_is_one_clear_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match=r"no such file|is a folder") as caught:
        LineFile(tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path / name))


@pytest.mark.parametrize("kind", ["below a file", "a name too long", "a link to itself"])
def test_whatever_the_system_says_of_a_path_is_bad_input(tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_bytes(b"{}\n")
    (tmp_path / "loop").symlink_to("loop")
    path = {"below a file": tmp_path / "file" / "x", "a name too long": tmp_path / ("x" * 300)}.get(kind)
    with pytest.raises(BadInput):
        LineFile(path or tmp_path / "loop")


@given(st.permutations(range(6)))
@settings(deadline=None)
def test_ordered_lines_are_written_in_the_order_of_their_numbers(order: list[int]) -> None:
    with in_file(b"") as path:
        lines = OrderedLines(path.parent)
        for number in order:
            lines.put(number, f"line {number}\n".encode())
        lines.write_to(path)
        assert path.read_text().splitlines() == [f"line {number}" for number in range(6)]
        assert list(path.parent.iterdir()) == [path]
