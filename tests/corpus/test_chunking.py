"""A chunking is known by its ranges and texts."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from strategies import cuts_of, digests, ids, law, missing, one_of, raw_chunks, sure, texts
from xxhash import xxh3_128_hexdigest

from evalspan.anchoring import Match, Status
from evalspan.corpus import (
    Chunk,
    Chunking,
    ChunkingConfig,
    EmbeddingConfig,
    Placed,
    as_chunks,
    chunks_digest,
    count_placed,
    place_chunks,
)
from evalspan.spans import Span

matches = st.sampled_from(
    [
        sure(Span(0, 4)),
        sure(Span(4, 9)),
        sure(Span(10, 12), status=Status.REFORMATTED),
        one_of(Span(0, 2), Span(3, 5)),
        missing(),
        Match(Span(0, 3), Status.EXACT, False, reason="too short"),
    ]
)
chunks = st.builds(Chunk, ids, st.sampled_from(["a", "b", "\U0001f600", "\uff21"]), matches, digests)


def by_hand(json_text: str) -> str:
    return xxh3_128_hexdigest(json_text.encode("utf-8"))


@law
@given(st.data(), st.lists(chunks, max_size=6))
def test_the_digest_is_taken_over_sorted_rows_whatever_the_order_and_the_ids(
    data: st.DataObject, cut: list[Chunk]
) -> None:
    rows = sorted(
        [c.doc_id, *(c.match.span if c.match.sure and c.match.span else (-1, -1)), c.text_digest] for c in cut
    )
    expected = by_hand(json.dumps(rows, ensure_ascii=False, separators=(",", ":")))
    shuffled = data.draw(st.permutations(cut))
    assert chunks_digest(chunk._replace(chunk_id=f"renamed{i}") for i, chunk in enumerate(shuffled)) == expected
    assert Chunking("v1", "0" * 32, ChunkingConfig(), tuple(cut)).digest == expected


def test_another_place_and_another_text_are_another_chunking() -> None:
    chunk = Chunk("c", "d", sure(Span(0, 4)), "0" * 32)
    others = [
        chunk._replace(match=sure(Span(0, 5))),
        chunk._replace(match=missing()),
        chunk._replace(text_digest="1" * 32),
        chunk._replace(doc_id="e"),
    ]
    assert len({chunks_digest([c]) for c in (chunk, *others)} | {chunks_digest([chunk, chunk])}) == 6


def test_only_a_certain_place_is_a_chunks_span() -> None:
    assert Chunk("c", "d", sure(Span(0, 4)), "").span == Span(0, 4)
    assert Chunk("c", "d", Match(Span(0, 4), Status.EXACT, False), "").span is None


@pytest.mark.parametrize(
    ("config", "values"),
    [
        (ChunkingConfig(), {"splitter": "unknown", "version": "", "parameters": {}}),
        (
            ChunkingConfig(splitter="é", version="1", parameters={"b": 1, "a": [0.5, None]}),
            {"splitter": "é", "version": "1", "parameters": {"a": [0.5, None], "b": 1}},
        ),
        (
            EmbeddingConfig(model="m", prefixes={"query": "q: "}),
            {"model": "m", "version": "", "dimensions": None, "normalised": None, "prefixes": {"query": "q: "}},
        ),
    ],
)
def test_a_fingerprint_is_taken_over_all_fields_as_canonical_json(
    config: ChunkingConfig | EmbeddingConfig, values: dict[str, Any]
) -> None:
    text = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert config.fingerprint == by_hand(text)


def test_the_order_of_parameters_means_nothing_and_their_values_do() -> None:
    one = ChunkingConfig(parameters={"size": 400, "overlap": 0})
    assert one.fingerprint == ChunkingConfig(parameters={"overlap": 0, "size": 400}).fingerprint
    assert one.fingerprint != ChunkingConfig(parameters={"size": 400, "overlap": 1}).fingerprint


def test_a_field_that_we_do_not_know_is_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        ChunkingConfig.model_validate({"spliter": "x"})


@law
@given(st.lists(matches, max_size=8), st.lists(matches, max_size=8))
def test_each_chunk_is_counted_once_by_how_it_was_placed(one: list[Match], other: list[Match]) -> None:
    placed = count_placed(one)
    assert placed.exact == sum(m.sure and m.status is Status.EXACT for m in one)
    assert placed.reformatted == sum(m.sure and m.status is not Status.EXACT for m in one)
    assert placed.missing == sum(m.status is Status.MISSING for m in one)
    assert placed.total == len(one)
    assert placed.plus(count_placed(other)) == count_placed([*one, *other])


def test_the_counts_of_nothing() -> None:
    assert count_placed([]) == Placed(0, 0, 0, 0)


@law
@given(st.data(), texts)
def test_chunks_keep_their_ids_texts_and_places(data: st.DataObject, text: str) -> None:
    raw = raw_chunks(text, data.draw(cuts_of(text)))
    placed = place_chunks(raw, text)
    made = as_chunks("d", raw, placed)
    assert [(c.chunk_id, c.doc_id, c.match, c.text_digest) for c in made] == [
        (r.chunk_id, "d", m, by_hand(r.text)) for r, m in zip(raw, placed, strict=True)
    ]
