"""Label Studio: the review queue as its tasks. What comes back is read in `annotations`."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evalspan.labels import Action, Grade
from evalspan.spans import Span
from evalspan.text.units import Unit, from_code_points

if TYPE_CHECKING:
    from evalspan.migrator.review import ReviewItem

DocumentText = Callable[[str], str | None]
"""doc_id → its text in the set's own snapshot, None where that holds no such document."""

WHOLE = 20_000
"""A document of up to this many characters is sent whole, some ten pages; of a longer one a window."""

MARGIN = 4_000
"""Characters of a window on either side of what is asked: enough to look for the evidence nearby."""

SNAP = 400
"""How far a window reaches on to the end of a line."""

EVIDENCE, ASKED = "evidence", "asked"
"""Labels of regions: where the evidence stands, and the passage that is asked about, which is not read again."""

CHOICES = (Action.ACCEPT, Action.REJECT, Action.RETIRE, Action.ABSTAIN, Action.DEFER)
"""What can be decided without a region."""


def render_config() -> str:
    """The labelling interface that belongs to the tasks, as XML."""
    actions = "".join(f'\n    <Choice value="{action}"/>' for action in CHOICES)
    grades = "".join(f'\n    <Choice value="{grade.name.lower()}"/>' for grade in reversed(Grade))
    return f"""<View>
  <Style>.htx-text {{ white-space: pre-wrap; }}</Style>
  <Header value="$question"/>
  <Text name="about" value="$about" selectionEnabled="false"/>
  <Labels name="label" toName="text">
    <Label value="{EVIDENCE}" background="#2f9e44"/>
    <Label value="{ASKED}" background="#868e96"/>
  </Labels>
  <Text name="text" value="$text" saveTextResult="yes" granularity="symbol"/>
  <Header value="Several regions are all needed, unless:"/>
  <Choices name="several" toName="text" choice="multiple" showInline="true">
    <Choice value="either"/>
  </Choices>
  <Header value="Or, instead of a region:"/>
  <Choices name="decision" toName="text" choice="single-radio" showInline="true">{actions}
  </Choices>
  <Header value="Grade, where it is another one"/>
  <Choices name="grade" toName="text" choice="single-radio" showInline="true">{grades}
  </Choices>
  <Header value="A new reference answer"/>
  <TextArea name="answer" toName="text" maxSubmissions="1"/>
  <Header value="Note"/>
  <TextArea name="note" toName="text" maxSubmissions="1"/>
</View>
"""


def render_tasks(
    items: "Iterable[ReviewItem]",
    text_of: DocumentText,
    snapshot_digest: str,
    *,
    answers: Mapping[str, Sequence[str]] | None = None,
    unit: Unit = Unit.UTF16,
) -> Iterator[str]:
    """A JSON list, a task on each line; candidates are predictions, likeliest first.

    `snapshot_digest`: of the set's own snapshot, whose texts are sent; a passage of another one stands in `about` only.
    `answers`: query_id → reference answers. `unit`: in which offsets are written. Label Studio counted UTF-16 code
    units, and newer versions count code points; where texts hold emoji, the wrong one draws predictions beside their
    place.
    """
    before = "[\n"
    for item in items:
        task = _task(item, text_of, snapshot_digest, (answers or {}).get(item.query_id, ()), unit)
        yield before + json.dumps(task, ensure_ascii=False)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _task(
    item: "ReviewItem", text_of: DocumentText, snapshot_digest: str, answers: Sequence[str], unit: Unit
) -> dict[str, Any]:
    ranges = [Span(*one) for one in item.ranges] if item.snapshot_digest == snapshot_digest else []
    doc_id = item.doc_id if ranges or not item.candidates else item.candidates[0].doc_id
    text = text_of(doc_id)
    mine = [(number, one.span) for number, one in enumerate(item.candidates, 1) if one.doc_id == doc_id]
    window = Span(0, 0) if text is None else _window(text, [*ranges, *(span for _, span in mine)])
    sent = item.passage if text is None else window.of(text)
    about = [f"{item.reason} (item {item.name})", *(f"answer: {answer}" for answer in answers)]
    about += [f"note: {item.note}"] if item.note else []
    about += [f"passage: {item.passage}"] if not ranges and item.passage else []

    def region(key: str, label: str, span: Span) -> dict[str, Any]:
        start, end = from_code_points([span.start - window.start, span.end - window.start], sent, unit)
        value = {"start": start, "end": end, "text": span.of(text or ""), "labels": [label]}
        return {"id": key, "from_name": "label", "to_name": "text", "type": "labels", "value": value}

    asked = [region(f"{item.name}-a{n}", ASKED, span) for n, span in enumerate(ranges) if span.inside(window)]
    predictions = [
        {
            "model_version": f"candidate {number}",
            "score": round(1 / number, 4),
            "result": [*asked, region(f"{item.name}-{number}", EVIDENCE, span)],
        }
        for number, span in mine
        if span.inside(window)
    ]
    data = {
        "text": sent,
        "question": item.question,
        "about": "\n".join(about),
        "item": item.name,
        "seen": item.seen,
        "query_id": item.query_id,
        "doc_id": None if text is None else doc_id,
        "offset": window.start,
        "candidates": [one.model_dump(mode="json", exclude_defaults=True) for one in item.candidates],
    }
    return {"data": data, "predictions": predictions or [{"model_version": "asked", "result": asked}]}


def _window(text: str, spans: Sequence[Span]) -> Span:
    """What is sent of a text: all of it, or the surroundings of `spans`, of the first where they lie far apart."""
    if len(text) <= WHOLE:
        return Span(0, len(text))
    first = spans[0] if spans else Span(0, 0)
    hull = Span(min((span.start for span in spans), default=0), max((span.end for span in spans), default=0))
    start, end = hull if hull.length <= WHOLE else first
    start, end = max(0, start - MARGIN), min(len(text), end + MARGIN)
    line = text.rfind("\n", max(0, start - SNAP), start)
    start = line + 1 if line >= 0 else start
    line = text.find("\n", end, end + SNAP)
    end = line + 1 if line >= 0 else end
    return Span(start, end)
