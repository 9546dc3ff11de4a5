"""Ranked results, by question."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Hit(NamedTuple):
    """One retrieved chunk."""

    chunk_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Run:
    """The full rankings of one run, best hit first."""

    rankings: Mapping[str, tuple[Hit, ...]]
    """query_id → hits."""
