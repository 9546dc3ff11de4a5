"""One span: where its passage is, and whether what stands there is it or only resembles it."""

from rapidfuzz.distance import LCSseq

from evalspan.anchoring.alignment.around import agrees_around
from evalspan.anchoring.alignment.elsewhere import find_elsewhere
from evalspan.anchoring.alignment.kept import what_was_kept
from evalspan.anchoring.alignment.letters import letters
from evalspan.anchoring.alignment.moved import find_moved
from evalspan.anchoring.alignment.place import Place
from evalspan.anchoring.alignment.project import Projection
from evalspan.anchoring.alignment.same import has_the_same_numbers, says_the_same
from evalspan.anchoring.alignment.versions import Versions
from evalspan.anchoring.anchor import Match, Status
from evalspan.spans import Span

MOST = 0.5
"""Share of a passage that must be there: of what it says, or of its letters. With less, more was written anew than
was kept, and a person has to say whether it still is the passage."""

MOST_MOVED = 2 / 3
"""The same where nothing around it agrees: twice as much must have been kept as was changed."""

BETTER = 0.1
"""Share by which another place must lead over one between the old neighbours: a word in ten that only it has."""

NEARLY_ALL = 0.75
"""Share from which a place speaks for itself. Below it more than every fourth word is another, as in a list of like
items or a boilerplate clause; then a word must be there that the old text has in this passage only, or the text on
both sides must be what stood on both sides before."""

ALIKE = 0.85
"""Share of equal letters, in order, by which two passages of different words are one with other word boundaries or
lost ligatures. Texts of one language that have nothing to do with each other share about a half."""

SHORT = 12
"""Letters below which a passage is no evidence by itself: it must touch its old neighbours."""


def judge(text: Versions, span: Span) -> Match:
    """The match of one span that does not lie in equal lines."""
    quote = span.of(text.old)
    core = quote.strip()
    if not core:
        return Match(None, Status.MISSING, sure=False, reason="blank")
    start = span.start + len(quote) - len(quote.lstrip())
    seen = Projection(text, start, start + len(core))
    match = _judge(text, seen, core)
    if match.span and match.same and not agrees_around(text.old, Span(seen.start, seen.end), text.new, match.span):
        match = match._replace(same=False)
    if len(core) == len(quote) or match.span is None:
        return match
    return _with_blanks(match, quote, text.new)


def _judge(text: Versions, seen: Projection, core: str) -> Match:
    place = seen.place()
    want = letters(core)
    coverage, there, have = 0.0, "", ""
    if place is not None:
        there = place.span.of(text.new)
        have = want if there == core else letters(there)
        status = Status.EXACT if there == core else Status.REFORMATTED if want and have == want else None
        if status and (len(want) >= SHORT or seen.touches_left(place) or seen.touches_right(place)):
            twin = text.twin_among_words(Span(seen.start, seen.end), place.span)
            return twin or _literal(status, place.span, core, there)
        coverage = seen.coverage(place)
    elsewhere = find_elsewhere(text, seen, core, want, coverage)
    if elsewhere is not None:
        return elsewhere
    if coverage < ALIKE and len(want) >= SHORT:
        moved = _moved(text, seen, place, core, coverage)
        if moved is not None:
            return moved
    if place is None:
        return Match(None, Status.MISSING, sure=False, reason="none of its words are where it stood")
    if coverage < ALIKE:
        coverage = max(coverage, _alike(want, have))
    return _edited(text.new, seen, place, core, there, coverage, len(want))


def _moved(text: Versions, seen: Projection, place: Place | None, core: str, coverage: float) -> Match | None:
    """The passage in another place than order gives it, if it is better there."""
    least, known, free = max(coverage, MOST), Span(0, 0), True
    if place is not None and coverage >= MOST:
        known = place.span
        if seen.touches_left(place) and seen.touches_right(place):
            if says_the_same(core, known.of(text.new)):
                return None
            # an item of a list that was put in another order may have taken the place of another
            free, least = False, coverage + BETTER
    moved = find_moved(text, seen, known, free=free)
    if moved is None or moved.share <= least:
        return None
    own = seen.has_own(moved.words, [k for k, at in enumerate(moved.words.new_starts) if at >= 0])
    sure = not moved.rivals and own and moved.share >= MOST_MOVED
    return Match(
        moved.place.span,
        Status.AMBIGUOUS if moved.rivals else Status.MOVED,
        sure,
        says_the_same(core, moved.place.span.of(text.new)),
        score=moved.share,
        coverage=moved.share,
        pieces=(moved.place.span,),
        rivals=moved.rivals,
        reason="" if sure else "moved, and what was kept may stand in other passages too",
    )


def _literal(status: Status, span: Span, core: str, there: str) -> Match:
    same = status is Status.EXACT or has_the_same_numbers(core, there)
    return Match(span, status, True, same, 1.0, 1.0, (span,))


def _alike(one: str, other: str) -> float:
    share = float(LCSseq.normalized_similarity(one, other))
    return share if share >= ALIKE else 0.0


def _edited(new: str, seen: Projection, place: Place, core: str, there: str, coverage: float, size: int) -> Match:
    held = seen.touches_left(place) and seen.touches_right(place)
    reason = ""
    if coverage < MOST:
        reason = "less than half of it is there"
    elif coverage < NEARLY_ALL and not held and not seen.has_own(seen.words, seen.found):
        reason = "what is there may be another passage like it"
    elif size < SHORT and not held:
        reason = "too short to be sure of without context"
    kept = what_was_kept(seen.words, place.among(seen.found), place.span)
    if kept.status is Status.SPLIT:
        there = " ".join(piece.of(new) for piece in kept.pieces)
    return Match(
        place.span,
        kept.status,
        not reason,
        says_the_same(core, there),
        score=coverage,
        coverage=coverage,
        pieces=kept.pieces,
        reason=reason,
    )


def _with_blanks(match: Match, quote: str, new: str) -> Match:
    """The match of a quote without the blanks at its edges, with as many of those as still stand there."""
    assert match.span is not None
    start, end = match.span
    core = quote.strip()
    at = quote.index(core)
    while at and start and new[start - 1] == quote[at - 1]:
        at, start = at - 1, start - 1
    at = quote.index(core) + len(core)
    while at < len(quote) and end < len(new) and new[end] == quote[at]:
        at, end = at + 1, end + 1
    span = Span(start, end)
    pieces = match.pieces
    if len(pieces) == 1:
        pieces = (span,)
    elif pieces:
        pieces = (Span(start, pieces[0].end), *pieces[1:-1], Span(pieces[-1].start, end))
    status = match.status
    if status is Status.EXACT and span.of(new) != quote:
        status = Status.REFORMATTED
    return match._replace(span=span, pieces=pieces, status=status)
