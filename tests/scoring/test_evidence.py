"""Characters are non-blank ones, each counted once on each side; sufficiency is the rubric over all hits together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_sets import FINE, LENDING, LOAN, judgment, question, span_of
from strategies import inked, inked_texts, law, spans_of

from evalspan.labels import Fact, rubric
from evalspan.scoring.evidence import Counter, Overlap, Place, harmful, relevant_places, suffices
from evalspan.spans import Span

COUNTER = Counter({"d": LENDING})


def place(words: str) -> Place:
    return "d", span_of(LENDING, words)


@law
@given(st.data())
def test_sizes_are_those_of_the_sets_of_characters(data: st.DataObject) -> None:
    texts = {doc_id: data.draw(inked_texts) for doc_id in ("a", "b")}
    places = st.sampled_from(["a", "b"]).flatmap(lambda doc_id: st.tuples(st.just(doc_id), spans_of(texts[doc_id])))
    evidence, retrieved = data.draw(st.lists(places, max_size=4)), data.draw(st.lists(places, max_size=4))
    wanted = {(doc_id, at) for doc_id, span in evidence for at in inked(texts[doc_id], span)}
    found = {(doc_id, at) for doc_id, span in retrieved for at in inked(texts[doc_id], span)}
    overlap = Counter(texts).overlap(evidence, retrieved)
    assert overlap == Overlap(len(wanted), len(found), len(wanted & found))
    for share in (overlap.recall, overlap.precision, overlap.iou):
        assert 0 <= share <= 1


def test_a_hit_twice_counts_once() -> None:
    once = COUNTER.overlap([place(LOAN)], [place(LOAN), place(FINE)])
    assert COUNTER.overlap([place(LOAN)], [place(LOAN), place(FINE), place(LOAN)]) == once


def test_hits_that_touch_the_evidence_hold_none_of_it() -> None:
    start, end = span_of(LENDING, FINE)
    touching: list[Place] = [("d", Span(0, start)), ("d", Span(end, len(LENDING)))]
    assert COUNTER.overlap([place(FINE)], touching).shared == 0


def test_nothing_retrieved_and_no_evidence_are_0_and_no_error() -> None:
    assert COUNTER.overlap([], []) == Overlap(0, 0, 0)
    assert (Overlap(0, 0, 0).recall, Overlap(0, 0, 0).precision, Overlap(0, 0, 0).iou) == (0, 0, 0)
    assert COUNTER.overlap([place(FINE)], [("", Span(0, 0)), ("unknown", Span(0, 9))]).retrieved == 0


def test_two_hits_may_hold_a_passage_together() -> None:
    judged = question(judgment("d", LENDING, FINE))
    start, end = span_of(LENDING, FINE)
    halves: list[Place] = [("d", Span(start, start + 30)), ("d", Span(start + 30, end))]
    needed = rubric(judged)
    assert not suffices(needed, halves[:1], COUNTER, 0.9)
    assert suffices(needed, halves, COUNTER, 0.9)


def test_a_tabular_passage_must_be_whole() -> None:
    start, end = span_of(LENDING, FINE)
    most: list[Place] = [("d", Span(start, end - 5))]
    assert suffices(rubric(question(judgment("d", LENDING, FINE))), most, COUNTER, 0.5)
    assert not suffices(rubric(question(judgment("d", LENDING, FINE, tabular=True))), most, COUNTER, 0.5)


def test_every_fact_is_needed_and_any_of_its_passages_is_enough() -> None:
    facts = (Fact(fact_id="f"), Fact(fact_id="g"))
    passages = [judgment("d", LENDING, LOAN, fact="f"), judgment("d", LENDING, FINE, fact="g")]
    needed = rubric(question(*passages, facts=facts))
    assert not suffices(needed, [place(LOAN)], COUNTER, 0.5)
    assert suffices(needed, [place(LOAN), place(FINE)], COUNTER, 0.5)


def test_a_question_that_needs_nothing_has_enough() -> None:
    assert suffices((), [], COUNTER, 0.5)


def test_hits_in_forbidden_documents_and_over_forbidden_passages_are_harmful() -> None:
    judged = question(judgment("d", LENDING, FINE, -1), must_not_use=("old",))
    hits = [place(LOAN), place(FINE), ("old", Span(0, 5)), ("other", Span(0, 5))]
    assert harmful(judged, hits) == 2
    assert harmful(question(), hits) == 0


def test_only_relevant_passages_are_evidence() -> None:
    judged = question(judgment("d", LENDING, LOAN, 1), judgment("d", LENDING, FINE, 0))
    assert relevant_places(judged) == [place(LOAN)]


@pytest.mark.parametrize("name", ["recall", "precision", "iou"])
def test_all_of_the_evidence_and_nothing_else_is_1(name: str) -> None:
    assert getattr(COUNTER.overlap([place(FINE)], [place(FINE)]), name) == 1
