"""Figures at every min_overlap, laid over anew."""

from pathlib import Path

import pytest

from evalspan.errors import BadInput, NotFound, Refused
from evalspan.workflows.manifests import manifest
from evalspan.workflows.score import score
from evalspan.workflows.sensitivity import sensitivity

from .scored import NOON, a_run, put_two_questions
from .small_store import ask, put_chunking, small_store, span

RUN = a_run({"q1": "a0", "q2": "b0", "q3": "b0"})


def test_the_figures_follow_the_value(tmp_path: Path) -> None:
    """Of the passage of q3, b0 holds less than a third, and b1 the rest."""
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path, ask("q3", span("b", NOON)))
        rows = sensitivity("faq", RUN, chunking="chunks", measures=["P@1"], store=store)
    assert [row.min_overlap for row in rows] == [number / 10 for number in range(1, 11)]
    values = {row.min_overlap: row.figures["P@1"] for row in rows}
    assert values[0.2].value == 1
    assert values[0.5].value == pytest.approx(2 / 3)
    assert [values[1.0].value, values[1.0].low] == pytest.approx([1, 2 / 3])  # q3 is cut there, and waits


def test_at_the_sets_own_value_it_is_what_score_says(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path, ask("q3", span("b", NOON)), min_overlap=0.65)
        rows = sensitivity("faq", RUN, chunking="chunks", store=store)
        scored = score("faq", RUN, chunking="chunks", store=store)
    assert {row.min_overlap: row.figures for row in rows}[0.65] == scored.figures


def test_no_mapping_is_needed_and_nothing_is_kept(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        rows = sensitivity("faq", a_run({"q1": "a0"}), index=manifest("large", store=store), store=store)
        assert len(rows) == 10
        assert (len(store.mappings()), store.scores("faq")) == (1, [])


def test_an_index_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        index = manifest("chunks", store=store)
        with pytest.raises(Refused):
            sensitivity("faq", RUN, index=index.model_copy(update={"corpus_digest": "f" * 32}), store=store)
        with pytest.raises(NotFound, match="chunking add"):
            sensitivity("faq", RUN, index=index.model_copy(update={"chunks_digest": "f" * 32}), store=store)
        with pytest.raises(BadInput, match="one of the index"):
            sensitivity("faq", RUN, store=store)
