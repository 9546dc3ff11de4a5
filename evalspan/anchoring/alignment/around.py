"""What stands in one sentence with a passage and outside it: words put in at its edges may turn it round."""

import re
from typing import NamedTuple
from unicodedata import normalize

from evalspan.anchoring.alignment.breaks import CLOSING
from evalspan.anchoring.alignment.same import has_the_same_names, negations, numbers_and_negations
from evalspan.anchoring.words import words_of
from evalspan.spans import Span

REACH = 240
"""Characters that are looked at on either side: three lines of print. Few sentences go on for longer, and a text
without any stop costs no more than this."""

INSIDE = 8
"""Characters of the passage that are looked at too: it may end with its own stop, closing marks and blanks."""

_STOPS = ".!?…。！？।॥؟۔"
_BREAKS = re.compile(rf"(?:[.!?…|؟۔][{re.escape(CLOSING)}]*(?=[\s<&]|\Z)|[。！？।॥][{re.escape(CLOSING)}]*)\s*|\n\s*")
"""What parts sentences (before blanks, tags, entities), cells of a table, lines. A colon does not: "Not allowed: …" is
said of what follows."""

_ALSO_PAUSING = ":;：；"
"""A passage may begin behind one of these, or end with it, as if a sentence did."""

_LABEL = re.compile(r"\W*(?:\d[\d.]*(?:[)\].]\W*|\s{2,})|\d+(?:\.\d+){2,}\W*)")
"""The number of a heading, an item or a note: it counts what it stands before and says nothing of it."""

_KEY = re.compile(r"[\w-]+:\s")
"""A line of settings, which goes on from nothing."""

_LINK = re.compile(r"\]\([^()\s]*(?:\s[^()]*)?(?:\)|\Z)|\]\[[^\]]*(?:\]|\Z)")
"""Where a link leads, which is no part of the sentence."""

_BETWEEN = re.compile(rf"[^\w{_STOPS}]+")
"""What lines, markup and extractors change."""


class _Side(NamedTuple):
    """What stands on one side of a passage."""

    outside: str
    """Between the passage and the beginning (or end) of its sentence."""
    at_break: bool
    """Whether the passage begins (or ends) with its sentence or line."""
    window: str
    """More of the text on this side."""
    step: int
    """Which way leads off the passage: 1 or -1."""

    def reads_on_as(self, other: "_Side") -> bool:
        """Whether the words up to the farther of the two ends are the same, in other lines and markup."""
        size = max(len(_bare(self.outside)), len(_bare(other.outside)))
        return _bare(self.window)[:: self.step][:size] == _bare(other.window)[:: self.step][:size]


def _bare(text: str) -> str:
    return _BETWEEN.sub("", text).casefold()


def agrees_around(old: str, span: Span, new: str, place: Span) -> bool:
    """Whether what stands in one sentence with a passage leaves its meaning as it was.

    There must be the negations that there were. Where the passage began (or ended) with its sentence or line and does
    so no more, or the other way round, no number and no name that the passage has not may have come between, or gone.
    """
    return _agrees_before(old, span, new, place) and _agrees_behind(old, span, new, place)


def _agrees_before(old: str, span: Span, new: str, place: Span) -> bool:
    if _plainly_begins(old, span.start) and _plainly_begins(new, place.start):
        return True
    if old[max(0, span.start - REACH) : span.start] == new[max(0, place.start - REACH) : place.start]:
        return True
    return _agree(_before(old, span.start), _before(new, place.start), span.of(old))


def _agrees_behind(old: str, span: Span, new: str, place: Span) -> bool:
    if _plainly_ends(old, span.end) and _plainly_ends(new, place.end):
        return True
    inside = min(INSIDE, span.end, place.end)
    if old[span.end - inside : span.end + REACH] == new[place.end - inside : place.end + REACH]:
        return True
    return _agree(_behind(old, span.end), _behind(new, place.end), span.of(old))


def _plainly_begins(text: str, at: int) -> bool:
    """Whether nothing of a sentence or line can stand before an offset: true of most, and spares a longer look."""
    return at == 0 or text[at - 1] == "\n" or (at > 1 and text[at - 1] == " " and text[at - 2] in ".!?")


def _plainly_ends(text: str, at: int) -> bool:
    """The same of what stands behind it."""
    if at == len(text) or (text[at - 1] in ".!?" and text[at].isspace()):
        return True
    return text[at] == "\n" and (text[at + 1 : at + 2] == "\n" or text[at + 1 : at + 2].isupper())


def _agree(was: _Side, now: _Side, known: str) -> bool:
    if was.outside == now.outside or was.reads_on_as(now):
        return True
    here, there = words_of(was.outside), words_of(now.outside)
    if was.at_break == now.at_break:
        return negations(was.outside, here) == negations(now.outside, there)
    if numbers_and_negations(was.outside, here) != numbers_and_negations(now.outside, there):
        return False
    held = words_of(known)
    return has_the_same_names(was.outside, here + held, now.outside, there + held)


def _before(text: str, at: int) -> _Side:
    window = text[max(0, at - REACH) : at]
    cut = 0
    for found in _BREAKS.finditer(window):
        if not _goes_on(found, window):
            cut = found.end()
    return _side(window[cut:], window.rstrip()[-1:], text[max(0, at - 2 * REACH) : at], -1)


def _behind(text: str, at: int) -> _Side:
    inside = min(INSIDE, at)
    window = text[at - inside : at + REACH]
    cut = len(window)
    for found in _BREAKS.finditer(window):
        if found.end() < inside and any(map(str.isalnum, window[found.end() : inside])):
            continue
        if not _goes_on(found, window):
            cut = max(inside, found.start())
            break
    return _side(window[inside:cut], window[:inside].rstrip()[-1:], text[at : at + 2 * REACH], 1)


def _goes_on(gap: re.Match[str], window: str) -> bool:
    """Whether a sentence goes on over the end of a line: in lower case, as far as a script has one."""
    over = gap.group().isspace() and gap.group().count("\n") == 1
    return over and window[gap.end() : gap.end() + 1].islower() and not _KEY.match(window, gap.end())


def _side(outside: str, neighbour: str, window: str, step: int) -> _Side:
    outside = "" if _LABEL.fullmatch(outside) else normalize("NFC", _LINK.sub(" ", outside))
    at_break = neighbour in _ALSO_PAUSING or not any(map(str.isalnum, outside))
    return _Side(outside, at_break, window, step)
