"""Two versions of a text, aligned: whole lines first, the words between them only where they are asked for."""

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate, pairwise

from evalspan.anchoring.alignment.chance import Bits, by_more_than_chance
from evalspan.anchoring.alignment.letters import Letters
from evalspan.anchoring.alignment.lines import Block, shared_blocks
from evalspan.anchoring.alignment.seeds import Run, shared_runs
from evalspan.anchoring.alignment.slides import slid
from evalspan.anchoring.alignment.tokens import Tokens, Words
from evalspan.anchoring.alignment.twins import Stretch, Zones, twin_of, zones
from evalspan.anchoring.anchor import Match
from evalspan.spans import Span


class Gap:
    """What lies between two blocks of equal lines: its words, and which of them are the same in both."""

    def __init__(self, text: "Versions", old: Tokens, new: Tokens) -> None:
        self.old, self.new = old, new
        self.runs: list[Run] = []
        """Equal stretches of words, ascending in both."""
        self.new_starts = [-1] * len(old.ids)
        """Of each old word: where the new one begins that it became; -1 for none."""
        self.new_ends = [-1] * len(old.ids)
        self.mates = [-1] * len(new.ids)
        """Of each new word: the number of the old one that became it."""
        runs = shared_runs(old.ids, new.ids)
        if not runs:
            return
        runs = by_more_than_chance(runs, old.ids, len(new.ids), text.bits, held=True)
        self.runs = slid(runs, old, new, text.old, text.new)
        for i, j, n in self.runs:
            self.new_starts[i : i + n] = new.starts[j : j + n]
            self.new_ends[i : i + n] = new.ends[j : j + n]
            self.mates[j : j + n] = range(i, i + n)


