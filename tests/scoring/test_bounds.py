"""What a run scores while some labels are dead: an interval that holds what is printed, and the standard measures where
nothing is dead."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.runs import Hit, Run
from evalspan.scoring import Interval, RunScore, score_bounds

CHUNKS = [f"c{number}" for number in range(8)]
labels_of_sets = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(st.sampled_from(CHUNKS), st.integers(-1, 3), max_size=6)
)
rankings = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q4"]), st.lists(st.sampled_from(CHUNKS), max_size=8, unique=True)
)
cutoffs = st.integers(1, 9)
living = st.frozensets(st.sampled_from(CHUNKS))


def a_run(ranked: dict[str, list[str]]) -> Run:
    return Run(
        {q: tuple(Hit(chunk, float(len(hits) - i)) for i, chunk in enumerate(hits)) for q, hits in ranked.items()}
    )


def measures(score: RunScore) -> list[Interval]:
    return [score.recall, score.hit, score.mrr]


@law
@given(labels_of_sets, living, rankings, cutoffs)
def test_what_is_printed_lies_within_the_bounds(
    labels: dict[str, dict[str, int]], alive: frozenset[str], ranked: dict[str, list[str]], k: int
) -> None:
    score = score_bounds(labels, alive, a_run(ranked), k)
    for interval in measures(score) if score else []:
        assert 0 <= interval.low <= interval.printed <= interval.high <= 1


@law
@given(labels_of_sets, rankings, cutoffs)
def test_where_nothing_is_dead_the_bounds_are_one_number(
    labels: dict[str, dict[str, int]], ranked: dict[str, list[str]], k: int
) -> None:
    score = score_bounds(labels, CHUNKS, a_run(ranked), k)
    for interval in measures(score) if score else []:
        assert interval.low == interval.printed == interval.high


@law
@given(labels_of_sets, rankings, cutoffs)
def test_where_nothing_is_dead_the_scores_are_those_of_ir_measures(
    labels: dict[str, dict[str, int]], ranked: dict[str, list[str]], k: int
) -> None:
    import ir_measures
    from ir_measures import RR, R, Success

    score = score_bounds(labels, CHUNKS, a_run(ranked), k)
    relevant = {q: grades for q, grades in labels.items() if any(grade > 0 for grade in grades.values())}
    if score is None:
        assert not relevant
        return
    assert score.questions == len(relevant)
    assert score.unanswered == sum(q not in ranked for q in relevant)
    wanted = [R @ k, Success @ k, RR @ k]
    run = {q: {hit.chunk_id: hit.score for hit in hits} for q, hits in a_run(ranked).rankings.items() if hits}
    theirs = {
        (metric.measure, metric.query_id): metric.value for metric in ir_measures.iter_calc(wanted, relevant, run)
    }
    for measure, interval in zip(wanted, measures(score), strict=True):
        mean = sum(theirs.get((measure, q), 0.0) for q in relevant) / len(relevant)
        assert interval.printed == pytest.approx(mean)


@law
@given(labels_of_sets, living, rankings, cutoffs)
def test_the_ends_are_the_worst_and_best_ways_to_place_the_dead_labels_on_unjudged_hits(
    labels: dict[str, dict[str, int]], alive: frozenset[str], ranked: dict[str, list[str]], k: int
) -> None:
    score = score_bounds(labels, alive, a_run(ranked), k)
    lows: list[list[float]] = []
    highs: list[list[float]] = []
    for query, grades in labels.items():
        relevant = {chunk for chunk, grade in grades.items() if grade > 0}
        if not relevant:
            continue
        top = ranked.get(query, [])[:k]
        free = [chunk for chunk in top if chunk not in grades or chunk not in alive]
        dead = len(relevant - alive)
        ways = [
            one_question(top, {*(relevant & alive), *taken}, len(relevant))
            for count in range(min(dead, len(free)) + 1)
            for taken in combinations(free, count)
        ]
        lows.append([min(way[m] for way in ways) for m in range(3)])
        highs.append([max(way[m] for way in ways) for m in range(3)])
    if score is None:
        assert not lows
        return
    for m, interval in enumerate(measures(score)):
        assert interval.low == pytest.approx(sum(row[m] for row in lows) / len(lows))
        assert interval.high == pytest.approx(sum(row[m] for row in highs) / len(highs))


def one_question(top: list[str], good: set[str], relevant: int) -> list[float]:
    ranks = [rank for rank, chunk in enumerate(top, 1) if chunk in good]
    return [len(ranks) / relevant, float(bool(ranks)), 1 / ranks[0] if ranks else 0.0]


def test_a_label_of_a_dead_chunk_that_a_stale_run_still_returns_is_printed_and_not_counted_as_found() -> None:
    score = score_bounds({"q": {"dead": 1}}, ["other"], a_run({"q": ["dead"]}), 5)
    assert score is not None
    assert (score.recall, score.hit, score.mrr) == (Interval(1, 0, 1), Interval(1, 0, 1), Interval(1, 0, 1))


def test_a_hit_that_was_judged_not_relevant_is_no_dead_labels_passage() -> None:
    score = score_bounds({"q": {"dead": 1, "judged": 0}}, ["judged", "new"], a_run({"q": ["judged", "new"]}), 5)
    assert score is not None
    assert score.mrr == Interval(0, 0, 0.5)


def test_questions_without_a_relevant_label_are_not_counted_and_those_without_an_answer_are() -> None:
    score = score_bounds({"q1": {"a": 1}, "q2": {"a": 0}, "q3": {"b": 1}}, "ab", a_run({"q1": ["a"]}), 1)
    assert score is not None
    assert (score.k, score.questions, score.unanswered) == (1, 2, 1)
    assert score.recall == Interval(0.5, 0.5, 0.5)


def test_nothing_relevant_has_no_score() -> None:
    assert score_bounds({"q": {"a": 0}}, ["a"], a_run({"q": ["a"]})) is None
    assert score_bounds({}, [], a_run({})) is None


def test_grades_above_one_count_as_one() -> None:
    run = a_run({"q": ["a"]})
    assert score_bounds({"q": {"a": 3, "b": 1}}, "ab", run) == score_bounds({"q": {"a": 1, "b": 1}}, "ab", run)


@pytest.mark.parametrize("alive", [["a"], []], ids=["alive", "dead"])
def test_a_chunk_ranked_twice_is_found_once(alive: list[str]) -> None:
    score = score_bounds({"q": {"a": 1}}, alive, Run({"q": (Hit("a", 2.0), Hit("a", 1.0))}), 5)
    assert score is not None
    assert score.recall.printed == 1
    assert score.recall.printed <= score.recall.high <= 1
