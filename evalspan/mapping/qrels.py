"""Qrels derived from outcomes: which chunks of this chunking are relevant."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from evalspan.labels import JudgedQuestion
from evalspan.mapping.outcome import Bucket, Outcome, Reason


class Qrel(NamedTuple):
    """One line of a qrels file; field names as in ir_measures."""

    query_id: str
    doc_id: str
    """The chunk's id: what an index calls a document."""
    relevance: int


class WaitingLabel(NamedTuple):
    """Why a question has no qrels yet."""

    query_id: str
    old_chunk_id: str | None
    bucket: str
    reason: str


@dataclass(frozen=True, slots=True)
class Qrels:
    """Of one mapping."""

    qrels: tuple[Qrel, ...]
    """Ascending by query_id, then chunk id; decided questions only."""
    waiting: dict[str, tuple[WaitingLabel, ...]]
    """query_id → its labels that no one has decided."""
    min_overlap: float
    """The one these were derived with; numbers of different values are never compared."""

    def as_dict(self) -> dict[str, dict[str, int]]:
        """`{query_id: {chunk_id: relevance}}`, as most measures take it."""
        out: dict[str, dict[str, int]] = {}
        for query_id, chunk_id, relevance in self.qrels:
            out.setdefault(query_id, {})[chunk_id] = relevance
        return out


class Carried(NamedTuple):
    """What an outcome means for the qrels: little enough to be kept for every label of a large set."""

    query_id: str
    old_chunk_id: str | None
    grade: int
    bucket: Bucket
    reason: Reason
    chunk_ids: tuple[str, ...]
    """The chunks that take the label over, where it is clean."""


def carried(outcome: Outcome) -> Carried:
    """Of one outcome."""
    chunk_ids = tuple(cover.chunk_id for cover in outcome.chosen) if outcome.bucket is Bucket.CLEAN else ()
    return Carried(outcome.query_id, outcome.chunk_id, outcome.grade, outcome.bucket, outcome.reason, chunk_ids)


class QrelsBuilder:
    """Takes labels one at a time, so that their outcomes need not be held."""

    def __init__(self) -> None:
        self._grades: dict[str, dict[str, int]] = {}
        self._waiting: dict[str, list[WaitingLabel]] = {}

    def add(self, label: Carried) -> None:
        query_id, old_chunk_id, grade, bucket, reason, chunk_ids = label
        grades = self._grades.setdefault(query_id, {})
        if bucket is not Bucket.CLEAN and grade > 0:
            waiting = WaitingLabel(query_id, old_chunk_id, bucket.value, reason.value)
            self._waiting.setdefault(query_id, []).append(waiting)
        for chunk_id in chunk_ids:
            grades[chunk_id] = max(grade, grades.get(chunk_id, grade))

    def hold(self, label: WaitingLabel) -> None:
        """Its question waits whatever its other labels say."""
        self._grades.setdefault(label.query_id, {})
        self._waiting.setdefault(label.query_id, []).append(label)

    @property
    def decided(self) -> int:
        """Questions with every label decided."""
        return len(self._grades) - len(self._waiting)

    @property
    def waiting(self) -> int:
        """Questions with a label that waits."""
        return len(self._waiting)

    def build(self, min_overlap: float) -> Qrels:
        decided = sorted(self._grades.keys() - self._waiting.keys())
        return Qrels(
            tuple(
                Qrel(query, chunk, grade) for query in decided for chunk, grade in sorted(self._grades[query].items())
            ),
            {query: tuple(labels) for query, labels in sorted(self._waiting.items())},
            min_overlap,
        )


def lost_labels(questions: Iterable[JudgedQuestion]) -> Iterator[WaitingLabel]:
    """Relevant labels that lost their place when the corpus changed: without them their questions would look complete.
    They have no outcome; questions that are no longer asked wait for nothing.
    """
    for question in questions:
        for pending in () if question.retired else question.pending:
            if pending.label.grade > 0:
                yield WaitingLabel(question.query_id, pending.label.chunk_id, Bucket.UNMAPPED.value, pending.reason)


def derive_qrels(outcomes: Iterable[Outcome], min_overlap: float, lost: Iterable[WaitingLabel] = ()) -> Qrels:
    """The chunks that each decided question's labels reach, with the highest grade of each. `lost`: labels without an
    outcome.

    A question with a label that waits is left out: half decided, it would look complete.
    """
    builder = QrelsBuilder()
    for outcome in outcomes:
        builder.add(carried(outcome))
    for label in lost:
        builder.hold(label)
    return builder.build(min_overlap)
