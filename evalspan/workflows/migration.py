"""What the two ways to migrate (files, store) share: the report, and the lines that are written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from evalspan.corpus import Placed
from evalspan.errors import BadInput, Problem
from evalspan.formats.lines import json_line
from evalspan.formats.migration import LabelLines
from evalspan.labels import JudgedQuestion, Judgment
from evalspan.mapping import Carried, Outcome, Qrels, QrelsBuilder, Tally, WaitingLabel, tally
from evalspan.migrator import Cuts, DocumentCuts, ProposedNarrowing, queue_item, summarise_cuts
from evalspan.spans import Span


def check_min_overlap(value: float) -> None:
    """Raises BadInput unless 0 < value <= 1."""
    if not 0 < value <= 1:
        raise BadInput([Problem("--min-overlap", None, f"{value} is not above 0 and up to 1; the usual one is 0.5")])


def bereft(questions: Iterable[JudgedQuestion]) -> tuple[str, ...]:
    """query_ids of those that lost all their evidence."""
    return tuple(question.query_id for question in questions if question.bereft)


class Recorded(NamedTuple):
    """Where a migration was kept."""

    store: str
    eval_set: str
    """As "faq@2": the version whose labels are spans."""
    chunking: str
    mapping: int


class Offers(NamedTuple):
    """What was done to labels on the way, and what is offered to a person."""

    narrowed: int
    """Labels of whole chunks that were narrowed to where the evidence stands."""
    twins: int
    """Places elsewhere that hold a judged passage."""
    proposals: int
    """Offers that the review queue has now."""
    settled: int
    """Decisions of before that were applied again."""


@dataclass(frozen=True, slots=True)
class Migration:
    """What became of the labels of a set."""

    tally: Tally
    decided: int
    """Questions with every label decided."""
    waiting: int
    """Questions with a label that waits."""
    cuts: Cuts
    old_chunks: Placed | None
    """How the old chunks found their places; None where the labels were spans already."""
    new_chunks: Placed
    min_overlap: float
    skipped: tuple[Problem, ...] = ()
    """Rows left out by `skip_bad`."""
    out: Path | None = None
    recorded: Recorded | None = None
    offers: Offers | None = None
    """None where nothing is kept."""
    bereft: tuple[str, ...] = ()
    """Questions without any relevant label: the last one was retired."""

    @property
    def clean(self) -> bool:
        """Whether every label is, and none was left out."""
        return self.tally.clean == self.tally.total and not self.skipped


class Sums:
    """Gathers what all outcomes say together."""

    def __init__(self) -> None:
        self._qrels = QrelsBuilder()
        self._cuts: list[DocumentCuts] = []
        self._counts: list[Any] = []

    def add(self, labels: Iterable[Carried], cuts: DocumentCuts) -> None:
        self._cuts.append(cuts)
        for label in labels:
            self._qrels.add(label)
            self._counts.append((label.bucket, label.reason))

    def hold(self, labels: Iterable[WaitingLabel]) -> None:
        """Labels without an outcome, whose questions wait."""
        for label in labels:
            self._qrels.hold(label)

    def qrels(self, min_overlap: float) -> Qrels:
        return self._qrels.build(min_overlap)

    @property
    def tally(self) -> Tally:
        return tally(self._counts)

    @property
    def decided(self) -> int:
        return self._qrels.decided

    @property
    def waiting(self) -> int:
        return self._qrels.waiting

    @property
    def cuts(self) -> Cuts:
        return summarise_cuts(self._cuts)


_UNSAID = ("also", "fact", "alternative", "narrowed_by")
"""Fields of a judgment that a row of spans.jsonl has only where they say something."""


def span_row(judgment: Judgment) -> dict[str, Any]:
    """A judgment as spans.jsonl has it, but for its question."""
    row = judgment.model_dump(exclude_none=True)
    return {key: value for key, value in row.items() if value or key not in _UNSAID}


def label_lines(
    outcome: Outcome,
    judgment: Mapping[str, Any] | None,
    question: str,
    passage: str,
    places: dict[str, Span],
    proposal: ProposedNarrowing | None = None,
) -> LabelLines:
    """What is written of one label. `judgment`: its span as JSON values, where its place is certain; `places`: the
    ranges of the new chunks of its document; `proposal`: where in a whole old chunk the answer most likely stands.
    """
    span = None
    if judgment is not None:
        span = json_line({"query_id": outcome.query_id, **judgment, "grade": outcome.grade})
    item = queue_item(outcome, question, passage, places, proposal)
    return LabelLines(json_line(outcome.to_row()), span, json_line(item.to_row()) if item is not None else None)
