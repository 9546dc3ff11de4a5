"""Formats that have the words of passages and say nothing of where they stand: each is looked for in every document."""

from collections.abc import Iterable

from evalspan.formats.foreign.form import ForeignSpan, Holds

TEXTS_ONLY = frozenset({Holds.TEXT, Holds.SPANS, Holds.QUOTES, Holds.SEVERAL, Holds.ANSWER, Holds.UNLABELLED})
"""What such a format holds."""


def spans_of(quotes: Iterable[str]) -> tuple[ForeignSpan, ...]:
    """Each passage once; blank ones say nothing."""
    return tuple(ForeignSpan(None, None, None, quote) for quote in dict.fromkeys(quotes) if quote.strip())
