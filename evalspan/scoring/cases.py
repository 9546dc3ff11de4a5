"""What is known of each question's relevant chunks, and what waits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evalspan.labels import JudgedQuestion
from evalspan.mapping import Bucket, Outcome


class WaitingChunks(NamedTuple):
    """A label that nobody has decided: any of these chunks may be relevant, or none."""

    grade: int
    candidates: tuple[str, ...]
    """Likeliest first; empty where the passage has no place: it may stand in any chunk that nobody has judged."""


@dataclass(slots=True)
class Case:
    """One question under one mapping."""

    query_id: str
    grades: dict[str, int] = field(default_factory=dict)
    """chunk_id → grade, of what is decided."""
    waiting: list[WaitingChunks] = field(default_factory=list)

    @property
    def relevant(self) -> bool:
        """Whether a chunk is known to be relevant, or may be."""
        return bool(self.waiting) or any(grade > 0 for grade in self.grades.values())


def cases_of(outcomes: Iterable[Outcome], questions: Iterable[JudgedQuestion]) -> dict[str, Case]:
    """query_id → case, of every question that is asked. Labels that lost their place have no outcome, and wait."""
    cases = open_cases(questions)
    for outcome in outcomes:
        take(cases, outcome)
    return cases


def open_cases(questions: Iterable[JudgedQuestion]) -> dict[str, Case]:
    """The same before any outcome."""
    cases: dict[str, Case] = {}
    for question in questions:
        if not question.retired and not question.no_answer:
            lost = [WaitingChunks(p.label.grade, ()) for p in question.pending if p.label.grade > 0]
            cases[question.query_id] = Case(question.query_id, waiting=lost)
    return cases


def take(cases: Mapping[str, Case], outcome: Outcome) -> None:
    """Adds what became of one label to its question's case, if that is asked."""
    case = cases.get(outcome.query_id)
    if case is None:
        return
    if outcome.bucket is Bucket.CLEAN:
        for cover in outcome.chosen:
            known = case.grades.get(cover.chunk_id, outcome.grade)
            case.grades[cover.chunk_id] = max(outcome.grade, known)
    elif outcome.grade > 0:
        case.waiting.append(WaitingChunks(outcome.grade, tuple(cover.chunk_id for cover in outcome.covers)))


def ids_in_common(cases: Mapping[str, Case], rankings: Mapping[str, Sequence[str]]) -> bool:
    """Whether any chunk id that is judged for any question is returned for any: else ids are of two kinds, and a mean
    of zeros would say nothing.
    """
    judged = {chunk_id for case in cases.values() for chunk_id in case.grades}
    judged |= {chunk_id for case in cases.values() for one in case.waiting for chunk_id in one.candidates}
    return any(not judged.isdisjoint(ranking) for ranking in rankings.values())
