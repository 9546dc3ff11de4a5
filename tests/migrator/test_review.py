"""The one shape of what a person is asked."""

import pytest
from small_sets import CARD, FINE, LENDING, LOAN, coarse, judgment, question, span_of

from evalspan.anchoring import Match, Status
from evalspan.digests import text_digest
from evalspan.errors import NotFound
from evalspan.labels import (
    AnswerSource,
    Candidate,
    ChunkLabel,
    DecisionKey,
    JudgedQuestion,
    PendingLabel,
    Proposal,
)
from evalspan.mapping import Label, Outcome, lay_over, pieces_of
from evalspan.migrator.review import Source, answer_item, outcome_item, pending_item, proposal_item
from evalspan.spans import Span


def text_of(doc_id: str, snapshot: str) -> str:
    if (doc_id, snapshot) != ("lending", "before"):
        raise NotFound("document", doc_id)
    return LENDING


def waiting(label: object, *candidates: Candidate, snapshot: str = "before") -> JudgedQuestion:
    pending = PendingLabel.model_validate(
        {"label": label, "snapshot_digest": snapshot, "reason": "missing", "candidates": candidates}
    )
    return question(pending=(pending,))


def test_a_label_that_lost_its_place_shows_the_passage_of_the_corpus_that_it_stood_in() -> None:
    label = judgment("lending", LENDING, LOAN, also=[CARD])
    asked = waiting(label)
    item = pending_item(asked, asked.pending[0], text_of)
    assert (item.passage, item.snapshot_digest) == (f"{LOAN}\n{CARD}", "before")
    assert item.ranges == tuple(tuple(span) for span in label.spans)
    assert item.holds
    assert item.name == DecisionKey("q1", "", "lending", text_digest(item.passage), "missing").name


@pytest.mark.parametrize("passage", [LOAN, LENDING])
def test_of_a_label_whose_old_corpus_is_not_here_the_anchor_is_shown_under_the_same_name(passage: str) -> None:
    label = judgment("lending", LENDING, passage)
    here, elsewhere = waiting(label), waiting(label, snapshot="unknown")
    item = pending_item(elsewhere, elsewhere.pending[0], text_of)
    assert item.name == pending_item(here, here.pending[0], text_of).name
    assert item.passage.startswith(passage[:20])
    assert item.passage.endswith(passage[-20:])


def test_pieces_of_a_corpus_that_is_not_here_are_shown_too() -> None:
    asked = waiting(judgment("lending", LENDING, LOAN, also=[CARD]), snapshot="unknown")
    assert pending_item(asked, asked.pending[0], text_of).passage == f"{LOAN}\n{CARD}"


def test_labels_of_chunks_that_wait_are_told_apart() -> None:
    items = []
    for chunk_id in ("c1", "c2"):
        asked = waiting(ChunkLabel(chunk_id=chunk_id, grade=1), Candidate(doc_id="lending", start=0, end=9))
        items.append(pending_item(asked, asked.pending[0], text_of))
    assert items[0].name != items[1].name
    assert [(item.doc_id, item.passage, item.ranges) for item in items] == [("lending", "", ())] * 2


def test_a_label_of_a_chunk_of_which_nothing_is_known_is_asked_about_all_the_same() -> None:
    asked = waiting(ChunkLabel(chunk_id="c1", grade=1))
    assert pending_item(asked, asked.pending[0], text_of).doc_id == ""


def proposal(reason: str, about: object, passage: str) -> Proposal:
    start, end = span_of(LENDING, passage)
    place = Candidate(doc_id="lending", start=start, end=end)
    values = {"query_id": "q1", "reason": reason, "about": about, "candidates": [place], "digest": "", "weight": 0.7}
    return Proposal.model_validate(values)


def test_of_a_narrowing_the_old_chunk_is_decided_on_and_of_other_offers_the_passage_that_is_offered() -> None:
    wide = coarse("lending", LENDING, f"{LOAN} {FINE}")
    asked = question(wide)
    narrowing = proposal_item(asked, proposal("narrowing", wide, LOAN), "before", text_of)
    twin = proposal_item(asked, proposal("twin", wide, CARD), "before", text_of)
    unjudged = proposal_item(asked, proposal("unjudged", None, CARD), "before", text_of)
    assert [item.passage for item in (narrowing, twin, unjudged)] == [f"{LOAN} {FINE}", CARD, CARD]
    assert [item.grade for item in (narrowing, twin, unjudged)] == [3, 3, 0]
    assert not any(item.holds for item in (narrowing, twin, unjudged))


def test_answers_are_asked_about_only_where_a_source_may_have_made_them_wrong() -> None:
    untouched = AnswerSource(doc_id="other", text_digest="d")
    assert answer_item(question(answers=("21",), answer_sources=(untouched,)), "now") is None
    touched = AnswerSource(doc_id="lending", text_digest="d", stale="changed: 3-9")
    item = answer_item(question(answers=("21", "three weeks"), answer_sources=(untouched, touched)), "now")
    assert item is not None
    assert (item.source, item.doc_id, item.passage) == (Source.ANSWER, "lending", "21\nthree weeks")
    assert item.note == "lending: changed: 3-9"


def outcome(passage: str, cut: int, grade: int = 3) -> tuple[JudgedQuestion, Outcome, dict[str, Span]]:
    """A whole old chunk over two new ones that meet `cut` characters into it."""
    label = coarse("lending", LENDING, passage, grade=grade)
    at = label.start + cut
    places = {"n1": Span(0, at), "n2": Span(at, len(LENDING))}
    pieces = [
        piece for name, span in places.items() for piece in pieces_of(name, Match(span, Status.EXACT, True, True))
    ]
    match = Match(label.span, Status.EXACT, True, True, 1.0, 1.0, (label.span,))
    laid = Label("q1", grade, match, "old-1", coarse=True)
    return question(label), lay_over("lending", LENDING, [laid], pieces, 0.8)[0], places


def test_the_candidates_of_a_passage_that_is_cut_are_what_each_chunk_holds_of_it() -> None:
    passage = f"{LOAN} {FINE}"
    asked, result, places = outcome(passage, len(LOAN))
    item = outcome_item(asked, asked.judgments[0], result, LENDING, places, "new", "now")
    assert item is not None
    assert item.holds
    assert item.chunking == "new"
    assert sorted(one.span.of(LENDING).strip() for one in item.candidates) == sorted([LOAN, FINE])


def test_who_is_not_asked_has_no_item() -> None:
    for cut, grade in ((3, 3), (70, -1), (70, 0)):
        asked, result, places = outcome(f"{LOAN} {FINE}", cut, grade)
        assert outcome_item(asked, asked.judgments[0], result, LENDING, places, "new", "now") is None
