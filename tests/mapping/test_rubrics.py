"""A rubric in chunk ids, held against trying every choice of chunks."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cuts_of, inked, inked_texts, law, pieces_over, spans_of, sure

from evalspan.anchoring import make_anchor
from evalspan.errors import CannotTell
from evalspan.labels import Fact, JudgedQuestion, Judgment, Part, Question
from evalspan.mapping import Label, Outcome, Piece, lay_over
from evalspan.mapping.rubrics import chunk_rubric, held_by, held_together, is_cut, paired
from evalspan.spans import Span

TEXT = "alpha beta gamma delta epsilon zeta"


def judgment(*spans: Span, **said: object) -> Judgment:
    first, *others = spans
    values = {"doc_id": "d", "grade": 1, "start": first.start, "end": first.end, "anchor": make_anchor(TEXT, first)}
    also = tuple(Part(start=one.start, end=one.end, anchor=make_anchor(TEXT, one)) for one in others)
    return Judgment.model_validate({**values, "also": also, **said})


def lay(text: str, spans: list[Span], chunks: list[Piece], min_overlap: float = 0.5, tabular: bool = False) -> Outcome:
    return lay_over("d", text, [Label("q", 1, sure(*spans), tabular=tabular)], chunks, min_overlap)[0]


def pieces(*spans: Span) -> list[Piece]:
    return [Piece(*span, f"c{number}", True) for number, span in enumerate(spans)]


@law
@given(st.data(), inked_texts, st.sampled_from([0.3, 0.5, 0.8, 1.0]))
def test_a_cut_passage_becomes_the_fewest_chunks_that_hold_enough_of_it_together(
    data: st.DataObject, text: str, min_overlap: float
) -> None:
    cut = data.draw(st.one_of(cuts_of(text), pieces_over(text)))
    spans = sorted(data.draw(st.lists(spans_of(text), min_size=1, max_size=2, unique=True)))
    if len(spans) > 1 and spans[0].end > spans[1].start:
        spans = spans[:1]
    chunks = pieces(*cut)
    outcome = lay(text, spans, chunks, min_overlap)
    if not is_cut(outcome):
        return
    found = held_together(outcome, text, chunks)
    wanted = {offset for span in spans for offset in inked(text, span)}

    def enough(numbers: tuple[int, ...]) -> bool:
        held = {offset for number in numbers for offset in range(*cut[number])} & wanted
        return len(held) / len(wanted) >= min_overlap

    fitting = [n for size in range(1, len(cut) + 1) for n in combinations(range(len(cut)), size) if enough(n)]
    assert bool(found) == bool(fitting) == (outcome.union_coverage >= min_overlap)
    for group in found:
        numbers = tuple(int(chunk_id[1:]) for chunk_id in group)
        assert enough(numbers)
        assert len(numbers) == len(fitting[0])
        assert [cut[number].start for number in numbers] == sorted(cut[number].start for number in numbers)


def test_pieces_of_a_passage_are_needed_together() -> None:
    chunks = pieces(Span(0, 10), Span(11, 22), Span(23, 35))
    outcome = lay(TEXT, [Span(0, 35)], chunks, 0.6)
    assert held_by(outcome) == ()
    assert held_together(outcome, TEXT, chunks) == (("c1", "c2"),)
    assert held_together(outcome._replace(min_overlap=1.0), TEXT, chunks) == (("c0", "c1", "c2"),)


def test_pieces_that_do_not_suffice_are_no_alternative() -> None:
    chunks = pieces(Span(0, 5), Span(6, 10))
    outcome = lay(TEXT, [Span(0, 35)], chunks)
    assert is_cut(outcome)
    assert held_together(outcome, TEXT, chunks) == ()


def test_a_tabular_passage_needs_all_its_pieces() -> None:
    chunks = pieces(Span(0, 22), Span(22, 35))
    outcome = lay(TEXT, [Span(0, 35)], chunks, tabular=True)
    assert held_together(outcome, TEXT, chunks) == (("c0", "c1"),)


def test_a_chunk_that_is_contained_in_another_is_no_piece() -> None:
    chunks = pieces(Span(0, 16), Span(6, 10), Span(14, 22))
    outcome = lay(TEXT, [Span(0, 35)], chunks, 0.6)
    assert held_together(outcome, TEXT, chunks) == (("c0", "c2"),)


def test_a_chunk_of_uncertain_place_is_no_piece() -> None:
    chunks = [*pieces(Span(0, 14)), Piece(14, 28, "u", False), Piece(28, 35, "c2", True)]
    outcome = lay(TEXT, [Span(0, 35)], chunks, 0.7)
    assert outcome.union_coverage == 1
    assert held_together(outcome, TEXT, chunks) == ()


def test_a_chunk_joined_from_two_places_counts_where_it_holds_one_stretch_of_the_passage() -> None:
    chunks = [Piece(0, 10, "c0", True), Piece(11, 16, "two", True), Piece(30, 35, "two", True)]
    outcome = lay(TEXT, [Span(0, 22)], chunks, 0.7)
    assert held_together(outcome, TEXT, chunks) == (("c0", "two"),)


def test_every_chunk_that_takes_a_clean_label_is_enough_alone() -> None:
    outcome = lay(TEXT, [Span(6, 10)], pieces(Span(0, 10), Span(6, 22), Span(11, 22)))
    assert set(held_by(outcome)) == {("c0",), ("c1",)}


def test_a_coarse_passage_that_is_cut_asks_and_has_no_alternative() -> None:
    chunks = pieces(Span(0, 16), Span(17, 35))
    (outcome,) = lay_over("d", TEXT, [Label("q", 1, sure(Span(0, 35)), "old", coarse=True)], chunks, 0.9)
    assert not is_cut(outcome)
    assert held_by(outcome) == ()


A, B, C = (judgment(Span(0, 5), fact="f"), judgment(Span(6, 10), fact="f"), judgment(Span(11, 16), fact="g"))


def test_all_facts_are_needed_each_by_any_of_its_alternatives() -> None:
    facts = Fact(fact_id="f"), Fact(fact_id="g"), Fact(fact_id="h")
    question = JudgedQuestion(question=Question(query_id="q"), judgments=(A, B, C), facts=facts)
    found = chunk_rubric(question, {A: [("c1",)], B: [("c2", "c3")], C: []}, None, 0.5)
    assert found.all_of == (("f", (("c1",), ("c2", "c3"))), ("g", ()), ("h", ()))
    assert found.to_row() == {
        "query_id": "q",
        "all_of": [
            {"fact": "f", "any_of": [["c1"], ["c2", "c3"]]},
            {"fact": "g", "any_of": []},
            {"fact": "h", "any_of": []},
        ],
        "min_overlap": 0.5,
    }


def test_an_alternative_that_holds_another_one_is_left_out() -> None:
    question = JudgedQuestion(question=Question(query_id="q"), judgments=(A, B), facts=(Fact(fact_id="f"),))
    found = chunk_rubric(question, {A: [("c1", "c2"), ("c3",)], B: [("c2",), ("c3",)]}, None, 0.5)
    assert found.all_of == (("f", (("c3",), ("c2",))),)


def test_labels_that_may_be_alternatives_or_all_needed_are_refused() -> None:
    plain = judgment(Span(0, 5)), judgment(Span(6, 10))
    question = JudgedQuestion(question=Question(query_id="q"), judgments=plain)
    found = {plain[0]: [("c1",)], plain[1]: [("c2",)]}
    with pytest.raises(CannotTell, match="'q' has 2 labels"):
        chunk_rubric(question, found, None, 0.5)
    assert chunk_rubric(question, found, "all", 0.5).all_of == (("", (("c1",),)), ("", (("c2",),)))
    assert chunk_rubric(question, found, "any", 0.5).all_of == (("", (("c1",), ("c2",))),)


def test_a_question_without_an_answer_needs_nothing_and_says_so() -> None:
    question = JudgedQuestion(question=Question(query_id="q"), no_answer=True)
    assert chunk_rubric(question, {}, None, 0.5).to_row() == {
        "query_id": "q",
        "all_of": [],
        "min_overlap": 0.5,
        "no_answer": True,
    }


def outcomes_of(*judgments: Judgment) -> list[Outcome]:
    labels = [Label("q", one.grade, sure(*one.spans)) for one in judgments]
    return lay_over("d", TEXT, labels, pieces(Span(0, 35)), 0.5)


def test_an_outcome_belongs_to_the_judgment_of_its_place_whatever_stands_between() -> None:
    in_two = judgment(Span(0, 5), Span(11, 16), grade=2)
    question = JudgedQuestion(question=Question(query_id="q"), judgments=(judgment(Span(6, 10)), in_two))
    of_a_chunk = outcomes_of(judgment(Span(17, 22)))
    first, second = outcomes_of(*question.judgments)
    for outcomes in ([first, *of_a_chunk, second], [second, first, *of_a_chunk]):
        assert paired(question, outcomes) == dict(zip(question.judgments, (first, second), strict=True))


def test_equal_places_are_told_apart_by_their_order() -> None:
    same = judgment(Span(0, 5), fact="f"), judgment(Span(0, 5), fact="g", tabular=True)
    facts = Fact(fact_id="f"), Fact(fact_id="g")
    question = JudgedQuestion(question=Question(query_id="q"), judgments=same, facts=facts)
    labels = [Label("q", 1, sure(Span(0, 5)), tabular=one.tabular) for one in same]
    outcomes = lay_over("d", TEXT, labels, pieces(Span(0, 35)), 0.5)
    assert [outcome.min_overlap for outcome in paired(question, outcomes).values()] == [0.5, 1.0]
