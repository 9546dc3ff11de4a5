"""A run is scored under a mapping, or refused before anything is scored."""

from pathlib import Path

import pytest

from evalspan.corpus import Chunk
from evalspan.errors import BadInput, NotFound, Refused
from evalspan.runs import Hit, Run
from evalspan.scoring.figures import Figure
from evalspan.scoring.named import OwnMeasure
from evalspan.spans import Span
from evalspan.workflows.hits import NOWHERE, places_of_hits
from evalspan.workflows.manifests import manifest
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.score import score

from .scored import NOON, THIRTY, a_run, put_two_questions
from .small_store import TEXTS, ask, put_chunking, put_set, small_store, span

RANKED = {"q1": "a1 a0", "q2": "b0"}


def test_figures_are_means_over_the_questions_and_are_kept(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        scored = score("faq", a_run(RANKED), chunking="chunks", measures=["RR", "CharRecall@1"], store=store)
        assert scored.figures == {"RR": Figure(0.75, 0.75, 0.75), "CharRecall@1": Figure(0.5, 0.5, 0.5)}
        assert scored.min_overlap == 0.5
        assert scored.record == store.scores("faq")[0]
        assert store.question_figures(store.scores("faq")[0]) == {m: dict(f) for m, f in scored.questions.items()}


def test_a_question_that_the_run_lacks_counts_0_and_is_told(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        scored = score("faq", a_run({"q1": "a0", "q9": "a0"}), chunking="chunks", measures=["RR"], store=store)
    assert scored.figures["RR"].value == 0.5
    assert (scored.asked, scored.unanswered, scored.unknown) == (2, 1, 1)


def test_an_empty_result_counts_0(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        scored = score("faq", a_run({"q1": "a0", "q2": ""}), chunking="chunks", measures=["P@1"], store=store)
    assert (scored.figures["P@1"].value, scored.unanswered) == (0.5, 1)


def test_a_label_that_waits_makes_an_interval(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path, ask("q3", span("b", NOON, tabular=True)))
        ranked = a_run({**RANKED, "q3": "b1"})
        scored = score("faq", ranked, chunking="chunks", measures=["RR"], store=store)
    assert (scored.waiting_labels, scored.waiting_questions) == (1, 1)
    assert scored.questions["RR"]["q3"] == Figure(None, 0, 1, True)
    figure = scored.figures["RR"]
    assert [figure.value, figure.low, figure.high] == pytest.approx([0.75, 0.5, 2.5 / 3])


def test_a_run_made_by_hand_with_a_score_that_is_no_number_is_refused(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        with pytest.raises(BadInput, match="no finite number"):
            score("faq", Run({"q1": (Hit("a0", float("nan")),)}), chunking="chunks", store=store)


def test_ids_that_have_nothing_in_common_with_the_labels_are_an_error(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        with pytest.raises(BadInput, match="of another chunking"):
            score("faq", a_run({"q1": "x1 x2"}), chunking="chunks", store=store)
        with pytest.raises(BadInput, match="the run of another set"):
            score("faq", a_run({"other": "a0"}), chunking="chunks", store=store)
        assert store.scores("faq") == []


def test_one_of_index_and_chunking_is_wanted(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        for wrong in ({}, {"chunking": "chunks", "index": manifest("chunks", store=store)}):
            with pytest.raises(BadInput, match="one of the index and its chunking"):
                score("faq", a_run(RANKED), store=store, **wrong)  # type: ignore[arg-type]


def test_the_index_says_which_mapping_is_meant(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        migrate_set("faq", "large", store=store)
        index = manifest("large", store=store)
        scored = score("faq", a_run({"q1": "a0"}), index=index, measures=["RR"], store=store)
    assert scored.mapping.chunking.name == "large"


def test_an_index_of_another_corpus_is_refused_before_anything_is_scored(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        other = manifest("chunks", store=store).model_copy(update={"corpus_digest": "f" * 32})
        with pytest.raises(Refused):
            score("faq", a_run(RANKED), index=other, store=store)
        assert store.scores("faq") == []


def test_a_chunking_without_a_mapping_is_refused_with_the_command(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        with pytest.raises(NotFound, match="evalspan migrate faq --to large"):
            score("faq", a_run(RANKED), chunking="large", store=store)


def test_what_is_not_to_be_kept_is_not(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        assert score("faq", a_run(RANKED), chunking="chunks", keep=False, store=store).record is None
        assert store.scores("faq") == []


def test_a_file_that_can_not_be_read_is_refused(tmp_path: Path) -> None:
    bad = tmp_path / "run.txt"
    bad.write_text("q1 Q0 a0 1 high tag\n")
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        with pytest.raises(BadInput, match="no finite number"):
            score("faq", bad, chunking="chunks", store=store)


def test_harmful_hits_are_counted(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        bad = span("b", TEXTS["b"][:10], grade="harmful")
        put_set(store, tmp_path, ask("q1", span("a", THIRTY), bad))
        scored = score("faq", a_run({"q1": "b0 a0"}), chunking="chunks", measures=["Harmful@2"], store=store)
    assert scored.figures["Harmful@2"].value == 1


def test_a_hit_is_placed_by_its_range_or_by_its_text_where_that_stands_once(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        text = dict(store.texts(store.find_snapshot("latest")))
        doc_id, words = next((doc_id, words) for doc_id, words in text.items() if len(words) > 60)
        passage = "  ".join(words.split()[:10])
        hits = (
            Hit("other-1", 3.0, text=passage),
            Hit("other-2", 2.0, doc_id=doc_id, start=1, end=9),
            Hit("other-3", 1.0, text="a text that stands in no document of this corpus"),
        )
        cut = store.find_chunking("latest")
        found = places_of_hits(store, cut, Run({"q1": hits}), [OwnMeasure("CharRecall@5", "CharRecall", 5)], {"q1": 0})
        assert found["q1"][0][0] == doc_id
        assert "".join(found["q1"][0][1].of(words).split()) == "".join(passage.split())
        assert found["q1"][1] == (doc_id, Span(1, 9))
        assert found["q1"][2] == NOWHERE


def placed(*ranges: tuple[str, int, int]) -> Run:
    """q1 with hits of unknown ids at these places."""
    hits = [Hit(f"new{at}", -float(at), None, *place) for at, place in enumerate(ranges)]
    return Run({"q1": tuple(hits), "q2": (Hit("b0", 1.0),)})


def test_a_hit_of_an_unknown_id_is_the_chunk_that_holds_most_of_its_range(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        scored = score(
            "faq", placed(("a", 5, 42), ("a", 2, 40)), chunking="chunks", measures=["RR", "P@2"], store=store
        )
    assert scored.questions["RR"]["q1"].value == 1
    assert scored.questions["P@2"]["q1"].value == 0.5  # both hits are a0, which counts once
    assert scored.unplaced == 0


def test_a_hit_of_an_unknown_id_is_a_chunk_by_its_text(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        run = Run({"q1": (Hit("new", 1.0, TEXTS["a"][:40]),), "q2": (Hit("b0", 1.0),)})
        scored = score("faq", run, chunking="chunks", measures=["RR"], store=store)
    assert (scored.figures["RR"].value, scored.unplaced) == (1, 0)


@pytest.mark.parametrize("span_", [(0, 19), (0, 1), (30, 50)], ids=["less than half a chunk", "a letter", "across"])
def test_below_half_of_hit_or_chunk_a_hit_is_none_and_counted(tmp_path: Path, span_: tuple[int, int]) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        run = placed(("a", *span_))
        scored = score("faq", run, chunking="chunks", measures=["RR"], store=store)
    assert (scored.questions["RR"]["q1"].value, scored.unplaced) == (0, 1)


def test_the_id_of_a_known_chunk_goes_before_its_range(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        run = Run({"q1": (Hit("a1", 1.0, None, "a", 0, 40),), "q2": (Hit("b0", 1.0),)})
        scored = score("faq", run, chunking="chunks", measures=["RR"], store=store)
    assert scored.questions["RR"]["q1"].value == 0


def test_ranges_that_are_no_chunks_are_scored_by_measures_over_text_only(tmp_path: Path) -> None:
    run = Run({"q1": (Hit("x", 1.0, None, "a", 21, 39),), "q2": (Hit("y", 1.0, None, "b", 15, 31),)})
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_chunking(store, "large", 200)
        migrate_set("faq", "large", store=store)
        found = score("faq", run, chunking="large", measures=["CharRecall@1"], store=store)
        assert found.figures["CharRecall@1"].value == 1
        with pytest.raises(BadInput, match="of another chunking"):
            score("faq", run, chunking="large", measures=["RR"], store=store)


def test_a_pipeline_given_with_a_run_adds_to_its_own_or_is_refused(tmp_path: Path) -> None:
    run = a_run(RANKED, pipeline={"retriever": "bm25"})
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        scored = score("faq", run, chunking="chunks", measures=["RR"], pipeline={"reranker": "m"}, store=store)
        assert scored.record is not None
        assert scored.record.pipeline == {"retriever": "bm25", "reranker": "m"}
        with pytest.raises(BadInput, match="contradict each other"):
            score("faq", run, chunking="chunks", pipeline={"retriever": "dense"}, store=store)


def test_a_run_by_the_ranges_of_the_chunks_scores_what_the_run_by_their_ids_scores(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        chunking = store.find_chunking("chunks")
        chunks = [chunk for _, mine in store.chunks(chunking) for chunk in mine if chunk.span is not None]
        by_id = {q: tuple(Hit(c.chunk_id, -float(at)) for at, c in enumerate(order)) for q, order in orders(chunks)}
        by_range = {
            q: tuple(Hit(f"x{at}", -float(at), None, c.doc_id, *(c.span or ())) for at, c in enumerate(order))
            for q, order in orders(chunks)
        }
        one, other = (score("faq", Run(ranked), chunking="chunks", store=store) for ranked in (by_id, by_range))
    assert one.questions == other.questions
    assert other.unplaced == 0


def orders(chunks: list[Chunk]) -> list[tuple[str, list[Chunk]]]:
    return [("q1", chunks), ("q2", chunks[::-1])]
