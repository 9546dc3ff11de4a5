"""A figure, and the interval that it lies in while labels wait."""

from collections.abc import Mapping
from statistics import fmean
from typing import NamedTuple


class Figure(NamedTuple):
    """A measure of one question, or its mean over many."""

    value: float | None
    """Of what is decided; None where a label of the question waits, or every question has one."""
    low: float
    """The least that it can be, whatever becomes of the labels that wait."""
    high: float
    """The most."""
    optional: bool = False
    """Whether the question may turn out to have nothing relevant: then it is no part of a mean."""


def mean(figures: Mapping[str, Figure]) -> Figure | None:
    """Its value over the questions that are decided, its ends over all, those that may fall out taken in only where
    that makes the interval wider; None where there are none.
    """
    if not figures:
        return None
    decided = [figure.value for figure in figures.values() if figure.value is not None]
    lows = [figure.low for figure in figures.values() if not figure.optional]
    highs = [figure.high for figure in figures.values() if not figure.optional]
    optional = [figure for figure in figures.values() if figure.optional]
    return Figure(
        fmean(decided) if decided else None,
        _least(lows, sorted(figure.low for figure in optional)),
        -_least([-high for high in highs], sorted(-figure.high for figure in optional)),
    )


def _least(kept: list[float], optional: list[float]) -> float:
    """The least mean of `kept` and any of `optional`, which ascends."""
    taken, total = list(kept), sum(kept)
    for value in optional:
        if taken and value * len(taken) >= total:
            break
        taken.append(value)
        total += value
    return fmean(taken)  # exact, so that where nothing waits the ends are the value
