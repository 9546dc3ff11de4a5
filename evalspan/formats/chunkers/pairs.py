"""What semchunk and semantic-text-splitter return: texts beside their offsets, without a name for anything."""

from typing import Any

from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.formats.chunkers.producer import Producer, Row, name_of, offset_of, text_of

_MARK = "number in its list"


def rows_of_pairs(value: Any) -> list[dict[str, Any]] | None:
    """The rows of semchunk's `(texts, [(start, end), …])` or semantic-text-splitter's `[(start, text), …]`, as objects
    or as the JSON that they become; None where it is neither.
    """
    if not isinstance(value, list | tuple) or not value:
        return None
    if len(value) == 2 and _are_texts(value[0]) and _are_pairs(value[1], int) and len(value[0]) == len(value[1]):
        return [
            {"producer": "semchunk", "text": text, "start": start, "end": end, _MARK: number}
            for number, (text, (start, end)) in enumerate(zip(*value, strict=True))
        ]
    if _are_pairs(value, str):
        return [
            {"producer": "semantic-text-splitter", "text": text, "start": start, _MARK: number}
            for number, (start, text) in enumerate(value)
        ]
    return None


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _are_pairs(value: Any, second: type) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(one, list | tuple) and len(one) == 2 and type(one[0]) is int and type(one[1]) is second
        for one in value
    )


def _parse(row: Row) -> ReportedChunk:
    return ReportedChunk(
        name_of(row.get("id")),
        text_of(row, "text"),
        start=offset_of(row, "start"),
        end=offset_of(row, "end"),
        order=offset_of(row, _MARK),
    )


def _is_of(name: str) -> Producer:
    told = "texts and their offsets" if name == "semchunk" else "pairs of an offset and a text"
    return Producer(name, told, lambda row: _MARK in row and row.get("producer") == name, _parse)


SEMCHUNK = _is_of("semchunk")
SEMANTIC_TEXT_SPLITTER = _is_of("semantic-text-splitter")
