"""A set's scores over time, and the only links across their breaks."""

from pathlib import Path

import pytest

from evalspan.corpus import EmbeddingConfig
from evalspan.errors import BadInput, NotFound, Refused
from evalspan.workflows.history import bridge, find_score, history
from evalspan.workflows.manifests import manifest
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.score import score

from .scored import a_run, put_two_questions
from .small_store import put_chunking, small_store

OLD, NEW = a_run({"q1": "a0", "q2": "b1 b0"}, "old"), a_run({"q1": "a0", "q2": "b0"}, "new")


def test_a_rechunk_breaks_the_line(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        migrate_set("faq", "large", store=store)
        for chunking in ("chunks", "chunks", "large"):
            score("faq", OLD if chunking == "chunks" else NEW, chunking=chunking, measures=["RR"], store=store)
        found = history("faq", measure="RR", store=store)
    assert [len(one.points) for one in found.series] == [2, 1]
    (gap,) = found.breaks
    assert [change.partition(":")[0] for change in gap.changes] == ["chunking"]
    assert not gap.bridged


def test_a_bridge_scores_both_on_one_version_and_joins_their_series(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        migrate_set("faq", "large", store=store)
        score("faq", OLD, chunking="chunks", measures=["RR"], store=store)
        old, new = manifest("chunks", store=store), manifest("large", store=store)
        bridged = bridge("faq", old_run=OLD, old_index=old, new_run=NEW, new_index=new, measures=["RR"], store=store)
        found = history("faq", measure="RR", store=store)
    assert (bridged.old.figures["RR"].value, bridged.new.figures["RR"].value) == (0.75, 1)
    assert [one.bridged for one in found.breaks] == [True]
    assert [(one.old.run, one.new.run) for one in found.bridges] == [("old", "new")]


def test_a_bridge_whose_second_index_is_refused_records_nothing(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        good = manifest("chunks", store=store)
        bad = good.model_copy(update={"corpus_digest": "f" * 32})
        with pytest.raises(Refused):
            bridge("faq", old_run=OLD, old_index=good, new_run=NEW, new_index=bad, store=store)
        assert store.scores("faq") == []
        assert store.bridges() == []


def test_another_embedding_is_a_break(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        score("faq", OLD, chunking="chunks", measures=["RR"], store=store)
        migrate_set("faq", "chunks", embedding=EmbeddingConfig(model="m"), store=store)
        score("faq", OLD, chunking="chunks", measures=["RR"], store=store)
        (gap,) = history("faq", measure="RR", store=store).breaks
    assert gap.changes == ("embedding: not said → m",)


def test_a_set_without_scores_says_how_to_make_one(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        with pytest.raises(NotFound, match="evalspan score faq --run"):
            history("faq", store=store)
        score("faq", OLD, chunking="chunks", measures=["RR"], store=store)
        with pytest.raises(NotFound, match="RR"):
            history("faq", measure="AP", store=store)


def test_scores_are_found_by_number(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        first = score("faq", OLD, chunking="chunks", measures=["RR"], store=store).record
        second = score("faq", NEW, chunking="chunks", measures=["RR"], store=store).record
        assert first is not None
        assert find_score(store, "faq", str(first.id)) == first
        assert find_score(store, "faq", "latest") == second
        with pytest.raises(NotFound):
            find_score(store, "faq", "99")
        with pytest.raises(BadInput, match="no score's number"):
            find_score(store, "faq", "best")
