"""Manifests built from texts are those of the same chunking in a store."""

import json
from pathlib import Path

import pytest

import evalspan
from evalspan.corpus import ChunkingConfig, EmbeddingConfig, Extractor
from evalspan.errors import BadInput, CannotTell
from evalspan.store import create_store
from evalspan.workflows.manifests import IndexedChunk, build_manifest, manifest, manifest_of, write_manifest

SAMPLE = Path(__file__).parents[2] / "sample_corpus"
CONFIG = ChunkingConfig(splitter="md", version="1", parameters={"size": 320})


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (SAMPLE / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("chunks", ["chunks-old.jsonl", "chunks-new.jsonl"])
def test_a_manifest_built_without_a_store_is_the_stores(tmp_path: Path, chunks: str) -> None:
    store = str(tmp_path / "evalspan.db")
    create_store(store)
    evalspan.add_snapshot(SAMPLE / "documents.jsonl", name="v1", store=store)
    evalspan.add_chunking("c", SAMPLE / chunks, snapshot="v1", config=CONFIG, store=store)
    embedding = EmbeddingConfig(model="m", dimensions=3)
    built = build_manifest(
        {row["doc_id"]: row["text"] for row in rows("documents.jsonl")},
        [IndexedChunk(row["chunk_id"], row["doc_id"], row["text"]) for row in rows(chunks)],
        chunking=CONFIG,
        embedding=embedding,
    )
    kept = manifest("c", embedding=embedding, store=store)
    assert built.model_copy(update={"created_at": kept.created_at}) == kept


def test_the_order_of_documents_does_not_count() -> None:
    documents = {"a": "One. Two.", "b": "Three."}
    chunks = [IndexedChunk("1", "a", "One."), IndexedChunk("2", "a", "Two.", 5), IndexedChunk("3", "b", "Three.")]
    extractor = Extractor(name="reader")
    forward = build_manifest(documents, chunks, chunking=CONFIG, extractor=extractor)
    backward = build_manifest(
        dict(reversed(documents.items())), [chunks[2], *chunks[:2]], chunking=CONFIG, extractor=extractor
    )
    assert forward.model_copy(update={"created_at": backward.created_at}) == backward
    assert (forward.documents, forward.chunks, forward.extractor) == (2, 3, extractor)


def test_chunks_of_no_document_and_ids_that_come_twice_are_all_told() -> None:
    chunks = [IndexedChunk("1", "a", "One."), IndexedChunk("1", "a", "One."), IndexedChunk("2", "z", "x")]
    with pytest.raises(BadInput) as caught:
        build_manifest({"a": "One."}, chunks, chunking=CONFIG)
    assert [problem.line for problem in caught.value.problems] == [2, 3]
    assert "'1' was there before" in str(caught.value)
    assert "'z', which is no document here" in str(caught.value)


def test_an_index_may_be_a_manifest_a_path_or_an_address(tmp_path: Path) -> None:
    built = build_manifest({"a": "One."}, [IndexedChunk("1", "a", "One.")], chunking=CONFIG)
    (tmp_path / "m.json").write_text(built.to_json())
    assert manifest_of(built) is built
    assert manifest_of(tmp_path / "m.json") == manifest_of(str(tmp_path / "m.json")) == built
    with pytest.raises(CannotTell, match="no such folder"):
        manifest_of(f"chroma:{tmp_path / 'nowhere'}#x")
    with pytest.raises(BadInput, match="names no index"):
        write_manifest(built, str(tmp_path / "m.json"))
