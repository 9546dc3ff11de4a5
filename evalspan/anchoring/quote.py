"""A quote in a text: widening readings, then likeness; all good places weighed by quote and context on both sides."""

from typing import NamedTuple

from evalspan.anchoring.anchor import Match, Status
from evalspan.anchoring.placement.context import Agreement, Context
from evalspan.anchoring.placement.ladder import Document
from evalspan.anchoring.placement.meaning import replaced_names
from evalspan.anchoring.placement.similar import resemble
from evalspan.anchoring.placement.site import SHORT, Site, found_at
from evalspan.anchoring.search import LIMIT, occurrences
from evalspan.spans import Span
from evalspan.text.reading import squash
from evalspan.text.readings import letters

AGREEING = 0.5
"""Share of the given context that must stand around a passage that is no evidence by itself: a short, a shortened or a
much altered one."""

MARGIN = 8
"""Non-blank characters of context by which the best of several equal places must lead: about one word more, so that a
shared blank line or article decides nothing."""

QUOTE, SIDE = 50, 20
"""What the quote, and each side of its context, weigh (as in the hypothesis client): the passage itself counts most,
but a copy elsewhere does not outweigh an altered original between both its neighbours."""

LEAD = 5
"""Of these weights, what the best place must lead by: a tenth of the quote."""

LITTLE = 0.2
"""Share of a quote below which what stands between its context is another text, however well the context agrees."""

ALIKE = 0.75
"""Share of a quote that must be found where no context speaks for the place."""


class _Place(NamedTuple):
    site: Site
    agreement: Agreement
    weight: float


def locate(quote: str, text: str, *, prefix: str = "", suffix: str = "", near: int | None = None) -> Match:
    """Where `quote` stands in `text`.

    `prefix` and `suffix` are what stood before and after it; `near` is a code point offset, the place to name first
    where nothing decides. Several equal places without deciding context are ambiguous, never the first.
    """
    if not squash(quote):
        return Match(None, Status.MISSING, sure=False, reason="blank")
    document = Document(text)
    context = Context(prefix, suffix, document)
    sites = _exact(quote, document, prefix, suffix)
    size = len(letters(quote)) or len(squash(quote))
    short = len(squash(quote)) < SHORT
    places = [_weighed(site, context) for site in sites]
    convinced = any(min(context.share(place.agreement)) >= AGREEING for place in places) or not context.given
    if not short and not (places and convinced):
        known = {place.site.span for place in places}
        between, closed = _between(quote, size, document, context)
        others = [*between, *(document.alike(quote) if not places else [])]
        places += [_weighed(site, context) for site in _apart(others, known)]
        if closed and not any(min(context.share(place.agreement)) >= AGREEING for place in places):
            return _closed_up(places, quote, document)
    if not places:
        return Match(None, Status.MISSING, sure=False, reason="not found")
    return _judge(places, quote, document, context, near, short)


def _exact(quote: str, document: Document, prefix: str, suffix: str) -> list[Site]:
    """Its places by a reading; of more than are looked at, those with some of the context around."""
    sites = document.exact(quote)
    if len(sites) < LIMIT:
        return sites
    for before, after in ((prefix[-MARGIN:], suffix[:MARGIN]), (prefix[-MARGIN:], ""), ("", suffix[:MARGIN])):
        if before or after:
            found = occurrences(before + quote + after, document.text)
            if 0 < len(found) < LIMIT:
                spans = [Span(at + len(before), at + len(before) + len(quote)) for at in found]
                return [sites[0]._replace(span=span, pieces=(span,)) for span in spans]
    return sites


def _weighed(site: Site, context: Context) -> _Place:
    agreement = context.around(site.span)
    quality = max(0, site.found - site.flaws) / max(1, site.size)
    return _Place(site, agreement, QUOTE * quality + SIDE * sum(context.share(agreement)))


