"""Labels that name chunks become judgments, and those of whole chunks are narrowed where that is certain."""

from collections.abc import Sequence

from small_sets import CARD, FINE, HOURS, LENDING, LOAN, OTHER, coarse, judgment, question, span_of

from evalspan.anchoring import Match, Status
from evalspan.corpus import Chunk
from evalspan.digests import text_digest
from evalspan.labels import ChunkLabel, EvalSet, Fact, JudgedQuestion, SetTerms
from evalspan.migrator.narrow import Certainty
from evalspan.spans import Span
from evalspan.workflows.tie import Tied, coarse_documents, label_of, tie

BOTH = f"{LOAN} {FINE}"
TEXTS = {"lending": LENDING, "other": OTHER}


def chunk(chunk_id: str, *passages: str, sure: bool = True, same: bool = True) -> Chunk:
    """Joined from these passages."""
    spans = tuple(span_of(LENDING, passage) for passage in passages)
    whole = Span(spans[0].start, spans[-1].end) if spans else None
    status = Status.EXACT if sure else Status.AMBIGUOUS
    match = Match(whole, status, sure, same, 1.0, 1.0, spans)
    return Chunk(chunk_id, "lending", match, text_digest("\n".join(passages)))


def tied(questions: Sequence[JudgedQuestion], *chunks: Chunk) -> Tied:
    eval_set = EvalSet("faq", 1, SetTerms(snapshot_digest="now"), tuple(questions))
    old = {one.chunk_id: one for one in chunks}
    wanted = sorted(coarse_documents(eval_set, old))
    return tie(eval_set, old, [(doc_id, TEXTS[doc_id]) for doc_id in wanted])


def named(chunk_id: str, grade: int = 3, fact: str = "") -> ChunkLabel:
    return ChunkLabel(chunk_id=chunk_id, grade=grade, fact=fact)


def test_a_set_of_spans_stays_as_it_is() -> None:
    asked = question(judgment("lending", LENDING, LOAN))
    result = tied([asked])
    assert (result.chunks, result.narrowed, result.narrowings) == (0, 0, {})
    assert result.questions[0] is asked


def test_a_label_takes_the_place_of_its_chunk_with_all_that_was_said() -> None:
    asked = question(named("c1", 2, "loan"), facts=(Fact(fact_id="loan"),), text="")
    result = tied([asked], chunk("c1", BOTH))
    (label,) = result.questions[0].judgments
    assert (label.span.of(LENDING), label.grade, label.fact, label.chunk_id) == (BOTH, 2, "loan", "c1")
    assert (label.coarse, result.chunks, result.questions[0].chunk_labels) == (True, 1, ())


def test_a_label_whose_chunk_has_no_certain_place_or_says_something_else_stays_a_label() -> None:
    labels = [named(one) for one in ("repeated", "changed", "gone", "sure")]
    result = tied(
        [question(*labels, text="")],
        chunk("repeated", BOTH, sure=False),
        chunk("changed", BOTH, same=False),
        chunk("gone", sure=False),
        chunk("sure", CARD),
    )
    (asked,) = result.questions
    assert list(asked.chunk_labels) == labels[:3]
    assert [one.span.of(LENDING) for one in asked.judgments] == [CARD]


def test_a_chunk_that_was_joined_from_pieces_is_one_passage_in_pieces() -> None:
    result = tied([question(named("c1"), text="")], chunk("c1", LOAN, CARD))
    (label,) = result.questions[0].judgments
    assert [span.of(LENDING) for span in label.spans] == [LOAN, CARD]


def test_an_answer_that_stands_in_the_chunk_narrows_it_and_the_chunk_is_kept() -> None:
    result = tied([question(named("c1"), coarse("lending", LENDING, CARD), answers=["21 days"])], chunk("c1", BOTH))
    card, loan = result.questions[0].judgments
    assert (loan.span.of(LENDING), loan.coarse, result.narrowed) == ("21 days", False, 1)
    assert loan.wide is not None
    assert loan.wide.span == span_of(LENDING, BOTH)
    assert card.coarse


def test_without_an_answer_a_narrowing_is_offered_and_nothing_is_narrowed() -> None:
    wide = coarse("lending", LENDING, BOTH)
    result = tied([question(wide)])
    assert result.questions[0].judgments == (wide,)
    narrowing = result.narrowings["q1", wide]
    assert narrowing.certainty is not Certainty.CERTAIN
    assert narrowing.span.of(LENDING).strip() == LOAN


def test_what_is_not_relevant_is_tied_and_not_narrowed() -> None:
    for grade in (0, -1):
        result = tied([question(named("c1", grade), answers=["21 days"])], chunk("c1", BOTH))
        (label,) = result.questions[0].judgments
        assert (label.coarse, label.grade, result.narrowed, result.narrowings) == (True, grade, 0, {})


def test_questions_keep_their_order_and_labels_theirs() -> None:
    first = question(judgment("other", OTHER, OTHER[:40]), named("c1"), named("c2"), query_id="a", text="")
    second = question(named("c2"), query_id="b", text="")
    result = tied([first, second], chunk("c1", BOTH), chunk("c2", HOURS))
    assert [one.query_id for one in result.questions] == ["a", "b"]
    assert [one.doc_id for one in result.questions[0].judgments] == ["other", "lending", "lending"]
    assert [one.chunk_id for one in result.questions[0].judgments] == [None, "c1", "c2"]


def test_a_label_is_laid_over_chunks_with_all_its_pieces_and_its_old_chunk() -> None:
    label = judgment("lending", LENDING, LOAN, also=[CARD], tabular=True, grade=-1)
    laid = label_of("q1", label)
    assert (laid.match.places, laid.tabular, laid.grade, laid.coarse, laid.wide) == (label.spans, True, -1, False, None)
    wide = coarse("lending", LENDING, BOTH)
    narrowing = tied([question(wide)]).narrowings["q1", wide]
    assert label_of("q1", wide, narrowing).evidence == narrowing.candidates