class Versions:
    """An old text and its new version."""

    def __init__(self, old: str, new: str) -> None:
        self.old = old
        self.new = new
        self.words = Words()
        self.bits = Bits(self.words)
        self.blocks: list[Block] = shared_blocks(old, new)
        self._old_starts = [block.old_start for block in self.blocks]
        self._new_tokens: dict[int, Tokens] = {}
        self._gaps: dict[int, Gap] = {}
        self._letters: tuple[tuple[int, int], Letters] | None = None
        self._zones: dict[int, Zones] = {}

    def block_before(self, offset: int) -> int:
        """The number of the last block that begins at or before an old offset; -1 where there is none."""
        return bisect_right(self._old_starts, offset) - 1

    def old_gap(self, number: int) -> tuple[int, int]:
        """The old range of the gap before the block of that number."""
        return (
            self.blocks[number - 1].old_end if number else 0,
            self.blocks[number].old_start if number < len(self.blocks) else len(self.old),
        )

    def new_gap(self, number: int) -> tuple[int, int]:
        """The new range of the gap before the block of that number."""
        return (
            self.blocks[number - 1].new_end if number else 0,
            self.blocks[number].new_start if number < len(self.blocks) else len(self.new),
        )

    def new_tokens(self, number: int) -> Tokens:
        """Those of the new side of a gap."""
        tokens = self._new_tokens.get(number)
        if tokens is None:
            tokens = self._new_tokens[number] = Tokens(self.new, *self.new_gap(number), self.words)
        return tokens

    def gap(self, number: int) -> Gap:
        """The gap before the block of that number."""
        gap = self._gaps.get(number)
        if gap is None:
            old = Tokens(self.old, *self.old_gap(number), self.words)
            gap = self._gaps[number] = Gap(self, old, self.new_tokens(number))
        return gap

    def claimed(self, place: Span, start: int, end: int) -> bool:
        """Whether most of a place in the new text is what other old text than `old[start:end]` became."""
        number = bisect_right(self._new_starts, place.start) - 1
        letters = others = 0
        at = place.start
        while at < place.end:
            if number >= 0 and at < self.blocks[number].new_end:
                block = self.blocks[number]
                stop = min(place.end, block.new_end)
                ours = max(0, min(stop - block.shift, end) - max(at - block.shift, start))
                letters += stop - at
                others += stop - at - ours
            else:
                number += 1
                stop = min(place.end, self.new_gap(number)[1])
                size, other = self._claimed_words(number, at, stop, start, end)
                letters += size
                others += other
            at = stop
        return 2 * others > letters

    def _claimed_words(self, number: int, at: int, stop: int, start: int, end: int) -> tuple[int, int]:
        """Letters of a range of a gap's new side, and how many of them other old text became."""
        old_start, old_end = self.old_gap(number)
        if old_start == old_end:
            return stop - at, 0
        gap = self.gap(number)
        letters = others = 0
        first, last = gap.new.between(at, stop)
        for k in range(first, last):
            size = gap.new.ends[k] - gap.new.starts[k]
            letters += size
            mate = gap.mates[k]
            if mate >= 0 and not (start < gap.old.ends[mate] and gap.old.starts[mate] < end):
                others += size
        return letters, others

    def twin(self, number: int, span: Span) -> Match | None:
        """The answer for a span in the block of that number, where order does not tell it from an equal neighbour."""
        block = self.blocks[number]
        here = Stretch(block.old_start, block.old_end, block.new_start, block.new_end)
        zone = self._zones.get(number)
        if zone is None:
            before = Stretch(0, self.old_gap(number)[0], 0, self.new_gap(number)[0])
            behind = Stretch(self.old_gap(number + 1)[1], 0, self.new_gap(number + 1)[1], 0)
            zone = self._zones[number] = zones(self.old, self.new, before, here, behind)
        shift = block.shift
        return twin_of(Span(span.start + shift, span.end + shift), span, here, zone)

    def twin_among_words(self, span: Span, place: Span) -> Match | None:
        """The same for a span whose words were found in a row within one gap."""
        number = self.block_before(span.start) + 1
        if span.end > self.old_gap(number)[1]:
            return None
        gap = self.gap(number)
        old, new, runs = gap.old, gap.new, gap.runs
        at = bisect_right(runs, (bisect_right(old.ends, span.start), len(new.ids))) - 1
        if at < 0:
            return None
        i, j, n = runs[at]
        here = Stretch(old.starts[i], old.ends[i + n - 1], new.starts[j], new.ends[j + n - 1])
        if not (here.old_start <= span.start and span.end <= here.old_end):
            return None
        i_before, j_before = (runs[at - 1].i + runs[at - 1].n, runs[at - 1].j + runs[at - 1].n) if at else (0, 0)
        i_behind, j_behind = runs[at + 1][:2] if at + 1 < len(runs) else (len(old.ids), len(new.ids))
        before = Stretch(0, old.starts[i_before], 0, new.starts[j_before])
        behind = Stretch(old.ends[i_behind - 1], 0, new.ends[j_behind - 1], 0)
        return twin_of(place, span, here, zones(self.old, self.new, before, here, behind))

    @cached_property
    def unexplained(self) -> str:
        """The new text outside the equal lines, its stretches parted by NUL."""
        return "\0".join(self.new[start:end] for start, end in self._new_gaps)

    @cached_property
    def unexplained_words(self) -> set[str | tuple[str, str]]:
        """The words in it, and the pairs of neighbours."""
        words = self.unexplained.split()
        return {*words, *pairwise(words)}

    def letters_between(self, start: int, end: int) -> Letters:
        """Of a range of the new text. Kept for the next passage, which often lies between the same neighbours."""
        if self._letters is None or self._letters[0] != (start, end):
            self._letters = (start, end), Letters(self.new[start:end], start)
        return self._letters[1]

    def place_of(self, offset: int) -> tuple[int, int]:
        """Of an offset in `unexplained`: the number of its gap and its offset in the new text."""
        number = bisect_right(self._offsets, offset) - 1
        return number, self._new_gaps[number][0] + offset - self._offsets[number]

    @cached_property
    def _new_gaps(self) -> list[tuple[int, int]]:
        return [self.new_gap(number) for number in range(len(self.blocks) + 1)]

    @cached_property
    def _offsets(self) -> list[int]:
        return list(accumulate((end - start + 1 for start, end in self._new_gaps), initial=0))

    @cached_property
    def _new_starts(self) -> list[int]:
        return [block.new_start for block in self.blocks]
