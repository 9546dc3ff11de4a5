"""Two runs on the same questions, question by question."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from evalspan.errors import BadInput, MissingExtra, Problem

SAME = 1e-9
"""Two figures that differ by less are a tie: they were computed in another order."""

RESAMPLES = 9999
"""Of the bootstrap and of the permutation test: their error is below a hundredth then."""

BATCH = 2**22
"""Figures that are drawn at once: 32 MB, however many questions there are."""

SEED = 7
"""Of both: the same data give the same interval."""

FEW = 6
"""Questions below which no test can say anything: all six the same way is one chance in 32."""

CONFIDENCE = 0.95


class Test(NamedTuple):
    """What chance alone would do."""

    p_value: float | None
    """Two-sided, of a paired permutation test of the mean difference; None with fewer than FEW questions that differ
    at all, or where none differs.
    """
    low: float
    high: float
    """Of the mean difference: the 95 % bias-corrected bootstrap interval; the difference itself where all are equal."""


class Slice(NamedTuple):
    """Some of the questions."""

    name: str
    """"all", or a tag."""
    questions: int
    old: float
    new: float
    fixes: tuple[str, ...]
    """Questions that score higher now, the most first."""
    regressions: tuple[str, ...]
    """Those that score lower, the most first."""
    ties: int
    test: Test

    @property
    def difference(self) -> float:
        return self.new - self.old


def compare_paired(
    old: Mapping[str, float], new: Mapping[str, float], tags: Mapping[str, Sequence[str]]
) -> list[Slice]:
    """All questions first, then by tag, the worst difference first. `tags`: query_id → its tags.

    Raises BadInput where the questions are not the same ones, or there are none.
    """
    if old.keys() != new.keys():
        only = [
            f"{len(old.keys() - new.keys())} only in the first",
            f"{len(new.keys() - old.keys())} only in the second",
        ]
        some = ", ".join(sorted(old.keys() ^ new.keys())[:5])
        what = f"not of the same questions: {' and '.join(only)} ({some}). A question one arm did not run is no tie"
        raise BadInput([Problem("the two runs", None, what)])
    if not old:
        raise BadInput([Problem("the two runs", None, "have no decided question to compare")])
    slices = [
        _slice(tag, {query_id: (old[query_id], new[query_id]) for query_id in mine})
        for tag, mine in sorted(_by_tag(old, tags).items())
    ]
    slices.sort(key=lambda one: one.difference)
    return [_slice("all", {query_id: (old[query_id], new[query_id]) for query_id in sorted(old)}), *slices]


def _by_tag(questions: Mapping[str, float], tags: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for query_id in sorted(questions):
        for tag in tags.get(query_id, ()):
            out.setdefault(tag, []).append(query_id)
    return out


def _slice(name: str, pairs: Mapping[str, tuple[float, float]]) -> Slice:
    differences = {query_id: after - before for query_id, (before, after) in pairs.items()}
    up = sorted((query for query, d in differences.items() if d > SAME), key=lambda query: -differences[query])
    down = sorted((query for query, d in differences.items() if d < -SAME), key=lambda query: differences[query])
    return Slice(
        name,
        len(pairs),
        fmean(before for before, _ in pairs.values()),
        fmean(after for _, after in pairs.values()),
        tuple(up),
        tuple(down),
        len(pairs) - len(up) - len(down),
        _test(list(differences.values())),
    )


def _test(differences: Sequence[float]) -> Test:
    stats, numpy = _libraries()
    average = fmean(differences)
    if all(abs(one - differences[0]) <= SAME for one in differences):
        return Test(None, average, average)
    values = numpy.asarray(differences)
    drawn: dict[str, Any] = {"n_resamples": RESAMPLES, "batch": max(1, BATCH // len(values)), "rng": SEED}
    interval = stats.bootstrap(
        (values,), numpy.mean, confidence_level=CONFIDENCE, method="BCa", **drawn
    ).confidence_interval
    p_value = None
    if sum(abs(one) > SAME for one in differences) >= FEW:
        tested = stats.permutation_test((values,), numpy.mean, permutation_type="samples", vectorized=True, **drawn)
        p_value = float(tested.pvalue)
    return Test(p_value, float(interval.low), float(interval.high))


def _libraries() -> tuple[Any, Any]:
    try:
        import numpy
        from scipy import stats
    except ImportError:
        raise MissingExtra("Comparing runs needs scipy: pip install 'evalspan[score]'") from None
    return stats, numpy


def pipeline_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Stages whose configuration differs, in the order of their names. With more than one a comparison is confounded:
    nothing tells which of them moved the figure.
    """
    return sorted(stage for stage in old.keys() | new.keys() if old.get(stage) != new.get(stage))
