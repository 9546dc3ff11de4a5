"""Chunks: JSON lines in any order, read document by document."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalspan.corpus import RawChunk
from evalspan.errors import BadInput, Problems
from evalspan.formats.chunks import ChunkFile, read_chunk_ids

from .helpers import NO_ID, found, ids, in_file, refusal, rows

GOOD = {"chunk_id": "good", "doc_id": "d", "text": "Some text."}


def read_all(path: Path, problems: Problems) -> dict[str, list[RawChunk]]:
    file = ChunkFile(path, problems, documents={"d", "e"}, documents_from="docs.jsonl")
    read = {doc_id: file.of_document(doc_id) for doc_id in file.doc_ids()}
    for doc_id, chunks in read.items():
        assert {file.document_of(chunk.chunk_id) for chunk in chunks} == {doc_id}
    file.close()
    return read


@given(
    st.lists(
        st.tuples(ids, st.sampled_from("de"), st.text(), st.none() | st.integers(-5, 5)),
        min_size=1,
        unique_by=lambda row: row[0],
    )
)
@settings(deadline=None)
def test_each_document_gets_its_chunks_in_the_order_of_the_file(chunks: list[tuple[str, str, str, int | None]]) -> None:
    usable = [row for row in chunks if "\0" not in row[2]]
    data = rows(*({"chunk_id": c, "doc_id": d, "text": t, "start": s} for c, d, t, s in usable))
    read, bad = found(read_all, data)
    expected: dict[str, list[RawChunk]] = {}
    for chunk_id, doc_id, text, start in usable:
        expected.setdefault(doc_id, []).append(RawChunk(chunk_id, text, start))
    assert read == expected
    assert bad == ([] if usable else ["None: holds no chunk"])


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"doc_id": "d", "text": "x"}, '"chunk_id" is missing'),
        ({"chunk_id": "c", "text": "x"}, '"doc_id" is missing'),
        ({"chunk_id": "c", "doc_id": "d"}, '"text" is missing'),
        ({"chunk_id": 3, "doc_id": "d", "text": "x"}, '"chunk_id" is a number; an id is text'),
        ({"chunk_id": "c", "doc_id": "d", "text": None}, '"text" is null; text is wanted'),
        ({"chunk_id": "", "doc_id": "d", "text": "x"}, '"chunk_id" is empty'),
        ({"chunk_id": "c", "doc_id": "zz", "text": "x"}, "chunk 'c' belongs to document 'zz', which docs.jsonl does"),
        ({"chunk_id": "good", "doc_id": "e", "text": "x"}, "chunk id 'good' stands on line 1 already"),
        ({"chunk_id": "c", "doc_id": "d", "text": "a\0"}, "chunk 'c' holds NUL at offset 1"),
        (
            '{"chunk_id": "c", "doc_id": "d", "text": "\\udfff"}',
            "chunk 'c' holds a lone surrogate (U+DFFF) at offset 0",
        ),
        ({"chunk_id": "c", "doc_id": "d", "text": "x", "start": "3"}, "\"start\" of chunk 'c' is no whole number"),
        ({"chunk_id": "c", "doc_id": "d", "text": "x", "start": True}, "\"start\" of chunk 'c' is no whole number"),
        ({"chunk_id": "c", "doc_id": "d", "text": "x", "end": 1.5}, "\"end\" of chunk 'c' is no whole number"),
        ('{"chunk_id": "c", "doc_id": "d", "text": "x", "end": NaN}', "not JSON: NaN is no JSON"),
    ],
)
def test_a_bad_chunk_is_named_with_its_line_and_left_out(row: Any, what: str) -> None:
    read, bad = found(read_all, rows(GOOD, row, {"chunk_id": "last", "doc_id": "e", "text": "y"}))
    assert {chunk.chunk_id for chunks in read.values() for chunk in chunks} == {"good", "last"}
    assert len(bad) == 1
    assert bad[0].startswith(f"2: {what}")


@pytest.mark.parametrize("key", ["chunk_id", "doc_id"])
@pytest.mark.parametrize("character", [character for character in NO_ID if character != "\0"])
def test_an_id_that_no_qrels_file_can_hold_is_refused(key: str, character: str) -> None:
    read, bad = found(read_all, rows(GOOD, {"chunk_id": "c", "doc_id": "d", "text": "x", key: f"d{character}"}))
    assert [chunk.chunk_id for chunk in read["d"]] == ["good"]
    assert len(bad) == 1
    assert bad[0].startswith(f'2: "{key}" ')
    assert "holds a tab or a line end" in bad[0]


@pytest.mark.parametrize("data", [b"", b"\n\n \n"])
@pytest.mark.parametrize("read", [read_all, read_chunk_ids])
def test_a_file_without_chunks_is_refused(read: Any, data: bytes) -> None:
    assert "holds no chunk" in str(refusal(read, data))


def test_replaced_characters_keep_every_offset() -> None:
    with in_file(rows('{"chunk_id": "c", "doc_id": "d", "text": "a\\u0000b\\ud800c"}')) as path:
        file = ChunkFile(path, Problems(), replace_bad_text=True)
        assert file.of_document("d") == [RawChunk("c", "a\ufffdb\ufffdc")]
        file.close()


def test_a_document_without_chunks_has_none() -> None:
    with in_file(rows(GOOD)) as path:
        file = ChunkFile(path, Problems())
        assert file.of_document("other") == []
        file.close()


def test_the_ids_alone_need_no_texts() -> None:
    ids, bad = found(read_chunk_ids, rows({"chunk_id": "a"}, {"chunk_id": "b", "text": 7}, {"chunk_id": "a"}, {}))
    assert ids == {"a", "b"}
    assert bad == ["3: chunk id 'a' stands on an earlier line already", '4: "chunk_id" is missing']


@pytest.mark.parametrize("sound", [True, False])
def test_a_file_that_changes_between_its_readings_is_noticed(sound: bool) -> None:
    row = dict(GOOD, text="Some text." if sound else "Some\0text")
    with in_file(rows(row)) as path:
        file = ChunkFile(path, Problems(), replace_bad_text=True)
        path.write_bytes(rows(dict(row, doc_id="e")))
        with pytest.raises(BadInput, match="was changed while it was read"):
            file.of_document("d")
        file.close()


def test_the_digest_is_that_of_the_bytes() -> None:
    digests = set()
    for data in (rows(GOOD), rows(GOOD), rows(GOOD) + b"\n"):
        with in_file(data) as path:
            file = ChunkFile(path, Problems())
            digests.add(file.digest())
            file.close()
    assert len(digests) == 2
