"""What is known of each question, and what waits."""

from small_sets import LENDING, LOAN, judgment, question
from strategies import one_of, sure

from evalspan.labels import PendingLabel
from evalspan.mapping import Label, Piece, lay_over
from evalspan.scoring.cases import Case, WaitingChunks, cases_of, ids_in_common
from evalspan.spans import Span

SPAN = Span(0, 20)
PIECES = [Piece(0, 12, "c0", True), Piece(12, 40, "c1", True)]


def found(*labels: Label, **more: object) -> dict[str, Case]:
    judged = question(query_id="q", **more)  # type: ignore[arg-type]
    return cases_of(lay_over("d", "x" * 60, labels, PIECES, 0.5), [judged])


def test_a_clean_label_gives_its_chunks_its_grade_and_the_highest_counts() -> None:
    assert found(Label("q", 1, sure(SPAN)), Label("q", 3, sure(Span(0, 10))))["q"].grades == {"c0": 3}


def test_an_uncertain_label_waits_with_its_candidates() -> None:
    case = found(Label("q", 2, one_of(Span(0, 10), Span(15, 25))))["q"]
    assert case.grades == {}
    assert case.waiting == [WaitingChunks(2, ("c0", "c1"))]
    assert case.relevant


def test_a_label_that_is_not_relevant_waits_for_nothing() -> None:
    assert not found(Label("q", 0, one_of(Span(0, 10), Span(15, 25))))["q"].waiting


def test_labels_that_lost_their_place_wait_without_candidates() -> None:
    lost = PendingLabel(label=judgment("d", LENDING, LOAN), snapshot_digest="f" * 32, reason="missing")
    harmful = PendingLabel(label=judgment("d", LENDING, LOAN, -1), snapshot_digest="f" * 32, reason="missing")
    assert found(pending=(lost, harmful))["q"].waiting == [WaitingChunks(3, ())]


def test_questions_that_are_retired_or_have_no_answer_are_no_case() -> None:
    label = Label("q", 1, sure(SPAN))
    assert found(label, retired=True) == {}
    assert found(label, no_answer=True) == {}
    assert cases_of(lay_over("d", "x" * 60, [label], PIECES, 0.5), []) == {}


def test_ids_in_common_are_looked_for_in_what_is_judged_and_in_what_waits() -> None:
    cases = {"q": Case("q", {"a": 1}, [WaitingChunks(1, ("b",))]), "r": Case("r", {})}
    assert ids_in_common(cases, {"q": ["b"]})
    assert ids_in_common(cases, {"r": ["x", "a"]})
    assert not ids_in_common(cases, {"q": ["x"], "r": []})
    assert not ids_in_common({}, {})
