"""Label Studio's annotations read as decisions."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import inked_texts, law, spans_of

from evalspan.errors import Problems
from evalspan.formats.annotations import read_annotations
from evalspan.formats.decisions import DecidedRange, DecisionRow
from evalspan.formats.labelstudio import render_tasks
from evalspan.labels import Action, Candidate
from evalspan.migrator.review import ReviewItem
from evalspan.text.units import Unit, from_code_points

from .helpers import found, refusal
from .review_items import DIGEST, TEXT, candidate, item

Json = dict[str, Any]


def reader(text: str | None = TEXT) -> Any:
    def read(path: Path, problems: Problems) -> list[DecisionRow]:
        return read_annotations(path, problems, lambda _: text)

    return read


def task(asked: ReviewItem | None = None, text: str = TEXT) -> Json:
    one: Json = json.loads("".join(render_tasks([asked or item()], lambda _: text, DIGEST)))[0]
    return one


def annotated(one: Json, *results: Json, **fields: Any) -> Json:
    done = {"id": 1, "completed_by": 7, "result": list(results), "was_cancelled": False, **fields}
    return {**one, "id": 3, "annotations": [*one.get("annotations", []), done]}


def region(words: str, within: str = TEXT, unit: Unit = Unit.UTF16, **value: Any) -> Json:
    start = within.index(words)
    first, last = from_code_points([start, start + len(words)], within, unit)
    said = {"start": first, "end": last, "text": words, "labels": ["evidence"], **value}
    return {"from_name": "label", "to_name": "text", "type": "labels", "origin": "manual", "value": said}


def choice(value: str, name: str = "decision") -> Json:
    return {"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": [value]}}


def words(value: str, name: str) -> Json:
    return {"from_name": name, "to_name": "text", "type": "textarea", "value": {"text": [value]}}


def read(*exported: Json, text: str | None = TEXT) -> tuple[list[DecisionRow], list[str]]:
    return found(reader(text), json.dumps(list(exported), ensure_ascii=False).encode())


def said_of(*results: Json) -> DecisionRow:
    rows, bad = read(annotated(task(), *results))
    assert bad == []
    return rows[0]


@pytest.mark.parametrize("unit", [Unit.UTF16, Unit.CODE_POINT])
def test_a_region_is_where_the_evidence_stands_in_either_unit(unit: Unit) -> None:
    row = said_of(region("返品は無料", unit=unit), choice("direct", "grade"), words("sure", "note"))
    start = TEXT.index("返品は無料")
    assert row == DecisionRow(
        item().name, Action.SET, (), (DecidedRange("a.md", start, start + 5),), False, 3, None, "sure",
        "Label Studio user 7", 1, item().seen,
    )  # fmt: skip


def test_several_regions_are_all_needed_unless_somebody_says_so() -> None:
    row = said_of(region("30 days"), region("Tents"))
    assert ([span.start for span in row.spans], row.either) == ([TEXT.index("30 days"), TEXT.index("Tents")], False)
    assert said_of(region("30 days"), region("Tents"), choice("either", "several")).either


@pytest.mark.parametrize("action", ["retire", "abstain", "defer", "reject", "accept"])
def test_a_choice_decides_without_a_region(action: str) -> None:
    assert said_of(choice(action)).action == action


def test_a_choice_goes_before_regions_that_came_as_predictions() -> None:
    row = said_of({**region("30 days"), "origin": "prediction"}, choice("retire"))
    assert (row.action, row.spans) == (Action.RETIRE, ())


def test_accepting_with_regions_sets_them() -> None:
    assert said_of(region("30 days"), choice("accept")).action is Action.SET


def test_a_new_answer_is_set() -> None:
    row = said_of(words("A month.", "answer"))
    assert (row.action, row.answer) == (Action.SET, "A month.")


def test_what_is_not_decided_is_passed_over() -> None:
    one = task()
    waiting = {**one, "annotations": []}
    skipped = annotated(one, region("30 days"), was_cancelled=True)
    assert read(waiting, skipped, annotated(one), annotated(one, region("30 days", labels=["asked"]))) == ([], [])


def test_white_space_and_line_ends_that_label_studio_loses_are_no_difference() -> None:
    passage = "free.\r\nWithin 30"
    for text in ("free. Within 30", "free.\\nWithin 30", "free.\n\nWithin 30"):
        assert said_of(region(passage, text=text)).spans[0].start == TEXT.index(passage)


def test_offsets_may_be_written_as_text() -> None:
    start = TEXT.index("30 days")
    assert said_of(region("30 days", start=str(start), end=str(start + 7))).spans[0].start == start


def test_a_region_of_a_window_is_moved_to_its_document() -> None:
    long = "".join(f"Line {number} of it.\n" for number in range(4000))
    asked = item("Line 2000 of", long)
    one = task(asked, long)
    rows, bad = read(annotated(one, region("2001 of", one["data"]["text"])), text=long)
    assert bad == []
    assert (rows[0].spans[0].start, rows[0].spans[0].end) == (long.index("2001 of"), long.index("2001 of") + 7)


def test_annotators_who_agree_are_one_decision_and_others_are_a_problem() -> None:
    one, regions = task(), [region("30 days"), region("Tents")]
    agreed = annotated(annotated(one, *regions), *reversed(regions), completed_by={"email": "b@x"})
    assert len(read(agreed)[0]) == 1
    other = annotated(annotated(one, *regions), choice("retire"), completed_by={"email": "b@x"})
    rows, bad = read(other)
    assert rows == []
    assert "by Label Studio user 7 and b@x disagree" in bad[0]
    settled = annotated(annotated(one, *regions), choice("retire"), ground_truth=True)
    assert read(settled)[0][0].action is Action.RETIRE


@pytest.mark.parametrize(
    ("results", "what"),
    [
        ([region("30 days", text="31 days")], "the region's text '31 days' stands neither"),
        ([region("30 days", start=0, end=7)], "stands neither"),
        ([region("30 days", start=5, end=5)], "stands neither"),
        ([region("30 days", end=9999)], "stands neither"),
        ([region("30 days", start=-1)], "a region without start, end or text"),
        ([region("30 days", text=" ")], "a region without start, end or text"),
        ([region("30 days", text=None)], "a region without start, end or text"),
        ([region("30 days", labels=["PER"])], "a region labelled 'PER'"),
        ([region("30 days"), choice("retire")], "a region drawn by hand, and is decided 'retire'"),
        ([choice("maybe")], "decision 'maybe' is not one of accept, reject"),
        ([choice("retire"), choice("defer")], "decision 'retire, defer' is not one of"),
        ([region("30 days"), choice("good", "grade")], "the grade is not one"),
    ],
)
def test_what_does_not_hold_is_told_with_its_line(results: list[Json], what: str) -> None:
    rows, bad = read(annotated(task(), *results))
    assert rows == []
    assert len(bad) == 1
    assert bad[0].startswith("1: item ")
    assert what in bad[0]


def test_a_region_that_stands_in_both_units_at_two_places_is_refused() -> None:
    text = "👍aa"
    one = task(item("aa", text), text)
    rows, bad = read(annotated(one, region("a", text, start=2, end=3)), text=text)
    assert rows == []
    assert "stands in both units, differently" in bad[0]


@pytest.mark.parametrize("text", [TEXT.replace("30", "31"), None])
def test_a_document_that_has_changed_since_is_refused(text: str | None) -> None:
    assert "says something else now; export the queue anew" in read(annotated(task(), region("Tents")), text=text)[1][0]


def test_a_region_of_a_document_that_is_gone_is_refused_and_a_choice_is_not() -> None:
    gone: Json = json.loads("".join(render_tasks([item(snapshot_digest="cd" * 16)], lambda _: None, DIGEST)))[0]
    assert "its document is gone" in read(annotated(gone, region("30", gone["data"]["text"])))[1][0]
    assert read(annotated(gone, choice("abstain")))[0][0].action is Action.ABSTAIN


def test_an_item_that_is_decided_twice_is_told() -> None:
    one = annotated(task(), choice("retire"))
    data = f"[{json.dumps(one)},\n\n{json.dumps(one)}]".encode()
    rows, bad = found(reader(), data)
    assert len(rows) == 1
    assert bad == [f"3: item {item().name!r} is decided on line 1 already"]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "is no JSON list of tasks"),
        (b'{"data": {}}', "is no JSON list of tasks"),
        (b"[", "not JSON"),
        (b'[\n{"data": {}} {}]', ":2: not JSON: the list does not end, or a comma is missing"),
        (b'[{"data": {"item": "x"}}]', 'has no "annotations": export as JSON, not as JSON-MIN'),
        (b"[1]", 'not a task: an object with "data" is wanted'),
        (b'[{"data": {}}]', 'the task has no "item"'),
        (b'[\n\n{"data": nope}]', ":3: not JSON"),
        (b"[" + b"[" * 100_000, "not JSON"),
        (b'[{"data": NaN}]', "NaN is no JSON"),
        (b"[\n\xff]", ":2: not UTF-8"),
    ],
)
def test_a_file_that_is_no_export_is_refused(data: bytes, what: str) -> None:
    assert what in str(refusal(reader(), data))


@pytest.mark.parametrize("key", ["text", "doc_id", "offset"])
def test_data_that_were_changed_are_refused(key: str) -> None:
    one = task()
    one["data"][key] = 1.5
    assert "the data of its task were changed" in read(annotated(one, region("Tents")))[1][0]


@law
@given(st.data())
def test_a_prediction_that_is_taken_as_it_came_is_the_candidate(data: st.DataObject) -> None:
    text = data.draw(inked_texts)
    span = data.draw(spans_of(text).filter(lambda one: bool(one.of(text).strip())))
    asked = item(text, text, candidates=(Candidate(doc_id="a.md", start=span.start, end=span.end),))
    one = task(asked, text)
    rows, bad = read(annotated(one, *one["predictions"][0]["result"]), text=text)
    if bad:  # the same words stand there in code points too
        assert "stands in both units" in bad[0]
    else:
        assert rows[0].spans == (DecidedRange("a.md", span.start, span.end),)


def test_candidates_come_back() -> None:
    one = task(item(candidates=(candidate("Tents cost"),)))
    rows, _ = read(annotated(one, *one["predictions"][0]["result"]))
    assert rows[0].spans == (DecidedRange("a.md", TEXT.index("Tents"), TEXT.index("Tents") + 10),)
