"""A set of the store onto a chunking of the store."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_sets import (
    CARD,
    FINE,
    HOURS,
    INTRO,
    LENDING,
    LOAN,
    OTHER,
    coarse,
    judgment,
    put_chunking,
    put_set,
    put_snapshot,
    question,
    the_question,
)

from evalspan.errors import BadInput, Conflict, NotFound
from evalspan.labels import ChunkLabel, Judgment
from evalspan.mapping import derive_qrels
from evalspan.store import ChunkingRecord, SnapshotRecord, Store, create_store
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.qrels import qrels
from evalspan.workflows.rebase import rebase
from evalspan.workflows.review import review_queue

FIRST = {"lending": LENDING, "other": OTHER}
BOTH = f"{LOAN} {FINE}"
ANSWER = "21 days"


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Store]:
    """Where the database does not matter."""
    address = str(tmp_path / "lite.db")
    create_store(address)
    with Store.open(address) as opened:
        yield opened


def old_cut(store: Store, snapshot: SnapshotRecord, *unplaced: str) -> ChunkingRecord:
    """old-1: both sentences about loans; old-2: the card."""
    return put_chunking(store, "old", snapshot, {"lending": [BOTH, CARD]}, unplaced)


def new_cut(store: Store, snapshot: SnapshotRecord) -> ChunkingRecord:
    """new-1: up to the loan; new-2: the fine; new-3: the rest."""
    at = LENDING.index(FINE), LENDING.index(CARD)
    return put_chunking(store, "new", snapshot, {"lending": [LENDING[: at[0]], LENDING[slice(*at)], LENDING[at[1] :]]})


def put_labels(store: Store, *labels: ChunkLabel, unplaced: str = "", **more: Any) -> None:
    snapshot = put_snapshot(store, "first", FIRST)
    old = old_cut(store, snapshot, unplaced)
    put_set(store, snapshot, question(*labels, **more), chunking_identity=old.identity)
    new_cut(store, snapshot)


def test_labels_of_chunks_are_tied_and_narrowed_in_a_new_version(store: Store) -> None:
    put_labels(store, ChunkLabel(chunk_id="old-1", grade=3), ChunkLabel(chunk_id="old-2", grade=0), answers=[ANSWER])
    result = migrate_set("faq", "new", store=store, why="spring")
    assert result.recorded is not None
    assert result.recorded.eval_set == "faq@2"
    assert result.clean
    assert result.offers is not None
    assert result.offers.narrowed == 1
    loan, card = the_question(store).judgments
    assert (loan.span.of(LENDING), loan.wide is not None, loan.chunk_id) == (ANSWER, True, "old-1")
    assert (card.span.of(LENDING), card.coarse, card.grade) == (CARD, True, 0)
    newest = store.find_version("faq")
    assert newest.terms.chunking_identity is None
    assert store.eval_set(store.find_version("faq@1")).questions[0].chunk_labels[0].chunk_id == "old-1"
    assert qrels("faq", "new", store=store).as_dict() == {"q1": {"new-1": 3}}


def test_a_label_whose_chunk_has_no_certain_place_stays_as_it_came_and_waits(lite: Store) -> None:
    labels = (ChunkLabel(chunk_id=f"old-{n}", grade=2) for n in (1, 2))
    put_labels(lite, *labels, unplaced="old-2", answers=[ANSWER])
    result = migrate_set("faq", "new", store=lite)
    assert not result.clean
    asked = the_question(lite)
    assert [one.chunk_id for one in asked.chunk_labels] == ["old-2"]
    assert lite.find_version("faq").terms.chunking_identity is not None
    assert qrels("faq", "new", store=lite).as_dict() == {}
    assert [item.reason for item in review_queue("faq", store=lite).items if item.holds] == ["repeated"]


def test_migrating_again_changes_no_label_and_makes_no_version(lite: Store) -> None:
    put_labels(lite, ChunkLabel(chunk_id="old-1", grade=3), answers=[ANSWER])
    first = migrate_set("faq", "new", store=lite)
    again = migrate_set("faq", "new", store=lite)
    assert [one.number for one in lite.versions("faq")] == [1, 2]
    assert first.tally == again.tally
    assert [one.version.number for one in lite.mappings()] == [2, 2]


def test_an_older_version_is_mapped_as_it_is_and_not_tied(lite: Store) -> None:
    put_labels(lite, ChunkLabel(chunk_id="old-1", grade=3), answers=[ANSWER])
    migrate_set("faq", "new", store=lite)
    with pytest.raises(Conflict, match="faq@1 has been followed by faq@2"):
        migrate_set("faq@1", "old", store=lite)
    migrate_set("faq@2", "old", store=lite)
    assert len(lite.versions("faq")) == 2


def test_a_cut_of_another_corpus_is_refused_with_what_to_type(lite: Store) -> None:
    put_labels(lite, ChunkLabel(chunk_id="old-1", grade=3))
    second = put_snapshot(lite, "second", {**FIRST, "new": "More.\n"})
    put_chunking(lite, "later", second, {"lending": [LENDING]})
    with pytest.raises(BadInput, match="evalspan rebase faq --to second"):
        migrate_set("faq", "later", store=lite)
    with pytest.raises(NotFound):
        migrate_set("faq", "nothing", store=lite)
    assert (len(lite.versions("faq")), lite.mappings()) == (1, [])


# What waits


def lose_one_of_two(store: Store, **more: Any) -> None:
    """The loan waits since the corpus changed; the card is clean."""
    labels = judgment("lending", LENDING, LOAN, grade=more.pop("grade", 3)), judgment("lending", LENDING, CARD)
    put_set(store, put_snapshot(store, "first", FIRST), question(*labels, **more))
    text = LENDING.replace("21 days", "14 days")
    second = put_snapshot(store, "second", {**FIRST, "lending": text})
    rebase("faq", store=store)
    put_chunking(store, "new", second, {"lending": [text[:230], text[230:]]})


def test_a_question_of_which_a_label_lost_its_place_is_not_decided(lite: Store, tmp_path: Path) -> None:
    lose_one_of_two(lite)
    result = migrate_set("faq", "new", out=tmp_path / "out", store=lite)
    assert (result.tally.total, result.decided, result.waiting) == (1, 0, 1)
    assert (tmp_path / "out" / "qrels.txt").read_text("utf-8") == ""


def test_a_question_of_which_a_label_lost_its_place_has_no_qrels(lite: Store) -> None:
    lose_one_of_two(lite)
    migrate_set("faq", "new", store=lite)
    found = qrels("faq", "new", store=lite)
    assert found.as_dict() == {}
    assert list(found.waiting) == ["q1"]


def test_a_harmful_passage_that_lost_its_place_does_not_hold_its_question_back(lite: Store) -> None:
    lose_one_of_two(lite, grade=-1)
    assert (migrate_set("faq", "new", store=lite).waiting, len(the_question(lite).pending)) == (0, 1)


def test_a_question_that_is_no_longer_asked_has_no_qrels_and_waits_for_nothing(lite: Store) -> None:
    snapshot = put_snapshot(lite, "first", FIRST)
    new_cut(lite, snapshot)
    gone = question(coarse("lending", LENDING, BOTH), retired=True)
    asked = question(judgment("lending", LENDING, CARD), judgment("lending", LENDING, HOURS), query_id="q2")
    put_set(lite, snapshot, gone, asked)
    result = migrate_set("faq", "new", store=lite)
    assert (result.tally.total, result.clean, result.waiting) == (2, True, 0)
    (mapping,) = lite.mappings()
    assert lite.waiting_questions(mapping) == 0
    assert {one.query_id for one in lite.outcomes(mapping)} == {"q2"}
    assert review_queue("faq", store=lite).items == ()
    lose = question(judgment("lending", LENDING, LOAN), retired=True)
    put_set(lite, snapshot, lose, name="gone")
    assert migrate_set("gone", "new", store=lite).waiting == 0


def test_the_queue_names_the_label_that_an_outcome_is_of(lite: Store) -> None:
    snapshot = put_snapshot(lite, "first", FIRST)
    new_cut(lite, snapshot)
    wide = coarse("lending", LENDING, BOTH)
    others = [question(judgment("lending", LENDING, CARD), retired=n == 1, query_id=f"q{n}") for n in (0, 1, 3)]
    put_set(
        lite, snapshot, *others, question(judgment("lending", LENDING, HOURS), wide, query_id="q2"), min_overlap=0.8
    )
    migrate_set("faq", "new", store=lite)
    held = [item for item in review_queue("faq", store=lite).items if item.holds]
    assert [(item.query_id, item.subject) for item in held] == [("q2", wide)]


# Twins


def with_copy(store: Store, *labels: Judgment, **more: Any) -> SnapshotRecord:
    snapshot = put_snapshot(store, "first", {"lending": LENDING, "copy": f"{OTHER}{LOAN}\n"})
    put_set(store, snapshot, question(*(labels or (judgment("lending", LENDING, LOAN),)), **more))
    put_chunking(store, "new", snapshot, {"lending": [LENDING], "copy": [OTHER.strip(), LOAN]})
    return snapshot


def test_copies_are_offered_and_change_nothing_until_somebody_takes_them(lite: Store) -> None:
    with_copy(lite)
    result = migrate_set("faq", "new", store=lite)
    assert result.offers is not None
    assert (result.offers.twins, result.offers.proposals) == (1, 1)
    assert len(lite.versions("faq")) == 1
    (item,) = review_queue("faq", store=lite).items
    assert (item.reason, item.doc_id, item.passage) == ("twin", "copy", LOAN)


def test_copies_are_taken_as_alternatives_where_that_is_wanted(store: Store) -> None:
    with_copy(store)
    migrate_set("faq", "new", twins="accept", store=store)
    one, copy = the_question(store).judgments
    assert (copy.doc_id, copy.alternative) == ("copy", one.alternative)
    assert copy.provenance is not None
    assert "lending" in copy.provenance.why
    assert qrels("faq", "new", store=store).as_dict() == {"q1": {"new-2": 3, "new-3": 3}}
    migrate_set("faq", "new", twins="accept", store=store)
    assert len(store.versions("faq")) == 2


def test_copies_are_not_looked_for_where_that_is_wanted(lite: Store) -> None:
    with_copy(lite)
    migrate_set("faq", "new", twins="ignore", store=lite)
    assert review_queue("faq", store=lite).items == ()


def test_a_copy_of_a_harmful_passage_is_harmful(lite: Store) -> None:
    with_copy(lite, judgment("lending", LENDING, LOAN, grade=-1), judgment("lending", LENDING, CARD))
    migrate_set("faq", "new", twins="accept", store=lite)
    assert [(one.doc_id, one.grade) for one in the_question(lite).judgments] == [
        ("lending", -1),
        ("lending", 3),
        ("copy", -1),
    ]


def test_copies_of_copies_are_one_offer_and_one_alternative(lite: Store) -> None:
    texts = {"lending": LENDING, "b": f"{OTHER}{LOAN}\n", "c": f"{INTRO}{LOAN}\n"}
    snapshot = put_snapshot(lite, "first", texts)
    labels = judgment("lending", LENDING, LOAN), judgment("b", texts["b"], LOAN)
    put_set(lite, snapshot, question(*labels))
    put_set(lite, snapshot, question(*labels), name="other")
    put_chunking(lite, "new", snapshot, {"lending": [LENDING]})
    migrate_set("faq", "new", store=lite)
    assert [item.doc_id for item in review_queue("faq", store=lite).items if item.reason == "twin"] == ["c"]
    migrate_set("other", "new", twins="accept", store=lite)
    judged = the_question(lite, name="other").judgments
    assert sorted(one.doc_id for one in judged) == ["b", "c", "lending"]
    assert len({one.alternative for one in judged}) == 1


# Atomicity


def test_a_folder_that_can_not_be_written_keeps_the_store_as_it_was(lite: Store, tmp_path: Path) -> None:
    put_labels(lite, ChunkLabel(chunk_id="old-1", grade=3), answers=[ANSWER])
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(BadInput):
        migrate_set("faq", "new", out=tmp_path / "full", store=lite)
    assert (len(lite.versions("faq")), lite.mappings()) == (1, [])


def test_the_report_says_what_the_store_holds(lite: Store) -> None:
    put_labels(lite, *(ChunkLabel(chunk_id=f"old-{n}", grade=2) for n in (1, 2)), unplaced="old-2")
    result = migrate_set("faq", "new", store=lite)
    (mapping,) = lite.mappings()
    assert mapping.tally == result.tally
    derived = derive_qrels(lite.outcomes(mapping), mapping.min_overlap)
    assert len(derived.waiting) == result.waiting == lite.waiting_questions(mapping)
