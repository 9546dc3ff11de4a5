"""unstructured's chunked elements: `text`, `element_id`, `type`, `metadata`; no offsets at all."""

from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.formats.chunkers.producer import Producer, Row, kept, mapping_of, name_of, text_of

_KEPT = ("page_number", "is_continuation", "table_id", "chunk_index", "num_carried_over_header_rows", "filetype")


def _is_row(row: Row) -> bool:
    return {"element_id", "type", "text"} <= row.keys()


def _parse(row: Row) -> ReportedChunk:
    metadata = mapping_of(row, "metadata")
    filename = metadata.get("filename")
    return ReportedChunk(
        chunk_id=name_of(row.get("element_id")),
        text=text_of(row, "text"),
        doc_id=None if filename is None else name_of(filename),
        extra=kept(row, "type") | kept(metadata, *_KEPT),
    )


UNSTRUCTURED = Producer("unstructured", "element_id and type", _is_row, _parse)
