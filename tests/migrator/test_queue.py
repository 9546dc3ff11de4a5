"""What a person is asked: nothing that is decided, and everything needed to decide."""

from strategies import missing, one_of, sure

from evalspan.mapping import Evidence, Label, Outcome, Piece, lay_over
from evalspan.migrator import Certainty, How, Narrowing, proposed_narrowing, queue_item
from evalspan.spans import Span

TEXT = "abcd abcd efgh"
CHUNKS = [Piece(0, 7, "left", True), Piece(7, 14, "right", True)]
PLACES = {"left": Span(0, 7), "right": Span(7, 14), "other": Span(0, 1)}


def outcome(label: Label, min_overlap: float = 0.5) -> Outcome:
    return lay_over("d", TEXT, [label], CHUNKS, min_overlap)[0]


def test_nobody_is_asked_about_a_clean_label() -> None:
    assert queue_item(outcome(Label("q", 1, sure(Span(0, 4)))), "?", "abcd", PLACES) is None


def test_nobody_is_asked_about_a_precise_span_that_is_cut() -> None:
    cut = Label("q", 1, sure(Span(5, 9)))
    assert queue_item(outcome(cut, 0.8), "?", "abcd", PLACES) is None
    assert queue_item(outcome(cut._replace(coarse=True), 0.8), "?", "abcd", PLACES) is not None


def test_a_repeated_passage_is_asked_with_its_rivals_and_candidates() -> None:
    item = queue_item(outcome(Label("q", 1, one_of(Span(0, 4), Span(5, 9)), "old")), "Which?", "abcd", PLACES)
    assert item is not None
    assert item.places == {"left": Span(0, 7), "right": Span(7, 14)}
    assert item.to_row() == {
        "query_id": "q",
        "question": "Which?",
        "old_chunk_id": "old",
        "grade": 1,
        "bucket": "ambiguous",
        "reason": "repeated",
        "doc_id": "d",
        "start": None,
        "end": None,
        "rivals": [[0, 4], [5, 9]],
        "passage": "abcd",
        "narrowing": None,
        "candidates": [
            {"chunk_id": "left", "coverage": 1.0, "evidence": None, "start": 0, "end": 7},
            {"chunk_id": "right", "coverage": 0.5, "evidence": None, "start": 7, "end": 14},
        ],
    }


def test_a_likely_narrowing_is_proposed_with_its_passage() -> None:
    likely = Narrowing(Span(0, 9), Certainty.LIKELY, How.QUESTION_WORDS, (Evidence(5, 9, 0.75), Evidence(0, 4, 0.25)))
    proposed = proposed_narrowing(likely, TEXT)
    item = queue_item(outcome(Label("q", 1, sure(Span(0, 9)), coarse=True), 0.8), "?", "", {}, proposed)
    assert item is not None
    assert item.to_row()["narrowing"] == {"start": 5, "end": 9, "text": "abcd", "how": "question words", "weight": 0.75}


def test_a_certain_narrowing_and_a_vague_one_are_not_proposed() -> None:
    for certainty in (Certainty.CERTAIN, Certainty.NONE):
        assert proposed_narrowing(Narrowing(Span(0, 9), certainty, How.VERBATIM, (Evidence(5, 9, 1.0),)), TEXT) is None
    assert proposed_narrowing(None, TEXT) is None


def test_a_passage_that_is_gone_is_asked_without_candidates() -> None:
    item = queue_item(outcome(Label("q", 1, missing(), "old")), "", "the old words", {})
    assert item is not None
    assert (item.to_row()["candidates"], item.to_row()["passage"]) == ([], "the old words")


def test_a_candidate_without_a_certain_place_has_none() -> None:
    item = queue_item(outcome(Label("q", 1, one_of(Span(0, 4), Span(5, 9)))), "", "abcd", {})
    assert item is not None
    assert {row["start"] for row in item.to_row()["candidates"]} == {None}
