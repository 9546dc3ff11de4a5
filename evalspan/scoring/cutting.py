"""What a chunking does to the judged passages, before any run: how many are whole in a chunk, and how many are cut."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from evalspan.errors import CannotTell
from evalspan.labels import JudgedQuestion, Judgment, LabelsAre, rubric
from evalspan.mapping import Bucket, Fit, Outcome, Place, Reason


class Held(StrEnum):
    """How a chunking holds a relevant passage."""

    WHOLE = "whole"
    """A chunk holds all of it."""
    HELD = "held"
    """A chunk reaches min_overlap."""
    SPLIT = "split"
    """None does; together they overlap it."""
    UNCOVERED = "uncovered"
    """No chunk overlaps it."""
    UNCERTAIN = "uncertain"
    """Its own place, or that of the chunks which could hold it, is not certain."""


ENOUGH = (Held.WHOLE, Held.HELD)


def held(outcome: Outcome) -> Held:
    if outcome.place is not Place.CERTAIN or outcome.reason is Reason.CHUNK_UNCERTAIN:
        return Held.UNCERTAIN
    if outcome.fit is Fit.WHOLE:
        return Held.WHOLE
    if outcome.fit is Fit.HELD or outcome.bucket is Bucket.CLEAN:  # clean by its evidence
        return Held.HELD
    return Held.SPLIT if outcome.fit is Fit.CUT else Held.UNCOVERED


class Found(NamedTuple):
    """A relevant label, and how it is held."""

    query_id: str
    judgment: Judgment | None
    """None where the label names a chunk without a certain place."""
    outcome: Outcome
    held: Held

    @property
    def best(self) -> float:
        """Share of the passage that the best chunk holds."""
        return max((cover.coverage for cover in self.outcome.covers), default=0.0)


class Family(NamedTuple):
    """Some of the questions."""

    name: str
    """"all", or a tag."""
    labels: int
    """Relevant ones; those that lost their place are not among them."""
    held: Mapping[Held, int]
    coarse: int
    """Labels of whole old chunks: that these are split says little about the answers in them."""
    questions: int
    """With such a label."""
    unwinnable: tuple[str, ...]
    """query_ids of questions for which no single chunk holds enough of any passage of something that they need."""


class Cutting(NamedTuple):
    """Of one chunking."""

    families: tuple[Family, ...]
    """All questions first, then by tag, the largest share of split labels first."""
    split: tuple[Found, ...]
    """Labels that are split or not covered, the worst first: precise ones before coarse ones, then by the share that
    the best chunk holds.
    """


def cutting(questions: Iterable[JudgedQuestion], found: Sequence[Found], labels_are: LabelsAre | None) -> Cutting:
    """`found`: every relevant label of questions that are asked; `labels_are`: what the set says."""
    mine: dict[str, list[Found]] = {}
    for one in found:
        mine.setdefault(one.query_id, []).append(one)
    asked = [question for question in questions if question.query_id in mine]
    lost = {question.query_id for question in asked if _unwinnable(question, mine[question.query_id], labels_are)}
    tags = sorted({tag for question in asked for tag in question.question.tags})
    families = [_family(tag, [q for q in asked if tag in q.question.tags], mine, lost) for tag in tags]
    families.sort(key=lambda family: -family.held.get(Held.SPLIT, 0) / family.labels)
    worst = [one for one in found if one.held in (Held.SPLIT, Held.UNCOVERED)]
    worst.sort(key=lambda one: (one.outcome.coarse, one.best, one.query_id))
    return Cutting((_family("all", asked, mine, lost), *families), tuple(worst))


def _family(
    name: str, questions: Sequence[JudgedQuestion], mine: Mapping[str, Sequence[Found]], lost: set[str]
) -> Family:
    labels = [one for question in questions for one in mine[question.query_id]]
    return Family(
        name,
        len(labels),
        {kind: sum(one.held is kind for one in labels) for kind in Held},
        sum(one.outcome.coarse for one in labels),
        len(questions),
        tuple(question.query_id for question in questions if question.query_id in lost),
    )


def _unwinnable(question: JudgedQuestion, found: Sequence[Found], labels_are: LabelsAre | None) -> bool:
    """By its rubric; where nobody said whether its labels are alternatives, only if none of them is held. What may be
    held, as far as is known, is not called unwinnable.
    """
    possible = {one.judgment for one in found if one.held in ENOUGH or one.held is Held.UNCERTAIN}
    try:
        needed = [requirement.any_of for requirement in rubric(question, labels_are) if requirement.any_of]
    except CannotTell:
        return not possible
    if not needed or None in possible:
        return not possible
    return any(possible.isdisjoint(any_of) for any_of in needed)
