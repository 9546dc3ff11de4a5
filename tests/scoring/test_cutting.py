"""Which questions no single chunk can answer: by the rubric where it is known."""

from typing import Literal

import pytest
from small_sets import CARD, FINE, LENDING, LOAN, coarse, judgment, question
from strategies import sure

from evalspan.labels import Fact, JudgedQuestion, Judgment
from evalspan.mapping import Label, Piece, lay_over
from evalspan.scoring.cutting import Found, Held, cutting, held

AT = LENDING.index(FINE) + 10
"""A cut through FINE, near its beginning; LOAN is whole before it, CARD behind."""
PIECES = [Piece(0, AT + 20, "c0", True), Piece(AT + 20, len(LENDING), "c1", True)]


def lay(judged: JudgedQuestion, pieces: list[Piece] = PIECES, min_overlap: float = 0.9) -> list[Found]:
    labels = [
        Label(judged.query_id, one.grade, sure(*one.spans), coarse=one.coarse, tabular=one.tabular)
        for one in judged.judgments
    ]
    outcomes = lay_over("d", LENDING, labels, pieces, min_overlap)
    pairs = zip(judged.judgments, outcomes, strict=True)
    return [Found(judged.query_id, one, outcome, held(outcome)) for one, outcome in pairs]


def unwinnable(judged: JudgedQuestion, labels_are: Literal["any", "all"] | None = None) -> bool:
    return bool(cutting([judged], lay(judged), labels_are).families[0].unwinnable)


def passage(words: str, **more: object) -> Judgment:
    return judgment("d", LENDING, words, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("labels_are", "lost"), [("any", False), ("all", True), (None, False)])
def test_one_split_label_of_two(labels_are: Literal["any", "all"] | None, lost: bool) -> None:
    assert unwinnable(question(passage(LOAN), passage(FINE)), labels_are) == lost


def test_a_split_label_alone_makes_its_question_unwinnable_whatever_is_known() -> None:
    assert unwinnable(question(passage(FINE)))
    assert unwinnable(question(passage(FINE), passage(f"{FINE}\n\nA lost")))


def test_of_a_fact_any_passage_is_enough_and_all_facts_are_needed() -> None:
    facts = (Fact(fact_id="fine"), Fact(fact_id="card"))
    one = question(passage(FINE, fact="fine"), passage(CARD, fact="card"), facts=facts)
    two = question(passage(FINE, fact="fine"), passage(LOAN, fact="fine"), passage(CARD, fact="card"), facts=facts)
    assert (unwinnable(one), unwinnable(two)) == (True, False)


def test_a_fact_without_any_passage_is_not_the_chunkings_doing() -> None:
    facts = (Fact(fact_id="card"), Fact(fact_id="nowhere"))
    assert not unwinnable(question(passage(CARD, fact="card"), facts=facts))


@pytest.mark.parametrize(
    ("pieces", "min_overlap", "kind"),
    [
        ([Piece(0, len(LENDING), "c", True)], 0.5, Held.WHOLE),
        ([Piece(0, AT + 20, "c", True)], 0.3, Held.HELD),
        ([Piece(0, AT + 20, "c", True)], 0.9, Held.SPLIT),
        ([Piece(0, 5, "c", True)], 0.5, Held.UNCOVERED),
        ([Piece(0, len(LENDING), "c", False)], 0.5, Held.UNCERTAIN),
    ],
)
def test_how_a_passage_is_held(pieces: list[Piece], min_overlap: float, kind: Held) -> None:
    (found,) = lay(question(passage(FINE)), pieces, min_overlap)
    assert found.held is kind


def test_coarse_labels_are_counted_and_stand_behind_precise_ones() -> None:
    judged = question(coarse("d", LENDING, f"{FINE}\n\n{CARD}"), passage(FINE))
    found = cutting([judged], lay(judged), "any")
    assert found.families[0].coarse == 1
    assert [one.outcome.coarse for one in found.split] == [False, True]


def test_the_worst_has_the_smallest_best_chunk() -> None:
    judged = question(passage(FINE), passage(f"{FINE}\n\nA lost"))
    best = [one.best for one in cutting([judged], lay(judged), "any").split]
    assert best == sorted(best)
    assert len(best) == 2


def test_nothing_found_is_no_family_of_tags() -> None:
    found = cutting([question()], [], None)
    assert (len(found.families), found.families[0].labels, found.split) == (1, 0, ())
