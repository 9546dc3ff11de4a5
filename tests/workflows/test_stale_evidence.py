"""What a stale answer rests on, as it was and as it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from small_sets import CARD, LENDING, LOAN, OTHER, judgment, put_set, put_snapshot, question, row, the_question

from evalspan.store import Store, create_store
from evalspan.workflows.deciding import decide
from evalspan.workflows.rebase import rebase
from evalspan.workflows.review import apply_decisions, review_queue
from evalspan.workflows.stale_evidence import Evidence, stale_evidence
from evalspan.workflows.texts import Texts

FOURTEEN = LENDING.replace("21 days", "14 days")
NOW = LOAN.replace("21", "14")


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Store]:
    """A set whose answer became stale."""
    address = str(tmp_path / "lite.db")
    create_store(address)
    with Store.open(address) as store:
        first = put_snapshot(store, "first", {"lending": LENDING, "other": OTHER})
        labels = judgment("lending", LENDING, LOAN), judgment("lending", LENDING, CARD)
        put_set(store, first, question(*labels, answers=["21 days"]))
        yield store


def evidence(store: Store) -> list[Evidence]:
    return stale_evidence(store, store.find_version("faq"), the_question(store), Texts(store))


def decide_and_apply(store: Store, action: str, *candidates: int) -> None:
    item = next(item for item in review_queue("faq", store=store).items if item.holds)
    decide("faq", [row(item, action, *candidates)], store=store)
    apply_decisions("faq", store=store)


def test_an_answer_that_is_not_stale_rests_on_nothing_to_look_at(lite: Store) -> None:
    assert evidence(lite) == []


def test_a_label_that_waits_is_shown_with_the_likeliest_place(lite: Store) -> None:
    put_snapshot(lite, "second", {"lending": FOURTEEN, "other": OTHER})
    rebase("faq", store=lite)
    assert evidence(lite) == [Evidence("lending", "waits", LOAN, NOW)]


def test_once_its_place_is_decided_it_is_looked_for_in_the_text_the_answer_was_written_against(lite: Store) -> None:
    put_snapshot(lite, "second", {"lending": FOURTEEN, "other": OTHER})
    rebase("faq", store=lite)
    decide_and_apply(lite, "accept", 1)
    assert evidence(lite) == [Evidence("lending", "stands", LOAN, NOW)]


def test_of_a_retired_label_there_is_only_what_was(lite: Store) -> None:
    put_snapshot(lite, "second", {"lending": FOURTEEN, "other": OTHER})
    rebase("faq", store=lite)
    decide_and_apply(lite, "retire")
    assert evidence(lite) == [Evidence("lending", "retired", LOAN, "")]


def test_of_a_document_that_is_gone_there_is_what_was(lite: Store) -> None:
    put_snapshot(lite, "second", {"other": OTHER})
    rebase("faq", store=lite)
    assert evidence(lite) == [Evidence("lending", "waits", LOAN, ""), Evidence("lending", "waits", CARD, "")]
