"""Haystack documents: `content`; `split_id`, `split_idx_start`, `source_id`, `__parent_id` in the meta or beside it."""

from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.formats.chunkers.producer import (
    Producer,
    Row,
    first_of,
    found,
    kept,
    mapping_of,
    name_of,
    offset_of,
    text_of,
)

_OWN = ("id", "content", "blob", "dataframe", "score", "embedding", "sparse_embedding", "meta")
_TOLD = ("source_id", "split_id", "split_idx_start", "__parent_id", "__children_ids")


def _is_row(row: Row) -> bool:
    return "content" in row and "id" in row and any(key in row for key in ("meta", "blob", *_TOLD))


def _parse(row: Row) -> ReportedChunk:
    meta = {key: value for key, value in row.items() if key not in _OWN} | mapping_of(row, "meta")
    return from_meta(name_of(row["id"]), text_of(row, "content"), meta)


def from_meta(chunk_id: str, text: str, meta: Row) -> ReportedChunk:
    """The same out of what a vector store keeps."""
    start, unfound = found(offset_of(meta, "split_idx_start"))
    parent = meta.get("__parent_id")
    source = first_of(meta, "source_id", "__parent_id")
    if source is None and meta.get("__level") == 0:
        source = chunk_id  # the root of a hierarchy is the document itself
    return ReportedChunk(
        chunk_id=chunk_id,
        text=text,
        doc_id=None if source is None else name_of(source),
        start=start,
        unfound=unfound,
        parent_id=None if parent is None else name_of(parent),
        order=offset_of(meta, "split_id"),
        extra=kept(meta, *(key for key in meta if key not in _TOLD)),
    )


HAYSTACK = Producer("haystack", "content, id and meta", _is_row, _parse)
