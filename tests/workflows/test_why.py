"""A difference is attributed by scoring what is stored again, and what can't be told apart is said."""

from pathlib import Path

import pytest

from evalspan.corpus import ChunkingConfig, Document, EmbeddingConfig
from evalspan.errors import BadInput, NotFound
from evalspan.provenance import Provenance
from evalspan.runs import Hit, Run
from evalspan.store import Store
from evalspan.workflows.amend import amend_set
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.rebase import rebase
from evalspan.workflows.score import score
from evalspan.workflows.why import Attribution, why

from .scored import NOON, a_run, put_two_questions
from .small_store import TEXTS, ask, put_chunking, small_store, span

MEASURE = "RR"


def put_score(store: Store, run: Run, chunking: str = "chunks") -> str:
    record = score("faq", run, chunking=chunking, measures=[MEASURE], store=store).record
    assert record is not None
    return str(record.id)


def shares(found: Attribution) -> dict[tuple[str, ...], float]:
    assert sum(share.value for share in found.shares) == pytest.approx(found.difference)
    return {share.of: share.value for share in found.shares}


def test_where_only_the_run_differs_all_of_it_is_the_retrievers(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        old = put_score(store, a_run({"q1": "a0", "q2": "b0"}))
        new = put_score(store, a_run({"q1": "a1 a0", "q2": "b0"}))
        found = why("faq", old, new, measure=MEASURE, store=store)
    assert shares(found) == {("retriever",): -0.25}
    assert found.unchanged == ("corpus", "chunking", "labels", "min_overlap")
    assert found.notes == ()


def test_labels_and_retriever_have_a_share_each(tmp_path: Path) -> None:
    """q1 is found lower by the new run; q2 is no longer asked: it was found at the first rank by both."""
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        old = put_score(store, a_run({"q1": "a0", "q2": "b1 b0"}))
        amend_set("faq", questions=["q2"], retire=True, store=store)
        migrate_set("faq", "chunks", store=store)
        new = put_score(store, a_run({"q1": "a1 a0", "q2": "b1 b0"}))
        found = why("faq", old, new, measure=MEASURE, store=store)
    # old 0.75; the new run under the old labels 0.5; the old run under the new labels 1; new 0.5
    assert (found.old_value, found.new_value) == (0.75, 0.5)
    assert shares(found) == {("retriever",): pytest.approx(-0.375), ("labels",): pytest.approx(0.125)}


def test_another_min_overlap_has_its_own_share(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path, ask("q3", span("b", NOON)))
        run = a_run({"q1": "a0", "q2": "b0", "q3": "b0"})
        old = put_score(store, run)
        version = store.find_version("faq")
        terms = version.terms.model_copy(update={"min_overlap": 0.2})
        bodies = [question.body() for question in store.eval_set(version).questions]
        with store.writing() as tx:
            tx.add_version("faq", version.number, terms, bodies, Provenance.now())
        migrate_set("faq", "chunks", store=store)
        found = why("faq", old, put_score(store, run), measure=MEASURE, store=store)
    assert shares(found) == {("min_overlap",): pytest.approx(1 / 3)}
    assert "labels" in found.unchanged


def test_retriever_and_chunking_are_told_apart_by_ranges_and_the_note_says_so(tmp_path: Path) -> None:
    """The old run in the new chunks finds q1 at once, and so does the new one in the old chunks: half is of each."""
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        migrate_set("faq", "large", store=store)
        old = put_score(store, a_run({"q1": "a1 a0", "q2": "b0"}))
        new = put_score(store, a_run({"q1": "a0", "q2": "b0"}), "large")
        found = why("faq", old, new, measure=MEASURE, store=store)
    assert shares(found) == {("retriever",): pytest.approx(0.125), ("chunking",): pytest.approx(0.125)}
    assert ["by ranges" in note for note in found.notes] == [True]


def test_a_configuration_that_says_it_is_the_same_is_believed(tmp_path: Path) -> None:
    """Results differ because other chunks were searched: nothing has to be read in another chunking."""
    said = {"retriever": {"name": "bm25"}}
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        for chunking in ("chunks", "large"):
            migrate_set("faq", chunking, embedding=EmbeddingConfig(model="m"), store=store)
        old = put_score(store, a_run({"q1": "a1 a0", "q2": "b0"}, pipeline=said))
        new = put_score(store, a_run({"q1": "a0", "q2": "b0"}, pipeline=said), "large")
        found = why("faq", old, new, measure=MEASURE, store=store)
    assert shares(found) == {("chunking",): 0.25}
    assert found.notes == ()


def test_hits_without_a_place_leave_retriever_and_chunking_together(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        migrate_set("faq", "large", store=store)
        old = put_score(store, Run({"q1": (Hit("gone", 2), Hit("a0", 1)), "q2": (Hit("b0", 1),)}))
        new = put_score(store, a_run({"q1": "a0", "q2": "b0"}), "large")
        found = why("faq", old, new, measure=MEASURE, store=store)
    assert shares(found) == {("retriever", "chunking"): 0.25}
    assert ["are one share" in note for note in found.notes] == [True]


def test_another_corpus_is_one_share_with_the_run_and_labels_are_carried_to_it(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        old = put_score(store, a_run({"q1": "a0", "q2": "b0"}))
        edited = {**TEXTS, "b": "Read this first, please. " + TEXTS["b"]}
        with store.writing() as tx:
            snapshot = tx.put_snapshot([Document(*one) for one in edited.items()], "v2", None, Provenance.now())
        put_whole(store, "whole", edited)
        rebase("faq", snapshot.digest, store=store)
        migrate_set("faq", "whole", store=store)
        new = put_score(store, a_run({"q1": "b a", "q2": "b"}), "whole")
        found = why("faq", old, new, measure=MEASURE, store=store)
    assert (found.old_value, found.new_value) == (1, 0.75)
    # The labels were only moved along: carried there, they are worth what they were.
    assert shares(found)[("labels",)] == pytest.approx(0)
    assert shares(found)[("retriever", "corpus", "chunking")] == pytest.approx(-0.25)
    assert any("one corpus only" in note for note in found.notes)
    assert any("as a rebase does" in note for note in found.notes)


def put_whole(store: Store, name: str, texts: dict[str, str]) -> None:
    """Each document as one chunk, named as it is."""
    from evalspan.anchoring import Match, Status
    from evalspan.corpus import Chunk
    from evalspan.digests import text_digest
    from evalspan.spans import Span

    with store.writing() as tx:
        writer = tx.add_chunking(name, store.find_snapshot("v2"), ChunkingConfig(splitter="whole"), Provenance.now())
        for doc_id, text in sorted(texts.items()):
            place = Span(0, len(text))
            match = Match(place, Status.EXACT, True, True, 1.0, 1.0, (place,))
            writer.add(doc_id, [Chunk(doc_id, doc_id, match, text_digest(text))])
        writer.finish()


def test_the_same_score_twice_has_no_difference_and_no_share(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        run = a_run({"q1": "a0", "q2": "b0"})
        found = why("faq", put_score(store, run), put_score(store, run), measure=MEASURE, store=store)
    assert found.shares == ()
    assert len(found.unchanged) == 5


def test_a_measure_that_was_not_scored_and_a_score_without_a_decided_question_are_refused(tmp_path: Path) -> None:
    from .small_store import put_set

    with small_store(tmp_path) as store:
        put_set(store, tmp_path, ask("q3", span("b", NOON, tabular=True)))
        old = put_score(store, a_run({"q3": "b0"}))
        with pytest.raises(NotFound):
            why("faq", old, measure="AP", store=store)
        with pytest.raises(BadInput, match="every one has a label that waits"):
            why("faq", old, measure=MEASURE, store=store)
