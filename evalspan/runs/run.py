"""Ranked results, by question, and the pipeline that gave them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from typing import Any, NamedTuple

from evalspan.digests import ArrayDigest, fingerprint


class Hit(NamedTuple):
    """One retrieved chunk."""

    chunk_id: str
    score: float
    text: str | None = None
    doc_id: str | None = None
    start: int | None = None
    end: int | None = None
    """Its own range, where the run says it: code points, half-open."""


@dataclass(frozen=True)
class Run:
    """The full rankings of one run, best hit first, each chunk once."""

    rankings: Mapping[str, tuple[Hit, ...]]
    """query_id → hits. A question without hits was asked and returned nothing."""
    name: str = ""
    stage: str = ""
    """Of the pipeline, as "retrieved", "reranked", "context"."""
    pipeline: Mapping[str, Any] = field(default_factory=dict)
    """stage → its configuration, as JSON values."""
    latency_ms: Mapping[str, float] = field(default_factory=dict)
    """query_id → how long it took."""
    tokens: Mapping[str, int] = field(default_factory=dict)
    """query_id → tokens of the assembled context."""
    repeated: int = 0
    """Hits of a chunk that stood higher in the same ranking already: they are left out."""
    unscored: int = 0
    """Hits whose score is no number: they are left out, and never rank first."""

    @cached_property
    def digest(self) -> str:
        """Over all that the run says, its name too: what differs in anything is kept beside the other."""
        digest = ArrayDigest()
        digest.add([self.name, self.stage, dict(self.pipeline), self.repeated, self.unscored])
        digest.add([dict(self.latency_ms), dict(self.tokens)])
        for query_id in sorted(self.rankings):
            digest.add([query_id, self.rankings[query_id]])
        return digest.hexdigest()

    @property
    def fingerprint(self) -> str:
        """Of the pipeline's configuration."""
        return fingerprint(dict(self.pipeline))


class Ranked(NamedTuple):
    """A ranking put in order."""

    hits: tuple[Hit, ...]
    repeated: int
    unscored: int


def ranked(hits: Iterable[tuple[Hit, int]]) -> Ranked:
    """By score, the highest first; equal scores by the rank that is given, then by chunk id, so that no order of
    arrival decides. A chunk counts where it stands highest.
    """
    given = list(hits)
    kept = sorted((-hit.score, rank, hit.chunk_id, at) for at, (hit, rank) in enumerate(given) if not isnan(hit.score))
    first: dict[str, Hit] = {}
    for _, _, chunk_id, at in kept:
        first.setdefault(chunk_id, given[at][0])
    return Ranked(tuple(first.values()), len(kept) - len(first), len(given) - len(kept))
