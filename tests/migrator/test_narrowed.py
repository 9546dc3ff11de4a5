"""A narrowing makes a label precise where it is certain, and keeps the wide range."""

import pytest
from strategies import missing, sure

from evalspan.labels import Question
from evalspan.mapping import Label
from evalspan.migrator import (
    How,
    Narrowing,
    WideLabel,
    chunk_judgment,
    narrow_labels,
    narrowed,
    narrowed_label,
    wide_label,
)
from evalspan.spans import Span

TEXT = "The library opens at nine in the morning. A fine of five pounds is due for every book that is late."
WIDE = Span(0, len(TEXT))
LABEL = Label("q", 1, sure(WIDE), "old", coarse=True)


def narrowing(*answers: str) -> Narrowing:
    asked = {"q": Question(query_id="q", text="How high is the fine?", reference_answers=answers)}
    found = narrow_labels(TEXT, [WideLabel("q", WIDE)], asked)[0]
    assert found is not None
    return found


def test_a_certain_one_makes_the_label_precise() -> None:
    label = narrowed_label(LABEL, narrowing("five pounds"))
    assert label.match.span is not None
    assert (label.match.span.of(TEXT), label.coarse, label.wide, label.evidence) == ("five pounds", False, WIDE, ())


def test_a_likely_one_stands_beside_the_whole_chunk() -> None:
    label = narrowed_label(LABEL, narrowing())
    assert (label.match.span, label.coarse, label.wide) == (WIDE, True, None)
    assert TEXT[slice(*label.evidence[0][:2])].startswith("A fine")


def test_without_one_the_label_stays_as_it_is() -> None:
    assert narrowed_label(LABEL, None) == LABEL


@pytest.mark.parametrize(
    "label",
    [LABEL._replace(coarse=False), LABEL._replace(grade=0), LABEL._replace(match=missing())],
    ids=["precise", "not relevant", "gone"],
)
def test_only_relevant_whole_chunks_at_a_certain_place_are_narrowed(label: Label) -> None:
    assert wide_label(label) is None
    assert wide_label(LABEL) == WideLabel("q", WIDE)


def test_the_judgment_is_precise_finds_itself_again_and_keeps_the_chunk() -> None:
    whole = chunk_judgment(TEXT, "d", WIDE, "old", 2)
    judgment = narrowed(whole, narrowing("five pounds"), TEXT)
    assert (judgment.span.of(TEXT), judgment.grade, judgment.chunk_id) == ("five pounds", 2, "old")
    assert judgment.wide is not None
    assert (judgment.wide.span, judgment.coarse, whole.coarse) == (WIDE, False, True)
    assert judgment.anchor != whole.anchor
    assert judgment.narrowed_by == How.VERBATIM.value
