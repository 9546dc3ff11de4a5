"""The passages of a foreign file held against the text of their document, and turned into code points."""

import hashlib
from functools import lru_cache

from evalspan.errors import NoSuchOffset
from evalspan.formats.foreign.canonical import Canonical
from evalspan.formats.foreign.form import ForeignSpan, Measure, Piece
from evalspan.spans import Span
from evalspan.text.units import Unit, find_code_points

KEPT = 4
"""Canonical forms kept at hand: the passages of a document come one after another."""

SHOWN = 60
"""Code points of a text that are shown in a message."""


def settle(span: ForeignSpan, text: str) -> ForeignSpan | str:
    """The span in code points, or what is wrong with it. Its words are not compared yet where it counts code points:
    that is done for every span alike.
    """
    pieces = [_settle(span, piece, text) for piece in (Piece(span.start, span.end, span.quote), *span.also)]
    wrong = [piece for piece in pieces if isinstance(piece, str)]
    if wrong:
        return "; ".join(wrong)
    first, *also = (piece for piece in pieces if not isinstance(piece, str))
    return span._replace(
        start=first.start, end=first.end, quote=first.quote, also=tuple(also), measure=Measure.CODE_POINTS, sha256=""
    )


def _settle(span: ForeignSpan, piece: Piece, text: str) -> Piece | str:
    start, end, quote = piece
    if start is None or end is None:
        return piece
    if end <= start:
        return f"the span {start}..{end} is empty"
    if span.measure is Measure.CODE_POINTS:
        return piece
    if span.measure is Measure.CANONICAL:
        return _of_canonical(span, start, end, text)
    found: set[tuple[int, int]] = set()
    for unit in span.measure.value:
        first, last = find_code_points([start, end], text, unit)
        if first is not None and last is not None and first < last and says(text[first:last], quote):
            found.add((first, last))
    if len(found) != 1:
        what = "in none of its units" if not found else "in two units, differently"
        return f"{start}..{end} holds {_short(quote)} {what}"
    ((first, last),) = found
    return Piece(first, last)


@lru_cache(KEPT)
def _canonical(text: str) -> Canonical:
    return Canonical(text)


def _of_canonical(span: ForeignSpan, start: int, end: int, text: str) -> Piece | str:
    form = _canonical(text)
    if span.sha256 and hashlib.sha256(form.text[start:end].encode()).hexdigest() != span.sha256:
        return f"at {start}..{end} stands {_short(form.text[start:end])}, of which the hash is another one"
    try:
        place = Span(form.source_offset(start), form.source_offset(end))
    except NoSuchOffset as error:
        return str(error)
    return Piece(*place)


def in_another_unit(span: ForeignSpan, text: str) -> Span | None:
    """Where the passage stands if its offsets, taken for code points, count something else: only where exactly its
    words stand there, and no other unit says another place.
    """
    found: set[Span] = set()
    for unit in (Unit.UTF16, Unit.UTF8):
        start, end = find_code_points([span.start, span.end], text, unit)
        if start is not None and end is not None and text[start:end] == span.quote:
            found.add(Span(start, end))
    return found.pop() if len(found) == 1 else None


def says(passage: str, quote: str) -> bool:
    """Whether they are the same up to white space, which tools that mark text in a page lose; some write a line end as
    backslash and n.
    """
    inked = "".join(passage.split())
    return bool(inked) and any(inked == "".join(one.split()) for one in (quote, quote.replace("\\n", "\n")))


def _short(text: str) -> str:
    return repr(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")
