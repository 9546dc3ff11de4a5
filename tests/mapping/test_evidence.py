"""Which chunks a coarse label goes to, by the evidence they hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cuts_of, inked_texts, law, sure

from evalspan.mapping import Bucket, Evidence, Fit, Label, Outcome, Piece, Reason, lay_over
from evalspan.spans import Span

TEXT = "abcdefghij" * 4
WHOLE = Span(0, len(TEXT))


def lay(chunks: list[tuple[int, int]], *evidence: tuple[int, int, float], **more: object) -> Outcome:
    label = Label("q", 1, sure(WHOLE), "old", coarse=True, evidence=tuple(Evidence(*part) for part in evidence))
    pieces = [Piece(start, end, f"c{start}", True) for start, end in chunks]
    return lay_over("d", TEXT, [label._replace(**more)], pieces, 0.5)[0]  # type: ignore[arg-type]


def said(outcome: Outcome) -> tuple[Bucket, Reason, list[str]]:
    return outcome.bucket, outcome.reason, [cover.chunk_id for cover in outcome.chosen]


def test_a_clear_sentence_makes_a_label_clean_though_no_chunk_holds_half_of_the_old_one() -> None:
    outcome = lay([(0, 10), (10, 20), (20, 30), (30, 40)], (12, 18, 0.95), (0, 9, 0.05))
    assert said(outcome) == (Bucket.CLEAN, Reason.EVIDENCE_HELD, ["c10"])
    assert (outcome.fit, outcome.taken) == (Fit.CUT, 1)


def test_most_of_the_old_chunk_without_its_best_sentence_is_ambiguous() -> None:
    outcome = lay([(0, 30), (30, 40)], (31, 39, 0.6), (0, 20, 0.4))
    assert said(outcome) == (Bucket.AMBIGUOUS, Reason.EVIDENCE_ELSEWHERE, ["c30", "c0"])


def test_evidence_that_lies_elsewhere_for_certain_goes_elsewhere() -> None:
    assert said(lay([(0, 30), (30, 40)], (31, 39, 1.0))) == (Bucket.CLEAN, Reason.EVIDENCE_HELD, ["c30"])


def test_evidence_that_agrees_leaves_the_plain_reason() -> None:
    assert said(lay([(0, 30), (30, 40)], (1, 9, 1.0))) == (Bucket.CLEAN, Reason.HELD, ["c0"])
    assert said(lay([(0, 40)], (1, 9, 0.5), (20, 30, 0.5))) == (Bucket.CLEAN, Reason.WHOLE, ["c0"])


def test_chunks_that_share_the_evidence_are_all_taken() -> None:
    assert said(lay([(0, 20), (10, 30)], (12, 18, 1.0))) == (Bucket.CLEAN, Reason.HELD, ["c0", "c10"])


def test_unclear_evidence_orders_the_candidates_and_nothing_more() -> None:
    outcome = lay([(0, 10), (10, 20), (20, 40)], (0, 9, 0.2), (12, 18, 0.5), (22, 38, 0.3))
    assert said(outcome) == (Bucket.AMBIGUOUS, Reason.EVIDENCE_ELSEWHERE, ["c10", "c20", "c0"])
    assert [cover.evidence for cover in outcome.covers] == [0.5, 0.3, 0.2]
    assert outcome.taken is None


def test_evidence_that_no_chunk_holds_counts_against_all() -> None:
    assert lay([(0, 10), (20, 40)], (12, 18, 0.8), (0, 9, 0.2)).bucket is Bucket.AMBIGUOUS


def test_a_hint_does_not_decide() -> None:
    outcome = lay([(0, 30), (30, 40)], (31, 39, 1.0), decides=False)
    assert said(outcome) == (Bucket.CLEAN, Reason.HELD, ["c0"])
    shrunk = lay([(0, 10), (10, 20), (20, 30), (30, 40)], (31, 39, 1.0), decides=False)
    assert (shrunk.reason, shrunk.chosen[0].chunk_id) == (Reason.CUT, "c30")


def test_an_uncertain_chunk_never_makes_a_label_clean() -> None:
    label = Label("q", 1, sure(WHOLE), "old", coarse=True, evidence=(Evidence(12, 18, 1.0),))
    pieces = [Piece(0, 10, "a", True), Piece(10, 20, "b", False)]
    assert lay_over("d", TEXT, [label], pieces, 0.5)[0].bucket is Bucket.AMBIGUOUS


def test_a_label_that_is_not_relevant_is_not_weighed() -> None:
    outcome = lay([(0, 10), (10, 20)], (12, 18, 1.0), grade=0)
    assert (outcome.reason, [cover.evidence for cover in outcome.covers]) == (Reason.NEGATIVE, [None, None])


def test_a_row_says_what_each_chunk_holds_of_the_evidence() -> None:
    assert lay([(0, 20), (20, 40)], (2, 8, 0.5), (22, 28, 0.5)).to_row()["evidence"] == [0.5, 0.5]
    assert "evidence" not in lay([(0, 20), (20, 40)]).to_row()


@law
@given(st.data(), inked_texts)
def test_evidence_of_a_cut_without_overlap_is_shared_out_and_clean_chunks_hold_most_of_it(
    data: st.DataObject, text: str
) -> None:
    pieces = [Piece(*span, f"c{i}", True) for i, span in enumerate(data.draw(cuts_of(text, overlapping=False)))]
    parts = [Span(i, i + 1) for i, character in enumerate(text) if not character.isspace()]
    evidence = tuple(Evidence(*part, 1 / len(parts)) for part in parts)
    label = Label("q", 1, sure(Span(0, len(text))), "old", coarse=True, evidence=evidence)
    outcome = lay_over("d", text, [label], pieces, 0.5)[0]
    for cover in outcome.covers:
        assert cover.evidence == pytest.approx(cover.coverage)
    if outcome.bucket is Bucket.CLEAN:
        assert sum(cover.evidence or 0 for cover in outcome.chosen) >= 0.9 * outcome.union_coverage - 1e-9
