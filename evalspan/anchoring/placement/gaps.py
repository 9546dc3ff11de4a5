"""The text between two certain neighbours: small, so that looking for a short or altered chunk is cheap and safe."""

from itertools import pairwise

from evalspan.anchoring.placement.ladder import Document
from evalspan.anchoring.placement.order import Stop, Work, choose, edge
from evalspan.anchoring.placement.similar import Likeness, Seeds, resemble
from evalspan.anchoring.placement.site import SHORT, Site
from evalspan.anchoring.search import occurrences
from evalspan.spans import Span
from evalspan.text.reading import squash
from evalspan.text.readings import Folded, folded, letters

FILLED = 0.8
"""Share of the gap that a chunk must fill to be believed there with less than half of its letters found."""

HALF = 0.5
"""Share of a chunk's letters that must be found in the gap: less is a foreign chunk."""

LONGEST = 100
"""Letters of a chunk that the seeds of a gap are sized for: in a small text shorter ones tell places apart."""

WIDE = 20_000
"""Characters, some ten pages, beyond which a stretch is no gap but a part of the document: what its chunks have in
common with it, the seeds of the whole document have found."""

ROOM = 4
"""Times its own length in which a chunk is aligned without seeds."""


class Gap:
    """The stretch of a document between two neighbours, and what they may overlap with it."""

    def __init__(self, document: Document, low: int, high: int, overlap: int = 0) -> None:
        self.document = document
        self.inner = (low, high)
        self.low, self.high = max(0, low - overlap), min(len(document.text), high + overlap)
        self._seeds: dict[Folded, Seeds] = {}

    def fill(self, chunks: dict[int, str], known: dict[int, list[Site]], work: Work) -> dict[int, Site]:
        """The chunks that have one place in it."""
        if self.low >= self.high or self.high - self.low > WIDE:
            return {}
        sites = {i: self.sites(chunk, known[i]) for i, chunk in chunks.items()}
        sites = {i: found for i, found in sites.items() if found}
        if not sites:
            return {}
        mark = self.document.mark
        begin, end = mark(self.low), mark(self.high)
        layers = [[edge(max(begin, mark(self.inner[0])), begin)]]
        layers += [[self._stop(site) for site in found] for found in sites.values()]
        layers.append([edge(end, mark(self.inner[1]))])
        ways = [min(chunks) - 1, *sites, max(chunks) + 1]
        sizes = {i: len(squash(chunk)) for i, chunk in chunks.items() if i not in sites}
        unseen = [sum(sizes.get(k, 0) for k in range(a + 1, b)) for a, b in pairwise(ways)]
        out: dict[int, Site] = {}
        for (i, found), good in zip(sites.items(), choose(layers, unseen, [None] * len(sites), work), strict=True):
            if len(good) == 1:
                out[i] = found[good[0]]
        return out

    def _stop(self, site: Site) -> Stop:
        end = self.document.mark(site.span.end)
        return Stop(self.document.mark(site.span.start), end, site.cost, site.span.start, end)

    def sites(self, chunk: str, known: list[Site]) -> list[Site]:
        """The places of one chunk in the gap."""
        if any(site.exact for site in known):
            return [site for site in known if self.low <= site.span.start and site.span.end <= self.high]
        if not letters(chunk):
            return self._by_signs(chunk)
        form, reading = self.document.likened(chunk)
        sites = self.document.sites(self._spots(form, reading), chunk, form, reading)
        return [site for site in sites if self._is_enough(site)]

    def _is_enough(self, site: Site) -> bool:
        if site.coverage >= HALF:
            return True
        if site.found < 2 * SHORT:
            return False
        mark = self.document.mark
        free = mark(self.inner[1]) - mark(self.inner[0])
        return mark(site.span.end) - mark(site.span.start) >= FILLED * free > 0

    def _spots(self, form: str, reading: Folded) -> list[Likeness]:
        first, last = reading.mark(self.low), reading.mark(self.high)
        text = reading.squashed[first:last]
        at = occurrences(form, text)
        if at:
            size = len(form)
            found = [Likeness(a, a + size, 0, size, size, 0, ((a, a + size),)) for a in at]
        elif len(text) <= ROOM * len(form):
            one = resemble(form, text, 0, len(text))
            found = [one] if one else []
        else:
            found = self._seeds_of(reading, text).like(form)
        return [_shifted(one, first) for one in found]

    def _seeds_of(self, reading: Folded, text: str) -> Seeds:
        if reading not in self._seeds:
            self._seeds[reading] = Seeds(text, LONGEST, stride=1)
        return self._seeds[reading]

    def _by_signs(self, chunk: str) -> list[Site]:
        form = folded(chunk)
        if not form:
            return []
        reading = self.document.readings.folded
        first, last = reading.mark(self.low), reading.mark(self.high)
        spans = [
            reading.raw(first + at, first + at + len(form)) for at in occurrences(form, reading.squashed[first:last])
        ]
        return [Site(Span(*span), (span,), True, 0, len(form), len(form)) for span in spans]


def _shifted(one: Likeness, by: int) -> Likeness:
    pieces = tuple((begin + by, end + by) for begin, end in one.pieces)
    return one._replace(begin=one.begin + by, end=one.end + by, pieces=pieces)
