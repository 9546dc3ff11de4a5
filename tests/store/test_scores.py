"""Runs, scores and bridges come out as they went in, and are only appended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalspan.errors import Conflict, NotFound
from evalspan.runs import Hit, Run
from evalspan.scoring.figures import Figure
from evalspan.store import MappingRecord, ScoreRecord, Store

from .helpers import fill, in_one_store, outcome, put_mapping, put_version
from .strategies import BY

ids = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8)
hits = st.tuples(
    ids, st.floats(allow_nan=False, allow_infinity=False), st.none() | ids, st.none() | ids, st.none() | st.integers(0)
).map(lambda row: Hit(*row, end=None if row[-1] is None else row[-1] + 1))
runs = st.builds(
    Run,
    rankings=st.dictionaries(ids, st.lists(hits, max_size=3).map(tuple), max_size=3),
    name=ids,
    stage=st.just("") | ids,
    pipeline=st.dictionaries(ids, st.none() | st.integers(-9, 9) | st.dictionaries(ids, ids, max_size=2), max_size=2),
    latency_ms=st.dictionaries(ids, st.floats(0, 1e6), max_size=2),
    tokens=st.dictionaries(ids, st.integers(0, 10**6), max_size=2),
    repeated=st.integers(0, 9),
    unscored=st.integers(0, 9),
)

FIGURES = {"RR": Figure(0.75, 0.5, 0.9), "AP": Figure(None, 0.0, 1.0)}
QUESTIONS = {"RR": {"q1": Figure(0.75, 0.75, 0.75), "é": Figure(None, 0.0, 1.0, True)}, "AP": {}}
RUN = Run({"q1": (Hit("a.md#0", 1.0),)}, name="bm25", pipeline={"retriever": {"k": 3}})


def put_score(store: Store, mapping: MappingRecord, run: Run = RUN) -> ScoreRecord:
    with store.writing() as tx:
        return tx.add_score(mapping, run, FIGURES, QUESTIONS, 3, "abc123", BY)


@in_one_store
@given(runs)
def test_a_run_comes_out_as_it_went_in(store: Store, run: Run) -> None:
    if not store.sets():
        fill(store)
    record = put_score(store, store.mappings()[-1], run)
    assert store.run(record.run_digest) == run
    assert store.run(record.run_digest).digest == record.run_digest == run.digest


def test_a_score_comes_out_as_it_went_in(store: Store) -> None:
    *_, mapping = fill(store)
    record = put_score(store, mapping)
    assert store.scores("faq") == [record]
    assert (record.mapping, record.run, record.figures, record.provenance) == (mapping, "bm25", FIGURES, BY)
    assert (record.min_overlap, record.waiting, record.code_version) == (0.5, 3, "abc123")
    assert record.pipeline == RUN.pipeline
    assert store.question_figures(record) == QUESTIONS
    assert store.info().scores == 1


def test_figures_that_were_kept_before_questions_could_fall_out_are_read(store: Store) -> None:
    """Three values instead of four."""
    *_, mapping = fill(store)
    with store.writing() as tx:
        short = {"RR": (0.5, 0.5, 0.5)}
        tx.add_score(mapping, RUN, short, {"RR": {"q": (0.5, 0.5, 0.5)}}, 0, "", BY)  # type: ignore[arg-type, dict-item]
    (record,) = store.scores("faq")
    assert record.figures == {"RR": Figure(0.5, 0.5, 0.5)}
    assert store.question_figures(record) == {"RR": {"q": Figure(0.5, 0.5, 0.5)}}


def test_a_run_that_is_scored_twice_is_kept_once(store: Store) -> None:
    *_, mapping = fill(store)
    first, second = put_score(store, mapping), put_score(store, mapping)
    assert first.id < second.id
    assert first.run_digest == second.run_digest


def test_runs_that_differ_in_what_they_cost_are_both_kept(store: Store) -> None:
    """A budget is held against the latency of the run that was scored, and not of an earlier one with equal results."""
    *_, mapping = fill(store)
    fast, slow = (Run(RUN.rankings, latency_ms={"q1": ms}) for ms in (1.0, 900.0))
    records = [put_score(store, mapping, run) for run in (fast, slow)]
    assert [store.run(one.run_digest).latency_ms for one in records] == [{"q1": 1.0}, {"q1": 900.0}]


def test_scores_are_of_a_set_and_stand_oldest_first_over_its_versions(store: Store) -> None:
    snapshot, chunking, version, mapping = fill(store)
    first = put_score(store, mapping)
    second = put_score(
        store, put_mapping(store, put_version(store, "faq", version.number, snapshot), chunking, outcome())
    )
    put_score(store, put_mapping(store, put_version(store, "other", None, snapshot), chunking, outcome()))
    assert store.scores("faq") == [first, second]
    assert [one.mapping.version.label for one in store.scores("faq")] == ["faq@1", "faq@2"]
    assert store.scores("nobody") == []


def test_a_bridge_is_kept_once(store: Store) -> None:
    *_, mapping = fill(store)
    old, new = put_score(store, mapping), put_score(store, mapping)
    with store.writing() as tx:
        record = tx.add_bridge(old, new, BY)
    assert store.bridges() == [record]
    assert (record.old, record.new, record.provenance) == (old.id, new.id, BY)
    with pytest.raises(Conflict, match="bridged already"), store.writing() as tx:
        tx.add_bridge(old, new, BY)
    assert store.bridges() == [record]


def test_a_score_of_a_transaction_that_fails_is_not_there(store: Store) -> None:
    *_, mapping = fill(store)
    with pytest.raises(RuntimeError), store.writing() as tx:  # noqa: PT012 - what fails is the transaction
        tx.add_score(mapping, RUN, FIGURES, QUESTIONS, 0, "", BY)
        raise RuntimeError
    assert store.scores("faq") == []
    with pytest.raises(NotFound):
        store.run(RUN.digest)
