"""A passage joined from several pieces of the document: after one was found, the rest of the quote is looked for."""

import re
from collections.abc import Callable

from evalspan.anchoring.placement.site import SHORT, Site
from evalspan.spans import Span
from evalspan.text.readings import LETTERS, Folded, letters

_LOOSE = re.compile(r"\A[^\w\s]+(?=\s)|(?<=\s)[^\w\s]+\Z")
"""Signs at the joint, which belong to the other piece."""

QUARTER = 0.25
"""Share of a quote, and at least twice SHORT, from which a piece is looked for by itself: less is a heading or an
edge, which may well stand elsewhere too."""


def composed(site: Site, quote: str, exact: Callable[[str], list[Site]]) -> Site:
    """The site with the pieces of what it lacks in front and behind, where each stands letter for letter in one other
    place; else as it is. Its span is that of all pieces if they are near each other, else that of the longest."""
    least = max(2 * SHORT, QUARTER * site.size)
    if max(site.before, site.behind) < least:
        return site
    part = Folded(quote, LETTERS).raw(site.before, site.size - site.behind)
    pieces, found = list(site.pieces), site.found
    before, behind = site.before, site.behind
    if before >= least and (piece := _piece(quote[: part.start], pieces, exact)):
        pieces.append(piece)
        found, before = found + before, 0
    if behind >= least and (piece := _piece(quote[part.end :], pieces, exact)):
        pieces.append(piece)
        found, behind = found + behind, 0
    if len(pieces) == len(site.pieces):
        return site
    pieces.sort()
    span = Span(pieces[0].start, pieces[-1].end)
    if span.length > 2 * len(quote):
        span = max(pieces, key=lambda piece: piece.length)
    return site._replace(span=span, pieces=tuple(pieces), found=found, before=before, behind=behind)


def _piece(rest: str, taken: list[Span], exact: Callable[[str], list[Site]]) -> Span | None:
    if len(letters(rest)) < 2 * SHORT:
        return None
    sites = exact(_LOOSE.sub("", rest).strip())
    if len(sites) == 1 and not any(sites[0].span.shared(span) for span in taken):
        return sites[0].span
    return None
