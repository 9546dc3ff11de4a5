"""Labels that name chunks become statements about text, and nothing that was said is dropped."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import inked_texts, law, one_of, spans_of, sure

from evalspan.anchoring import make_anchor
from evalspan.labels import Question, Range
from evalspan.mapping import Label, lay_over
from evalspan.migrator import chunk_judgment, label_judgments, narrow_labels, narrowed_label, wide_label
from evalspan.spans import Span

TEXT = "The fee is five pounds a day. The annex says more."


@law
@given(st.data(), inked_texts, st.integers(-2, 3))
def test_the_judgment_of_a_chunk_is_the_whole_chunk_and_coarse(data: st.DataObject, text: str, grade: int) -> None:
    span = data.draw(spans_of(text))
    judgment = chunk_judgment(text, "d", span, "c", grade)
    assert (judgment.span, judgment.doc_id, judgment.grade) == (span, "d", grade)
    assert (judgment.origin, judgment.chunk_id, judgment.tabular) == ("chunk", "c", False)
    assert judgment.anchor == make_anchor(text, span)


def test_a_label_without_a_certain_place_becomes_nothing_and_others_keep_their_own_grade() -> None:
    places = {"c1": sure(Span(0, 29)), "c2": one_of(Span(0, 3), Span(30, 33))}
    said = (("c1", 1), ("c2", 1), ("c1", 3))
    labels = [Label("q", grade, places[chunk], chunk, coarse=True) for chunk, grade in said]
    outcomes = lay_over("d", TEXT, labels, [], 0.5)
    first, lost, again = label_judgments("d", TEXT, outcomes, [None] * 3)
    assert lost is None
    assert first is not None
    assert again is not None
    assert (first.span, first.grade, again.span, again.grade) == (Span(0, 29), 1, Span(0, 29), 3)
    assert first.coarse


def test_a_certain_narrowing_is_applied_and_the_whole_chunk_is_kept() -> None:
    question = Question(query_id="q", text="What is the fee?", reference_answers=("five pounds a day",))
    whole = Label("q", 2, sure(Span(0, 29)), "c1", coarse=True)
    narrowings = narrow_labels(TEXT, [wide_label(whole)], {"q": question})
    outcomes = lay_over("d", TEXT, [narrowed_label(whole, narrowings[0])], [], 0.5)
    (judgment,) = label_judgments("d", TEXT, outcomes, narrowings)
    assert judgment is not None
    assert judgment.span.of(TEXT) == "five pounds a day"
    assert judgment.wide == Range(start=0, end=29)
    assert (judgment.origin, judgment.chunk_id, judgment.narrowed_by, judgment.coarse) == (
        "chunk",
        "c1",
        "answer verbatim",
        False,
    )
