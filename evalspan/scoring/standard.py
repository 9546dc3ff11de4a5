"""The field's ranking measures, computed by ir_measures; ours is only the choice of the ways that bound them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from subprocess import CalledProcessError
from typing import Any, NamedTuple

from evalspan.errors import BadInput, MissingExtra, Problem
from evalspan.scoring.cases import Case
from evalspan.scoring.figures import Figure
from evalspan.scoring.ways import Chunk, ways

DEFAULT = ("R@5", "R@10", "P@5", "Success@10", "RR@10", "AP", "nDCG@10", "Judged@10")
"""What is printed unless measures are named, as ir_measures spells them."""

BATCH = 20_000
"""Ways that are scored at once: 200 MB at a hundred hits each, and too many for the time of a call to count."""

BLIND_TO_GRADES = ("Judged", "NumRet")
"""Measures without a grade from which a chunk counts, to which grades are all the same."""


_MISSING = re.compile(r"invalid param (\w+)=<object .*>")
"""How ir_measures says that a parameter without a default was left out."""


def parse_measures(names: Sequence[str]) -> list[Any]:
    """ir_measures' objects. Raises BadInput for a name that it does not know or can't compute here, and for a cut-off
    below 1.
    """
    return [_parse(name) for name in names]


def _parse(name: str) -> Any:
    ir_measures = _library()
    try:
        measure = ir_measures.parse_measure(name)
    except (NameError, ValueError, TypeError, SyntaxError, KeyError, AttributeError):
        what = f"{name!r} is no measure of ir_measures; as R@10, P@5, Success@10, RR, AP, nDCG@10, Judged@10, Bpref"
        raise BadInput([Problem("--measure", None, what)]) from None
    cutoff = measure.params.get("cutoff", 1)
    if not isinstance(cutoff, int) or not 1 <= cutoff < 10**9:  # trec_eval ends the process for one below 1
        raise BadInput([Problem("--measure", None, f"{name}: a cut-off is a whole number from 1")])
    try:
        # The question is a number, as all become: gdeval takes no other. One of two is relevant: Accuracy divides by
        # the others.
        list(ir_measures.iter_calc([measure], {"0": {"0": 1, "1": 0}}, {"0": {"0": 0.0, "1": -1.0}}))
    except Exception as error:  # providers raise whatever they like for what they lack
        raise _can_not(name, error) from None
    return measure


def _can_not(names: str, error: Exception) -> BadInput:
    """What a provider raised, without the names of its files and objects."""
    said = next(iter(str(error).splitlines()), "")
    missing = _MISSING.fullmatch(said)
    if missing:
        why = f"its {missing[1]} has to be said"
    elif isinstance(error, CalledProcessError | FileNotFoundError):
        why = "the program that ir_measures runs for it failed, or is not installed"
    else:
        why = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return BadInput([Problem("--measure", None, f"{names} can't be computed here ({why})")])


def _library() -> Any:
    try:
        import ir_measures
    except ImportError:
        raise MissingExtra("Scores need ir_measures: pip install 'evalspan[score]'") from None
    return ir_measures


class _Interval(NamedTuple):
    low: float
    high: float


def standard_figures(
    cases: Mapping[str, Case], rankings: Mapping[str, Sequence[str]], names: Sequence[str] = DEFAULT
) -> dict[str, dict[str, Figure]]:
    """measure → query_id → figure, of every question that has or may have a relevant chunk. `rankings`: query_id →
    chunk ids, best first; a question that is not there returned nothing, and counts 0.
    """
    measures = parse_measures(names)
    asked = {query_id: case for query_id, case in cases.items() if case.relevant}
    topics = _Topics(measures)
    loose = set()
    for query_id, case in asked.items():
        ranking = rankings.get(query_id, ())
        if not case.waiting:
            topics.add(query_id, ranking, case.grades)
            continue
        found = ways(case, ranking)
        for grades in found.grades:
            topics.add(query_id, ranking, grades)
        if not found.for_grades:
            loose.add(query_id)
    ends = topics.ends()
    return {
        name: {
            query_id: _figure(case, ends.get((measure, query_id)), _bounded(measure, query_id in loose))
            for query_id, case in asked.items()
        }
        for name, measure in zip(names, measures, strict=True)
    }


def _bounded(measure: Any, differing: bool) -> bool:
    """Whether the ways that were looked at bound it; `differing`: grades differ, and not every way was looked at."""
    if measure.params.get("judged_only"):  # what is judged decides what ranks where
        return False
    return not differing or "rel" in measure.SUPPORTED_PARAMS or measure.NAME in BLIND_TO_GRADES


def _figure(case: Case, ends: _Interval | None, bounded: bool) -> Figure:
    low, high = ends or _Interval(0.0, 0.0)
    if not case.waiting:
        return Figure(low, low, low)
    optional = not any(grade > 0 for grade in case.grades.values())
    if not bounded:
        return Figure(None, 0.0, 1.0, optional)
    return Figure(None, low, high, optional)


class _Topics:
    """What ir_measures is asked: a topic for each way of each question.

    It sees ranks instead of ids. So no id is too odd for what is written in C, and rankings of one length are one.
    """

    def __init__(self, measures: Sequence[Any]) -> None:
        self._measures = list(dict.fromkeys(measures))
        self._ends: dict[tuple[Any, str], _Interval] = {}
        self._questions: list[str] = []
        self._qrels: dict[str, dict[str, int]] = {}
        self._runs: dict[str, dict[str, float]] = {}
        self._by_length: dict[int, dict[str, float]] = {}

    def add(self, query_id: str, ranking: Sequence[str], grades: Mapping[Any, int]) -> None:
        if len(self._questions) >= BATCH:
            self._calculate()
        topic = str(len(self._questions))
        self._questions.append(query_id)
        self._qrels[topic] = _by_rank(ranking, grades)
        if ranking:  # Judged divides by 0 where a topic has no hit; one that is not in a run counts 0
            self._runs[topic] = self._ranks(len(ranking))

    def _ranks(self, length: int) -> dict[str, float]:
        if length not in self._by_length:
            self._by_length[length] = {str(at): -float(at) for at in range(length)}
        return self._by_length[length]

    def ends(self) -> dict[tuple[Any, str], _Interval]:
        """(measure, query_id) → the least and the most of its ways; none where all of them are 0."""
        self._calculate()
        return self._ends

    def _calculate(self) -> None:
        try:
            found = list(_library().iter_calc(self._measures, self._qrels, self._runs)) if self._qrels else ()
        except Exception as error:  # what a provider computes for one question it may not for another
            raise self._can_not(error) from None
        for metric in found:
            key, value = (metric.measure, self._questions[int(metric.query_id)]), float(metric.value)
            low, high = self._ends.get(key, (value, value))
            self._ends[key] = _Interval(min(low, value), max(high, value))
        self._questions, self._qrels, self._runs = [], {}, {}

    def _can_not(self, error: Exception) -> BadInput:
        """Of measures that failed together, what the first says that fails alone."""
        for measure in self._measures:
            try:
                list(_library().iter_calc([measure], self._qrels, self._runs))
            except Exception as its_own:
                return _can_not(str(measure), its_own)
        return _can_not(", ".join(map(str, self._measures)), error)


def _by_rank(ranking: Iterable[str], grades: Mapping[Chunk, int]) -> dict[str, int]:
    """Rank, from 0, of each judged chunk → grade; one that was not returned has a number below 0. Harmful is judged,
    and not relevant: trec_eval takes -1 for not judged.
    """
    left = dict(grades)
    out = {str(at): max(0, left.pop(chunk_id)) for at, chunk_id in enumerate(ranking) if chunk_id in left}
    out.update((f"-{number}", max(0, grade)) for number, grade in enumerate(left.values(), 1))
    return out
