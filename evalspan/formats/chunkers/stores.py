"""What vector stores keep: an id, a text and metadata, in which a splitter's own fields may stand."""

from collections.abc import Mapping
from typing import Any

from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.formats.chunkers import chonkie, haystack, langchain, llamaindex
from evalspan.formats.chunkers.producer import Producer, Row, Unreadable, first_of, name_of, offset_of, text_of

TEXT_KEYS = ("text", "document", "page_content", "content", "chunk", "contents")
"""Where stores and those who fill them keep a chunk's text."""

_METADATA_KEYS = ("metadata", "payload", "meta", "entity")
_CONTAINERS = ("documents", "points", "objects", "chunks", "nodes", "elements", "results")
_NESTED = ("metadata", "meta")


def rows_of_dump(value: Any) -> list[Any] | None:
    """The rows of a whole dump: Chroma's columns, LlamaIndex's docstore, lists under a name, and LangChain's in-memory
    store; None where it is something else.
    """
    if not isinstance(value, Mapping):
        return None
    if isinstance(value.get("ids"), list) and isinstance(value.get("documents"), list):
        count = len(value["ids"])
        metadatas = value.get("metadatas") or [None] * count
        if len(value["documents"]) != count or len(metadatas) != count:
            return None
        return [
            {"id": one, "text": text, "metadata": metadata}
            for one, text, metadata in zip(value["ids"], value["documents"], metadatas, strict=True)
        ]
    if isinstance(value.get("docstore/data"), Mapping):
        return list(value["docstore/data"].values())
    for key in _CONTAINERS:
        if isinstance(value.get(key), list):
            return list(value[key])
    if value and all(isinstance(row, Mapping) and row.get("id") == name for name, row in value.items()):
        return list(value.values())
    return None


def _metadata(row: Row) -> dict[str, Any] | None:
    found = next((row[key] for key in _METADATA_KEYS if isinstance(row.get(key), Mapping)), None)
    if found is None:
        return {} if "id" in row and "metadata" in row else None
    inner: Mapping[str, Any] = next((found[key] for key in _NESTED if isinstance(found.get(key), Mapping)), {})
    return {**found, **inner}


def _is_row(row: Row) -> bool:
    return "id" in row and _metadata(row) is not None


def _parse(row: Row) -> ReportedChunk:
    metadata = _metadata(row) or {}
    chunk_id = name_of(row["id"])
    text = first_of({**metadata, **{key: row[key] for key in TEXT_KEYS if row.get(key)}}, *TEXT_KEYS)
    if not isinstance(text, str):
        raise Unreadable("has no text; dump the collection with its texts")
    metadata = {key: value for key, value in metadata.items() if key not in (*TEXT_KEYS, *_NESTED)}
    if "_node_content" in metadata:
        return llamaindex.from_store(chunk_id, text, metadata)
    if {"start_index", "end_index", "token_count"} <= metadata.keys():
        return chonkie.from_fields(chunk_id, text, metadata)
    if "split_id" in metadata or "split_idx_start" in metadata:
        return haystack.from_meta(chunk_id, text, metadata)
    return langchain.from_metadata(chunk_id, text, metadata)


def _parse_own(row: Row) -> ReportedChunk:
    doc_id = row.get("doc_id")
    if row.get("text", "") is None:
        raise Unreadable("has no text: the index keeps none")
    return ReportedChunk(
        name_of(row.get("chunk_id")),
        text_of(row, "text"),
        None if doc_id is None else name_of(doc_id),
        offset_of(row, "start"),
        offset_of(row, "end"),
    )


STORE = Producer("store", "id and metadata", _is_row, _parse)
OWN = Producer("evalspan", "chunk_id and text", lambda row: "chunk_id" in row and "text" in row, _parse_own)
