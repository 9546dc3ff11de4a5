"""What the chunks of a list have in common in front or behind: a heading path, a generated context, a table's head."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from evalspan.text.reading import squash
from evalspan.text.readings import letters

SHARED = 12
"""Non-blank characters from which a common beginning is no chance: as short passages are no evidence."""

MOSTLY_SIGNS = 4
"""Signs to a letter from which it is ornament (the dots to a page number): that belongs to what stands before it."""

LEARNED = 8
"""Different ones tried: a list comes from one pipeline, with few shapes of chunks."""


class Affixes:
    """Learned from neighbouring chunks of a list that could not be placed as they are."""

    def __init__(self, chunks: Sequence[str], count: Callable[[str], int]) -> None:
        """`count` tells how often a passage, or one like it, stands in the document. What stands there as often as in
        the list is the document's own."""
        fronts = _common(chunks)
        backs = {back[::-1]: times for back, times in _common([chunk[::-1] for chunk in chunks]).items()}
        self._fronts = [front for front, times in fronts.items() if count(front) < times]
        self._backs = [back for back, times in backs.items() if count(back) < times]

    def stripped(self, chunk: str) -> Iterator[str]:
        """The chunk without what it shares in front, behind, and both."""
        fronts = [front for front in self._fronts if chunk.startswith(front)]
        backs = [back for back in self._backs if chunk.endswith(back)]
        for front in fronts:
            yield from _rest(chunk[len(front) :])
        for back in backs:
            yield from _rest(chunk[: len(chunk) - len(back)])
            for front in fronts:
                yield from _rest(chunk[len(front) : len(chunk) - len(back)])


def _rest(text: str) -> Iterator[str]:
    if squash(text):
        yield text.strip()


def _common(chunks: Sequence[str]) -> dict[str, int]:
    """The beginnings that two neighbours have in common, whole lines or words, and how many chunks have them; the most
    frequent first."""
    pairs: dict[str, int] = {}
    for one, other in pairwise(chunks):
        for cut in _cuts(_shared(one, other)):
            if SHARED <= len(squash(cut)) <= MOSTLY_SIGNS * len(letters(cut)):
                pairs[cut] = pairs.get(cut, 0) + 1
    ranked = sorted(pairs, key=lambda cut: (-pairs[cut], -len(cut)))[:LEARNED]
    return {cut: pairs[cut] + 1 for cut in ranked}


def _shared(one: str, other: str) -> str:
    size = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:size]


def _cuts(shared: str) -> Iterator[str]:
    """Where a common beginning may end: behind its last line, or its last word."""
    line = shared.rfind("\n") + 1
    word = max((found.end() for found in re.finditer(r"\s+", shared)), default=0)
    yield shared[: line or word]
