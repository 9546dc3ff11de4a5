"""LangChain `Document`s, also by `langchain_core.load.dumps`: `page_content`, perhaps `start_index` in the metadata."""

from collections.abc import Mapping

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

DOCUMENT_KEYS = ("doc_id", "document_id", "corpus_id", "source")
"""Of the metadata, the first that is there: LangChain has no place of its own for a document's id, and its loaders
write `source`; chunking_evaluation writes `corpus_id`."""


def _is_row(row: Row) -> bool:
    if "lc" in row:
        return isinstance(row.get("kwargs"), Mapping) and "page_content" in row["kwargs"]
    return "page_content" in row and "metadata" in row


def _parse(row: Row) -> ReportedChunk:
    row = row["kwargs"] if "lc" in row else row
    return from_metadata(name_of(row.get("id")), text_of(row, "page_content"), mapping_of(row, "metadata"))


def from_metadata(chunk_id: str, text: str, metadata: Row) -> ReportedChunk:
    """The same out of what a vector store keeps."""
    start, unfound = found(offset_of(metadata, "start_index"))
    doc_id = first_of(metadata, *DOCUMENT_KEYS)
    return ReportedChunk(
        chunk_id=chunk_id,
        text=text,
        doc_id=None if doc_id is None else name_of(doc_id),
        start=start,
        end=None if unfound else offset_of(metadata, "end_index"),
        unfound=unfound,
        extra=kept(metadata, *(key for key in metadata if key not in (*DOCUMENT_KEYS, "start_index", "end_index"))),
    )


LANGCHAIN = Producer("langchain", "page_content and metadata", _is_row, _parse)
