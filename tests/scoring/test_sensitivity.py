"""At every min_overlap, what is relevant is what the plain test says: how much of a passage a chunk holds."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from strategies import cuts_of, inked, inked_texts, law, spans_of, sure

from evalspan.labels import JudgedQuestion, Question
from evalspan.mapping import Label, derive_qrels, lay_over, pieces_of
from evalspan.scoring.sensitivity import STEPS, Sweep
from evalspan.spans import Span

QUESTIONS = [JudgedQuestion(question=Question(query_id="q"))]


def chunk_is_relevant(text: str, chunk: Span, spans: Sequence[Span], min_overlap: float) -> bool:
    """As the article has it, with non-blank characters for characters."""
    for span in spans:
        size = len(inked(text, span))
        if size and len(inked(text, chunk) & inked(text, span)) / size >= min_overlap:
            return True
    return False


@st.composite
def grounds(draw: st.DrawFn) -> tuple[str, list[Span], list[Span]]:
    """A text, passages with ink, and a cut."""
    text = draw(inked_texts)
    passages = draw(st.lists(spans_of(text), min_size=1, max_size=3, unique=True))
    return text, [span for span in passages if inked(text, span)], draw(cuts_of(text))


@law
@given(grounds())
def test_the_chunks_that_are_relevant_are_those_of_the_plain_test(ground: tuple[str, list[Span], list[Span]]) -> None:
    text, passages, cut = ground
    labels = [Label("q", 1, sure(span)) for span in passages]
    pieces = [piece for number, span in enumerate(cut) for piece in pieces_of(f"c{number}", sure(span))]
    sweep = Sweep(QUESTIONS, 0.5)
    sweep.document("d", text, labels, pieces)
    for step in STEPS:
        expected = {f"c{i}" for i, chunk in enumerate(cut) if chunk_is_relevant(text, chunk, passages, step)}
        case = sweep.cases[step]["q"]
        assert case.grades.keys() == expected
        qrels = derive_qrels(lay_over("d", text, labels, pieces, step), step)
        if not case.waiting and passages:
            assert {one.doc_id for one in qrels.qrels} == expected


@law
@given(grounds())
def test_a_tabular_passage_counts_whole_at_every_value(ground: tuple[str, list[Span], list[Span]]) -> None:
    text, passages, cut = ground
    labels = [Label("q", 1, sure(span), tabular=True) for span in passages]
    pieces = [piece for number, span in enumerate(cut) for piece in pieces_of(f"c{number}", sure(span))]
    sweep = Sweep(QUESTIONS, 0.5)
    sweep.document("d", text, labels, pieces)
    whole = {f"c{i}" for i, chunk in enumerate(cut) if chunk_is_relevant(text, chunk, passages, 1.0)}
    assert all(cases["q"].grades.keys() == whole for cases in sweep.cases.values())


def test_the_sets_own_value_is_looked_at_beside_the_steps() -> None:
    assert list(Sweep(QUESTIONS, 0.35).cases) == [0.1, 0.2, 0.3, 0.35, *STEPS[3:]]
    assert list(Sweep(QUESTIONS, 0.5).cases) == list(STEPS)
