"""The passages of one document, carried to its new version: what became of each."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import NamedTuple

from evalspan.anchoring import Match, Status, relocate
from evalspan.anchoring.alignment.letters import letters
from evalspan.anchoring.equal import EqualPassages
from evalspan.errors import BadInput, Problem
from evalspan.spans import Span

LEFT = 1 / 3
"""Share of a passage that must be there for a place that is not sure to be one at all: with less, twice as much is gone
as is left, and the few words that are alike stand in any text about the same things."""


class Change(StrEnum):
    """What became of a passage, the best first: a passage of several ranges is as its worst."""

    KEPT = "kept"
    """The same text in the same range."""
    MOVED = "moved"
    """The same text in another range."""
    RE_EXTRACTED = "re-extracted"
    """The same letters and digits in the same order; blanks, case, punctuation or hyphenation differ, but no number's
    sign or decimal point, and no comparison."""
    EDITED = "edited"
    """Words differ, or something was put in between; numbers, negation and names are the same."""
    CHANGED = "changed"
    """The place is sure, and numbers, negation or names differ in it or in the rest of its sentence (then the passage
    itself may read as it did), or a quarter of it or more is gone at once."""
    UNCERTAIN = "uncertain"
    """Several places fit, or one does weakly."""
    MISSING = "missing"
    """No place fits: less than a third of it is where it stood, and it is nowhere else."""

    @property
    def waits(self) -> bool:
        """A person has to look."""
        return self in (Change.CHANGED, Change.UNCERTAIN, Change.MISSING)


_BEST_FIRST = tuple(Change)


class Carried(NamedTuple):
    """One range of a passage."""

    span: Span
    """In the old text."""
    change: Change
    match: Match
    old: str
    """What stood there."""
    new: str
    """What stands there now, from the first piece to the last, or at the likeliest place; "" where none is likelier. Of
    a missing one it is what is most like it where it stood, and no copy of it."""
    stale: bool
    """What was said of the old text need not hold any more."""
    copies: tuple[Span, ...] = ()
    """Of a missing one: where the new text holds the same, up to white space. It is what other old text became, and not
    this passage moved; yet it may answer as well."""


class Carriage(NamedTuple):
    """A passage: all its ranges are needed together."""

    change: Change
    """Of its worst range."""
    ranges: tuple[Carried, ...]

    @property
    def stale(self) -> bool:
        """An answer that rests on the passage has to be confirmed or written anew."""
        return any(carried.stale for carried in self.ranges)

    @property
    def gone(self) -> bool:
        """None of its ranges is left. A passage that is missing and not gone lost a part of what it needs."""
        return all(carried.change is Change.MISSING for carried in self.ranges)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Its ranges in the new text, if all their places are sure: of each its pieces, in order. Else none."""
        if not all(carried.match.sure for carried in self.ranges):
            return ()
        return tuple(span for carried in self.ranges for span in carried.match.places)


def rebase_passages(passages: Sequence[Sequence[Span]], old_text: str, new_text: str) -> list[Carriage]:
    """What became of each passage, in the order given. A pure function of one document.

    A passage is one or more ranges of the old text, in code points. Equal texts cost nothing. Raises BadInput for a
    range outside the old text, and for a passage without any.
    """
    empty = [number for number, passage in enumerate(passages) if not passage]
    if empty:
        raise BadInput([Problem("passages", None, f"passage {number} has no range") for number in empty])
    spans = [Span(*span) for passage in passages for span in passage]
    matches = relocate(spans, old_text, new_text)
    carried = [_carried(span, match, old_text, new_text) for span, match in zip(spans, matches, strict=True)]
    carried = _with_copies(carried, new_text)
    bounds = accumulate(map(len, passages), initial=0)
    return [_passage(carried[first:last]) for first, last in pairwise(bounds)]


def _passage(ranges: Sequence[Carried]) -> Carriage:
    return Carriage(max((carried.change for carried in ranges), key=_BEST_FIRST.index), tuple(ranges))


def _with_copies(carried: list[Carried], new_text: str) -> list[Carried]:
    """The same, each missing one with its copies."""
    missing = [number for number, one in enumerate(carried) if one.change is Change.MISSING]
    if not missing:
        return carried
    found: dict[int, list[Span]] = {}
    for which, span in EqualPassages(carried[number].old for number in missing).find(new_text):
        found.setdefault(missing[which], []).append(span)
    return [one._replace(copies=tuple(found.get(number, ()))) for number, one in enumerate(carried)]


def _carried(span: Span, match: Match, old_text: str, new_text: str) -> Carried:
    old = span.of(old_text)
    new = match.span.of(new_text) if match.span else ""
    change = _change(span, match, old, new)
    if change is Change.UNCERTAIN:
        stale = not all(_reads_the_same(old, place.of(new_text)) for place in match.places)
    else:
        stale = change in (Change.CHANGED, Change.MISSING)
    return Carried(span, change, match, old, new, stale)


def _change(span: Span, match: Match, old: str, new: str) -> Change:
    if not match.sure:
        weak = match.coverage < LEFT and not match.rivals
        return Change.MISSING if weak or match.status is Status.MISSING else Change.UNCERTAIN
    if not match.same or match.status is Status.TRUNCATED:
        return Change.CHANGED
    if old == new:
        return Change.KEPT if match.span == span else Change.MOVED
    return Change.RE_EXTRACTED if _reads_the_same(old, new) else Change.EDITED


def _reads_the_same(old: str, new: str) -> bool:
    """Equal in letters and digits, of which there are some, or equal as it is."""
    return old == new or letters(old) == letters(new) != ""
