"""What a question's evidence must hold: all of these facts, each by any of these passages."""

from collections.abc import Sequence
from typing import NamedTuple

from evalspan.errors import CannotTell
from evalspan.labels.judgment import Judgment
from evalspan.labels.question import JudgedQuestion, LabelsAre

OF_ALL = "*"
"""The `alternative` of a judgment that stands for everything else its question has."""


class Requirement(NamedTuple):
    """One fact, and the judgments of which any one is enough for it."""

    name: str
    """The fact's id; "" where none was named."""
    any_of: tuple[Judgment, ...]
    """Empty: nothing in the corpus says it, and no result can be enough."""


Rubric = tuple[Requirement, ...]
"""All are needed. Empty: nothing is, as for a question without an answer."""


def rubric(question: JudgedQuestion, labels_are: LabelsAre | None = None) -> Rubric:
    """`labels_are`: what the set says of labels without facts; the question's own word goes before it.

    Raises CannotTell where the labels may be alternatives as well as all needed, and nobody said which.
    """
    if question.no_answer:
        return ()
    if question.facts:
        return tuple(
            Requirement(
                fact.fact_id,
                tuple(j for j in question.judgments if j.fact == fact.fact_id and j.grade >= max(1, fact.min_grade)),
            )
            for fact in question.facts
        )
    groups = _groups([judgment for judgment in question.judgments if judgment.grade > 0])
    said = question.labels_are or labels_are
    if len(groups) > 1 and said is None:
        raise CannotTell(
            f"question {question.query_id!r} has {len(groups)} labels, and nothing says whether any of them is enough "
            "or all are needed. Say so: --labels-are any|all, for the set or for this question"
        )
    if said == "any":
        return (Requirement("", tuple(judgment for group in groups for judgment in group)),) if groups else ()
    return tuple(Requirement("", group) for group in groups)


def _groups(judgments: Sequence[Judgment]) -> list[tuple[Judgment, ...]]:
    """Alternatives together; one that stands for all the others joins each group."""
    for_all = tuple(judgment for judgment in judgments if judgment.alternative == OF_ALL)
    groups: dict[object, list[Judgment]] = {}
    for number, judgment in enumerate(judgments):
        if judgment.alternative != OF_ALL:
            groups.setdefault(judgment.alternative or number, []).append(judgment)
    if not groups:
        return [for_all] if for_all else []
    return [(*group, *for_all) for group in groups.values()]
