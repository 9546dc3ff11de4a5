"""Several runs pooled into passages."""

import random

from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.runs import Hit, Run
from evalspan.runs.pool import Pooled, Result, pool, together, top
from evalspan.spans import Span

RUNS = 3


@st.composite
def result_lists(draw: st.DrawFn) -> list[Result]:
    spans = st.builds(lambda start, size: Span(start, start + size), st.integers(0, 40), st.integers(1, 20))
    one = st.builds(
        Result,
        st.sampled_from(["q1", "q2"]),
        st.integers(0, RUNS - 1),
        st.integers(1, 5),
        st.sampled_from(["a", "b"]),
        spans,
    )
    return draw(st.lists(one, max_size=15))


def one(run: int, rank: int, start: int, end: int, query_id: str = "q", doc_id: str = "d") -> Result:
    return Result(query_id, run, rank, doc_id, Span(start, end))


def test_the_top_of_a_run_is_its_first_hits_with_their_ranks() -> None:
    run = Run({"q": (Hit("a", 3.0), Hit("b", 2.0), Hit("c", 1.0)), "r": (Hit("a", 1.0),)})
    assert list(top(run, 2)) == [("q", 1, "a"), ("q", 2, "b"), ("r", 1, "a")]


def test_equal_and_mostly_overlapping_results_are_one_passage() -> None:
    (passage,) = pool([one(0, 2, 0, 100), one(1, 1, 10, 110), one(1, 3, 0, 100)], 2)
    assert passage == Pooled("q", "d", Span(10, 110), (2, 1))


def test_a_short_result_inside_a_long_one_is_a_passage_of_its_own() -> None:
    assert len(pool([one(0, 1, 0, 100), one(1, 1, 10, 60)], 2)) == 2


def test_passages_of_other_questions_and_documents_are_others() -> None:
    found = pool([one(0, 1, 0, 9), one(0, 1, 0, 9, query_id="r"), one(0, 1, 0, 9, doc_id="e")], 1)
    assert len(found) == 3


def test_what_one_run_puts_first_and_another_does_not_find_comes_first() -> None:
    agreed, disputed = [one(0, 1, 0, 9), one(1, 1, 0, 9)], [one(0, 2, 20, 29), one(0, 10, 40, 49), one(1, 3, 60, 69)]
    found = pool([*agreed, *disputed], 2)
    assert [passage.span.start for passage in found] == [20, 60, 40, 0]
    assert [round(passage.disagreement, 3) for passage in found] == [0.5, 0.333, 0.1, 0.0]


def test_of_equal_disagreement_more_runs_come_first() -> None:
    found = pool([one(0, 1, 0, 9), one(1, 2, 0, 9), one(0, 2, 20, 29)], 2)
    assert [passage.returned for passage in found] == [2, 1]


def test_a_single_run_is_ordered_by_its_ranks() -> None:
    found = pool([one(0, 3, 0, 9), one(0, 1, 20, 29)], 1)
    assert [passage.ranks for passage in found] == [(1,), (3,)]


def test_copies_together_have_the_best_rank_of_each_run() -> None:
    copies = [Pooled("q", "d", Span(0, 9), (3, None, None)), Pooled("q", "d", Span(20, 29), (1, 4, None))]
    assert together(copies) == Pooled("q", "d", Span(0, 9), (1, 4, None))


@law
@given(result_lists(), st.randoms(use_true_random=False))
def test_the_order_of_the_results_does_not_matter(results: list[Result], seed: random.Random) -> None:
    shuffled = list(results)
    seed.shuffle(shuffled)
    assert pool(shuffled, RUNS) == pool(results, RUNS)


@law
@given(result_lists())
def test_every_result_is_in_a_passage_that_shares_most_of_it_and_every_rank_is_a_results(results: list[Result]) -> None:
    found = pool(results, RUNS)
    for result in results:
        mine = [p for p in found if (p.query_id, p.doc_id) == (result.query_id, result.doc_id)]
        shares = [shared.length for p in mine if (shared := p.span.shared(result.span)) is not None]
        assert max(shares) > 0.5 * result.span.length
    for passage in found:
        assert 0 <= passage.disagreement <= 1
        assert 1 <= passage.returned <= RUNS
        for run, rank in enumerate(passage.ranks):
            assert rank is None or any((one.run, one.rank) == (run, rank) for one in results)
