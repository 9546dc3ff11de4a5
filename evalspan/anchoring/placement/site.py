"""A place that a passage may have, found by one of the readings or by likeness; and what is said of it in the end."""

from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from evalspan.anchoring.anchor import Match, Status
from evalspan.anchoring.placement.meaning import same_meaning, same_numbers
from evalspan.spans import Span
from evalspan.text.readings import folded, plain

SHORT = 12
"""Letters below which a passage is no evidence by itself: a name stands inside longer words and in other chapters. It
needs neighbours or context that agree."""

WHOLE = 0.9
"""Share of the quote found from which it is not called truncated: a word or two at an end may be an edit."""

_FORMAL = str.maketrans("", "", "*_`#>|[]()~\\-'\"+=<!&;:/")
"""Signs that markup, quotation and hyphenation are made of."""


class Site(NamedTuple):
    """A place a passage may have."""

    span: Span
    pieces: tuple[Span, ...]
    exact: bool
    """By a reading, letter for letter; else by likeness."""
    flaws: int
    """Letters that differ inside."""
    found: int
    """Letters of the quote that are there."""
    size: int
    """Letters of the quote."""
    before: int = 0
    """Letters of the quote in front of what is there."""
    behind: int = 0
    extra: bool = False
    """Whether something was taken from the quote, in front or behind, that is not of this text."""

    @property
    def cost(self) -> int:
        """All letters that speak against the place."""
        return self.flaws + self.before + self.behind

    @property
    def is_complete(self) -> bool:
        """Whether the quote was found from end to end."""
        return not self.before and not self.behind

    @property
    def gain(self) -> int:
        return self.found - self.cost

    @property
    def coverage(self) -> float:
        return min(1.0, self.found / self.size) if self.size else 1.0


def found_at(site: Site, quote: str, text: str) -> Match:
    """The match of a passage whose place is certain."""
    passage = site.span.of(text)
    if passage == quote:
        return Match(site.span, Status.EXACT, True, True, 1.0, 1.0, (site.span,))
    if site.exact and not site.extra and is_reformatted(quote, passage):
        same = same_numbers(quote, passage)
        score = ratio(quote, passage) / 100
        return Match(site.span, Status.REFORMATTED, True, same, score, 1.0, site.pieces)
    status = Status.EDITED
    if len(site.pieces) > 1:
        status = Status.SPLIT
    elif site.coverage < WHOLE:
        status = Status.TRUNCATED
    # What was put in front or behind is no part of the passage: it says nothing about the passage's meaning.
    same = site.exact if site.extra else same_meaning(quote, " ".join(piece.of(text) for piece in site.pieces))
    score = max(0.0, 1 - site.cost / max(1, site.size))
    return Match(site.span, status, True, same, score, site.coverage, site.pieces)


def is_reformatted(quote: str, passage: str) -> bool:
    """Whether the two differ in white space, hyphenation, Unicode form, case or markup only."""
    if folded(quote).translate(_FORMAL) == folded(passage).translate(_FORMAL):
        return True
    return plain(quote) == plain(passage) and _stops(quote) == _stops(passage)


def _stops(text: str) -> int:
    return sum(text.count(stop) for stop in ".,;?。，、")
