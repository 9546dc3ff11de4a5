"""The chunks of a document that do not simply stand in it once."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from evalspan.anchoring.anchor import Match, Status
from evalspan.anchoring.placement.affixes import Affixes
from evalspan.anchoring.placement.claims import Claims
from evalspan.anchoring.placement.composite import composed
from evalspan.anchoring.placement.gaps import Gap
from evalspan.anchoring.placement.ladder import PLAUSIBLE, Document
from evalspan.anchoring.placement.order import Stop, Work, backbone, choose, edge
from evalspan.anchoring.placement.site import SHORT, WHOLE, Site, found_at
from evalspan.anchoring.search import LIMIT
from evalspan.spans import Span
from evalspan.text.reading import squash
from evalspan.text.readings import letters
from evalspan.text.units import Unit, detect_unit, find_bases, find_code_points

NOT_FOUND = Match(None, Status.MISSING, sure=False, reason="not found")

ASTRAY = 0.1
"""Share of the certain chunks that may be out of order in a list that follows the document: where more are, the order
says nothing about the place of one."""

Given = Sequence[int | None] | None


class Placing:
    """One run of `locate_chunks`, from the exact places on."""

    def __init__(
        self, chunks: Sequence[str], document: Document, matches: Sequence[Match | None], unplaced: list[int]
    ) -> None:
        self.chunks = chunks
        self.document = document
        self.unplaced = unplaced
        self._work = Work()
        self.placed: dict[int, Site] = {
            i: Site(m.span, m.pieces, True, 0, 1, 1) for i, m in enumerate(matches) if m is not None and m.span
        }
        exact = {chunk: document.exact(chunk) for chunk in {chunks[i]: None for i in unplaced}}
        self.sites: dict[int, list[Site]] = {i: exact[chunks[i]] for i in unplaced}
        self._without_affixes()
        for i in unplaced:
            if not self.sites[i]:
                self.sites[i] = document.alike(chunks[i])

    def _without_affixes(self) -> None:
        """What several chunks have in front or behind that the document has not."""
        open_chunks = [i for i in self.unplaced if not self.sites[i]]
        affixes = Affixes([self.chunks[i] for i in open_chunks], self.document.count)
        for i in open_chunks:
            for stripped in affixes.stripped(self.chunks[i]):
                found = self.document.exact(stripped)
                if found:
                    self.sites[i] = [site._replace(extra=True) for site in found]
                    break

    def as_sets(self) -> dict[int, Match]:
        """Without an order: what has one place is there, what has several is in any of them."""
        for i in self.unplaced:
            if len(self.sites[i]) == 1 and self._is_strong(i, self.sites[i][0]):
                self.placed[i] = self.sites[i][0]
        return self._answers({})

    def in_order(self, starts: Given) -> dict[int, Match]:
        """By the order of the list."""
        certain = dict(self.placed)
        for i in self.unplaced:
            if len(self.sites[i]) == 1 and self._is_strong(i, self.sites[i][0]):
                certain[i] = self.sites[i][0]
        fixed = {i: certain[i] for i in backbone({i: certain[i].span.start for i in sorted(certain)})}
        astray = [i for i in certain if i not in fixed]
        if len(astray) <= ASTRAY * len(certain):
            for i in astray:
                self._look_again(i, fixed, certain)
        self.placed = certain
        open_chunks = sorted(i for i in self.sites if i not in certain and 0 < len(self.sites[i]) < LIMIT)
        good = self._settle(open_chunks, fixed, self._given(starts, certain) if open_chunks else None)
        self._fill_gaps(fixed, good)
        return self._answers(good)

    def _given(self, starts: Given, certain: dict[int, Site]) -> Given:
        """The reported offsets as code points of the document, whatever unit and parent they count from."""
        if starts is None:
            return None
        text, indexes = self.document.text, range(len(self.chunks))
        known = [[certain[i]] if i in certain else self.sites.get(i, []) for i in indexes]
        places = [{site.span.start for site in sites} for sites in known]
        found = find_code_points(starts, text, detect_unit(starts, places, text) or Unit.CODE_POINT)
        bases = find_bases(found, [certain[i].span.start if i in certain else None for i in indexes])
        return [None if offset is None else offset + (base or 0) for offset, base in zip(found, bases, strict=True)]

    def _look_again(self, i: int, fixed: dict[int, Site], certain: dict[int, Site]) -> None:
        """A chunk out of order may be an untouched copy of one that was altered in its place."""
        before = max((k for k in fixed if k < i), default=None)
        after = min((k for k in fixed if k > i), default=None)
        low = certain[before].span.start if before is not None else 0
        high = certain[after].span.end if after is not None else len(self.document.text)
        chunk = self.chunks[i]
        others = Gap(self.document, low, high).sites(chunk, [])
        others = [site for site in others if site.coverage >= 1 - PLAUSIBLE / 2 and site.span != certain[i].span]
        if others:
            self.sites[i] = [*others, certain.pop(i)]
            if i not in self.unplaced:
                self.unplaced.append(i)

    def _is_strong(self, i: int, site: Site) -> bool:
        """Whether its only place needs no neighbours to vouch for it."""
        if site.exact:
            return site.size >= SHORT or squash(site.span.of(self.document.text)) == squash(self.chunks[i])
        return site.found >= 2 * SHORT and site.cost <= site.found * PLAUSIBLE / 2

    def _stop(self, site: Site, reach: int = 0) -> Stop:
        mark = self.document.mark
        end = mark(site.span.end)
        return Stop(mark(site.span.start), end, site.cost, site.span.start, max(end, reach))

    def _settle(self, open_chunks: list[int], fixed: dict[int, Site], starts: Given) -> dict[int, list[Site]]:
        """Places what order decides; gives what it leaves open, each with the places that are as good."""
        good: dict[int, list[Site]] = {}
        count = len(self.chunks)
        ink = len(self.document.readings.ink.squashed)
        edges = {-1: edge(0), count: edge(ink)}
        ranks = sorted(fixed)
        admitted = {i: [site for site in self.sites[i] if site.exact or site.gain > 0] for i in open_chunks}
        sizes = {i: len(squash(self.chunks[i])) for i in self.unplaced if i not in fixed and not admitted.get(i)}
        for island in _islands([i for i in open_chunks if admitted[i]], ranks):
            spot = bisect_left(ranks, island[0])
            before, after = (ranks[spot - 1] if spot else -1), (ranks[spot] if spot < len(ranks) else count)
            layers = [[self._stop(fixed[before]) if before >= 0 else edges[-1]]]
            reach = layers[0][0].end
            layers += [[self._stop(site, reach) for site in admitted[i]] for i in island]
            layers.append([edges[count] if after == count else self._stop(fixed[after])])
            ways = [before, *island, after]
            unseen = [sum(sizes.get(k, 0) for k in range(a + 1, b)) for a, b in pairwise(ways)]
            given = [None if starts is None else starts[i] for i in island]
            for i, chosen in zip(island, choose(layers, unseen, given, self._work), strict=True):
                sites = [admitted[i][k] for k in chosen]
                if len(sites) == 1:
                    self.placed[i] = sites[0]
                    fixed[i] = sites[0]
                else:
                    good[i] = sites
        return good

    def _fill_gaps(self, fixed: dict[int, Site], good: Mapping[int, list[Site]]) -> None:
        """What has no place yet is looked for between its neighbours, where a short or altered chunk is certain."""
        ranks = sorted(fixed)
        edges = [-1, *ranks, len(self.chunks)]
        overlap = max((self.placed[a].span.end - self.placed[b].span.start for a, b in pairwise(ranks)), default=0)
        # What order has left open between several places, no gap decides.
        waiting = sorted(
            i for i in self.unplaced if i not in self.placed and len(self.sites[i]) < LIMIT and i not in good
        )
        for run in _islands(waiting, ranks):
            spot = bisect_left(edges, run[0])
            before, after = edges[spot - 1], edges[spot]
            low = self.placed[before].span.end if before >= 0 else 0
            high = self.placed[after].span.start if after < len(self.chunks) else len(self.document.text)
            chunks = {i: self.chunks[i] for i in run}
            found = Gap(self.document, low, high).fill(chunks, self.sites, self._work)
            inside = {i: site for i, site in found.items() if site.is_complete}
            if len(inside) < len(run) and overlap > 0:
                inside = Gap(self.document, low, high, overlap).fill(chunks, self.sites, self._work) | inside
            self.placed |= inside if overlap > 0 else found

    def _join(self, open_chunks: Mapping[int, list[Site]]) -> None:
        """The other pieces of chunks of which only one was found."""
        for i in self.unplaced:
            site = self.placed.get(i) or next(iter(self.sites[i]), None)
            if site and not site.exact and i not in open_chunks and site.size == len(letters(self.chunks[i])):
                whole = composed(site, self.chunks[i], self.document.exact)
                if whole.coverage >= WHOLE > site.coverage:
                    self.placed[i] = whole

    def _answers(self, good: dict[int, list[Site]]) -> dict[int, Match]:
        self._join(good)
        claims = Claims(self.placed)
        out: dict[int, Match] = {}
        shared: dict[tuple[int, int], Match] = {}
        for i in self.unplaced:
            if i in self.placed:
                site = self.placed[i]
                match = found_at(site, self.chunks[i], self.document.text)
                doubt = claims.doubt(i, site)
                out[i] = match._replace(sure=False, reason=doubt) if doubt else match
            else:
                key = id(self.sites[i]), len(good.get(i, []))  # equal chunks share their places, a thousand each
                if key not in shared:
                    shared[key] = _open_answer(self.sites[i], good.get(i, []))
                out[i] = shared[key]
        return out


def _islands(indexes: Iterable[int], fixed: Sequence[int]) -> list[list[int]]:
    """The indexes, grouped by the certain ones between which they stand."""
    out: dict[int, list[int]] = {}
    for i in indexes:
        out.setdefault(bisect_left(fixed, i), []).append(i)
    return list(out.values())


def _open_answer(sites: list[Site], good: list[Site]) -> Match:
    if not sites:
        return NOT_FOUND
    if len(sites) == 1:
        site = sites[0]
        return Match(
            site.span,
            Status.EDITED,
            sure=False,
            score=site.coverage,
            coverage=site.coverage,
            pieces=site.pieces,
            reason="too short or too much altered to be sure of",
        )
    spans: tuple[Span, ...] = tuple(sorted(site.span for site in sites))
    count = f"{len(spans)} places" if len(spans) < LIMIT else f"{LIMIT} places or more"
    return Match(
        None,
        Status.AMBIGUOUS,
        sure=False,
        score=1 / (len(good) or len(spans)),
        coverage=max(site.coverage for site in sites),
        rivals=spans,
        reason=f"stands in {count}, and neither order nor offset decides",
    )
