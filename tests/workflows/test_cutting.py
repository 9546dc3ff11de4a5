"""What chunkings do to the passages of a set, laid over anew."""

from pathlib import Path

import pytest

from evalspan.cli.drawing import rendered
from evalspan.errors import BadInput, NotFound
from evalspan.scoring.cutting import Held
from evalspan.workflows.cutting import report

from .scored import NOON, put_two_questions
from .small_store import TABLE, ask, put_chunking, small_store, span


def test_two_chunkings_side_by_side_without_a_mapping(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path, ask("q3", span("b", NOON, tabular=True), tags=["family:shipping"]))
        put_chunking(store, "large", 200)
        small, large = report("faq", ["chunks", "large"], store=store).reports
        assert len(store.mappings()) == 1
    assert small.cutting.families[0].held == {**dict.fromkeys(Held, 0), Held.WHOLE: 2, Held.SPLIT: 1}
    assert large.cutting.families[0].held == {**dict.fromkeys(Held, 0), Held.WHOLE: 3}
    assert [one.name for one in small.cutting.families] == ["all", "family:shipping", "family:returns"]
    assert small.cutting.families[0].unwinnable == small.cutting.families[1].unwinnable == ("q3",)
    assert large.worst == ()


def test_the_worst_are_shown_with_where_the_cut_goes_through(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path, ask("q3", span("b", NOON, tabular=True)))
        (shown,) = report("faq", ["chunks"], store=store).reports[0].worst
    text = "".join(part for part, _ in rendered(shown.drawing))
    assert "⟦An orde◂b0││b1▸r by noon leaves⟧" in text
    assert shown.found.best == pytest.approx(13 / 19)


def test_no_more_are_shown_than_wanted(tmp_path: Path) -> None:
    many = [ask(f"t{number}", span("a", TABLE, tabular=True)) for number in range(12)]
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path, *many)
        found = report("faq", ["chunks"], store=store).reports[0]
        assert (len(found.cutting.split), len(found.worst)) == (12, 10)
        assert report("faq", ["chunks"], shown=0, store=store).reports[0].worst == ()


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        with pytest.raises(NotFound):
            report("faq", ["none"], store=store)
        with pytest.raises(NotFound):
            report("nobody", ["chunks"], store=store)


def test_a_chunking_of_another_corpus_is_refused(tmp_path: Path) -> None:
    from evalspan.corpus import ChunkingConfig, Document
    from evalspan.provenance import Provenance

    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        with store.writing() as tx:
            other = tx.put_snapshot([Document("a", "another text")], "v2", None, Provenance.now())
            tx.add_chunking("of-v2", other, ChunkingConfig(), Provenance.now()).finish()
        with pytest.raises(BadInput, match="evalspan rebase faq --to v2"):
            report("faq", ["of-v2"], store=store)
