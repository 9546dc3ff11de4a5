"""Which field of what a store keeps holds what, by the tool that wrote it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.indexes import IndexChunk
from evalspan.indexes.payload import chunk_of

NODE = {"text": "the text", "start_char_idx": 4, "end_char_idx": 12, "metadata": {"file": "a.md"}}


@pytest.mark.parametrize(
    ("payload", "chunk"),
    [
        ({"doc_id": "a", "text": "t", "start": 0, "end": 1}, ("t", "a", 0, 1)),
        ({"page_content": "t", "metadata": {"source": "a", "start_index": 3}}, ("t", "a", 3, None)),
        ({"page_content": "t", "metadata": {"source": "a", "start_index": -1}}, ("t", "a", None, None)),
        ({"content": "t", "meta": {"source_id": "a", "split_idx_start": 3, "split_id": 1}}, ("t", "a", 3, None)),
        ({"_node_content": json.dumps(NODE), "ref_doc_id": "a"}, ("the text", "a", 4, 12)),
        ({"text": "t", "metadata": {"_node_content": json.dumps(NODE), "doc_id": "a"}}, ("t", "a", 4, 12)),
        ({"text": "t", "metadata": json.dumps({"doc_id": "a", "start": 2.0})}, ("t", "a", 2, None)),
        ({"text": "t", "document_id": "None", "ref_doc_id": "None"}, ("t", None, None, None)),
        ({"text": "t", "start": "3", "end": True, "doc_id": 7}, ("t", None, None, None)),
        ({"metadata": "{", "_node_content": "[" * 100_000}, (None, None, None, None)),
        ({}, (None, None, None, None)),
    ],
)
def test_each_tools_fields_are_known(payload: dict[str, Any], chunk: tuple[Any, ...]) -> None:
    assert chunk_of("c", payload) == IndexChunk("c", *chunk)


def test_the_stores_own_place_for_a_text_comes_first() -> None:
    assert chunk_of("c", {"text": "another"}, "own").text == "own"
    assert chunk_of("c", {"text": "another"}, "").text == ""


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=5,
)
names = st.sampled_from(["metadata", "meta", "_node_content", "text", "start", "end_index", "source", "x"])


@law
@given(st.dictionaries(names, values))
def test_whatever_is_kept_beside_a_vector_is_no_hindrance(payload: dict[str, Any]) -> None:
    chunk = chunk_of("c", payload)
    assert chunk.chunk_id == "c"
    assert chunk.start is None or chunk.start >= 0
