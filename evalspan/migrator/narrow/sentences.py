"""Sentences of a passage, as ranges of its document."""

import re

from evalspan.spans import Span

_END = re.compile(
    r"[.!?\n؟۔।。！？｡…]"  # a set in front lets the search skip what is in none
    r"(?:(?<=[.!?؟۔।])[.!?؟۔।]*[\"'”’»)\]]*(?=\s)|(?<=\n)\n*|(?<=[。！？｡])[。！？｡]*[”’」』）]*|(?<=…)…*(?=\s))"
)
LONG = 400
"""Characters from which a stretch without an end (a table, a list on one line) is cut at blanks: as a unit it would
say nothing about where in it the evidence stands."""

SHORT = 20
"""Non-blank characters under which a piece (an initial, a list's number, a table's cell) joins what follows it."""


def sentences(text: str, start: int, end: int) -> list[Span]:
    """Of `text[start:end]`, ascending and without the white space around them; nothing but white space is left out."""
    cuts = [found.end() for found in _END.finditer(text, start, end)]
    out: list[Span] = []
    begin = start
    for cut in [*cuts, end]:
        if cut < end and cut - begin < SHORT:
            continue
        while cut - begin > 2 * LONG:
            blank = text.rfind(" ", begin + 1, begin + LONG)
            middle = blank if blank > 0 else begin + LONG
            _put(out, text, begin, middle)
            begin = middle
        _put(out, text, begin, cut)
        begin = cut
    return out


def _put(out: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end].lstrip()
    if piece:
        start = end - len(piece)
        out.append(Span(start, start + len(piece.rstrip())))
