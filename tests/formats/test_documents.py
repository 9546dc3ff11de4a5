"""Documents: JSON lines, or a folder of text files."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalspan.corpus import Document
from evalspan.errors import BadInput, Problems
from evalspan.formats.documents import DocumentFile, read_documents
from evalspan.formats.lines import json_line

from .helpers import SAMPLE, found, ids, in_file, refusal, rows

GOOD = {"doc_id": "good", "text": "Some text."}

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


def read_streamed(path: Path, problems: Problems) -> list[Document]:
    return list(read_documents(path, problems))


def read_all(path: Path, problems: Problems) -> list[Document]:
    """By both readers, which must agree."""
    streamed = list(read_documents(path, problems))
    again = Problems(skip=True)
    file = DocumentFile(path, again)
    assert [file.read(doc_id) for doc_id in file.ids] == streamed
    file.close()
    if problems.skipped:
        assert again.skipped == problems.skipped
    return streamed


@given(st.dictionaries(ids, texts, min_size=1, max_size=5))
@settings(deadline=None)
def test_texts_come_out_as_they_stand_in_the_file(corpus: dict[str, str]) -> None:
    data = b"".join(json_line({"doc_id": doc_id, "text": text}) for doc_id, text in corpus.items())
    read, bad = found(read_all, data)
    assert read == [Document(doc_id, text) for doc_id, text in corpus.items()]
    assert bad == []


def test_newlines_and_unicode_forms_in_a_text_are_kept() -> None:
    text = "a\r\nb\rc\u2028d e\u0301 \u00e9 \ufeff"
    read, _ = found(read_all, rows({"doc_id": "d", "text": text}))
    assert read[0].text == text


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"text": "x"}, '"doc_id" is missing'),
        ({"doc_id": "d"}, '"text" is missing'),
        ({"doc_id": 7, "text": "x"}, '"doc_id" is a number; an id is text, in quotes'),
        ({"doc_id": None, "text": "x"}, '"doc_id" is null'),
        ({"doc_id": "a\tb", "text": "x"}, "\"doc_id\" 'a\\tb' holds a tab or a line end"),
        ({"doc_id": "a\n", "text": "x"}, "\"doc_id\" 'a\\n' holds a tab or a line end"),
        ({"doc_id": "", "text": "x"}, '"doc_id" is empty'),
        ({"doc_id": "a\0b", "text": "x"}, '"doc_id" holds a character that no id may hold'),
        ('{"doc_id": "a\\ud800b", "text": "x"}', '"doc_id" holds a character that no id may hold'),
        ({"doc_id": "d", "text": ["x"]}, '"text" is a list; text is wanted'),
        ({"doc_id": "d", "text": True}, '"text" is true or false; text is wanted'),
        ({"doc_id": "d", "text": ""}, "document 'd' is empty"),
        ({"doc_id": "d", "text": "ab\0"}, "document 'd' holds NUL at offset 2"),
        (
            '{"doc_id": "d", "text": "\\ud83d\\ude00\\udc00"}',
            "document 'd' holds a lone surrogate (U+DC00) at offset 1",
        ),
        ({"doc_id": "d", "text": "x", "version": 3}, "\"version\" of document 'd' is not text"),
        ({"doc_id": "d", "text": "x", "metadata": []}, "\"metadata\" of document 'd' is no object"),
        ({"doc_id": "good", "text": "x"}, "document 'good' stands on line 1 already"),
    ],
)
def test_a_bad_document_is_named_with_its_line_and_left_out(row: Any, what: str) -> None:
    read, bad = found(read_all, rows(GOOD, row, {"doc_id": "last", "text": "y"}))
    assert [document.doc_id for document in read] == ["good", "last"]
    assert len(bad) == 1
    assert bad[0].startswith(f"2: {what}")


@pytest.mark.parametrize(
    "field", ['"version": "\\ud800"', '"metadata": {"x": "\\ud800"}', '"metadata": {"\\u0000": 1}']
)
def test_no_field_of_a_document_may_hold_a_character_without_utf8(field: str) -> None:
    read, bad = found(read_all, rows(GOOD, f'{{"doc_id": "d", "text": "x", {field}}}'))
    assert len(read) == 1
    assert len(bad) == 1


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_a_file_without_documents_is_refused(data: bytes) -> None:
    assert "holds no document" in str(refusal(read_all, data))


@pytest.mark.parametrize("data", [b"", b"nope\n"])
def test_skipping_does_not_help_a_file_that_holds_nothing_else(data: bytes) -> None:
    error = refusal(read_streamed, data, skip=True)
    assert [(problem.line, problem.what) for problem in error.problems] == [(None, "holds no document")]


def test_a_file_of_bad_rows_only_is_told_of_these() -> None:
    assert [problem.line for problem in refusal(read_streamed, b"nope\n{}\n").problems] == [1, 2, 2]


@given(st.text(st.sampled_from("a\0é\n\U0001f600")), st.text(st.sampled_from("b\0"), min_size=1))
@settings(deadline=None)
def test_replaced_characters_keep_every_offset(head: str, tail: str) -> None:
    text = head + tail
    with in_file(rows({"doc_id": "d", "text": text})) as path:
        problems = Problems()
        (document,) = read_documents(path, problems, replace_bad_text=True)
    assert problems.count == 0
    assert document.text == text.replace("\0", "\ufffd")
    assert len(document.text) == len(text)


def test_a_lone_surrogate_is_replaced_one_for_one_also_when_read_again() -> None:
    with in_file(rows('{"doc_id": "d", "text": "a\\ud800b\\udc00c\\ud83d\\ude00"}')) as path:
        file = DocumentFile(path, Problems(), replace_bad_text=True)
        assert file.read("d").text == "a\ufffdb\ufffdc\U0001f600"
        file.close()


def test_a_file_that_changes_between_its_readings_is_noticed() -> None:
    with in_file(rows(GOOD, {"doc_id": "d", "text": "x"})) as path:
        file = DocumentFile(path, Problems())
        path.write_bytes(rows({"doc_id": "evil", "text": "Some text."}, {"doc_id": "d", "text": "x"}))
        with pytest.raises(BadInput, match="was changed while it was read"):
            file.read("good")
        file.close()


def test_a_folder_gives_its_text_files_by_their_paths(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / ".hidden").mkdir()
    for name in ("b.md", "sub/a.txt", ".hidden/x.md", ".y.md", "picture.png"):
        (tmp_path / name).write_bytes(f"text of {name}\r\n".encode())
    documents = list(read_documents(tmp_path, Problems()))
    assert documents == [Document("b.md", "text of b.md\r\n"), Document("sub/a.txt", "text of sub/a.txt\r\n")]


def test_a_folder_without_text_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"x")
    with pytest.raises(BadInput, match="holds no text file"):
        list(read_documents(tmp_path, Problems()))


def test_bad_files_of_a_folder_are_named_together(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\ntwo \xff")
    (tmp_path / "b.txt").write_bytes(b"one\ntwo \0")
    (tmp_path / "c.txt").write_bytes(b"")
    (tmp_path / "d.txt").write_bytes(b"fine")
    problems = Problems(skip=True)
    assert [document.doc_id for document in read_documents(tmp_path, problems)] == ["d.txt"]
    said = [(Path(p.file).name, p.line, p.what) for p in problems.skipped]
    assert [(name, line) for name, line, _ in said] == [("a.txt", 2), ("b.txt", 2), ("c.txt", 1)]
    assert "byte 0xff at byte 8 of the file" in said[0][2]
    assert "NUL at offset 8" in said[1][2]


def test_the_sample_folder_and_the_sample_file_hold_the_same_texts() -> None:
    folder = {Path(document.doc_id).stem: document.text for document in read_documents(SAMPLE / "v1", Problems())}
    file = {document.doc_id: document.text for document in read_documents(SAMPLE / "documents.jsonl", Problems())}
    assert folder == file
