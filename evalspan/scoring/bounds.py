"""What a run scores while some labels name chunks that do not exist.

Own code, unlike the standard measures: what is computed here is the interval, and its three ends are counts.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from evalspan.runs import Run


class Interval(NamedTuple):
    """A score that is not known for certain."""

    printed: float
    """What a harness prints that does not look."""
    low: float
    """As if every dead label's passage had been missed."""
    high: float
    """As if the best unjudged hits were the dead labels' passages."""


class RunScore(NamedTuple):
    """Means over the questions that have a relevant label."""

    k: int
    questions: int
    unanswered: int
    """Of these, how many are not in the run; they count 0."""
    recall: Interval
    """Share of a question's relevant labels among its top k."""
    hit: Interval
    """Share of questions with a relevant label among the top k."""
    mrr: Interval
    """1 / rank of the first relevant hit among the top k, else 0."""


def score_bounds(
    labels: Mapping[str, Mapping[str, int]], alive: Collection[str], run: Run, k: int = 10
) -> RunScore | None:
    """`labels`: {query_id: {chunk_id: grade}}; `alive`: the chunk ids that exist. None where no label is relevant."""
    rows = []
    unanswered = 0
    for query_id, grades in labels.items():
        relevant = {chunk for chunk, grade in grades.items() if grade > 0}
        if not relevant:
            continue
        unanswered += query_id not in run.rankings
        ranking = list(dict.fromkeys(hit.chunk_id for hit in run.rankings.get(query_id, ())))[:k]
        live = {chunk for chunk in relevant if chunk in alive}
        dead = len(relevant) - len(live)
        printed = [chunk in relevant for chunk in ranking]
        low = [chunk in live for chunk in ranking]
        high = _best_case(low, [chunk not in grades or chunk not in alive for chunk in ranking], dead)
        rows.append([_measures(hits, len(relevant)) for hits in (printed, low, high)])
    if not rows:
        return None

    def mean(measure: int) -> Interval:
        return Interval(*(sum(row[case][measure] for row in rows) / len(rows) for case in range(3)))

    return RunScore(k, len(rows), unanswered, mean(0), mean(1), mean(2))


def _best_case(hits: Sequence[bool], unjudged: Sequence[bool], dead: int) -> list[bool]:
    """The first `dead` hits that nobody judged are taken for the dead labels' passages."""
    out = []
    for hit, free in zip(hits, unjudged, strict=True):
        taken = free and not hit and dead > 0
        dead -= taken
        out.append(hit or taken)
    return out


def _measures(hits: Sequence[bool], relevant: int) -> tuple[float, float, float]:
    first = hits.index(True) + 1 if True in hits else 0
    return sum(hits) / relevant, float(first > 0), 1 / first if first else 0.0
