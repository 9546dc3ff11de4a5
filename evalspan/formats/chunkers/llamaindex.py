"""LlamaIndex nodes: as objects, `to_dict`, in a docstore, or in the `_node_content` that it puts into vector stores."""

import json
from collections.abc import Mapping
from typing import Any

from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.formats.chunkers.producer import (
    Producer,
    Row,
    Unreadable,
    found,
    kept,
    mapping_of,
    name_of,
    offset_of,
)

SOURCE, PREVIOUS, PARENT = "1", "2", "4"
"""Keys of a node's relationships."""


def _is_row(row: Row) -> bool:
    data = row.get("__data__", row)
    return isinstance(data, Mapping) and "relationships" in data and ("id_" in data or "start_char_idx" in data)


def _parse(row: Row) -> ReportedChunk:
    node = row.get("__data__", row)
    text = node.get("text")
    if text is None:
        text = mapping_of(node, "text_resource").get("text")
    if not isinstance(text, str):
        raise Unreadable('the node has no "text"')
    return from_node(node, text)


def from_store(chunk_id: str, text: str, metadata: Row) -> ReportedChunk:
    """The same out of what a vector store keeps: the node, as JSON text, without its own text."""
    content = metadata["_node_content"]
    try:
        node = json.loads(content)
    except (TypeError, ValueError) as error:
        raise Unreadable(f'"_node_content" is no JSON: {error}') from None
    if not isinstance(node, dict):
        raise Unreadable('"_node_content" is no object')
    chunk = from_node(node, text)
    doc_id = chunk.doc_id or metadata.get("ref_doc_id") or metadata.get("document_id") or metadata.get("doc_id")
    return chunk._replace(chunk_id=chunk.chunk_id or chunk_id, doc_id=None if doc_id is None else name_of(doc_id))


def from_node(node: Row, text: str) -> ReportedChunk:
    """A node's chunk, with a text that may stand elsewhere."""
    links = {key: _node_id(value) for key, value in mapping_of(node, "relationships").items()}
    metadata = mapping_of(node, "metadata")
    start, unfound = found(offset_of(node, "start_char_idx"))
    extra: dict[str, Any] = kept(metadata, *metadata)
    if metadata.get("window") == text and metadata.get("original_text") != text:
        extra["text_is"] = "window"  # MetadataReplacementPostProcessor: the offsets are still the sentence's
    return ReportedChunk(
        chunk_id=name_of(node.get("id_")),
        text=text,
        doc_id=links.get(SOURCE) or None,
        start=start,
        end=offset_of(node, "end_char_idx"),
        unfound=unfound,
        parent_id=links.get(PARENT) or None,
        after=links.get(PREVIOUS) or None,
        front=_fronts(node, metadata),
        extra=extra,
    )


def _node_id(link: object) -> str:
    if isinstance(link, Mapping):
        return name_of(link.get("node_id"))
    return ""  # a list of children


def _fronts(node: Row, metadata: Row) -> tuple[str, ...]:
    """What `get_content` puts in front, for the metadata modes ALL, EMBED and LLM."""
    out = []
    for hidden in ((), node.get("excluded_embed_metadata_keys") or (), node.get("excluded_llm_metadata_keys") or ()):
        shown = "\n".join(f"{key}: {value}" for key, value in metadata.items() if key not in hidden)
        if shown:
            out.append(f"{shown}\n\n")
    return tuple(dict.fromkeys(out))


LLAMAINDEX = Producer("llamaindex", "relationships and id_", _is_row, _parse)
