"""Who stands where: a passage that is only alike is not believed on ground where another stands better."""

from bisect import bisect_left
from collections.abc import Mapping

from evalspan.anchoring.placement.site import Site
from evalspan.spans import Span, merged

SAME_GROUND = 0.8
"""Shared part of two chunks' common ground from which they stand in one place: overlaps of splitters stay below."""

WHOLE_ENOUGH = 0.75
"""Share of a chunk found in the document from which it needs no ground of its own: a chunk of another document with
some boilerplate in common has less."""

FRESH = 0.5
"""Share of its ground that a chunk with less must have for itself."""


class Claims:
    """The ground of the chunks that have a place."""

    def __init__(self, placed: Mapping[int, Site]) -> None:
        self._ranked = sorted((site.span.start, site.span.end, i, site) for i, site in placed.items())
        self._longest = max((end - start for start, end, _, _ in self._ranked), default=0)

    def doubt(self, i: int, site: Site) -> str:
        """Why the chunk `i` is not surely there, or ""."""
        if site.exact:
            return ""
        others = self._others(i, site.span)
        for other in others:
            shared = site.span.shared(other.span)
            whole = max(site.span.end, other.span.end) - min(site.span.start, other.span.start)
            if shared and shared.length >= SAME_GROUND * whole and 2 * other.cost <= site.cost:
                return "another chunk stands there"
        if site.coverage < WHOLE_ENOUGH:
            taken = merged(shared for other in others if (shared := site.span.shared(other.span)))
            if sum(span.length for span in taken) > (1 - FRESH) * site.span.length:
                return "only a part of it is there, and other chunks stand there"
        return ""

    def _others(self, i: int, span: Span) -> list[Site]:
        out = []
        for spot in range(bisect_left(self._ranked, (span.start - self._longest,)), len(self._ranked)):
            start, end, k, site = self._ranked[spot]
            if start >= span.end:
                break
            if end > span.start and k != i:
                out.append(site)
        return out
