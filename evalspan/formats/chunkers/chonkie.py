"""chonkie chunks: `text`, `start_index`, `end_index`, `token_count`."""

from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.formats.chunkers.producer import Producer, Row, first_of, found, kept, name_of, offset_of, text_of


def _is_row(row: Row) -> bool:
    return {"text", "start_index", "end_index", "token_count"} <= row.keys()


def _parse(row: Row) -> ReportedChunk:
    return from_fields(name_of(row.get("id")), text_of(row, "text"), row)


def from_fields(chunk_id: str, text: str, fields: Row) -> ReportedChunk:
    """The same out of what a vector store keeps."""
    start, unfound = found(offset_of(fields, "start_index"))
    doc_id = first_of(fields, "doc_id", "document_id")
    context = fields.get("context")
    return ReportedChunk(
        chunk_id=chunk_id,
        text=text,
        doc_id=None if doc_id is None else name_of(doc_id),
        start=start,
        end=None if unfound else offset_of(fields, "end_index"),
        unfound=unfound,
        front=(context,) if isinstance(context, str) and context else (),
        extra=kept(fields, "token_count", "context", "metadata"),
    )


CHONKIE = Producer("chonkie", "start_index, end_index and token_count", _is_row, _parse)
