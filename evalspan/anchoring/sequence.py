"""The chunks of one document, placed together.

A chunk whose text stands once is placed by that. What stands nowhere to the letter is looked for in widening readings,
without what the chunks have in common in front or behind, and by likeness. What may stand in several places is placed
by the order of the list; what is left is looked for in the gaps between its neighbours. Where a second way is as good,
the chunk stays ambiguous; it never goes to the first place for being first.
"""

from collections.abc import Sequence
from typing import NamedTuple

from evalspan.anchoring.anchor import Match, Status
from evalspan.anchoring.placement.ladder import Document
from evalspan.anchoring.placement.placing import Placing
from evalspan.anchoring.search import LARGE, occurrences
from evalspan.errors import BadInput, Problem
from evalspan.spans import Span

BLANK = Match(None, Status.MISSING, sure=False, reason="blank")


class Exact(NamedTuple):
    """The chunks of a document that stand in it once, to the letter."""

    matches: list[Match | None]
    """None for those that do not (or blank: those have no place)."""
    unplaced: list[int]
    """Numbers of the chunks without a match."""
    ascending: bool
    """Whether the places ascend as the list does."""


def place_exact(chunks: Sequence[str], text: str) -> Exact:
    """The usual case, at the speed of `str.find`."""
    matches: list[Match | None] = []
    unplaced: list[int] = []
    last, ascending = 0, True
    find, new, exact = text.find, tuple.__new__, Status.EXACT
    large = len(text) > LARGE
    for i, chunk in enumerate(chunks):
        if large:
            places = occurrences(chunk, text, 2) if chunk else []
            first, once = (places[0], len(places) == 1) if places else (-1, False)
        else:
            first = find(chunk)
            once = first >= 0 and find(chunk, first + 1) < 0
        if once and not chunk.isspace() and chunk:
            span = new(Span, (first, first + len(chunk)))
            matches.append(new(Match, (span, exact, True, True, 1.0, 1.0, (span,), (), "")))
            ascending = ascending and first >= last
            last = first
        elif not chunk or chunk.isspace():
            matches.append(BLANK)
        else:
            unplaced.append(i)
            matches.append(None)
    return Exact(matches, unplaced, ascending)


def locate_chunks(
    chunks: Sequence[str], text: str, *, starts: Sequence[int | None] | None = None, ordered: bool = True
) -> list[Match]:
    """Where each of a document's chunks stands in it, in the order given.

    `chunks` are their texts; `starts` the offsets an index reports (code points), each believed only where the text
    there is the chunk's. `ordered`: the list follows the document; otherwise what repeats is told apart by nothing.
    Raises BadInput where there are not as many starts as chunks.
    """
    if starts is not None and len(starts) != len(chunks):
        raise BadInput([Problem("starts", None, f"{len(starts)} offsets for {len(chunks)} chunks")])
    matches, unplaced, ascending = place_exact(chunks, text)
    if unplaced or (ordered and not ascending):
        placing = Placing(chunks, Document(text), matches, unplaced)
        found = placing.in_order(starts) if ordered else placing.as_sets()
        for i, match in found.items():
            matches[i] = match
    return [match for match in matches if match is not None]
