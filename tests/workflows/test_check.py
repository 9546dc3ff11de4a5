"""`check`: how much of a set of chunk labels is alive, and what that does to a run's score."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalspan import BadInput, check
from evalspan.workflows.check import Check

from .helpers import SAMPLE

chunk_ids = [f"c{i}" for i in range(6)]
queries = ["q1", "q2", "q3"]

label_lists = st.lists(
    st.tuples(st.sampled_from(queries), st.sampled_from(chunk_ids), st.integers(-1, 2)),
    min_size=1,
    unique_by=lambda row: row[:2],
)
rankings = st.dictionaries(
    st.sampled_from(queries), st.lists(st.sampled_from(chunk_ids), min_size=1, unique=True), min_size=1
)


def checked(
    labels: list[tuple[str, str, int]],
    chunks: set[str],
    run: dict[str, list[str]] | None = None,
    k: int = 10,
) -> Check:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "labels").write_text("".join(f"{q} 0 {c} {g}\n" for q, c, g in labels))
        (folder / "chunks").write_text("".join(f'{{"chunk_id": "{c}"}}\n' for c in sorted(chunks)))
        if run is None:
            return check(folder / "labels", folder / "chunks", k=k)
        hits = [f"{q} Q0 {c} {i} {100 - i} t\n" for q, ranked in run.items() for i, c in enumerate(ranked, 1)]
        (folder / "run").write_text("".join(hits))
        return check(folder / "labels", folder / "chunks", folder / "run", k=k)


@given(label_lists, st.sets(st.sampled_from(chunk_ids), min_size=1))
@settings(deadline=None)
def test_every_label_is_alive_or_dead_and_every_question_lost_hurt_or_whole(
    labels: list[tuple[str, str, int]], chunks: set[str]
) -> None:
    result = checked(labels, chunks)
    assert result.alive == sum(chunk in chunks for _, chunk, _ in labels)
    assert [(row.query_id, row.chunk_id, row.grade) for row in result.dead] == [
        row for row in labels if row[1] not in chunks
    ]
    by_query = {query: [chunk in chunks for q, chunk, _ in labels if q == query] for query, _, _ in labels}
    assert result.questions == len(by_query)
    assert set(result.lost) == {query for query, alive in by_query.items() if not any(alive)}
    assert set(result.hurt) == {query for query, alive in by_query.items() if any(alive) and not all(alive)}
    assert result.chunks == len(chunks)


@given(label_lists, st.sets(st.sampled_from(chunk_ids), min_size=1), rankings, st.integers(1, 6))
@settings(deadline=None)
def test_a_score_lies_within_its_bounds(
    labels: list[tuple[str, str, int]], chunks: set[str], run: dict[str, list[str]], k: int
) -> None:
    if not run.keys() & {query for query, _, _ in labels}:
        with pytest.raises(BadInput, match="is it the run of another set"):
            checked(labels, chunks, run, k)
        return
    result = checked(labels, chunks, run, k)
    relevant = {query for query, _, grade in labels if grade > 0}
    if not relevant:
        assert result.score is None
        return
    score = result.score
    assert score is not None
    assert (score.k, score.questions, score.unanswered) == (k, len(relevant), len(relevant - run.keys()))
    for interval in (score.recall, score.hit, score.mrr):
        assert 0 <= interval.low <= interval.printed <= interval.high <= 1
    dead = any(chunk not in chunks for _, chunk, grade in labels if grade > 0)
    if not dead:
        assert all(one.low == one.printed == one.high for one in (score.recall, score.hit, score.mrr))


def test_scores_are_what_they_are_by_hand() -> None:
    labels = [("q1", "c0", 1), ("q1", "c1", 2), ("q1", "c2", 0), ("q2", "c3", 1)]
    result = checked(labels, {"c0", "c2", "c3", "c4", "c5"}, {"q1": ["c4", "c2", "c0"]}, k=3)
    score = result.score
    assert score is not None
    assert score.recall == pytest.approx((0.25, 0.25, 0.5))
    assert score.hit == pytest.approx((0.5, 0.5, 0.5))
    assert score.mrr == pytest.approx((1 / 6, 1 / 6, 0.5))
    assert score.unanswered == 1


def test_dead_labels_that_were_judged_not_relevant_move_no_score() -> None:
    result = checked([("q1", "c0", 1), ("q1", "c1", 0)], {"c0", "c2"}, {"q1": ["c2", "c0"]})
    assert len(result.dead) == 1
    assert result.score is not None
    assert result.score.recall == (1.0, 1.0, 1.0)


def test_labels_of_grade_0_alone_give_no_score() -> None:
    result = checked([("q1", "c1", 0)], {"c0"}, {"q1": ["c0"]})
    assert result.lost == ("q1",)
    assert result.score is None


def test_chunks_of_the_run_that_do_not_exist_are_counted_once() -> None:
    result = checked([("q1", "c0", 1), ("q2", "c0", 1)], {"c0"}, {"q1": ["c0", "c1"], "q2": ["c1", "c2"]})
    assert result.run_unknown == 2


@pytest.mark.parametrize("k", [0, -3])
def test_the_cut_off_is_at_least_1(k: int) -> None:
    with pytest.raises(BadInput, match=f"--k: {k} is below 1"):
        checked([("q1", "c0", 1)], {"c0"}, k=k)


def test_the_labels_of_the_sample_are_partly_dead_in_its_new_chunking() -> None:
    result = check(SAMPLE / "qrels.txt", SAMPLE / "chunks-new.jsonl", SAMPLE / "run.txt")
    assert result.dead
    assert result.score is not None
    assert result.run_unknown == 0
    whole = check(SAMPLE / "qrels.txt", SAMPLE / "chunks-old.jsonl")
    assert whole.dead == ()
    assert whole.score is None


def test_no_label_at_all_is_no_good_news(tmp_path: Path) -> None:
    (tmp_path / "labels").write_text("")
    (tmp_path / "chunks").write_text('{"chunk_id": "c"}\n')
    with pytest.raises(BadInput):
        check(tmp_path / "labels", tmp_path / "chunks", skip_bad=True)
