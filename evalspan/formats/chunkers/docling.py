"""docling's `DocChunk`s: `text` and `meta` with headings and document items; no offset in the source text.

`charspan` is a range of one item, not of the document, and is kept as what it is.
"""

from collections.abc import Mapping
from typing import Any

from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.formats.chunkers.producer import Producer, Row, kept, mapping_of, name_of, text_of


def _is_row(row: Row) -> bool:
    return "text" in row and isinstance(row.get("meta"), Mapping) and "doc_items" in row["meta"]


def _parse(row: Row) -> ReportedChunk:
    meta = mapping_of(row, "meta")
    origin = mapping_of(meta, "origin").get("filename")
    items = [item for item in meta["doc_items"] or () if isinstance(item, Mapping)]
    places = [place for item in items for place in item.get("prov") or () if isinstance(place, Mapping)]
    extra: dict[str, Any] = kept(meta, "headings", "captions")
    extra["items"] = [item.get("self_ref") for item in items]
    extra["pages"] = sorted({place["page_no"] for place in places if isinstance(place.get("page_no"), int)})
    return ReportedChunk(
        chunk_id=name_of(row.get("id")),
        text=text_of(row, "text"),
        doc_id=None if origin is None else name_of(origin),
        front=_fronts(meta),
        extra=extra,
    )


def _fronts(meta: Row) -> tuple[str, ...]:
    """What `contextualize()` puts in front: headings and captions, a line each."""
    out = []
    for keys in (("headings", "captions"), ("headings",), ("captions",)):
        lines = [str(line) for key in keys for line in meta.get(key) or ()]
        if lines:
            out.append("\n".join(lines) + "\n")
    return tuple(dict.fromkeys(out))


DOCLING = Producer("docling", "meta.doc_items", _is_row, _parse)
