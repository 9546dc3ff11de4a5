"""A passage in its context, with the places it may have and the ends of chunks: what a reviewer looks at."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal, NamedTuple

from evalspan.spans import Span, merged
from evalspan.text import Ink

LINES = 3
"""Lines of context on either side: a heading, a blank line and a line of text."""

CONTEXT = 240
"""Characters of context on either side at most: a text may be one long line."""

WHOLE = 1200
"""A passage up to this many characters is shown whole: one old chunk of the usual sizes, half a screen."""

ENDS = 400
"""Of a longer one, this much is shown at either end."""

AROUND = 120
"""What is shown on either side of any other end: a sentence, so that one sees what was cut."""

SHORTEST_GAP = 60
"""Less is not left out: saying so would take as much room."""

MOST = 8000
"""Characters that are shown in all, some three screens. What comes after the passage and the likeliest candidates is
left out then, and counted."""

SLACK = 24
"""How far a cut moves outwards to white space."""

CLUSTER = 64
"""How far it moves out of a cluster of combining characters: a text may be nothing but those."""


class Piece(NamedTuple):
    """A stretch of the text, all of one kind."""

    text: str
    passage: bool
    candidates: tuple[int, ...]
    """Numbers of the candidates that it lies in, from 1."""


class Mark(NamedTuple):
    """Here something begins or ends."""

    of: Literal["passage", "candidate", "chunk"]
    begins: bool
    number: int = 0
    """Of a candidate, from 1."""
    chunk_id: str = ""
    """Of a chunk."""


class Gap(NamedTuple):
    """Text that is left out."""

    characters: int
    ends: int
    """How often a chunk begins or ends in it."""


class Drawing(NamedTuple):
    """A part of a text. The texts of its pieces and the gaps between them are that part, in order."""

    segments: tuple[Piece | Mark | Gap, ...]
    start: int
    end: int
    """Which part, in code points."""
    unseen: int = 0
    """How many ranges of the passage neither begin nor end in it."""
    unseen_candidates: tuple[int, ...] = ()
    """Numbers of the candidates that neither begin nor end in it."""


def draw(
    text: str,
    ranges: Iterable[Span],
    chunks: Sequence[tuple[str, Span]] = (),
    candidates: Sequence[Span] = (),
    *,
    lines: int = LINES,
) -> Drawing:
    """The passage (`ranges`), numbered candidates, and every end of a chunk (chunk id, range) in what is shown.

    All are ranges of `text`, not empty; what reaches beyond it is drawn up to its end. Where there is no passage, the
    candidates are shown as one would be.
    """
    whole = Span(0, len(text))
    inside = [span.shared(whole) for span in candidates]
    numbered = [(number, span) for number, span in enumerate(inside, 1) if span is not None]
    passage = merged(span for one in ranges if (span := one.shared(whole)) is not None)
    cuts = sorted({offset for _, span in chunks for offset in span if 0 <= offset <= len(text)})
    windows = _windows(text, passage, [span for _, span in numbered], cuts, lines)
    if not windows:
        return Drawing((), 0, 0)
    marks = _marks(passage, numbered, chunks)
    segments: list[Piece | Mark | Gap] = []
    reached = windows[0].start
    for window in windows:
        if window.start > reached:
            segments.append(Gap(window.start - reached, sum(reached < cut < window.start for cut in cuts)))
        segments += _segments(text, window, passage, numbered, marks)
        reached = window.end
    unseen = sum(not _is_seen(span, windows) for span in passage)
    unseen_candidates = tuple(number for number, span in numbered if not _is_seen(span, windows))
    return Drawing(tuple(segments), windows[0].start, reached, unseen, unseen_candidates)


def _is_seen(span: Span, windows: Sequence[Span]) -> bool:
    return any(window.start <= offset <= window.end for window in windows for offset in span)


def covered(text: str, ranges: Iterable[Span], span: Span) -> float:
    """|span ∩ passage| / |passage| in non-blank characters, 0 to 1; 0 for a passage without any."""
    passage = merged(ranges)
    shared = [part for one in passage if (part := one.shared(span)) is not None]
    ink = Ink(text, [offset for one in (*passage, *shared) for offset in one])
    size = sum(ink.between(*one) for one in passage)
    return sum(ink.between(*one) for one in shared) / size if size else 0.0


def _windows(
    text: str, passage: Sequence[Span], candidates: Sequence[Span], cuts: Sequence[int], lines: int
) -> list[Span]:
    """What is shown, ascending, with gaps between."""
    main = passage or candidates
    wanted: list[Span] = []
    for span in main:
        before, behind = _before(text, span.start, lines), _behind(text, span.end, lines)
        if span.length <= WHOLE:
            wanted.append(Span(before, behind))
        else:
            wanted += (Span(before, span.start + ENDS), Span(span.end - ENDS, behind))
    if passage:
        wanted += (_near(text, offset) for span in candidates for offset in span)
    inner = [cut for cut in cuts if any(span.start < cut < span.end for span in main)]
    wanted += (_near(text, cut) for cut in inner)
    shown: list[Span] = []
    size = 0
    for window in wanted:
        size += window.length
        if shown and size > MOST:
            break
        shown.append(Span(_outwards(text, window.start, -1), _outwards(text, window.end, 1)))
    joined: list[Span] = []
    for window in merged(shown):
        if joined and window.start - joined[-1].end < SHORTEST_GAP:
            joined[-1] = Span(joined[-1].start, window.end)
        else:
            joined.append(window)
    return joined


def _near(text: str, offset: int) -> Span:
    return Span(max(0, offset - AROUND), min(len(text), offset + AROUND))


def _before(text: str, at: int, lines: int) -> int:
    """Where the context before `at` begins: with its own line and so many before it."""
    low = max(0, at - CONTEXT)
    for _ in range(lines + 1):
        found = text.rfind("\n", low, at)
        if found < 0:
            return low
        at = found
    return at + 1


def _behind(text: str, at: int, lines: int) -> int:
    high = min(len(text), at + CONTEXT)
    for _ in range(lines + 1):
        found = text.find("\n", at, high)
        if found < 0:
            return high
        at = found + 1
    return at - 1


def _outwards(text: str, at: int, step: Literal[-1, 1]) -> int:
    """A cut between words where one is near, and never inside what is seen as one character."""
    near = at
    for _ in range(SLACK):
        if not 0 < near < len(text) or text[near - 1].isspace() or text[near].isspace():
            break
        near += step
    else:
        near = at
    for _ in range(CLUSTER):
        if not 0 < near < len(text) or not _is_one(text[near - 1], text[near]):
            break
        near += step
    return near


def _is_one(before: str, behind: str) -> bool:
    """Whether two characters are seen as one: a letter and its accent, parts of an emoji or of a flag, CR LF."""
    if before == "\r":
        return behind == "\n"
    flags = "\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= behind <= "\U0001f1ff"
    tone = "\U0001f3fb" <= behind <= "\U0001f3ff"
    return flags or tone or "\u200d" in (before, behind) or unicodedata.category(behind).startswith("M")


_Ends = dict[int, list[tuple[tuple[int, int, int], Mark]]]
"""Offset → what begins and ends there, each with its place in the order."""


def _marks(
    passage: Sequence[Span], candidates: Sequence[tuple[int, Span]], chunks: Sequence[tuple[str, Span]]
) -> _Ends:
    """Marks stand as brackets do: what ends before what begins, chunks outermost, the longer around the shorter, of
    equal ones the candidate around the passage.
    """
    marks: _Ends = {}

    def add(outer: int, around: int, span: Span, begin: Mark) -> None:
        marks.setdefault(span.start, []).append(((3 - outer, -span.end, -around), begin))
        marks.setdefault(span.end, []).append(((outer, -span.start, around), begin._replace(begins=False)))

    for chunk_id, span in chunks:
        add(1, 0, span, Mark("chunk", True, chunk_id=chunk_id))
    for number, span in candidates:
        add(0, 1, span, Mark("candidate", True, number))
    for span in passage:
        add(0, 0, span, Mark("passage", True))
    return {offset: sorted(mine) for offset, mine in marks.items()}


def _segments(
    text: str, window: Span, passage: Sequence[Span], candidates: Sequence[tuple[int, Span]], marks: _Ends
) -> list[Piece | Mark | Gap]:
    here = {offset for offset in marks if window.start <= offset <= window.end}
    out: list[Piece | Mark | Gap] = [mark for _, mark in marks.get(window.start, ())]
    for start, end in pairwise(sorted({*window, *here})):
        span = Span(start, end)
        numbers = tuple(number for number, one in candidates if span.inside(one))
        out.append(Piece(span.of(text), any(span.inside(one) for one in passage), numbers))
        out += (mark for _, mark in marks.get(end, ()))
    return out


class Change(NamedTuple):
    """A stretch of two texts that are held against each other."""

    kind: Literal["same", "removed", "added"]
    text: str


COMPARED = 300_000
"""Pairs of equal words, one of either text: two pages of prose take 0.1 s, the most repetitive text some seconds.
Beyond that all between what both begin and end with counts as rewritten."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PUNCTUATION = r"!-/:-@\[-`{-~\u2010-\u2027\u3000-\u303f\uff01-\uff0f\uff1a-\uff20"

_WORDS = re.compile(rf"\s+|[{_CJK}]|[{_PUNCTUATION}]|[^\s{_CJK}{_PUNCTUATION}]+")
"""Words, single signs of the scripts that put no blanks between words, punctuation, white space."""


def compare(old: str, new: str) -> tuple[Change, ...]:
    """What differs, word by word. "same" and "removed" together are `old`, "same" and "added" are `new`."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    head = _shared(before, after)
    before, after = before[head:], after[head:]
    tail = _shared(before[::-1], after[::-1])
    end = "".join(before[len(before) - tail :])
    before, after = before[: len(before) - tail], after[: len(after) - tail]
    changes = [Change("same", old[: len(old) - len("".join(before)) - len(end)])]
    counts = Counter(after)
    if sum(counts[word] for word in before) > COMPARED:
        changes += (Change("removed", "".join(before)), Change("added", "".join(after)))
    else:
        for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if kind == "equal":
                changes.append(Change("same", "".join(before[a:b])))
            else:
                changes += (Change("removed", "".join(before[a:b])), Change("added", "".join(after[c:d])))
    changes.append(Change("same", end))
    return tuple(change for change in changes if change.text)


def _shared(before: Sequence[str], after: Sequence[str]) -> int:
    """How many words both begin with."""
    count = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        count += 1
    return count
