"""A chunk out of what a store keeps beside a vector: which field holds what, by the tool that wrote it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from evalspan.indexes.base import IndexChunk

TEXTS = ("text", "page_content", "document", "content")
"""Ours, LlamaIndex's and most people's; LangChain's; Chroma's; Haystack's."""

DOCUMENTS = ("doc_id", "document_id", "ref_doc_id", "source_id", "source")
"""Ours; LlamaIndex's two; Haystack's; LangChain's loaders'."""

STARTS = ("start", "start_index", "start_char_idx", "split_idx_start")
"""Ours; LangChain's and chonkie's; LlamaIndex's; Haystack's."""

ENDS = ("end", "end_index", "end_char_idx")

NESTED = ("metadata", "meta", "_node_content")
"""LangChain and Haystack put theirs one level down; LlamaIndex into a JSON text."""

NO_DOCUMENT = "None"
"""What LlamaIndex writes for a node that comes of no document."""


def chunk_of(chunk_id: str, payload: Mapping[str, Any], text: str | None = None) -> IndexChunk:
    """`payload`: all fields but id and vector; `text`: where the store has a place of its own for it."""
    layers = list(_layers(payload))
    found = text if text is not None else _first(layers, TEXTS, str)
    doc_id = _first(layers, DOCUMENTS, str)
    return IndexChunk(
        chunk_id=chunk_id,
        text=found,
        doc_id=None if doc_id == NO_DOCUMENT else doc_id,
        start=_offset(layers, STARTS),
        end=_offset(layers, ENDS),
    )


def _layers(payload: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The fields themselves, then those further down."""
    yield payload
    for name in NESTED:
        inner = payload.get(name)
        if isinstance(inner, str):
            try:
                inner = json.loads(inner)
            except (ValueError, RecursionError):
                continue
        if isinstance(inner, Mapping):
            yield from _layers(inner)


def _first(layers: list[Mapping[str, Any]], names: tuple[str, ...], kind: type[str]) -> str | None:
    return next(
        (layer[name] for layer in layers for name in names if isinstance(layer.get(name), kind)),
        None,
    )


def _offset(layers: list[Mapping[str, Any]], names: tuple[str, ...]) -> int | None:
    """None for a negative one too: LangChain's word for not found."""
    for layer in layers:
        for name in names:
            value = layer.get(name)
            if isinstance(value, float) and value.is_integer():  # stores whose only number is a float
                value = int(value)
            if isinstance(value, int) and not isinstance(value, bool):
                return value if value >= 0 else None
    return None
