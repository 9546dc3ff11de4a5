"""AutoRAG's corpus.parquet: `doc_id` names the chunk, `path` its document, `start_end_idx` has an inclusive end."""

import re

from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.formats.chunkers.producer import Producer, Row, Unreadable, kept, mapping_of, name_of, text_of

COLUMNS = ("doc_id", "contents", "path", "start_end_idx")

_FILE_NAME = re.compile(r"\A(?:file_name: .*\n contents: |파일 제목: .*\n 내용: |ファイル名: .*\n 内容: )")
"""What `add_file_name` puts in front, in its three languages; the offsets are those of the text without it."""


def _is_row(row: Row) -> bool:
    return "doc_id" in row and "contents" in row


def _parse(row: Row) -> ReportedChunk:
    text = text_of(row, "contents")
    metadata = mapping_of(row, "metadata")
    path = row.get("path") or metadata.get("path")
    front = _FILE_NAME.match(text)
    start, end, unfound = _range(row.get("start_end_idx"), text)
    previous = metadata.get("prev_id")
    return ReportedChunk(
        chunk_id=name_of(row.get("doc_id")),
        text=text,
        doc_id=None if path is None else name_of(path),
        start=start,
        end=end,
        unfound=unfound,
        after=name_of(previous) or None,
        front=(front.group(),) if front else (),
        extra=kept(metadata, "page"),
    )


def _range(value: object, text: str) -> tuple[int | None, int | None, bool]:
    """Start, end behind the last character, and whether it says "not found": (0, 0), unless it is one character."""
    if value is None:
        return None, None, False
    pair = list(value) if hasattr(value, "__iter__") else []
    if len(pair) != 2 or not all(isinstance(one, int) and not isinstance(one, bool) for one in pair):
        raise Unreadable(f'"start_end_idx" is {value!r}; two whole numbers are wanted')
    if pair == [0, 0] and len(text) > 1:
        return None, None, True
    return pair[0], pair[1] + 1, False


AUTORAG = Producer("autorag", "doc_id and contents", _is_row, _parse)
