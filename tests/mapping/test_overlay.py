"""Judgments laid over chunks, held against counting every character."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cuts_of, inked, inked_texts, law, missing, one_of, pieces_over, spans_of, sure

from evalspan.anchoring import Match, Status
from evalspan.mapping import Bucket, Fit, Label, Outcome, Piece, Place, Reason, lay_over, pieces_of
from evalspan.spans import Span


def lay(text: str, label: Label, chunks: list[Piece], min_overlap: float = 0.5) -> Outcome:
    return lay_over("d", text, [label], chunks, min_overlap)[0]


def pieces(spans: list[Span]) -> list[Piece]:
    return [Piece(*span, f"c{number}", True) for number, span in enumerate(spans)]


class Case(NamedTuple):
    text: str
    chunks: list[Span]
    span: Span


@st.composite
def cases(draw: st.DrawFn) -> Case:
    text = draw(inked_texts)
    chunks = draw(st.one_of(cuts_of(text), pieces_over(text)))
    return Case(text, chunks, draw(spans_of(text)))


def naive(case: Case) -> dict[str, tuple[float, float]]:
    """chunk id → coverage of the span and share of the chunk, of every chunk that holds some ink of it."""
    wanted = inked(case.text, case.span)
    out = {}
    for number, chunk in enumerate(case.chunks):
        own = inked(case.text, chunk)
        if wanted & own:
            out[f"c{number}"] = len(wanted & own) / len(wanted), len(wanted & own) / len(own)
    return out


@law
@given(cases())
def test_coverage_and_share_are_what_counting_gives(case: Case) -> None:
    outcome = lay(case.text, Label("q", 1, sure(case.span)), pieces(case.chunks))
    assert {cover.chunk_id: (cover.coverage, cover.share) for cover in outcome.covers} == naive(case)
    assert len(outcome.covers) == len(naive(case))
    assert all(a.coverage >= b.coverage for a, b in zip(outcome.covers, outcome.covers[1:], strict=False))


@law
@given(cases())
def test_union_coverage_is_what_all_chunks_hold_together(case: Case) -> None:
    outcome = lay(case.text, Label("q", 1, sure(case.span)), pieces(case.chunks))
    wanted = inked(case.text, case.span)
    held = wanted & {offset for chunk in case.chunks for offset in range(*chunk)}
    assert outcome.union_coverage == (len(held) / len(wanted) if wanted else 0.0)


@law
@given(st.data(), cases(), st.integers(-1, 2), st.booleans())
def test_the_bucket_follows_from_place_and_fit_with_boundaries_reached_exactly(
    data: st.DataObject, case: Case, grade: int, tabular: bool
) -> None:
    shares = naive(case)
    min_overlap = data.draw(st.sampled_from([0.5, 1.0, *(coverage for coverage, _ in shares.values())]))
    outcome = lay(case.text, Label("q", grade, sure(case.span), tabular=tabular), pieces(case.chunks), min_overlap)
    needed = 1.0 if tabular else min_overlap
    best = max((coverage for coverage, _ in shares.values()), default=0.0)
    fit = Fit.UNCOVERED if not shares else Fit.WHOLE if best == 1 else Fit.HELD if best >= needed else Fit.CUT
    expected = {
        Fit.UNCOVERED: (Bucket.UNMAPPED, Reason.UNCOVERED),
        Fit.WHOLE: (Bucket.CLEAN, Reason.WHOLE),
        Fit.HELD: (Bucket.CLEAN, Reason.HELD),
        Fit.CUT: (Bucket.AMBIGUOUS, Reason.CUT),
    }[fit]
    if grade <= 0:
        expected = (Bucket.CLEAN, Reason.NEGATIVE)
    assert (outcome.place, outcome.fit, outcome.min_overlap) == (Place.CERTAIN, fit, needed)
    assert (outcome.bucket, outcome.reason) == expected
    if outcome.bucket is Bucket.CLEAN:
        taken = {
            c
            for c, (coverage, share) in shares.items()
            if grade < 0 or (share == 1 if grade == 0 else coverage >= needed)
        }
        assert {cover.chunk_id for cover in outcome.chosen} == taken


@pytest.mark.parametrize("ink", range(1, 101, 7))
def test_every_share_reaches_the_min_overlap_that_is_written_like_it(ink: int) -> None:
    text = "x y\n" * 50
    for held in range(1, ink + 1):
        ends = [at + 1 for at in sorted(inked(text))]
        outcome = lay(
            text, Label("q", 1, sure(Span(0, ends[ink - 1]))), [Piece(0, ends[held - 1], "c", True)], held / ink
        )
        assert outcome.bucket is Bucket.CLEAN


@pytest.mark.parametrize("percent", range(1, 101))
def test_hundredths_reach_a_min_overlap_in_hundredths(percent: int) -> None:
    text = "x" * 100
    label = Label("q", 1, sure(Span(0, 100)))
    needed = float(f"{percent / 100:.2f}")
    assert lay(text, label, [Piece(0, percent, "c", True)], needed).bucket is Bucket.CLEAN
    short = [Piece(0, percent - 1, "c", True)] if percent > 1 else []
    assert lay(text, label, short, needed).bucket is not Bucket.CLEAN


def test_blanks_count_on_neither_side() -> None:
    text = "ab \u3000\n\x85 cd"
    outcome = lay(text, Label("q", 1, sure(Span(0, len(text)))), [Piece(0, 4, "c", True)])
    assert (outcome.covers[0].coverage, outcome.covers[0].share, outcome.fit) == (0.5, 1.0, Fit.HELD)


def test_a_chunk_with_stripped_edges_still_holds_all() -> None:
    text = "\n\nThe fee is five pounds.\n\n"
    outcome = lay(text, Label("q", 1, sure(Span(0, len(text)))), [Piece(2, 25, "c", True)])
    assert (outcome.fit, outcome.union_coverage) == (Fit.WHOLE, 1.0)


def test_a_table_row_counts_only_where_it_is_whole() -> None:
    text = "| 2022 | 5 | 2023 | 7 |"
    nearly = [Piece(0, len(text) - 1, "c", True)]
    label = Label("q", 1, sure(Span(0, len(text))))
    assert lay(text, label, nearly).bucket is Bucket.CLEAN
    cut = lay(text, label._replace(tabular=True), nearly)
    assert (cut.bucket, cut.reason, cut.fit, cut.min_overlap) == (Bucket.AMBIGUOUS, Reason.CUT, Fit.CUT, 1.0)
    assert lay(text, label._replace(tabular=True), [Piece(0, len(text), "c", True)]).bucket is Bucket.CLEAN


@pytest.mark.parametrize(("grade", "coarse"), [(0, False), (0, True), (-1, True)])
def test_a_grade_of_nothing_carries_over_only_to_chunks_inside_the_judged_text(grade: int, coarse: bool) -> None:
    text = "abcdefghij"
    chunks = [Piece(0, 4, "inside", True), Piece(3, 7, "half", True), Piece(0, 10, "around", True)]
    outcome = lay(text, Label("q", grade, sure(Span(0, 5)), coarse=coarse), chunks)
    assert (outcome.bucket, outcome.reason) == (Bucket.CLEAN, Reason.NEGATIVE)
    assert [cover.chunk_id for cover in outcome.chosen] == ["inside"]


def test_a_passage_that_must_not_be_used_is_carried_to_every_chunk_that_holds_any_of_it() -> None:
    text = "abcdefghij"
    chunks = [
        Piece(0, 4, "inside", True),
        Piece(4, 9, "edge", True),
        Piece(0, 2, "unsure", False),
        Piece(6, 10, "no", True),
    ]
    outcome = lay(text, Label("q", -1, sure(Span(0, 5))), chunks)
    assert {cover.chunk_id for cover in outcome.chosen} == {"inside", "edge"}


@law
@given(cases(), st.sampled_from([0, 1]), st.sampled_from(["not found", "blank"]))
def test_a_passage_that_is_gone_is_unmapped_with_its_reason(case: Case, grade: int, why: str) -> None:
    outcome = lay(case.text, Label("q", grade, missing(why)), pieces(case.chunks))
    assert (outcome.place, outcome.fit, outcome.bucket) == (Place.GONE, Fit.UNCOVERED, Bucket.UNMAPPED)
    assert outcome.reason is (Reason.BLANK if why == "blank" else Reason.NOT_FOUND)
    assert (outcome.covers, outcome.span) == ((), None)


@law
@given(st.data(), cases(), st.sampled_from([0, 1]))
def test_a_passage_that_may_be_in_several_places_is_ambiguous_and_weighed_at_each(
    data: st.DataObject, case: Case, grade: int
) -> None:
    rivals = data.draw(st.lists(spans_of(case.text), min_size=1, max_size=3, unique=True))
    outcome = lay(case.text, Label("q", grade, one_of(case.span, *rivals)), pieces(case.chunks))
    assert (outcome.place, outcome.bucket, outcome.reason) == (Place.UNCERTAIN, Bucket.AMBIGUOUS, Reason.REPEATED)
    best: dict[str, float] = {}
    for place in (case.span, *rivals):
        for chunk_id, (coverage, _) in naive(case._replace(span=place)).items():
            best[chunk_id] = max(coverage, best.get(chunk_id, 0))
    assert {cover.chunk_id: cover.coverage for cover in outcome.covers} == best


def test_a_place_that_is_likely_and_not_sure_is_ambiguous() -> None:
    weak = Match(Span(0, 4), Status.EXACT, False, reason="too short")
    outcome = lay("abcdef", Label("q", 1, weak), [Piece(0, 6, "c", True)])
    assert (outcome.place, outcome.bucket, outcome.reason) == (Place.UNCERTAIN, Bucket.AMBIGUOUS, Reason.WEAK_MATCH)
    assert outcome.span is None


def test_a_passage_that_only_chunks_without_a_certain_place_could_hold_is_ambiguous() -> None:
    text = "abcd abcd efgh"
    chunks = pieces_of("twin", one_of(Span(0, 4), Span(5, 9)))
    outcome = lay(text, Label("q", 1, sure(Span(0, 4))), chunks)
    assert (outcome.place, outcome.bucket, outcome.reason) == (Place.CERTAIN, Bucket.AMBIGUOUS, Reason.CHUNK_UNCERTAIN)
    assert outcome.covers[0].certain is False


def test_a_certain_chunk_that_reaches_far_enough_settles_it_and_takes_the_label_alone() -> None:
    text = "abcd abcd efgh"
    chunks = [*pieces_of("twin", one_of(Span(0, 4), Span(5, 9))), Piece(0, 3, "sure", True)]
    outcome = lay(text, Label("q", 1, sure(Span(0, 4))), chunks)
    assert (outcome.bucket, outcome.reason, outcome.fit) == (Bucket.CLEAN, Reason.HELD, Fit.HELD)
    assert [cover.chunk_id for cover in outcome.chosen] == ["sure"]


def test_the_places_of_a_chunk_are_those_it_has_or_may_have() -> None:
    assert pieces_of("c", sure(Span(0, 4))) == [Piece(0, 4, "c", True)]
    assert pieces_of("c", sure(Span(0, 4), Span(6, 9))) == [Piece(0, 4, "c", True), Piece(6, 9, "c", True)]
    assert pieces_of("c", one_of(Span(5, 9), Span(0, 4))) == [Piece(0, 4, "c", False), Piece(5, 9, "c", False)]
    assert pieces_of("c", missing()) == []


@law
@given(st.data(), cases())
def test_outcomes_come_one_per_label_in_their_order_and_depend_on_no_other(data: st.DataObject, case: Case) -> None:
    spans = data.draw(st.lists(spans_of(case.text), max_size=4))
    labels = [Label(f"q{number}", 1, sure(span), f"o{number}") for number, span in enumerate(spans)]
    labels.append(Label("last", 1, missing()))
    outcomes = lay_over("d", case.text, labels, pieces(case.chunks), 0.5)
    assert [(o.query_id, o.chunk_id, o.doc_id) for o in outcomes] == [(s.query_id, s.chunk_id, "d") for s in labels]
    assert outcomes == [lay(case.text, label, pieces(case.chunks)) for label in labels]


@law
@given(st.data(), cases())
def test_the_order_of_the_chunks_changes_no_figure(data: st.DataObject, case: Case) -> None:
    label = Label("q", 1, sure(case.span))
    one, other = (
        lay(case.text, label, p) for p in (pieces(case.chunks), data.draw(st.permutations(pieces(case.chunks))))
    )
    assert one == other


@law
@given(st.data(), inked_texts)
def test_a_passage_in_two_pieces_is_covered_as_the_sum_of_both(data: st.DataObject, text: str) -> None:
    chunks = data.draw(cuts_of(text))
    cut = data.draw(cuts_of(text, overlapping=False))
    spans = cut[::2]
    wanted = {offset for span in spans for offset in inked(text, span)}
    outcome = lay(text, Label("q", 1, sure(*spans)), pieces(chunks))
    expected = {
        f"c{i}": len(wanted & inked(text, c)) / len(wanted) for i, c in enumerate(chunks) if wanted & inked(text, c)
    }
    assert {cover.chunk_id: cover.coverage for cover in outcome.covers} == expected


def test_a_composite_chunk_holds_what_its_pieces_hold() -> None:
    text = "abcd efgh ijkl"
    outcome = lay(text, Label("q", 1, sure(Span(0, 14))), pieces_of("c", sure(Span(0, 4), Span(10, 14))))
    assert (outcome.covers[0].coverage, outcome.covers[0].share, outcome.fit) == (8 / 12, 1.0, Fit.HELD)


def test_a_chunk_that_may_be_in_several_places_is_at_one_of_them() -> None:
    text = "ab ab ab ab ab"
    chunks = pieces_of("c", one_of(*(Span(at, at + 2) for at in range(0, 14, 3))))
    outcome = lay(text, Label("q", 1, sure(Span(0, 14))), chunks)
    assert [cover.coverage for cover in outcome.covers] == [0.2]
    assert (outcome.fit, outcome.reason) == (Fit.CUT, Reason.CHUNK_UNCERTAIN)


def test_a_passage_whose_meaning_may_have_changed_is_not_clean() -> None:
    changed = sure(Span(0, 11), status=Status.EDITED)._replace(same=False)
    outcome = lay("The fee is 7 pounds.", Label("q", 1, changed), [Piece(0, 20, "c", True)])
    assert (outcome.place, outcome.bucket, outcome.reason) == (Place.UNCERTAIN, Bucket.AMBIGUOUS, Reason.CHANGED)
    assert [cover.chunk_id for cover in outcome.chosen] == ["c"]
    assert outcome.asks


def test_the_row_of_a_passage_whose_meaning_may_have_changed_gives_its_place() -> None:
    changed = sure(Span(0, 11), status=Status.EDITED)._replace(same=False)
    row = lay("The fee is 7 pounds.", Label("q", 1, changed), [Piece(0, 20, "c", True)]).to_row()
    assert row["start"] is None
    assert row["rivals"] == [[0, 11]]


def test_the_share_of_a_chunk_over_a_passage_in_pieces_counts_the_chunk_once() -> None:
    text = "abcd efgh"
    outcome = lay(text, Label("q", 0, sure(Span(0, 4), Span(5, 9))), [Piece(0, 9, "c", True)])
    assert [(cover.coverage, cover.share) for cover in outcome.covers] == [(1.0, 1.0)]


def test_the_share_of_a_composite_chunk_counts_the_pieces_that_lie_elsewhere() -> None:
    text = "abcd efgh ijkl"
    outcome = lay(text, Label("q", 0, sure(Span(0, 4))), pieces_of("c", sure(Span(0, 4), Span(10, 14))))
    assert [cover.share for cover in outcome.covers] == [0.5]
    assert outcome.chosen == ()


def test_pieces_of_one_chunk_that_overlap_hold_their_common_ground_once() -> None:
    outcome = lay("abcdefghij", Label("q", 1, sure(Span(0, 10))), pieces_of("c", sure(Span(0, 5), Span(1, 6))))
    assert [cover.coverage for cover in outcome.covers] == [0.6]


def test_no_clean_label_is_uncovered() -> None:
    chunks = pieces_of("twin", one_of(Span(0, 4), Span(5, 9)))
    outcome = lay("abcd abcd", Label("q", 0, sure(Span(0, 4))), chunks)
    assert (outcome.bucket, outcome.fit) != (Bucket.CLEAN, Fit.UNCOVERED)


def test_a_new_chunk_that_says_something_else_takes_no_label_over() -> None:
    text = "Refunds are not paid within 14 days."
    other = sure(Span(0, 36), status=Status.EDITED)._replace(same=False)
    outcome = lay(text, Label("q", 1, sure(Span(0, 36))), pieces_of("c", other))
    assert (outcome.bucket, outcome.reason) == (Bucket.AMBIGUOUS, Reason.CHUNK_UNCERTAIN)


def test_an_old_chunk_joined_from_several_places_asks_a_person() -> None:
    text = "First sentence here. Filler in between. Last sentence here."
    joined = sure(Span(0, 59), status=Status.SPLIT)._replace(pieces=(Span(0, 20), Span(40, 59)))
    outcome = lay(text, Label("q", 1, joined, "old", coarse=True), [Piece(0, 59, "c", True)])
    assert (outcome.place, outcome.bucket, outcome.reason) == (Place.UNCERTAIN, Bucket.AMBIGUOUS, Reason.SCATTERED)
