"""Chunk lengths against the manifest's setting: only what is too long in every unit it may mean refuses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.corpus import ChunkingConfig
from evalspan.guard import Kind
from evalspan.guard.lengths import Lengths, Unit, lengths_finding, lengths_note


def measured(*texts: str, **parameters: Any) -> Lengths:
    lengths = Lengths.of(ChunkingConfig(splitter="x", parameters=parameters))
    for text in texts:
        lengths.add(text)
    return lengths


@pytest.mark.parametrize(
    "parameters",
    [
        {"chunk_size": 10, "unit": "characters"},
        {"chunk_size": 10, "length_function": "len"},
        {"split_length": 2, "split_by": "word"},
        {"max_characters": 10},
        {"size": 3},
    ],
)
def test_chunks_longer_than_they_may_be_refuse(parameters: dict[str, Any]) -> None:
    lengths = measured("one two three four", "five six seven eight", "nine", **parameters)
    [finding] = lengths_finding(lengths)
    assert finding.kind is Kind.INDEX_LENGTHS
    assert finding.text.startswith("2 of 3 chunks are longer than")
    assert lengths_note(lengths) == []


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"chunk_size": 10, "unit": "tokens"},
        {"split_length": 1, "split_by": "sentence"},
        {"chunk_size": "10"},
        {"chunk_size": True},
        {"chunk_size": 0},
        {"chunk_size": 100, "unit": "characters"},
    ],
)
def test_what_may_be_right_does_not_refuse(parameters: dict[str, Any]) -> None:
    lengths = measured("one two three four", "five six seven eight", **parameters)
    assert lengths_finding(lengths) == []
    assert lengths_note(lengths) == []


def test_a_unit_that_nobody_said_is_asked_for() -> None:
    [note] = lengths_note(measured("one two three four", chunk_size=10))
    assert '"unit": "characters"' in note


def test_a_few_that_run_over_do_not_refuse() -> None:
    assert lengths_finding(measured("x" * 11, "x" * 10, chunk_size=10, unit="characters")) == []


@law
@given(st.lists(st.text(max_size=40)), st.integers(1, 40), st.sampled_from(list(Unit)))
def test_chunks_cut_by_characters_never_refuse_whatever_the_unit_is_called(
    texts: list[str], size: int, unit: Unit
) -> None:
    cut = [text[:size] for text in texts]
    said = {} if unit is Unit.UNKNOWN else {"unit": unit.value}
    assert lengths_finding(measured(*cut, chunk_size=size, **said)) == []
