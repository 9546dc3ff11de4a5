"""The range that the found words of a passage make together."""

from operator import sub
from typing import NamedTuple

from evalspan.anchoring.alignment.breaks import PAUSES, pause_before, pauses
from evalspan.spans import Span

FOREIGN = 0.05
"""Price of a letter put into the middle of a passage, against 1 for a letter of it that lies beyond: an inserted
sentence (some 100 letters) outweighs a word (some 5). Less beyond it is as likely there by chance."""

STRETCH = 2.0
"""How many times longer than what it replaces new text at an edge may be and still count as its replacement as a
whole. What is longer holds an insertion, which is parted off at a pause."""

SLACK = 24
"""Letters that a replacement may always have: a few words."""


class Words(NamedTuple):
    """The words of an old passage, and where they were found (-1: nowhere)."""

    starts: list[int]
    ends: list[int]
    new_starts: list[int]
    new_ends: list[int]


class Frame(NamedTuple):
    """What bounds a passage: the ends of the last matched word before it, the starts of the first behind it."""

    left_old: int
    left_new: int
    right_old: int
    right_new: int


class Place(NamedTuple):
    span: Span
    first: int
    """Number of the first word that counts, and of the last."""
    last: int

    def among(self, found: list[int]) -> list[int]:
        """Those of some words that count."""
        if not found or (self.first <= found[0] and found[-1] <= self.last):
            return found
        return [k for k in found if self.first <= k <= self.last]


def densest(words: Words, found: list[int]) -> tuple[int, int]:
    """The first and the last of the found words that hold together (Kadane's largest sum: letters found, less the
    price of what was put between them)."""
    first, last = found[0], found[-1]
    here = [words.new_starts[k] for k in found]
    there = [words.new_ends[k] for k in found]
    if max(map(sub, here[1:], there), default=0) <= SLACK:
        return first, last
    best, best_pair = -1.0, (0, 0)
    total, begin = 0.0, 0
    for n, k in enumerate(found):
        if n:
            before = found[n - 1]
            put_in = words.new_starts[k] - words.new_ends[before]
            lost = words.starts[k] - words.ends[before]
            total -= FOREIGN * max(0, put_in - lost - SLACK)
            if total <= 0:
                total, begin = 0.0, n
        total += words.ends[k] - words.starts[k]
        if total > best:
            best, best_pair = total, (begin, n)
    return found[best_pair[0]], found[best_pair[1]]


def make_place(old: str, new: str, span: Span, words: Words, found: list[int], frame: Frame) -> Place:
    """`found` are the numbers of the words that were found, at least one."""
    first, last = densest(words, found)
    if old[words.starts[first]] in PAUSES:
        first = _without_leaders(old, new, words, found, first, last)
    if first == 0:
        start = words.new_starts[0] + _inside(span.start - words.starts[0], words.new_ends[0] - words.new_starts[0])
    else:
        edge = words.new_starts[first]
        outside = len(old[frame.left_old : span.start].strip())
        if first == found[0]:
            lo = frame.left_new
        elif old[words.starts[first - 1]] in PAUSES:
            lo = edge
        else:
            lo = words.new_ends[found[found.index(first) - 1]]
        start = _head(old, new, span.start, lo, edge, words.starts[first] - span.start, outside)
    if last == len(words.starts) - 1:
        end = words.new_ends[last] - _inside(words.ends[last] - span.end, words.new_ends[last] - words.new_starts[last])
    else:
        edge = words.new_ends[last]
        outside = len(old[span.end : frame.right_old].strip())
        hi = frame.right_new if last == found[-1] else words.new_starts[found[found.index(last) + 1]]
        end = _tail(old, new, span.end, edge, hi, span.end - words.ends[last], outside)
    return Place(Span(start, max(end, start + 1)), first, last)


def _without_leaders(old: str, new: str, words: Words, found: list[int], first: int, last: int) -> int:
    """The first word after closing marks at the front ("." of the sentence before, leader dots of a table of contents)
    behind which words were put in: those marks belong to what stands before the passage."""
    for n in range(found.index(first), found.index(last)):
        k, behind = found[n], found[n + 1]
        if old[words.starts[k]] not in PAUSES:
            return first
        if any(map(str.isalnum, new[words.new_ends[k] : words.new_starts[behind]])):
            return behind
    return first


def _inside(cut: int, size: int) -> int:
    """How much of a word at the edge lies outside the passage."""
    return min(max(0, cut), size - 1)


def _head(old: str, new: str, start: int, lo: int, hi: int, lost: int, outside: int) -> int:
    """Where the replacement of `lost` letters begins in `new[lo:hi]`, which also replaces `outside` letters before."""
    text = new[lo:hi]
    lo += len(text) - len(text.lstrip())
    if lo >= hi:
        return hi
    if not outside and hi - lo <= STRETCH * lost + SLACK:
        return lo
    want = lost * (hi - lo) / (lost + outside) if outside else lost
    kind = pause_before(old, start)
    choices = [(lo, pause_before(new, lo)), *pauses(new, lo, hi)]
    good = [at for at, strength in choices if strength >= kind] + [hi]
    return min(good, key=lambda at: abs(hi - at - want))


def _tail(old: str, new: str, end: int, lo: int, hi: int, lost: int, outside: int) -> int:
    hi = lo + len(new[lo:hi].rstrip())
    if lo >= hi:
        return lo
    if not outside and hi - lo <= STRETCH * lost + SLACK:
        return hi
    want = lost * (hi - lo) / (lost + outside) if outside else lost
    kind = pause_before(old, end + len(old[end : end + 40]) - len(old[end : end + 40].lstrip()))
    choices = [(at, strength) for at, strength in pauses(new, lo, hi)]
    good = [at for at, strength in choices if strength >= kind] + [hi, lo]
    at = min(good, key=lambda at: abs(at - lo - want))
    return lo + len(new[lo:at].rstrip())
