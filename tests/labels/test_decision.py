"""A decision is known by what was decided on and why it was asked, never by chunks or by its maker."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from label_strategies import names
from strategies import law

from evalspan.anchoring import make_anchor
from evalspan.labels import Action, DecidedSpan, Decision, DecisionKey
from evalspan.provenance import Provenance
from evalspan.spans import Span

TEXT = "The fee is five pounds a day."
SPAN = DecidedSpan(doc_id="d", start=0, end=7, anchor=make_anchor(TEXT, Span(0, 7)))


def decision(**changes: Any) -> Decision:
    values: dict[str, Any] = {
        "item": "0a1b",
        "query_id": "q",
        "doc_id": "d",
        "reason": "cut",
        "asked": "1" * 32,
        "action": Action.NARROW,
        "spans": (SPAN,),
        "snapshot_digest": "0" * 32,
        "provenance": Provenance(by="a tester", at="2026-03-01T09:30:00Z"),
    }
    return Decision(**{**values, **changes})


def test_the_key_is_of_the_span_that_was_decided_on() -> None:
    assert decision().key == DecisionKey("q", "", "d", SPAN.anchor.digest, "cut")


def test_without_a_span_it_is_of_what_was_asked() -> None:
    assert decision(spans=(), action=Action.RETIRE).key.digest == "1" * 32


@pytest.mark.parametrize(
    "changes",
    [
        {"item": "ffff"},
        {"asked": "2" * 32},
        {"snapshot_digest": "9" * 32},
        {"action": Action.SET},
        {"provenance": Provenance(by="another", at="2027-01-01T00:00:00Z", why="again")},
        {"spans": (SPAN.model_copy(update={"start": 5, "end": 12}),)},
    ],
)
def test_the_same_passage_decided_again_has_the_same_key(changes: dict[str, Any]) -> None:
    assert decision(**changes).key == decision().key


@pytest.mark.parametrize(
    "changes", [{"query_id": "r"}, {"fact": "f"}, {"doc_id": "e"}, {"reason": "missing"}, {"spans": ()}]
)
def test_another_question_fact_document_reason_or_passage_has_another_key(changes: dict[str, Any]) -> None:
    assert decision(**changes).key != decision().key
    assert decision(**changes).key.name != decision().key.name


@law
@given(st.builds(DecisionKey, names, names, names, names, names))
def test_the_name_of_a_key_is_short_and_always_the_same(key: DecisionKey) -> None:
    assert key.name == DecisionKey(*key).name
    assert len(key.name) == 12
    assert set(key.name) <= set("0123456789abcdef")


def test_fields_of_a_key_do_not_run_into_each_other() -> None:
    assert DecisionKey("ab", "c", "d", "e", "f").name != DecisionKey("a", "bc", "d", "e", "f").name


def test_a_decision_comes_back_from_json_as_it_was() -> None:
    one = decision(either=True, grade=3, answer="Seven.")
    assert Decision.model_validate_json(one.model_dump_json(exclude_defaults=True)) == one
