"""The same passage, unchanged, in another place of the new text."""

from evalspan.anchoring.alignment.letters import Letters, letters
from evalspan.anchoring.alignment.project import Projection
from evalspan.anchoring.alignment.same import has_the_same_numbers
from evalspan.anchoring.alignment.versions import Versions
from evalspan.anchoring.anchor import CONTEXT, Match, Status
from evalspan.anchoring.search import occurrences
from evalspan.spans import Span
from evalspan.text.reading import squash

SHORT = 12
"""Non-blank characters below which a passage is not looked for elsewhere: a name stands in many places."""

PLACES = 50
"""Places looked at. What stands more often is a refrain; then nothing but order tells one from another."""

LEAD = 8
"""Letters of context by which one of several equal places must lead: one word more."""

GLUED = 0.9
"""Share of the words found from which the letters need no look: words that are glued or torn leave many unfound."""


def find_elsewhere(text: Versions, seen: Projection, core: str, want: str, coverage: float) -> Match | None:
    """A place that holds the passage itself, and which no other old text became."""
    if len(squash(core)) < SHORT:
        return None
    status = Status.EXACT
    spans = [Span(at, at + len(core)) for at in occurrences(core, text.new, PLACES)]
    if not spans and coverage < GLUED:
        status = Status.REFORMATTED
        spans = _glued(text, seen, want)
    free = [span for span in spans if not text.claimed(span, seen.start, seen.end)]
    if not free:
        return None
    order = [span for span in free if seen.left_new <= span.start and span.end <= seen.right_new]
    if len(order) == 1:
        free = order
    elif len(free) > 1:
        ranked = sorted(((_context(text, seen, span), span) for span in free), reverse=True)
        if ranked[0][0] < ranked[1][0] + LEAD:
            return _undecided(tuple(span for score, span in ranked if score + LEAD > ranked[0][0]))
        free = [ranked[0][1]]
    place = free[0]
    there = place.of(text.new)
    if status is Status.REFORMATTED:
        place = _with_signs(text, core, place)
    if place not in order:
        status = Status.MOVED
    return Match(place, status, True, has_the_same_numbers(core, there), 1.0, 1.0, (place,))


def _glued(text: Versions, seen: Projection, want: str) -> list[Span]:
    """The same letters with other blanks and signs, between the passage's neighbours."""
    here = text.letters_between(seen.left_new, seen.right_new)
    at = here.stream.find(want)
    if at < 0:
        return []
    place = here.raw(at, at + len(want))
    return [place] if letters(place.of(text.new)) == want else []  # an end may lie within a ligature


def _undecided(places: tuple[Span, ...]) -> Match:
    return Match(
        None,
        Status.AMBIGUOUS,
        sure=False,
        score=1 / len(places),
        coverage=1.0,
        rivals=tuple(sorted(places)),
        reason=f"stands in {len(places)} places that nothing else explains, and the context does not decide",
    )


def _context(text: Versions, seen: Projection, place: Span) -> int:
    """Letters of the old context that stand around the place, counted from it outwards."""
    size = 2 * CONTEXT
    old_left = letters(text.old[max(0, seen.start - size) : seen.start])[::-1]
    new_left = letters(text.new[max(0, place.start - size) : place.start])[::-1]
    old_right = letters(text.old[seen.end : seen.end + size])
    new_right = letters(text.new[place.end : place.end + size])
    return _agreeing(old_left, new_left) + _agreeing(old_right, new_right)


def _agreeing(one: str, other: str) -> int:
    for n, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return n
    return min(len(one), len(other))


def _with_signs(text: Versions, core: str, place: Span) -> Span:
    """From the first to the last letter of a passage, and the signs outside them that it has too."""
    stream = Letters(core)
    inner = stream.raw(0, len(stream.stream))
    start, end, new = place.start, place.end, text.new
    for sign in reversed(core[: inner.start]):
        at = start - 1
        while at >= 0 and new[at].isspace():
            at -= 1
        if sign.isspace():
            continue
        if at < 0 or new[at] != sign:
            break
        start = at
    for sign in core[inner.end :]:
        at = end
        while at < len(new) and new[at].isspace():
            at += 1
        if sign.isspace():
            continue
        if at == len(new) or new[at] != sign:
            break
        end = at + 1
    return Span(start, end)
