"""What an index says of itself comes back as it was, or is refused with the reason."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import digests, law

from evalspan.corpus import (
    MANIFEST_VERSION,
    ChunkingConfig,
    EmbeddingConfig,
    Extractor,
    Manifest,
    make_manifest,
    parse_manifest,
)
from evalspan.corpus.manifest import SIZE_LIMIT
from evalspan.errors import CannotTell

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
parameters = st.dictionaries(
    words, st.none() | st.booleans() | st.integers(-(2**53), 2**53) | words | st.lists(words, max_size=2), max_size=3
)
manifests = st.builds(
    make_manifest,
    corpus_digest=digests,
    documents=st.integers(0, 10**9),
    chunking=st.builds(ChunkingConfig, splitter=words, version=words, parameters=parameters),
    chunks=st.integers(0, 10**9),
    chunks_digest=digests,
    embedding=st.none()
    | st.builds(EmbeddingConfig, model=words, dimensions=st.none() | st.integers(1, 4096), normalised=st.booleans()),
    extractor=st.none() | st.builds(Extractor, name=words, version=words),
)


def a_manifest(**changes: Any) -> str:
    made = make_manifest(
        corpus_digest="0" * 32,
        documents=3,
        chunking=ChunkingConfig(splitter="by hand", parameters={"size": 400}),
        chunks=7,
        chunks_digest="1" * 32,
        embedding=EmbeddingConfig(model="small"),
    )
    return json.dumps({**json.loads(made.to_json()), **changes})


@law
@given(manifests)
def test_a_manifest_comes_back_as_it_was(manifest: Manifest) -> None:
    text = manifest.to_json()
    assert parse_manifest(text, "here") == manifest
    assert parse_manifest(text, "here").to_json() == text


@law
@given(manifests)
def test_it_is_one_line_of_ascii_with_sorted_keys(manifest: Manifest) -> None:
    text = manifest.to_json()
    assert text.isascii()
    assert "\n" not in text
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))


@law
@given(manifests)
def test_it_carries_the_fingerprints_of_its_configurations(manifest: Manifest) -> None:
    assert manifest.evalspan_manifest == MANIFEST_VERSION
    assert manifest.chunking_fingerprint == manifest.chunking.fingerprint
    assert manifest.embedding_fingerprint == (manifest.embedding.fingerprint if manifest.embedding else None)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", manifest.created_at)


@law
@given(words, st.none() | st.integers() | words | st.lists(words, max_size=2))
def test_fields_that_we_do_not_know_are_kept(name: str, value: Any) -> None:
    text = a_manifest(**{f"x-{name}": value})
    assert json.loads(parse_manifest(text, "here").to_json()) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[1]", "not a manifest"),
        ("null", "not a manifest"),
        ("{}", "not a manifest"),
        (a_manifest(evalspan_manifest="1"), "not a manifest"),
        (a_manifest(evalspan_manifest=True), "not a manifest"),
        (a_manifest(evalspan_manifest=0), "not a manifest"),
        (a_manifest(evalspan_manifest=MANIFEST_VERSION + 1), f"manifest version {MANIFEST_VERSION + 1}"),
        (a_manifest(corpus_digest=None), "corpus_digest: "),
        (a_manifest(documents=-1), "documents: "),
        (a_manifest(chunking={"splitter": "x", "size": 4}), "chunking.size: "),
        (a_manifest(chunking={"splitter": "by hand", "parameters": {"size": 401}}), "changed by hand"),
        (a_manifest(chunking_fingerprint="0" * 32), "changed by hand"),
        (a_manifest(embedding_fingerprint=None), "changed by hand"),
        (a_manifest(embedding={"model": "large"}), "changed by hand"),
        (a_manifest(embedding=None), "changed by hand"),
    ],
)
def test_what_is_no_manifest_we_can_judge_by_is_refused_with_its_source_and_a_command(text: str, says: str) -> None:
    with pytest.raises(CannotTell) as caught:
        parse_manifest(text, "index/manifest.json")
    message = str(caught.value)
    assert message.startswith("index/manifest.json: ")
    assert says in message
    assert message.endswith(("evalspan manifest write", "pip install -U evalspan"))


@pytest.mark.parametrize(
    "text",
    [
        a_manifest(chunking={"splitter": "\ud800"}),
        '{"evalspan_manifest": "\ud800"}',
        "[" * 100_000,
    ],
    ids=["a lone surrogate", "a bare lone surrogate", "too deep"],
)
def test_no_other_error_leaves_for_bad_input(text: str) -> None:
    with pytest.raises(CannotTell):
        parse_manifest(text, "here")


def test_the_longest_manifest_that_an_index_keeps() -> None:
    def of(length: int) -> Manifest:
        return make_manifest(
            corpus_digest="0" * 32,
            documents=1,
            chunking=ChunkingConfig(parameters={"x": "y" * length}),
            chunks=1,
            chunks_digest="1" * 32,
        )

    room = SIZE_LIMIT - len(of(0).to_json())
    assert SIZE_LIMIT == 2048
    assert len(of(room).to_json()) == SIZE_LIMIT
    with pytest.raises(CannotTell, match=f"takes {SIZE_LIMIT + 1} bytes and an index may keep {SIZE_LIMIT}"):
        of(room + 1).to_json()


def test_letters_beyond_ascii_count_as_what_they_take() -> None:
    manifest = make_manifest(
        corpus_digest="0" * 32,
        documents=1,
        chunking=ChunkingConfig(parameters={"x": "家" * 300}),
        chunks=1,
        chunks_digest="1" * 32,
    )
    with pytest.raises(CannotTell, match="shorten the parameters"):
        manifest.to_json()
