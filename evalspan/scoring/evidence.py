"""Measures in which the text is the point: how much of the evidence the top k hold, whether it suffices, and what must
not be there.

Characters are non-blank ones, each counted once however many hits hold it, in the judged passages of a question.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from evalspan.labels import JudgedQuestion, Judgment, Rubric
from evalspan.spans import Span, merged

Place = tuple[str, Span]
"""(doc_id, range)."""


class Overlap(NamedTuple):
    """Sizes, in non-blank characters."""

    evidence: int
    """Of the relevant passages."""
    retrieved: int
    """Of what the hits hold."""
    shared: int

    @property
    def recall(self) -> float:
        """|evidence ∩ retrieved| / |evidence|."""
        return self.shared / self.evidence if self.evidence else 0.0

    @property
    def precision(self) -> float:
        """|evidence ∩ retrieved| / |retrieved|."""
        return self.shared / self.retrieved if self.retrieved else 0.0

    @property
    def iou(self) -> float:
        """|evidence ∩ retrieved| / |evidence ∪ retrieved|."""
        union = self.evidence + self.retrieved - self.shared
        return self.shared / union if union else 0.0


class Counter:
    """Counts non-blank characters of ranges of one corpus's documents."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """`texts`: of every document that is asked about."""
        self._texts = texts

    def size(self, doc_id: str, spans: Iterable[Span]) -> int:
        text = self._texts.get(doc_id)
        if text is None:
            return 0
        return sum(len("".join(text[start:end].split())) for start, end in spans)

    def overlap(self, evidence: Iterable[Place], retrieved: Iterable[Place]) -> Overlap:
        """Every character once on each side."""
        wanted, held = _by_document(evidence), _by_document(retrieved)
        shared = {doc_id: _shared(spans, held.get(doc_id, ())) for doc_id, spans in wanted.items()}
        return Overlap(
            sum(self.size(doc_id, spans) for doc_id, spans in wanted.items()),
            sum(self.size(doc_id, spans) for doc_id, spans in held.items()),
            sum(self.size(doc_id, spans) for doc_id, spans in shared.items()),
        )

    def coverage(self, passage: Sequence[Place], retrieved: Iterable[Place]) -> float:
        """Share of a passage, in all its pieces, that the hits hold together."""
        return self.overlap(passage, retrieved).recall


def _by_document(places: Iterable[Place]) -> dict[str, list[Span]]:
    out: dict[str, list[Span]] = {}
    for doc_id, span in places:
        out.setdefault(doc_id, []).append(span)
    return {doc_id: merged(spans) for doc_id, spans in out.items()}


def _shared(one: Iterable[Span], other: Iterable[Span]) -> list[Span]:
    others = list(other)
    return [part for span in one for mine in others if (part := span.shared(mine)) is not None]


def places_of(judgment: Judgment) -> list[Place]:
    return [(judgment.doc_id, span) for span in judgment.spans]


def relevant_places(question: JudgedQuestion) -> list[Place]:
    """Of every relevant judgment."""
    return [place for judgment in question.judgments if judgment.grade > 0 for place in places_of(judgment)]


def suffices(rubric: Rubric, retrieved: Sequence[Place], counter: Counter, min_overlap: float) -> bool:
    """Whether the hits together hold, of every fact, one of its passages: min_overlap of it, all of it where it is
    tabular.
    """
    return all(
        any(
            counter.coverage(places_of(judgment), retrieved) >= (1.0 if judgment.tabular else min_overlap)
            for judgment in requirement.any_of
        )
        for requirement in rubric
    )


def harmful(question: JudgedQuestion, retrieved: Iterable[Place]) -> int:
    """How many hits stand in a document that must not be used, or hold any of a passage that must not be."""
    blocked = [(j.doc_id, span) for j in question.judgments if j.grade < 0 and not j.coarse for span in j.spans]
    count = 0
    for doc_id, span in retrieved:
        touches = any(doc_id == other and span.shared(passage) for other, passage in blocked)
        count += doc_id in question.must_not_use or touches
    return count
