"""Whose chunks these are, and what they report: over what the real libraries gave for a text of our own."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from evalspan.corpus.reported import Offset, Wording, check_reported
from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.errors import BadInput
from evalspan.formats.chunkers import PRODUCERS, parse_chunks

RECORDED = Path(__file__).parent / "recorded"
TEXT = (RECORDED / "text.md").read_text("utf-8")

FILES = {
    "langchain.json": "langchain",
    "llamaindex_docstore.json": "llamaindex",
    "llamaindex_hierarchy.json": "llamaindex",
    "llamaindex_in_chroma.json": "store",
    "haystack.json": "haystack",
    "haystack_hierarchy.json": "haystack",
    "chonkie.json": "chonkie",
    "semchunk.json": "semchunk",
    "semantic_text_splitter.json": "semantic-text-splitter",
    "unstructured.json": "unstructured",
    "docling.json": "docling",
}
NAME_NO_DOCUMENT = {"chonkie", "semchunk", "semantic-text-splitter", "docling"}


def recorded(name: str) -> Any:
    return json.loads((RECORDED / name).read_text("utf-8"))


def said(objects: Any, producer: str | None = None, **told: Any) -> list[str]:
    """What is wrong."""
    with pytest.raises(BadInput) as caught:
        parse_chunks(objects, producer, **told)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("name", FILES)
def test_the_producer_is_guessed_and_said(name: str) -> None:
    parsed = parse_chunks(recorded(name))
    assert parsed.producer == FILES[name]
    assert parsed.guessed == PRODUCERS[parsed.producer].seen_by
    assert parse_chunks(recorded(name), parsed.producer) == parsed._replace(guessed="")


@pytest.mark.parametrize("name", FILES)
def test_chunks_name_their_document_where_their_producer_does(name: str) -> None:
    named = {chunk.doc_id for chunk in parse_chunks(recorded(name)).chunks}
    assert named == ({None} if FILES[name] in NAME_NO_DOCUMENT else {"text.md"})


@pytest.mark.parametrize("name", FILES)
def test_every_recorded_chunk_has_its_place(name: str) -> None:
    facts = check_reported(parse_chunks(recorded(name), document="text.md").chunks, TEXT)
    for one in facts:
        assert one.match.sure
        assert one.match.span is not None
        if one.wording is Wording.VERBATIM:
            assert one.match.span.of(TEXT) == one.chunk.text
        assert one.offset in (Offset.RIGHT, Offset.PARENT, Offset.ABSENT)


def test_langchain_reports_a_start_and_a_source() -> None:
    second = parse_chunks(recorded("langchain.json")).chunks[1]
    assert (second.start, second.end, second.doc_id, second.named) == (11, None, "text.md", False)


def test_minus_one_is_not_found_and_no_offset() -> None:
    (chunk,) = parse_chunks([{"page_content": "x", "metadata": {"start_index": -1}}]).chunks
    assert (chunk.start, chunk.unfound) == (None, True)


def test_chunking_evaluations_metadata_has_both_ends_and_a_corpus() -> None:
    metadata = {"start_index": 3, "end_index": 9, "corpus_id": "c"}
    (chunk,) = parse_chunks({"ids": ["1"], "documents": ["x"], "metadatas": [metadata]}).chunks
    assert (chunk.start, chunk.end, chunk.doc_id) == (3, 9, "c")


def test_llamaindex_links_its_nodes_and_keeps_its_offsets_in_node_content() -> None:
    stored = parse_chunks(recorded("llamaindex_in_chroma.json")).chunks
    kept = parse_chunks(recorded("llamaindex_docstore.json")).chunks
    assert [(c.chunk_id, c.start, c.end, c.after, c.text) for c in stored] == [
        (c.chunk_id, c.start, c.end, c.after, c.text) for c in kept
    ]
    assert stored[1].after == stored[0].chunk_id
    assert stored[0].start == 0


def test_node_content_that_is_no_json_is_told() -> None:
    row = {"id": "1", "text": "x", "metadata": {"_node_content": "{"}}
    assert said([row])[0].startswith('chunks:1: "_node_content" is no JSON')


def test_what_llamaindex_puts_in_front_is_known() -> None:
    row = recorded("llamaindex_docstore.json")["docstore/data"]["node-0"]["__data__"]
    shown = row | {"text": f"file: text.md\n\n{row['text']}"}
    (fact,) = check_reported(parse_chunks([shown]).chunks, TEXT)
    assert (fact.wording, fact.front, fact.offset) == (Wording.EXTRA, "file: text.md\n\n", Offset.RIGHT)
    assert fact.match.span is not None
    assert fact.match.span.of(TEXT) == row["text"]


def test_a_window_in_the_place_of_its_sentence_is_told() -> None:
    metadata = {"window": "One.  Two.  Three.", "original_text": "Two. "}
    node = {"id_": "n", "text": metadata["window"], "metadata": metadata, "relationships": {}, "start_char_idx": 5}
    (chunk,) = parse_chunks([node]).chunks
    assert chunk.extra["text_is"] == "window"


def test_haystack_numbers_its_chunks_and_names_parents_as_sources() -> None:
    chunks = parse_chunks(recorded("haystack_hierarchy.json")).chunks
    assert {chunk.doc_id for chunk in chunks} == {"text.md"}
    assert chunks[0].chunk_id == "text.md"
    assert chunks[1].parent_id == "text.md"
    assert sum(chunk.parent_id not in (None, "text.md") for chunk in chunks) >= 4


@pytest.mark.parametrize("name", ["haystack_hierarchy.json", "llamaindex_hierarchy.json"])
@pytest.mark.parametrize("seed", range(3))
def test_children_count_from_their_parent_in_any_order_of_the_dump(name: str, seed: int) -> None:
    rows = recorded(name)
    random.Random(seed).shuffle(rows)
    facts = check_reported(parse_chunks(rows).chunks, TEXT)
    assert all(one.offset in (Offset.RIGHT, Offset.PARENT, Offset.ABSENT) for one in facts)
    assert any(one.offset is Offset.PARENT for one in facts)


def test_docling_puts_headings_in_front() -> None:
    facts = check_reported(parse_chunks(recorded("docling.json"), document="text.md").chunks, TEXT)
    assert (facts[0].wording, facts[0].front) == (Wording.EXTRA, "Returns\n")
    assert facts[0].chunk.extra["items"] == ["#/texts/1"]


def test_unstructured_joins_elements_with_blank_lines() -> None:
    text = TEXT.replace("\n\n", "\n")
    facts = check_reported(parse_chunks(recorded("unstructured.json")).chunks, text)
    assert {one.wording for one in facts} == {Wording.RERENDERED}
    assert all(one.offset is Offset.ABSENT and one.match.sure for one in facts)


def test_a_conversion_of_objects_is_by_their_own_methods() -> None:
    class Own:
        def to_dict(self) -> dict[str, Any]:
            return {"text": "x", "start_index": 0, "end_index": 1, "token_count": 1}

        def model_dump(self) -> dict[str, Any]:
            raise AssertionError

    class WithScore:
        node = Own()

    for one in (Own(), WithScore()):
        assert parse_chunks([one]).producer == "chonkie"


@pytest.mark.parametrize(
    "dump",
    [
        {"points": [{"id": 7, "payload": {"page_content": "x", "metadata": {"source": "d", "start_index": 2}}}]},
        [{"id": 7, "payload": {"page_content": "x", "metadata": {"source": "d", "start_index": 2}}}],
        {"ids": [7], "documents": ["x"], "metadatas": [{"source": "d", "start_index": 2.0}]},
        {"7": {"id": "7", "vector": [0.1], "text": "x", "metadata": {"source": "d", "start_index": 2}}},
        [{"id": 7, "text": "x", "vector": [0.1], "metadata": {"source": "d", "start_index": 2}}],
    ],
    ids=["qdrant", "qdrant points", "chroma", "langchain in memory", "lancedb"],
)
def test_dumps_of_stores_are_opened(dump: Any) -> None:
    parsed = parse_chunks(json.loads(json.dumps(dump)))
    assert parsed.chunks == (ReportedChunk("7", "x", "d", 2),)
    assert (parsed.producer, parsed.numbered) == ("store", 0)


def test_an_index_chunk_is_a_chunk() -> None:
    from evalspan.indexes.base import IndexChunk

    assert parse_chunks([IndexChunk("c", "x", "d", 1, 2)]).chunks == (ReportedChunk("c", "x", "d", 1, 2),)
    assert said([IndexChunk("c", None, "d")]) == ["chunks:1: has no text: the index keeps none"]


def test_autorags_end_is_inclusive_and_zero_zero_is_not_found() -> None:
    row = {"doc_id": "u", "contents": "file_name: a.md\n contents: Hats", "path": "a.md", "metadata": {"prev_id": None}}
    (chunk,) = parse_chunks([row | {"start_end_idx": [4, 7]}]).chunks
    assert (chunk.chunk_id, chunk.doc_id, chunk.start, chunk.end) == ("u", "a.md", 4, 8)
    assert chunk.front == ("file_name: a.md\n contents: ",)
    (chunk,) = parse_chunks([row | {"start_end_idx": [0, 0]}]).chunks
    assert (chunk.start, chunk.end, chunk.unfound) == (None, None, True)
    (chunk,) = parse_chunks([row | {"contents": "H", "start_end_idx": [0, 0]}]).chunks
    assert (chunk.start, chunk.end, chunk.unfound) == (0, 1, False)
    assert "two whole numbers" in said([row | {"start_end_idx": [1]}])[0]


def test_a_document_is_told_by_name_or_by_field() -> None:
    rows = [{"page_content": "x", "metadata": {"source": "wrong", "file": {"no": 1}, "uri": n}} for n in ("a", "b")]
    assert [c.doc_id for c in parse_chunks(rows, document_key="uri").chunks] == ["a", "b"]
    assert {c.doc_id for c in parse_chunks(rows, document="d").chunks} == {"d"}
    assert said(rows, document_key="file")[0] == "chunks:1: has no 'file', neither itself nor in its metadata"


def test_chunks_without_ids_are_numbered_in_their_documents_and_counted() -> None:
    rows = [{"page_content": "x", "metadata": {"source": doc_id}} for doc_id in "aab"]
    parsed = parse_chunks(rows)
    assert [(c.chunk_id, c.named) for c in parsed.chunks] == [("a#1", False), ("a#2", False), ("b#1", False)]
    assert parsed.numbered == 3


def test_a_number_that_we_gave_says_nothing_of_an_order() -> None:
    rows = [{"page_content": "Same line.", "metadata": {"source": "d"}} for _ in range(3)]
    facts = check_reported(parse_chunks(rows).chunks, "Same line.\n" * 3)
    assert not any(one.match.sure for one in facts)


@pytest.mark.parametrize(
    ("objects", "what"),
    [
        ([], "holds no chunk"),
        ("text", "has no objects, which no producer of chunks has that is known here"),
        ([{"a": 1}], "has the fields a, which no producer"),
        ([{"page_content": "x", "metadata": {}}, {"text": "x", "element_id": "1", "type": "T"}], "may be chunks of"),
    ],
)
def test_what_is_nobodys_or_two_libraries_is_one_clear_error(objects: Any, what: str) -> None:
    (problem,) = said(objects)
    assert problem.startswith(f"chunks: {what}")


def test_an_unknown_producer_lists_those_there_are() -> None:
    assert "There is: langchain, llamaindex" in said([], "lang-chain")[0]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"page_content": None, "metadata": {}}, '"page_content" is no text'),
        ({"page_content": "x", "metadata": []}, '"metadata" is no object'),
        ({"page_content": "x", "metadata": {"start_index": "0"}}, "\"start_index\" is '0'; a whole number is wanted"),
        ({"page_content": "x", "metadata": {"start_index": 0.5}}, '"start_index" is 0.5; a whole number is wanted'),
        ({"page_content": "x", "metadata": {}, "id": True}, "an id is True; text or a whole number is wanted"),
        ({"page_content": "x", "metadata": {}, "id": "a\tb"}, "holds a character that no id may hold"),
        ({"page_content": "x\0", "metadata": {}}, "holds NUL at offset 1: --replace-bad-text"),
        ({"text": "x"}, "is no chunk of langchain: page_content and metadata is wanted"),
        (None, "is no object with fields"),
    ],
)
def test_a_bad_row_is_named_with_its_number(row: Any, what: str) -> None:
    good = {"page_content": "x", "metadata": {}}
    (problem,) = said([good, row], "langchain")
    assert problem.startswith("chunks:2: ")
    assert what in problem


def test_a_dump_without_texts_says_how_to_mend_it() -> None:
    assert said({"ids": ["1"], "documents": [None], "metadatas": [{}]})[0].endswith(
        "dump the collection with its texts"
    )
