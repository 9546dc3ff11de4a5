"""Files of chunks: JSON, JSON lines, parquet; and what is said of files that are none."""

import json
from pathlib import Path
from typing import Any

import pytest
from shared_data import shared_data

from evalspan.errors import BadInput
from evalspan.formats.chunkers import Told, read_chunks

ROW = {"page_content": "One — two", "metadata": {"source": "d", "start_index": 0}}


def refusal(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(BadInput) as caught:
        read_chunks(path)
    return str(caught.value).replace(str(path), "FILE")


@pytest.mark.parametrize(
    "text",
    [json.dumps([ROW, ROW]), json.dumps([ROW, ROW], indent=1), f"{json.dumps(ROW)}\n\n{json.dumps(ROW)}\r\n"],
    ids=["one line", "indented", "lines"],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "with a byte order mark"])
def test_a_list_and_lines_are_the_same(tmp_path: Path, text: str, mark: bytes) -> None:
    (tmp_path / "f").write_bytes(mark + text.encode())
    parsed = read_chunks(tmp_path / "f")
    assert [(chunk.text, chunk.doc_id) for chunk in parsed.chunks] == [("One — two", "d")] * 2


def test_one_line_is_one_chunk(tmp_path: Path) -> None:
    (tmp_path / "f").write_text(json.dumps(ROW))
    assert len(read_chunks(tmp_path / "f").chunks) == 1


def test_nan_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "f").write_text('[{"page_content": "x", "metadata": {"start_index": NaN}}]')
    assert read_chunks(tmp_path / "f").chunks[0].start is None


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "FILE: holds no chunk"),
        (b"{}\nnot json\n", "FILE:2: not JSON"),
        (b"\xff\xfe", "FILE: neither parquet nor UTF-8: byte 0xff at 0"),
        (b"[" * 100_000, "FILE: nested too deeply"),
        (b"PAR1 and then nothing", "FILE: can't be read as parquet"),
    ],
)
def test_what_is_no_file_of_chunks_is_one_clear_error(tmp_path: Path, data: bytes, what: str) -> None:
    if data.startswith(b"PAR1"):
        pytest.importorskip("pyarrow")
    assert refusal(tmp_path / "f", data).startswith(what)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        read_chunks(tmp_path / "none")


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def test_autorags_corpus_is_read(tmp_path: Path) -> None:
    rows = [
        {"doc_id": "u1", "contents": "Hats.", "path": "a", "start_end_idx": [0, 4], "metadata": {"page": 1}},
        {"doc_id": "u2", "contents": "Lost.", "path": "a", "start_end_idx": [0, 0], "metadata": {"page": -1}},
    ]
    parsed = read_chunks(write_parquet(tmp_path / "corpus", rows))
    assert parsed.producer == "autorag"
    assert [(c.start, c.end, c.unfound) for c in parsed.chunks] == [(0, 5, False), (None, None, True)]


def test_a_parquet_file_with_the_wrong_columns_is_one_clear_error(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "qa", [{"qid": "1", "query": "?"}])
    with pytest.raises(BadInput, match="has the columns qid, query; AutoRAG's corpus needs doc_id, contents, path"):
        read_chunks(path)


def test_a_parquet_file_cut_short_is_one_clear_error(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "corpus", [{"doc_id": "1", "contents": "x"}])
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BadInput, match="can't be read as parquet"):
        read_chunks(path)


def test_a_real_corpus_of_autorag_is_read() -> None:
    pytest.importorskip("pyarrow")
    path = shared_data("autorag") / "dataset_sample_gen_by_autorag" / "corpus.parquet"
    parsed = read_chunks(path, Told())
    assert len(parsed.chunks) == 55
    assert all(chunk.front and chunk.start is not None and chunk.doc_id for chunk in parsed.chunks)
