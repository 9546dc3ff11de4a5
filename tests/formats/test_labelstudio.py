"""The review queue as tasks of Label Studio."""

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import inked_texts, law, spans_of

from evalspan.formats.labelstudio import ASKED, EVIDENCE, MARGIN, SNAP, WHOLE, render_config, render_tasks
from evalspan.labels import Candidate
from evalspan.migrator.review import ReviewItem
from evalspan.text.units import Unit

from .review_items import DIGEST, TEXT, candidate, item

LONG = "".join(f"Line {number} of a long document.\n" for number in range(4000))


def tasks(*queue: ReviewItem, text: str | None = TEXT, digest: str = DIGEST, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads("".join(render_tasks(queue, lambda _: text, digest, **options)))
    return found


def regions(task: dict[str, Any], label: str) -> list[dict[str, Any]]:
    results = [result for prediction in task["predictions"] for result in prediction["result"]]
    return [result["value"] for result in results if result["value"]["labels"] == [label]]


def test_an_empty_queue_is_an_empty_list() -> None:
    assert tasks() == []


def test_a_task_is_a_line_and_holds_what_is_needed_to_come_back() -> None:
    lines = "".join(render_tasks([item(), item(query_id="q2")], lambda _: TEXT, DIGEST)).splitlines()
    assert len(lines) == 4
    data = tasks(item(note="look"), answers={"q1": ["A month."]})[0]["data"]
    assert (data["text"], data["item"], data["doc_id"], data["offset"]) == (TEXT, item().name, "a.md", 0)
    assert data["about"] == f"cut (item {item().name})\nanswer: A month.\nnote: look"


def test_offsets_are_utf_16_and_cr_lf_is_two() -> None:
    first, second = candidate("30 days"), candidate("返品")
    (task,) = tasks(item(candidates=(first, second)))
    assert [prediction["score"] for prediction in task["predictions"]] == [1.0, 0.5]
    values = regions(task, EVIDENCE)
    assert (values[0]["start"], values[0]["end"]) == (first.start, first.end)  # CR LF before it is two either way
    assert (values[1]["start"], values[1]["end"]) == (second.start + 1, second.end + 1)  # an emoji before it
    assert [value["text"] for value in values] == ["30 days", "返品"]
    (plain,) = tasks(item(candidates=(first, second)), unit=Unit.CODE_POINT)
    assert regions(plain, EVIDENCE)[1]["start"] == second.start


def test_the_passage_is_shown_with_every_candidate_and_alone_without_one() -> None:
    (task,) = tasks(item(candidates=(candidate("30 days"), candidate("of delivery"))))
    assert len(regions(task, ASKED)) == 2
    (alone,) = tasks(item())
    assert [value["text"] for value in regions(alone, ASKED)] == [item().passage]


def test_a_passage_of_another_snapshot_is_told_and_not_drawn() -> None:
    moved = item(snapshot_digest="cd" * 16, doc_id="old.md", candidates=(candidate("Tents"),))
    (task,) = tasks(moved)
    assert task["data"]["doc_id"] == "a.md"
    assert "passage: 30 days 👍 of delivery" in task["data"]["about"]
    assert regions(task, ASKED) == []


def test_of_a_document_that_is_gone_the_passage_is_sent() -> None:
    (task,) = tasks(item(snapshot_digest="cd" * 16), text=None)
    assert (task["data"]["text"], task["data"]["doc_id"]) == (item().passage, None)
    assert regions(task, EVIDENCE) == []


def test_candidates_of_another_document_are_listed_only() -> None:
    elsewhere = Candidate(doc_id="b.md", start=0, end=4)
    (task,) = tasks(item(candidates=(candidate("30 days"), elsewhere)))
    assert len(regions(task, EVIDENCE)) == 1
    assert [one["doc_id"] for one in task["data"]["candidates"]] == ["a.md", "b.md"]


def test_of_a_long_document_a_window_is_sent() -> None:
    asked = item("Line 2000 of", LONG, candidates=(candidate("Line 2001", LONG),))
    (task,) = tasks(asked, text=LONG)
    data = task["data"]
    assert 2 * MARGIN < len(data["text"]) < 2 * (MARGIN + SNAP) + 100
    assert LONG[data["offset"] :].startswith(data["text"])
    assert data["text"].startswith("Line ")
    (value,) = regions(task, EVIDENCE)
    assert data["text"][value["start"] : value["end"]] == "Line 2001"


def test_candidates_too_far_apart_for_a_window_are_listed_only() -> None:
    far = (candidate("Line 100 ", LONG), candidate("Line 3900", LONG))
    (task,) = tasks(item("Line 100 ", LONG, ranges=(), candidates=far), text=LONG)
    assert [value["text"] for value in regions(task, EVIDENCE)] == ["Line 100 "]
    assert len(task["data"]["text"]) < WHOLE


@law
@given(st.data())
def test_every_region_says_what_stands_there(data: st.DataObject) -> None:
    text = data.draw(inked_texts)
    spans = data.draw(st.lists(spans_of(text), min_size=1, max_size=3))
    asked = item(
        text,
        text,
        ranges=tuple(map(tuple, spans)),
        candidates=tuple(Candidate(doc_id="a.md", start=start, end=end) for start, end in spans),
    )
    (task,) = tasks(asked, text=text)
    units = task["data"]["text"].encode("utf-16-le")
    for value in (*regions(task, EVIDENCE), *regions(task, ASKED)):
        assert units[2 * value["start"] : 2 * value["end"]].decode("utf-16-le") == value["text"]


def test_the_interface_is_xml_that_names_what_the_tasks_name() -> None:
    root = ElementTree.fromstring(render_config())
    assert {label.get("value") for label in root.iter("Label")} == {EVIDENCE, ASKED}
    data = tasks(item())[0]["data"]
    used = {value[1:] for element in root.iter() if (value := element.get("value", "")).startswith("$")}
    assert used <= data.keys()
    names = {element.get("name") for element in root.iter() if element.get("name")}
    assert names == {"about", "label", "text", "several", "decision", "grade", "answer", "note"}


@pytest.mark.parametrize("name", ["decision", "grade"])
def test_one_choice_of_each_is_taken(name: str) -> None:
    root = ElementTree.fromstring(render_config())
    (choices,) = (element for element in root.iter("Choices") if element.get("name") == name)
    assert choices.get("choice", "").startswith("single")
