"""Both ends of a passage that was found by its letters: the signs around them that belong to it."""

import re

from evalspan.spans import Span
from evalspan.text.readings import FOLDED, LETTERS

DAMAGED = "\ufffd"
"""Stands where a cut went through a character: the character belongs to the passage."""

REACH = 200
"""Signs followed at one end: a row of dashes under a heading, not a page of them."""

NEAR = 5
"""Letters that a slip at the edge of a word may cut off."""

_OPENING = re.compile(r"[\[*_`~\"'(!<]*\Z")
_BLOCK = re.compile(r"(?:\A|\n)([ \t]*[#>*+\-|_`~\[!\\ \t]*)\Z")
_CLOSING = re.compile(r"[*_`~]*(?:\]\([^()\s]{0,500}\))?[*_`~]*")


def with_signs(span: Span, quote: str, text: str) -> Span:
    """The span with the signs in front and behind that the quote has there too."""
    start = _follow(quote, text, span.start, -1)
    end = _follow(quote, text, span.end, 1)
    return Span(start, end)


def with_markup(span: Span, text: str) -> Span:
    """The span with markup that belongs to it: of its line in front, of its link or emphasis behind."""
    before = text[max(0, span.start - REACH) : span.start]
    found = _BLOCK.search(before) or _OPENING.search(before)
    taken = found.group(found.lastindex or 0).lstrip() if found else ""
    closing = _CLOSING.match(text, span.end)
    return Span(span.start - len(taken), closing.end() if closing else span.end)


def common_signs(one: str, other: str) -> int:
    """How many signs both folded texts begin with, before a letter or a difference."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b or LETTERS[ord(a)] != " ":
            break
        count += 1
    return count


def sign_runs(quote: str) -> tuple[list[str], list[str]]:
    """The signs before its first letter and behind its last one."""
    return _signs(quote, -1), _signs(quote, 1)


def to_words(span: Span, text: str, front: bool, behind: bool) -> Span:
    """The span out to the whole word in front, or behind, if its edge cuts off less than NEAR letters of it."""
    start, end = span
    if front and text[start].isalnum():
        first = max(0, start - NEAR)
        rest = next((i for i in range(start, first, -1) if not text[i - 1].isalnum()), start if first else 0)
        start = rest
    if behind and text[end - 1].isalnum():
        last = min(len(text), end + NEAR)
        end = next((i for i in range(end, last) if not text[i].isalnum()), end if last < len(text) else last)
    return Span(start, end)


def _follow(quote: str, text: str, at: int, step: int) -> int:
    """The end of the passage in the direction of `step`, from its last letter there at `at`."""
    signs = _signs(quote, step)
    for sign in signs:
        spot = at if step > 0 else at - 1
        while 0 <= spot < len(text) and FOLDED[ord(text[spot])] == " ":
            spot += step
        if not 0 <= spot < len(text):
            break
        if sign == DAMAGED and text[spot] != DAMAGED:
            near = at if step > 0 else at - 1
            blank = quote.strip(DAMAGED)[-1 if step > 0 else 0].isspace()
            return spot + (step > 0) if spot == near or blank else at
        if FOLDED[ord(text[spot])] != FOLDED[ord(sign)]:
            break
        at = spot + (step > 0)
    return at


def _signs(quote: str, step: int) -> list[str]:
    """The signs of the quote beyond its last letter in that direction, from the letter outwards."""
    out: list[str] = []
    for character in quote[::-1] if step > 0 else quote:
        if LETTERS[ord(character)] != " " or len(out) >= REACH:
            break
        if FOLDED[ord(character)] != " " or character == DAMAGED:
            out.append(character)
    return out[::-1]
