"""One span carried across: which of its words stand where, and the place they make together."""

from bisect import bisect_left, bisect_right
from operator import sub

from evalspan.anchoring.alignment.place import Frame, Place, Words, make_place
from evalspan.anchoring.alignment.tokens import Tokens
from evalspan.anchoring.alignment.versions import Versions
from evalspan.spans import Span

TELLING = 12.0
"""Bits from which words in a row tell one passage from another: fewer than one place in 4,000 has them."""


class Projection:
    """The words of an old span in the main alignment."""

    def __init__(self, text: Versions, start: int, end: int) -> None:
        self.text = text
        self.start, self.end = start, end
        self.ids: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.words = Words(self.starts, self.ends, [], [])
        self.left_old, self.left_new = self._left()
        self.right_old, self.right_new = self._right()
        self._collect()
        self.found = [k for k, place in enumerate(self.words.new_starts) if place >= 0]
        """The numbers of the words that were found."""

    def _left(self) -> tuple[int, int]:
        """The ends, old and new, of the last matched word before the span."""
        text, start = self.text, self.start
        number = text.block_before(start)
        if number >= 0 and start < text.blocks[number].old_end:
            return start, start + text.blocks[number].shift
        gap = text.gap(number + 1)
        k = bisect_right(gap.old.ends, start)
        at = bisect_left(gap.runs, (k,)) - 1
        if at >= 0:
            i, j, n = gap.runs[at]
            last = min(k, i + n) - 1
            return gap.old.ends[last], gap.new.ends[j + last - i]
        return (text.blocks[number].old_end, text.blocks[number].new_end) if number >= 0 else (0, 0)

    def _right(self) -> tuple[int, int]:
        """The starts, old and new, of the first matched word behind the span."""
        text, end = self.text, self.end
        number = text.block_before(end)
        if number >= 0 and end < text.blocks[number].old_end:
            return end, end + text.blocks[number].shift
        gap = text.gap(number + 1)
        k = bisect_left(gap.old.starts, end)
        at = bisect_left(gap.runs, (k,))
        if at and gap.runs[at - 1].i + gap.runs[at - 1].n > k:
            at -= 1
        if at < len(gap.runs):
            i, j, _ = gap.runs[at]
            first = max(k, i)
            return gap.old.starts[first], gap.new.starts[j + first - i]
        if number + 1 < len(text.blocks):
            return text.blocks[number + 1].old_start, text.blocks[number + 1].new_start
        return len(text.old), len(text.new)

    def _collect(self) -> None:
        """The words inside, from equal lines and from gaps."""
        text, at, end = self.text, self.start, self.end
        number = text.block_before(at)
        while at < end:
            if number >= 0 and at < text.blocks[number].old_end:
                block = text.blocks[number]
                stop = min(end, block.old_end)
                inside = Tokens(text.old, at, stop, text.words)
                shift = block.shift.__add__
                self._add(inside, slice(None), list(map(shift, inside.starts)), list(map(shift, inside.ends)))
            else:
                number += 1
                stop = min(end, text.old_gap(number)[1])
                if at < stop:
                    gap = text.gap(number)
                    part = slice(bisect_right(gap.old.ends, at), bisect_left(gap.old.starts, stop))
                    self._add(gap.old, part, gap.new_starts[part], gap.new_ends[part])
            at = stop

    def _add(self, tokens: Tokens, part: slice, new_starts: list[int], new_ends: list[int]) -> None:
        self.ids += tokens.ids[part]
        self.starts += tokens.starts[part]
        self.ends += tokens.ends[part]
        self.words.new_starts.extend(new_starts)
        self.words.new_ends.extend(new_ends)

    def place(self) -> Place | None:
        """The range that the words make, or None where none was found."""
        if not self.found:
            return None
        frame = Frame(self.left_old, self.left_new, self.right_old, self.right_new)
        return make_place(self.text.old, self.text.new, Span(self.start, self.end), self.words, self.found, frame)

    def coverage(self, place: Place) -> float:
        """Share of the passage found at a place."""
        return self.share(place.among(self.found))

    def share(self, found: list[int]) -> float:
        """Share of the passage that some of its words are: of what it says, or of its letters."""
        if len(found) == len(self.ids):
            return 1.0
        sizes: list[int] = list(map(sub, self.ends, self.starts))
        bits: list[float] = list(map(self.text.bits.__getitem__, self.ids))
        return max(
            sum(map(bits.__getitem__, found)) / sum(bits),
            sum(map(sizes.__getitem__, found)) / sum(sizes),
        )

    def holds(self, offset: int) -> bool:
        """Whether an old offset lies in the passage."""
        return self.start <= offset < self.end

    def touches_left(self, place: Place) -> bool:
        """Nothing but blanks between the place and what became of the text before the passage."""
        return not self.text.new[self.left_new : place.span.start].strip()

    def touches_right(self, place: Place) -> bool:
        """The same behind it."""
        return not self.text.new[place.span.end : self.right_new].strip()

    def has_own(self, words: Words, found: list[int]) -> bool:
        """Whether some of the found words, in a row, are what the old text has in this passage only."""
        old, at = self.text.old, 0
        while at < len(found):
            first = last = found[at]
            at += 1
            while at < len(found) and found[at] == last + 1 and self._follows(words, last):
                last += 1
                at += 1
            if sum(map(self.text.bits.__getitem__, self.ids[first : last + 1])) >= TELLING:
                piece = old[max(self.start, words.starts[first]) : min(self.end, words.ends[last])]
                if old.find(piece) >= self.start and old.find(piece, self.end - len(piece) + 1) < 0:
                    return True
        return False

    def _follows(self, words: Words, k: int) -> bool:
        """Whether nothing but blanks was put between two found words."""
        between = self.text.new[words.new_ends[k] : words.new_starts[k + 1]]
        return not between or between.isspace()
