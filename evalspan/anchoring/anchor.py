"""What is kept to find a span again, and what finding it gives."""

from enum import StrEnum
from typing import NamedTuple

from evalspan.anchoring.search import occurrences
from evalspan.digests import text_digest
from evalspan.spans import Span
from evalspan.value import Value

EXACT_LIMIT = 400
"""Longest passage an anchor quotes whole, in code points: an evidence passage is some sentences. Longer ones are whole
chunks, of which the two ends, the length and the digest say as much at a fraction of the room."""

EDGE = 60
"""Code points of each end that are kept of a longer passage, cut at a word: a dozen words, which rarely occur twice."""

CONTEXT = 32
"""Code points of context first taken on each side (as the W3C's quote selectors have them); doubled until the
passage with its context occurs once."""

CONTEXT_LIMIT = 256
"""Context never grows beyond this: what still repeats then is told apart by its number among the copies."""


class Status(StrEnum):
    """How the passage stands in the text now."""

    EXACT = "exact"
    REFORMATTED = "reformatted"
    """Differs in whitespace, hyphenation, Unicode form, case or markup only."""
    EDITED = "edited"
    TRUNCATED = "truncated"
    SPLIT = "split"
    MOVED = "moved"
    AMBIGUOUS = "ambiguous"
    MISSING = "missing"


class Match(NamedTuple):
    """Where a passage is now."""

    span: Span | None
    """The place, or the likeliest one where not sure; None where no place can be named."""
    status: Status
    sure: bool
    """The place needs no person."""
    same: bool = True
    """Digits, negation and names in it still agree: the meaning needs no person."""
    score: float = 0.0
    """0 to 1."""
    coverage: float = 0.0
    """Share of the quote that was found."""
    pieces: tuple[Span, ...] = ()
    """More than one for a passage that was split; else the span alone."""
    rivals: tuple[Span, ...] = ()
    """Other places that fit as well."""
    reason: str = ""
    """Why not sure."""

    @property
    def places(self) -> tuple[Span, ...]:
        """The spans of the passage where it is sure; else every place it may have, ascending."""
        if self.sure:
            return self.pieces or ((self.span,) if self.span else ())
        return tuple(sorted({*self.rivals, *((self.span,) if self.span else ())}))


class Anchor(Value):
    """What is kept beside a span so that it can be found again after an edit."""

    exact: str
    """The passage, or "" where it is longer than EXACT_LIMIT."""
    head: str
    """Its first words."""
    tail: str
    """Its last words."""
    length: int
    digest: str
    """Of the passage, as `text_digest`."""
    prefix: str
    suffix: str
    nth: int
    """Which of the equal passages of its document it is, from 0 (of the first 1,000)."""
    copies: int
    """How many there are."""


def make_anchor(text: str, span: Span) -> Anchor:
    """The anchor of `span` in its document."""
    quote = span.of(text)
    places = occurrences(quote, text)
    nth, copies = sum(at < span.start for at in places), len(places)
    size = CONTEXT
    prefix, suffix = _context(text, span, size)
    while copies > 1 and size < CONTEXT_LIMIT and _repeats(text, prefix + quote + suffix):
        size *= 2
        prefix, suffix = _context(text, span, size)
    return Anchor(
        exact=quote if len(quote) <= EXACT_LIMIT else "",
        head=_words_of_start(quote),
        tail=_words_of_end(quote),
        length=len(quote),
        digest=text_digest(quote),
        prefix=prefix,
        suffix=suffix,
        nth=nth,
        copies=copies,
    )


def _repeats(text: str, passage: str) -> bool:
    return len(occurrences(passage, text, 2)) > 1


def _words_of_start(text: str) -> str:
    """The first EDGE code points, back to the end of a word where there is one."""
    if len(text) <= EDGE:
        return text
    cut = text[:EDGE]
    return cut if text[EDGE].isspace() else cut.rsplit(None, 1)[0] if " " in cut.strip() else cut


def _words_of_end(text: str) -> str:
    if len(text) <= EDGE:
        return text
    cut = text[-EDGE:]
    return cut if text[-EDGE - 1].isspace() else cut.split(None, 1)[1] if " " in cut.strip() else cut


def _context(text: str, span: Span, size: int) -> tuple[str, str]:
    """`size` code points on each side, grown to whole words (by at most `size` more)."""
    start = max(0, span.start - size)
    limit = max(0, start - size)
    while start > limit and not text[start - 1].isspace():
        start -= 1
    end = min(len(text), span.end + size)
    limit = min(len(text), end + size)
    while end < limit and not text[end].isspace():
        end += 1
    return text[start : span.start], text[span.end : end]
