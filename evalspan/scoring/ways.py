"""The ways in which a question's waiting labels may be decided, down to those between which every other one lies.

Of two ways that make the same number of chunks relevant, with the same grade, the one whose chunks rank higher is worth
more, by every measure that never pays less for a relevant chunk that moves up. So for each number it is enough to look
at the chunks that rank highest, and at those that rank lowest.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from evalspan.scoring.cases import Case

EACH_WAY = 64
"""Ways that are looked at one by one where grades differ, and a higher rank may not make up for a lower grade: six
chunks, and as many scorings of a question as thirty chunks of one grade take."""

NOWHERE = "nowhere"
"""Stands, in a pair, for a chunk that the run does not return."""

Chunk = str | tuple[str, int]
"""A chunk id, or (NOWHERE, number)."""


class Ways(NamedTuple):
    """Of one question."""

    grades: tuple[dict[Chunk, int], ...]
    """Chunk → grade, of each way in which something is relevant."""
    for_grades: bool
    """Whether they bound measures that tell grades apart, too."""


def ways(case: Case, ranking: Sequence[str]) -> Ways:
    """`ranking`: what the run returned, best first. Any of a label's candidates may be relevant, or none; a label
    without candidates may be in one chunk that nobody has judged, or in one that the run does not return.
    """
    raised = _raised(case)
    lost = sorted((grade for grade, candidates in case.waiting if not candidates), reverse=True)
    best, worst = _best_first(case, raised, lost, ranking), _worst_first(raised, lost, ranking)
    found: dict[frozenset[Chunk], dict[Chunk, int]] = {}
    for order in (best, worst):
        for count in range(len(order) + 1):
            taken = dict(order[:count])
            found.setdefault(frozenset(taken), _with(case, taken))
    every = list(found.values())
    alike = len({grade for _, grade in best}) <= 1 and not any(case.grades.get(c, 0) > 0 for c in raised)
    each = None if alike or lost else _each(case)
    every += each or ()
    return Ways(tuple(way for way in every if any(g > 0 for g in way.values())), alike or each is not None)


def _with(case: Case, decided: Mapping[Any, int]) -> dict[Chunk, int]:
    grades: dict[Chunk, int] = dict(case.grades.items())
    grades.update(decided)
    return grades


def _raised(case: Case) -> dict[str, int]:
    """Candidate → the highest grade that it may get, where that is more than it has."""
    raised: dict[str, int] = {}
    for grade, candidates in case.waiting:
        for chunk_id in candidates:
            if grade > max(0, case.grades.get(chunk_id, 0), raised.get(chunk_id, 0)):
                raised[chunk_id] = grade
    return raised


def _best_first(
    case: Case, raised: Mapping[str, int], lost: Sequence[int], ranking: Sequence[str]
) -> list[tuple[Chunk, int]]:
    free = list(lost)
    order: list[tuple[Chunk, int]] = []
    for chunk_id in ranking:
        if chunk_id in raised:
            order.append((chunk_id, raised[chunk_id]))
        elif free and chunk_id not in case.grades:
            order.append((chunk_id, free.pop(0)))
    retrieved = {chunk for chunk, _ in order}
    order += [(chunk_id, grade) for chunk_id, grade in raised.items() if chunk_id not in retrieved]
    return order + _nowhere(free)


def _worst_first(raised: Mapping[str, int], lost: Sequence[int], ranking: Sequence[str]) -> list[tuple[Chunk, int]]:
    rank = {chunk_id: at for at, chunk_id in enumerate(ranking) if chunk_id in raised}
    last_first = sorted(raised, key=lambda chunk_id: -rank.get(chunk_id, len(ranking)))
    return [*_nowhere(lost), *((chunk_id, raised[chunk_id]) for chunk_id in last_first)]


def _nowhere(grades: Sequence[int]) -> list[tuple[Chunk, int]]:
    return [((NOWHERE, number), grade) for number, grade in enumerate(grades)]


def _each(case: Case) -> list[dict[Chunk, int]] | None:
    """Every way, where they are few: each candidate with each grade that it may get; else None."""
    options: dict[str, set[int]] = {}
    for grade, candidates in case.waiting:
        for chunk_id in candidates:
            has = case.grades.get(chunk_id, 0)
            options.setdefault(chunk_id, {has}).add(max(grade, has))
    if prod(map(len, options.values())) > EACH_WAY:
        return None
    chosen = product(*options.values())
    return [_with(case, dict(zip(options, grades, strict=True))) for grades in chosen]