def _between(quote: str, size: int, document: Document, context: Context) -> tuple[list[Site], bool]:
    """What resembles the quote where its context stands, and whether the context has closed up without it."""
    form = letters(quote)
    reading = document.readings.letters
    if document.likened(quote)[1] is not reading:
        return [], False
    found: list[Site] = []
    closed = False
    for begin, end, both in context.windows(size):
        one = resemble(form, reading.squashed, begin, end) if begin < end else None
        sites = document.sites([one], quote, form, reading) if one else []
        if sites and 2 * sites[0].found >= min(size, end - begin):
            found += sites
        elif both and end - begin <= size:
            closed = True
    return found, closed


def _apart(sites: list[Site], known: set[Span]) -> list[Site]:
    """Those that share no ground with the known ones or with a better one before them."""
    out: list[Site] = []
    taken = list(known)
    for site in sites:
        if not any(site.span.shared(span) for span in taken):
            out.append(site)
            taken.append(site.span)
    return out


def _closed_up(places: list[_Place], quote: str, document: Document) -> Match:
    reason = "its context has closed up without it"
    exact = [place.site for place in places if place.site.exact]
    if len(exact) == 1:  # moved here, or another copy of what was deleted there
        match = found_at(exact[0], quote, document.text)
        return match._replace(status=Status.MOVED, sure=False, reason=reason)
    return Match(None, Status.MISSING, sure=False, reason=reason)


def _judge(
    places: list[_Place], quote: str, document: Document, context: Context, near: int | None, short: bool
) -> Match:
    def order(place: _Place) -> tuple[float, int, int]:
        start = place.site.span.start
        return -place.weight, -place.agreement.total, abs(start - near) if near is not None else start

    ranked = sorted(places, key=order)
    best = ranked[0]
    rivals = [place for place in ranked if _is_rival(place, best)]
    if len(rivals) > 1 or len(places) >= LIMIT:
        named = near is not None
        return Match(
            best.site.span if named else None,
            Status.AMBIGUOUS,
            sure=False,
            score=1 / len(rivals),
            coverage=best.site.coverage,
            pieces=best.site.pieces if named else (),
            rivals=tuple(place.site.span for place in rivals),
            reason=f"stands in {len(rivals)} places and the context does not decide",
        )
    match = found_at(best.site, quote, document.text)
    doubt = _doubt(best, context, short, match.same)
    if doubt and not best.site.exact and _is_lookalike(best.site, quote, document.text):
        return Match(None, Status.MISSING, sure=False, same=False, reason="only something like it is there")
    return match._replace(sure=False, reason=doubt) if doubt else match


def _is_rival(place: _Place, best: _Place) -> bool:
    if place.site.exact and best.site.exact:
        return place.agreement.total + MARGIN > best.agreement.total
    return place.weight + LEAD > best.weight


def _is_lookalike(site: Site, quote: str, text: str) -> bool:
    """Whether another name or number stands where the quote has its own; of a missing end, what stands instead."""
    start, end = site.span
    if max(site.before, site.behind) > (1 - ALIKE) * site.size:
        return False  # not replaced but cut off
    return replaced_names(quote, text[max(0, start - site.before) : end + site.behind])


def _doubt(place: _Place, context: Context, short: bool, same: bool) -> str:
    """Why a place that has no rival is not sure, or ""."""
    site = place.site
    agrees = context.given > 0 and place.agreement.total >= max(1.0, AGREEING * context.given)
    if short:
        return "" if agrees else "too short to be sure of without context"
    if site.exact:
        return ""
    if site.found < max(SHORT, LITTLE * site.size):
        return "too little of it is there"
    if agrees:
        return ""
    if max(context.share(place.agreement)) >= AGREEING and site.coverage >= AGREEING:
        return ""
    if site.coverage < ALIKE or site.gain < AGREEING * site.size:
        return "too much altered, and no context speaks for the place"
    return "" if same else "a name, a number or a negation differs, and no context speaks for the place"
