"""Equal neighbours of which one was put in or taken out: which one, no order tells.

Of "a a" made "a a a" every "a" may be the new one. Where words were only put in (or only taken out) between two equal
stretches, both stretches may be shifted into the hole as far as the text repeats; a passage that lies wholly in what
can be shifted has two places.
"""

from typing import NamedTuple

from evalspan.anchoring.anchor import Match, Status
from evalspan.spans import Span


class Stretch(NamedTuple):
    """Equal text, from here to there."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


class Zones(NamedTuple):
    """How much at the two ends of a stretch has a second place, and how far off that is."""

    head: int = 0
    head_shift: int = 0
    tail: int = 0
    tail_shift: int = 0


def zones(old: str, new: str, before: Stretch, here: Stretch, behind: Stretch) -> Zones:
    """Of the stretch between its two neighbours."""
    most = here.old_end - here.old_start
    head = head_shift = tail = tail_shift = 0
    old_hole, new_hole = here.old_start - before.old_end, here.new_start - before.new_end
    if new_hole and not old_hole:
        head, head_shift = shared_start(new, before.new_end, old, here.old_start, most), -new_hole
    elif old_hole and not new_hole:
        head = shared_start(old, before.old_end, old, here.old_start, most)
    old_hole, new_hole = behind.old_start - here.old_end, behind.new_start - here.new_end
    if new_hole and not old_hole:
        tail, tail_shift = shared_end(new, behind.new_start, old, here.old_end, most), new_hole
    elif old_hole and not new_hole:
        tail = shared_end(old, behind.old_start, old, here.old_end, most)
    return Zones(head, head_shift, tail, tail_shift)


def twin_of(place: Span, span: Span, here: Stretch, zone: Zones) -> Match | None:
    """The answer for a passage that has a second place, or had a twin beside it."""
    if span.end <= here.old_start + zone.head:
        shift, start = zone.head_shift, here.new_start + zone.head_shift + span.start - here.old_start
    elif span.start >= here.old_end - zone.tail:
        shift, start = zone.tail_shift, here.new_end + zone.tail_shift + span.start - here.old_end
    else:
        return None
    rivals = (Span(start, start + span.length),) if shift else ()
    reason = "an equal neighbour was put in" if shift else "it or an equal neighbour was taken out"
    return Match(
        place, Status.AMBIGUOUS, sure=False, score=0.5, coverage=1.0, pieces=(place,), rivals=rivals, reason=reason
    )


def shared_start(one: str, i: int, two: str, j: int, most: int) -> int:
    """How many letters are equal from `one[i]` and `two[j]` on: doubling steps, then halving ones."""
    low, step = 0, 16
    while low < most:
        step = min(step, most - low)
        if one[i + low : i + low + step] == two[j + low : j + low + step]:
            low += step
            step *= 2
        elif step == 1:
            break
        else:
            most = low + step - 1
            step = max(1, step // 2)
    return low


def shared_end(one: str, i: int, two: str, j: int, most: int) -> int:
    """How many letters are equal before `one[i]` and `two[j]`."""
    most = min(most, i, j)
    low, step = 0, 16
    while low < most:
        step = min(step, most - low)
        if one[i - low - step : i - low] == two[j - low - step : j - low]:
            low += step
            step *= 2
        elif step == 1:
            break
        else:
            most = low + step - 1
            step = max(1, step // 2)
    return low
