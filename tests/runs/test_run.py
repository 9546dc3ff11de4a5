"""A run keeps full rankings, best first, in an order that no order of arrival decides."""

import random
from dataclasses import FrozenInstanceError, replace
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.runs import Hit, Run, ranked

scores = st.sampled_from([0.0, 0.5, 1.0, -1.0, nan, inf, -inf])
_hits = st.tuples(st.sampled_from("abcd"), scores).map(lambda pair: Hit(*pair))
given_hits = st.lists(st.tuples(_hits, st.integers(0, 3)), max_size=8)


def test_a_run_keeps_its_rankings_as_they_are_and_is_not_changed() -> None:
    hits = (Hit("c1", 0.9), Hit("c2", 0.1))
    run = Run({"q": hits})
    assert run.rankings["q"] == hits
    assert (hits[0].chunk_id, hits[0].score) == ("c1", 0.9)
    with pytest.raises(FrozenInstanceError):
        run.rankings = {}  # type: ignore[misc]


@law
@given(given_hits, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(hits: list[tuple[Hit, int]], seeded: random.Random) -> None:
    shuffled = list(hits)
    seeded.shuffle(shuffled)
    assert ranked(shuffled) == ranked(hits)


@law
@given(given_hits)
def test_each_chunk_stands_once_where_it_stands_highest_and_what_is_left_out_is_counted(
    hits: list[tuple[Hit, int]],
) -> None:
    found = ranked(hits)
    ids = [hit.chunk_id for hit in found.hits]
    assert len(ids) == len(set(ids))
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    for hit in found.hits:
        assert hit.score == max(one.score for one, _ in hits if one.chunk_id == hit.chunk_id and one.score == one.score)
    assert len(found.hits) + found.repeated + found.unscored == len(hits)


def test_equal_scores_stand_by_the_rank_that_was_given_then_by_id() -> None:
    hits = [(Hit("c", 1.0), 2), (Hit("b", 1.0), 1), (Hit("a", 1.0), 2)]
    assert [hit.chunk_id for hit in ranked(hits).hits] == ["b", "a", "c"]


def test_a_score_that_is_no_number_is_never_first() -> None:
    found = ranked([(Hit("nan", nan), 1), (Hit("low", -5.0), 2)])
    assert ([hit.chunk_id for hit in found.hits], found.unscored) == (["low"], 1)


RUN = Run({"q": (Hit("a", 1.0), Hit("b", 0.5)), "r": ()}, name="bm25", pipeline={"retriever": {"k": 2}})


def test_equal_runs_have_one_digest_whatever_the_order_of_their_questions() -> None:
    assert RUN.digest == replace(RUN, rankings={query: RUN.rankings[query] for query in ("r", "q")}).digest


@pytest.mark.parametrize(
    "change",
    [
        {"rankings": {"q": (Hit("b", 0.5), Hit("a", 1.0)), "r": ()}},
        {"rankings": {"q": (Hit("a", 1.0, doc_id="d", start=0, end=9), Hit("b", 0.5)), "r": ()}},
        {"rankings": {"q": (Hit("a", 1.0), Hit("b", 0.5))}},
        {"pipeline": {"retriever": {"k": 3}}},
        {"stage": "reranked"},
        {"name": "other"},
        {"latency_ms": {"q": 3.0}},
        {"tokens": {"q": 3}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_runs_that_differ_in_anything_have_other_digests(change: dict[str, object]) -> None:
    assert replace(RUN, **change).digest != RUN.digest  # type: ignore[arg-type]


def test_a_fingerprint_is_of_the_configuration_alone() -> None:
    assert replace(RUN, rankings={}, name="x").fingerprint == RUN.fingerprint
    assert replace(RUN, pipeline={}).fingerprint != RUN.fingerprint
