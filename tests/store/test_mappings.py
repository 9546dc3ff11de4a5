"""Mappings: outcomes come out exactly as they went in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalspan.corpus import EmbeddingConfig
from evalspan.mapping import Bucket, Outcome, Reason, tally
from evalspan.store import Store
from evalspan.store import mappings as reading

from . import strategies
from .helpers import fill, in_one_store, outcome, put_chunking, put_mapping
from .strategies import BY


@in_one_store
@given(st.lists(strategies.outcomes, max_size=6))
def test_outcomes_come_out_as_they_went_in(store: Store, outcomes: list[Outcome]) -> None:
    if not store.sets():
        fill(store)
    version, chunking = store.find_version("faq"), store.find_chunking("whole")
    record = put_mapping(store, version, chunking, *outcomes)
    assert list(store.outcomes(record)) == outcomes
    assert record.tally == tally((one.bucket, one.reason) for one in outcomes)
    assert store.waiting_questions(record) == len({one.query_id for one in outcomes if one.bucket is not Bucket.CLEAN})
    assert store.newest_mapping(version, chunking) == record


def test_reading_in_pages_leaves_nothing_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PAGE_OF_OUTCOMES", 2)
    _, chunking, version, _ = fill(store)
    outcomes = [outcome(f"q{number}") for number in range(4)]
    record = put_mapping(store, version, chunking, *outcomes)
    assert list(store.outcomes(record)) == outcomes


def test_outcomes_may_come_in_parts(store: Store) -> None:
    _, chunking, version, _ = fill(store)
    cut = outcome("q2", Bucket.AMBIGUOUS, Reason.CUT)
    embedding = EmbeddingConfig(model="m", dimensions=3, prefixes={"query": "q: "})
    with store.writing() as tx:
        writer = tx.add_mapping(version, chunking, embedding, 0.75, BY)
        writer.add([outcome()])
        writer.add([cut, cut])
        record = writer.finish()
    assert list(store.outcomes(record)) == [outcome(), cut, cut]
    assert (record.embedding, record.min_overlap, record.provenance) == (embedding, 0.75, BY)
    assert record.tally.reasons == {"ambiguous/cut": 2, "clean/whole": 1}
    assert store.waiting_questions(record) == 1


def test_the_newest_mapping_stands_last(store: Store) -> None:
    snapshot, chunking, version, first = fill(store)
    second = put_mapping(store, version, chunking)
    other = put_chunking(store, "other", snapshot)
    third = put_mapping(store, version, other)
    assert store.mappings() == [first, second, third]
    assert store.mappings(version, chunking) == [first, second]
    assert store.mappings(chunking=other) == [third]
    assert store.newest_mapping(version, chunking) == second


def test_an_unmapped_version_has_no_newest_mapping(store: Store) -> None:
    snapshot, _, version, _ = fill(store)
    assert store.newest_mapping(version, put_chunking(store, "other", snapshot)) is None


def test_overrides_are_kept_with_what_was_refused(store: Store) -> None:
    _, _, version, _ = fill(store)
    assert store.overrides(version) == []
    with store.writing() as tx:
        record = tx.add_override(version, '{"documents":3}', "The corpus differs.", BY)
    assert store.overrides(version) == [record]
    assert (record.manifest, record.refusal, record.provenance) == ('{"documents":3}', "The corpus differs.", BY)
