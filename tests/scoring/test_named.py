"""Our own measures by name, and what is not known of them."""

import pytest
from small_sets import CARD, FINE, LENDING, LOAN, judgment, question, span_of

from evalspan.errors import BadInput, CannotTell
from evalspan.labels import ChunkLabel, JudgedQuestion, PendingLabel, Question
from evalspan.scoring.evidence import Place
from evalspan.scoring.figures import Figure
from evalspan.scoring.named import OwnMeasure, own_figures, split_measures
from evalspan.spans import Span


def figures(judged: JudgedQuestion, *words: str, names: tuple[str, ...]) -> dict[str, Figure]:
    places: list[Place] = [("d", span_of(LENDING, one)) for one in words]
    own = split_measures(names)[1]
    found = own_figures(own, {"q1": judged}, {"q1": places}, {"d": LENDING}, 0.5, None)
    return {name: found[name]["q1"] for name in names}


def decided(value: float) -> Figure:
    return Figure(value, value, value)


def test_names_are_told_apart_and_each_is_taken_once() -> None:
    standard, own = split_measures(["R@5", "CharIoU@3", "nDCG", "R@5", "CharIoU@3"])
    assert standard == ["R@5", "nDCG"]
    assert own == [OwnMeasure("CharIoU@3", "CharIoU", 3)]


@pytest.mark.parametrize(
    "name", ["CharRecall", "CharRecall@0", "Harmful@-1", "Sufficient@x", "CharIoU@1.5", "CharIoU@"]
)
def test_one_of_ours_wants_a_cutoff(name: str) -> None:
    with pytest.raises(BadInput, match="a cut-off of 1 or more"):
        split_measures([name])


def test_only_the_first_hits_count() -> None:
    found = figures(question(judgment("d", LENDING, FINE)), LOAN, FINE, names=("CharRecall@1", "CharRecall@2"))
    assert found == {"CharRecall@1": decided(0), "CharRecall@2": decided(1)}


def test_a_question_without_hits_has_nothing_and_harms_nobody() -> None:
    names = ("CharRecall@5", "CharPrecision@5", "CharIoU@5", "Sufficient@5", "Harmful@5")
    found = figures(question(judgment("d", LENDING, FINE)), names=names)
    assert set(found.values()) == {decided(0)}


def lost(grade: int) -> PendingLabel:
    return PendingLabel(label=judgment("d", LENDING, CARD, grade), snapshot_digest="f" * 32, reason="missing")


def test_a_label_that_lost_its_place_leaves_the_evidence_open() -> None:
    judged = question(judgment("d", LENDING, FINE), pending=(lost(3),))
    found = figures(judged, FINE, names=("CharRecall@1", "Sufficient@1", "Harmful@1"))
    assert found == {
        "CharRecall@1": Figure(None, 0, 1),
        "Sufficient@1": Figure(None, 0, 1),
        "Harmful@1": decided(0),
    }


def test_so_does_a_label_that_names_a_chunk_without_a_place() -> None:
    judged = question(ChunkLabel(chunk_id="old", grade=1))
    assert figures(judged, FINE, names=("CharRecall@1",)) == {"CharRecall@1": Figure(None, 0, 1, True)}


def test_a_harmful_label_without_a_place_may_be_in_any_hit() -> None:
    judged = question(judgment("d", LENDING, FINE), judgment("d", LENDING, LOAN, -1), pending=(lost(-1),))
    found = figures(judged, LOAN, FINE, CARD, names=("Harmful@2", "CharRecall@2"))
    assert found == {"Harmful@2": Figure(None, 1, 2), "CharRecall@2": decided(1)}


def test_a_label_that_is_not_relevant_leaves_nothing_open() -> None:
    judged = question(judgment("d", LENDING, FINE), pending=(lost(0),))
    assert figures(judged, FINE, names=("CharRecall@1",)) == {"CharRecall@1": decided(1)}


def test_sufficiency_asks_whether_labels_are_alternatives() -> None:
    with pytest.raises(CannotTell, match=r"^Sufficient@1: question .*evalspan set amend SET --labels-are any\|all"):
        figures(question(judgment("d", LENDING, FINE), judgment("d", LENDING, LOAN)), names=("Sufficient@1",))


def test_hits_in_superseded_documents_are_counted() -> None:
    _, own = split_measures(["Stale@2"])
    places = [("old", Span(0, 5)), ("new", Span(0, 5)), ("old", Span(5, 9))]
    asked = {"q1": JudgedQuestion(question=Question(query_id="q1"))}
    found = own_figures(own, asked, {"q1": places}, {}, 0.5, None, {"old"})
    assert found["Stale@2"]["q1"].value == 1.0
