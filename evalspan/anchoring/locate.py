"""A quote in a text: exact search, then one that ignores white space; context decides among equal places."""

from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from evalspan.anchoring.anchor import Match, Status
from evalspan.anchoring.search import occurrences
from evalspan.spans import Span
from evalspan.text import Reading
from evalspan.text.reading import squash

SHORT = 12
"""Non-blank characters below which a quote is no evidence by itself: a name stands
inside longer words and in other chapters. Such a quote needs context that agrees."""

AGREEING = 0.5
"""Share of the given context that must stand around a short quote."""

MARGIN = 8
"""Non-blank characters of context by which the best of several equal places must lead: about one word more, so that a
shared blank line or article decides nothing."""


class _Place(NamedTuple):
    span: Span
    context: int
    """Non-blank characters of the given context that stand around it, counted from the quote outwards."""


def locate(quote: str, text: str, *, prefix: str = "", suffix: str = "", near: int | None = None) -> Match:
    """Where `quote` stands in `text`.

    `prefix` and `suffix` are what stood before and after it; `near` is a code point offset, the place to name first
    where nothing decides. Several equal places without deciding context are ambiguous, never the first.
    """
    squashed = squash(quote)
    if not squashed:
        return Match(None, Status.MISSING, sure=False, reason="blank")
    status = Status.EXACT
    spans = [Span(at, at + len(quote)) for at in occurrences(quote, text)]
    if not spans:
        status = Status.REFORMATTED
        reading = Reading(text)
        spans = [reading.raw(at, at + len(squashed)) for at in occurrences(squashed, reading.squashed)]
    if not spans:
        return Match(None, Status.MISSING, sure=False, reason="not found")
    before, after = squash(prefix), squash(suffix)
    places = [_Place(span, _context(text, span, before, after)) for span in spans]
    return _judge(places, quote, text, status, len(squashed), len(before) + len(after), near)


def _judge(
    places: list[_Place], quote: str, text: str, status: Status, size: int, given: int, near: int | None
) -> Match:
    def order(place: _Place) -> tuple[int, int]:
        return -place.context, abs(place.span.start - near) if near is not None else place.span.start

    ranked = sorted(places, key=order)
    best = ranked[0]
    if len(ranked) > 1 and best.context < ranked[1].context + MARGIN:
        rivals = tuple(place.span for place in ranked if place.context + MARGIN > best.context)
        return Match(
            best.span if near is not None else None,
            Status.AMBIGUOUS,
            sure=False,
            score=1 / len(rivals),
            coverage=1.0,
            pieces=(best.span,) if near is not None else (),
            rivals=rivals,
            reason=f"stands in {len(rivals)} places and the context does not decide",
        )
    found = found_at(best.span, quote, text, status)
    if size < SHORT and best.context < max(1.0, AGREEING * given):
        return found._replace(sure=False, reason="too short to be sure of without context")
    return found


def found_at(span: Span, quote: str, text: str, status: Status) -> Match:
    """The match of a quote whose place is certain."""
    score = 1.0 if status is Status.EXACT else ratio(quote, span.of(text)) / 100
    return Match(span, status, sure=True, score=score, coverage=1.0, pieces=(span,))


def _context(text: str, span: Span, before: str, after: str) -> int:
    """How many non-blank characters of the context agree, read outwards from the quote up to the first difference."""
    left = squash(text[max(0, span.start - 4 * len(before)) : span.start])
    right = squash(text[span.end : span.end + 4 * len(after)])
    return _agreeing(left[::-1], before[::-1]) + _agreeing(right, after)


def _agreeing(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
