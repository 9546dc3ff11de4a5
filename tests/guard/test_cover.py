"""Which labelled passages an index holds: all its chunks together, in non-blank characters."""

from typing import Any

from small_sets import judgment, question

from evalspan.anchoring import Match, Status
from evalspan.corpus import Chunk
from evalspan.guard.cover import Cover, Passage, passages_of
from evalspan.labels import EvalSet, SetTerms
from evalspan.spans import Span

TEXT = "One two. Three four. Five six."


def a_set(*questions: Any) -> EvalSet:
    return EvalSet("faq", 1, SetTerms(snapshot_digest="0" * 32), questions)


def a_chunk(start: int, end: int) -> Chunk:
    span = Span(start, end)
    return Chunk("c", "d", Match(span, Status.EXACT, True), "0" * 32)


def a_passage(*spans: tuple[int, int], needed: float = 0.5) -> Passage:
    return Passage("q1", "d", tuple(Span(*span) for span in spans), needed)


def test_relevant_labels_of_questions_that_are_asked_are_looked_for() -> None:
    found = passages_of(
        a_set(
            question(judgment("d", TEXT, "One two."), judgment("d", TEXT, "Five", grade=0), query_id="q1"),
            question(judgment("d", TEXT, "Three", tabular=True, also=("six",)), query_id="q2"),
        )
    )
    assert found == [
        Passage("q1", "d", (Span(0, 8),), 0.5),
        Passage("q2", "d", (Span(9, 14), Span(26, 29)), 1.0),
    ]


def uncovered(cover: Cover, cut: bool = False) -> list[Passage]:
    return list(cover.uncovered("d", TEXT, cut))


def test_pieces_count_together_and_blanks_do_not() -> None:
    passage = a_passage((0, 20), needed=1.0)
    cover = Cover([passage])
    cover.add_held("d", [Span(0, 8)])
    assert uncovered(cover) == [passage]
    cover.add_held("d", [Span(9, 20)])
    assert uncovered(cover) == []


def test_half_is_enough_where_the_set_says_so() -> None:
    cover = Cover([a_passage((0, 20)), a_passage((21, 30))])
    cover.add_held("d", [Span(9, 30)])
    assert uncovered(cover) == []


def test_what_the_chunking_leaves_out_itself_is_not_told_here() -> None:
    passage = a_passage((21, 30))
    cover = Cover([passage])
    assert not cover.add_cut(a_chunk(0, 20))
    assert uncovered(cover, cut=True) == []
    assert uncovered(cover) == [passage]
    assert cover.add_cut(a_chunk(20, 30))
    assert uncovered(cover, cut=True) == [passage]


def test_other_documents_are_no_ground() -> None:
    passage = a_passage((0, 8))
    cover = Cover([passage])
    cover.add_held("e", [Span(0, 30)])
    assert cover.documents == ["d"]
    assert uncovered(cover) == [passage]


def test_a_blank_passage_is_always_held() -> None:
    assert uncovered(Cover([a_passage((8, 9))])) == []
