"""What people decide is recorded once, and everything that does not fit is told at once."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from small_sets import (
    CARD,
    FINE,
    HOURS,
    LENDING,
    LOAN,
    OTHER,
    coarse,
    judgment,
    put_chunking,
    put_set,
    put_snapshot,
    question,
    row,
    span_of,
    the_question,
)

from evalspan.errors import BadInput
from evalspan.formats.decisions import DecidedRange, DecisionRow
from evalspan.migrator.review import ReviewItem
from evalspan.store import Store, create_store
from evalspan.workflows.deciding import decide, says_again
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.rebase import rebase
from evalspan.workflows.review import apply_decisions, review_queue
from evalspan.workflows.review_files import export_queue, import_decisions
from evalspan.workflows.undo import undo_set

FIRST = {"lending": LENDING, "other": OTHER}
FOURTEEN = LENDING.replace("21 days", "14 days")
BOTH = f"{LOAN} {FINE}"
CUT = {"lending": [LENDING[: LENDING.index(FINE)], LENDING[LENDING.index(FINE) :]]}


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Store]:
    address = str(tmp_path / "lite.db")
    create_store(address)
    with Store.open(address) as opened:
        yield opened


def lose(store: Store) -> ReviewItem:
    """A label that lost its place."""
    put_set(store, put_snapshot(store, "first", FIRST), question(judgment("lending", LENDING, LOAN)))
    put_snapshot(store, "second", {**FIRST, "lending": FOURTEEN})
    rebase("faq", store=store)
    (item,) = review_queue("faq", store=store).items
    return item


def begin(store: Store, passage: str = BOTH) -> ReviewItem:
    """An old chunk that the new chunking cuts."""
    first = put_snapshot(store, "first", FIRST)
    put_set(store, first, question(coarse("lending", LENDING, passage)), min_overlap=0.8)
    put_chunking(store, "new", first, CUT)
    migrate_set("faq", "new", store=store)
    return next(item for item in review_queue("faq", store=store).items if item.holds)


def fill(path: Path, **said: Any) -> None:
    """Every row of an exported file."""
    rows = [{**json.loads(line), **said} for line in path.read_text("utf-8").splitlines()]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")


def place(passage: str, text: str = LENDING) -> tuple[int, int]:
    start, end = span_of(text, passage)
    return start, end


# Once


def test_what_is_decided_so_already_is_not_recorded_again_whoever_says_it(lite: Store) -> None:
    item = lose(lite)
    (first,) = decide("faq", [row(item, "accept", 1, by="Ada")], store=lite).records
    again = decide("faq", [row(item, "accept", by="Ben", note="I think so too")], store=lite)
    assert (again.records, again.repeated) == ((), (first,))
    assert lite.decisions("faq") == [first]


def test_a_second_persons_decision_names_the_one_it_takes_the_place_of(lite: Store) -> None:
    item = lose(lite)
    (first,) = decide("faq", [row(item, "accept", 1, by="Ada")], store=lite).records
    second = decide("faq", [row(item, "retire", by="Ben")], store=lite)
    assert (second.replaced, second.repeated) == ((first,), ())
    assert decide("faq", [row(item, "accept", 1, by="Ada")], store=lite).replaced == second.records
    assert len(lite.decisions("faq")) == 3


@pytest.mark.parametrize("said", [{"candidate": 1, "decision": "accept"}, {"decision": "retire"}])
def test_a_file_that_is_read_in_again_says_nothing_new_before_and_after_it_is_applied(
    lite: Store, tmp_path: Path, said: dict[str, Any]
) -> None:
    lose(lite)
    path = tmp_path / "queue.jsonl"
    export_queue("faq", path, store=lite)
    fill(path, by="Ada", **said)
    (record,) = import_decisions("faq", path, store=lite).records
    assert import_decisions("faq", path, store=lite).repeated == (record,)
    apply_decisions("faq", store=lite)
    version = lite.find_version("faq")
    again = import_decisions("faq", path, store=lite)
    assert (again.records, [one.id for one in again.repeated]) == ((), [record.id])
    assert (lite.find_version("faq"), len(lite.decisions("faq"))) == (version, 1)


def test_another_decision_about_what_is_applied_is_refused_with_who_decided(lite: Store) -> None:
    item = lose(lite)
    decide("faq", [row(item, "accept", 1, by="Ada")], store=lite)
    apply_decisions("faq", store=lite)
    for other in (row(item, "retire"), row(item, "accept", 2), row(item, "accept", 1, grade=1), row(item, "defer")):
        with pytest.raises(BadInput, match=r"Ada decided it on .* \(accept\), and that is applied"):
            decide("faq", [other], store=lite)


def test_what_was_set_aside_by_an_undo_can_be_decided_anew(lite: Store) -> None:
    item = lose(lite)
    decide("faq", [row(item, "accept", 1)], store=lite)
    apply_decisions("faq", store=lite)
    undo_set("faq", store=lite)
    assert len(decide("faq", [row(item, "accept", 1)], store=lite).records) == 1


def test_what_is_asked_again_after_it_was_applied_can_be_decided_again(lite: Store) -> None:
    item = lose(lite)
    decide("faq", [row(item, "accept", 1)], store=lite)
    before = lite.find_version("faq")
    apply_decisions("faq", store=lite)
    with lite.writing() as tx:  # as an import of the version before does
        bodies = [one.body() for one in lite.eval_set(before).questions]
        tx.add_version("faq", 3, before.terms, bodies, before.provenance)
    assert len(decide("faq", [row(item, "accept", 1)], store=lite).records) == 1
    apply_decisions("faq", store=lite)
    assert not the_question(lite).pending


def test_a_row_says_again_only_what_it_says_of_the_same_list(lite: Store) -> None:
    item = lose(lite)
    (record,) = decide("faq", [row(item, "accept", 1)], store=lite).records
    said = record.decision
    assert (said.chosen, said.seen) == ((1,), item.seen)
    seen = row(item, "accept", 1, seen=item.seen)
    assert says_again(seen, said)
    assert not says_again(seen._replace(seen="another"), said)
    assert not says_again(seen._replace(candidates=(2,)), said)
    assert not says_again(seen._replace(grade=2), said)
    spans = said.model_copy(update={"action": "set", "chosen": ()})
    (there,) = said.spans
    there_row = row(item, "set", at=[there.span])
    assert says_again(there_row, spans)
    assert says_again(there_row._replace(spans=(DecidedRange("lending", *there.span),)), spans)
    assert not says_again(there_row._replace(spans=(DecidedRange("other", *there.span),)), spans)


# At once


def file_of(rows: Sequence[object], tmp_path: Path) -> Path:
    path = tmp_path / "decided.jsonl"
    path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in rows), "utf-8")
    return path


def test_what_can_not_be_read_and_what_does_not_fit_are_told_together(lite: Store, tmp_path: Path) -> None:
    item = lose(lite)
    rows = [
        "no json",
        {"item": item.name, "decision": "accept", "candidate": 9},
        {"item": "feedfeedfeed", "decision": "retire"},
        {"item": "feedfeedfeef", "decision": "like"},
        {"item": "feedfeedfeee"},
    ]
    with pytest.raises(BadInput) as caught:
        import_decisions("faq", file_of(rows, tmp_path), store=lite)
    assert sorted(one.line or 0 for one in caught.value.problems) == [1, 2, 3, 4]
    assert "--skip-bad" in str(caught.value)
    assert lite.decisions("faq") == []


def test_all_of_it_is_left_out_where_that_is_asked_for(lite: Store, tmp_path: Path) -> None:
    item = lose(lite)
    rows: list[object] = [
        {"item": "feedfeedfeed", "decision": "retire"},
        {"item": "feedfeedfeee", "decision": "set", "start": 1, "end": 9},
        "no json",
        {"item": item.name, "decision": "retire"},
    ]
    done = import_decisions("faq", file_of(rows, tmp_path), skip_bad=True, store=lite)
    assert (len(done.records), [one.line for one in done.skipped]) == (1, [3, 1, 2])
    for bad in ({"decision": "accept", "candidate": 7}, {"decision": "set", "start": 5, "end": 99_999}):
        rows = [{"item": item.name, **bad}]
        done = import_decisions("faq", file_of(rows, tmp_path), skip_bad=True, store=lite)
        assert (done.records, [one.line for one in done.skipped]) == ((), [1])


def test_typed_decisions_are_not_told_of_an_option_that_they_have_not(lite: Store) -> None:
    lose(lite)
    with pytest.raises(BadInput) as caught:
        decide("faq", [row("feedfeed", "retire")], store=lite)
    assert "--skip-bad" not in str(caught.value)


# Places


def overlapping(item: ReviewItem) -> dict[str, tuple[DecisionRow, str]]:
    start, end = place(BOTH)
    return {
        "twice": (row(item, "accept", 1, 1), "candidate 1 is named twice"),
        "split over each other": (row(item, "split", at=[(start, start + 30), (start + 20, end)]), "overlap"),
        "split in equal parts": (row(item, "split", at=[(start, end - 9)] * 2), "is named twice"),
        "set over each other": (row(item, "set", at=[(start, start + 30), (start + 20, end)]), "overlap"),
        "merge over each other": (row(item, "merge", at=[(0, start + 30), (start + 20, end + 9)]), "overlap"),
        "split outside": (row(item, "split", at=[(0, 20), place(LOAN)]), "split takes ranges inside the passage"),
        "narrow to itself": (row(item, "narrow", at=[(start, end)]), "nothing would change"),
        "widen to itself": (row(item, "widen", at=[(start, end)]), "nothing would change"),
        "an answer": (row(item, "retire", answer="42"), "asks about a passage, and no reference answer"),
        "an answer with set": (row(item, "set", at=[place(LOAN)], answer="42"), "no reference answer"),
    }


NAMES = [
    "twice",
    "split over each other",
    "split in equal parts",
    "set over each other",
    "merge over each other",
    "split outside",
    "narrow to itself",
    "widen to itself",
    "an answer",
    "an answer with set",
]


@pytest.mark.parametrize("name", NAMES)
def test_places_that_make_no_passage_are_refused(lite: Store, name: str) -> None:
    item = begin(lite)
    wrong, why = overlapping(item)[name]
    with pytest.raises(BadInput, match=why):
        decide("faq", [wrong], store=lite)
    assert lite.decisions("faq") == []


def test_ranges_that_overlap_may_be_alternatives(lite: Store) -> None:
    item = begin(lite)
    start, end = place(BOTH)
    decide("faq", [row(item, "set", at=[(start, start + 40), (start + 20, end)], either=True)], store=lite)
    apply_decisions("faq", store=lite)
    assert len(the_question(lite).judgments) == 2


def test_all_of_a_whole_chunk_may_be_meant_and_is_precise_then(lite: Store) -> None:
    item = begin(lite)
    decide("faq", [row(item, "set", at=[place(BOTH)])], store=lite)
    apply_decisions("faq", store=lite)
    (label,) = the_question(lite).judgments
    assert (label.span.of(LENDING), label.coarse) == (BOTH, False)


def test_an_offer_in_two_places_is_accepted_in_both(lite: Store) -> None:
    item = begin(lite, f"{BOTH}\n\n{CARD}\n\n{HOURS}")
    assert len(decide("faq", [row(item, "split", at=[place(LOAN), place(CARD)])], store=lite).records) == 1
