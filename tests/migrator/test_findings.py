"""What a migration says about the chunking, counted by passage and not by label."""

from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law, missing, sure

from evalspan.mapping import Label, Outcome, Piece, lay_over
from evalspan.migrator import Cutting, DocumentCuts, document_cuts, summarise_cuts
from evalspan.migrator.findings import WORST
from evalspan.spans import Span

TEXT = "abcdefghij" * 4


def outcomes(labels: list[Label], chunks: list[Piece]) -> list[Outcome]:
    return lay_over("d", TEXT, labels, chunks, 0.5)


def test_a_passage_that_several_questions_share_is_one_passage() -> None:
    labels = [Label(name, 1, sure(Span(0, 10))) for name in ("q1", "q2")] + [Label("q3", 1, sure(Span(10, 20)))]
    part = document_cuts(outcomes(labels, [Piece(0, 4, "a", True), Piece(4, 8, "b", True), Piece(10, 20, "c", True)]))
    assert part == DocumentCuts(2, (Cutting(0.4, "d", Span(0, 10), "a", ("q1", "q2")),), False)


def test_only_relevant_passages_with_a_certain_place_are_counted() -> None:
    labels = [Label("q1", 0, sure(Span(0, 10))), Label("q2", 1, missing()), Label("q3", 1, sure(Span(20, 30)))]
    assert document_cuts(outcomes(labels, [Piece(20, 30, "c", True)])) == DocumentCuts(1, (), False)


@pytest.mark.parametrize("tenth", range(10))
def test_a_share_of_whole_tenths_is_counted_in_its_own_tenth(tenth: int) -> None:
    share = (Cutting(tenth / 10, "d", Span(0, 10), "c", ("q",)),)
    assert summarise_cuts([DocumentCuts(1, share, False)]).tenths == (0,) * tenth + (1,)


def test_nothing_cut_has_no_median() -> None:
    cuts = summarise_cuts([DocumentCuts(3, (), False), DocumentCuts(2, (), False)])
    assert (cuts.passages, cuts.cut, cuts.tenths, cuts.median, cuts.worst) == (5, 0, (), None, ())


cuttings = st.builds(
    Cutting,
    st.floats(0, 1, exclude_max=True),
    st.sampled_from(["d1", "d2"]),
    st.builds(lambda start: Span(start, start + 5), st.integers(0, 99)),
    st.just("c"),
    st.just(("q",)),
)


@law
@given(st.lists(st.lists(cuttings, max_size=8), max_size=4))
def test_the_sum_of_the_parts_is_the_whole(parts: list[list[Cutting]]) -> None:
    every = [cutting for part in parts for cutting in part]
    cuts = summarise_cuts(DocumentCuts(len(part) + 1, tuple(part), False) for part in parts)
    assert cuts.passages == len(every) + len(parts)
    assert cuts.cut == len(every) == sum(cuts.tenths)
    assert cuts.median == (median(cutting.best_coverage for cutting in every) if every else None)
    assert list(cuts.worst) == sorted(every)[:WORST]


def test_a_summary_says_whether_whole_old_chunks_are_among_the_cut_passages() -> None:
    half = [Piece(0, 4, "a", True), Piece(4, 8, "b", True), Piece(10, 20, "c", True)]
    precise, coarse = Label("q1", 1, sure(Span(0, 10))), Label("q2", 1, sure(Span(0, 9)), coarse=True)
    held = Label("q3", 1, sure(Span(10, 20)), coarse=True)
    assert not document_cuts(outcomes([precise, held], half)).coarse
    assert document_cuts(outcomes([precise, coarse], half)).coarse
    assert not summarise_cuts([DocumentCuts(1, (), False)]).coarse
    assert summarise_cuts([DocumentCuts(1, (), True), DocumentCuts(1, (), False)]).coarse


@pytest.mark.parametrize("coarse_first", [True, False])
def test_whether_passages_are_coarse_does_not_depend_on_the_order_of_labels(coarse_first: bool) -> None:
    labels = [Label("q", 1, sure(Span(0, 10)), coarse=kind) for kind in (coarse_first, not coarse_first)]
    assert document_cuts(outcomes(labels, [Piece(0, 4, "a", True)])).coarse
