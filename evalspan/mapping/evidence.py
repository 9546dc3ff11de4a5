"""Where in a coarse span the evidence stands, and which chunks hold it.

The values of the three constants, within what their reasons leave open, were chosen on chunking_evaluation: figures on
that set flatter them.
"""

from collections.abc import Collection, Iterable, Sequence
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

    numbers: dict[str, Collection[int]]
    """chunk_id → which of the evidence it holds."""
    evidence: Sequence[Evidence]

    def weight(self, chunk_id: str) -> float:
        """Of what the chunk holds."""
        return sum(self.evidence[number].weight for number in self.numbers.get(chunk_id, ()))

    @property
    def nowhere(self) -> float:
        """Weight of what no chunk holds."""
        held = {number for mine in self.numbers.values() for number in mine}
        return sum(part.weight for number, part in enumerate(self.evidence) if number not in held)


def weighed(covers: Iterable[Cover], held: Held) -> list[Cover]:
    """The covers with the weight of the evidence each holds; most first, then by coverage."""
    out = [cover._replace(evidence=held.weight(cover.chunk_id)) for cover in covers]
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
