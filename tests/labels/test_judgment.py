"""A judgment names a passage, in one range or several, and how much of it is known."""

from typing import Any

import pytest
from hypothesis import given
from label_strategies import judgments
from pydantic import ValidationError
from strategies import law

from evalspan.anchoring import make_anchor
from evalspan.labels import Candidate, ChunkLabel, Judgment, PendingLabel, Range, RetiredLabel
from evalspan.provenance import Provenance
from evalspan.spans import Span

TEXT = "The fee is five pounds a day."
BY = Provenance(by="a tester", at="2026-03-01T09:30:00Z")


def judgment(**changes: Any) -> Judgment:
    values = {"doc_id": "d", "start": 0, "end": 7, "grade": 1, "anchor": make_anchor(TEXT, Span(0, 7))}
    return Judgment.model_validate({**values, **changes})


@law
@given(judgments())
def test_its_spans_are_its_own_and_those_of_its_pieces(one: Judgment) -> None:
    assert one.spans == (one.span, *(Span(part.start, part.end) for part in one.also))
    assert one.place == (one.doc_id, *one.span)


@pytest.mark.parametrize(
    ("origin", "wide", "coarse"),
    [("span", None, False), ("chunk", None, True), ("chunk", Range(start=0, end=20), False)],
)
def test_a_whole_old_chunk_is_coarse_until_it_is_narrowed(origin: str, wide: Range | None, coarse: bool) -> None:
    assert judgment(origin=origin, wide=wide).coarse is coarse


@pytest.mark.parametrize("kind", [Range, Candidate])
@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 3), (4, 2)])
def test_an_empty_range_is_refused_wherever_it_stands(kind: type[Range], start: int, end: int) -> None:
    more = {"doc_id": "d"} if kind is Candidate else {}
    with pytest.raises(ValidationError):
        kind.model_validate({"start": start, "end": end, **more})
    with pytest.raises(ValidationError):
        judgment(wide={"start": start, "end": end})


@pytest.mark.parametrize("label", [judgment(), ChunkLabel(chunk_id="c", grade=1)])
def test_what_waits_or_is_retired_comes_back_as_the_kind_of_label_it_was(label: Judgment | ChunkLabel) -> None:
    for kept in (
        PendingLabel(label=label, snapshot_digest="0", reason="missing"),
        RetiredLabel(label=label, snapshot_digest="0", provenance=BY),
    ):
        again = type(kept).model_validate_json(kept.model_dump_json())
        assert again == kept
        assert type(again.label) is type(label)


def test_a_reason_to_wait_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValidationError):
        PendingLabel.model_validate({"label": judgment(), "snapshot_digest": "0", "reason": "mood"})


@pytest.mark.parametrize(("start", "end", "fits"), [(7, 9, True), (6, 9, False), (0, 7, False), (2, 3, False)])
def test_pieces_of_a_passage_may_touch_and_share_no_text(start: int, end: int, fits: bool) -> None:
    part = {"start": start, "end": end, "anchor": make_anchor(TEXT, Span(start, end))}
    if fits:
        assert len(judgment(also=[part]).spans) == 2
    else:
        with pytest.raises(ValidationError, match="overlap each other"):
            judgment(also=[part])
