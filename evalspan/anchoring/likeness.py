"""How much of two whole texts is the same, and a sketch of a text by which those worth comparing are found."""

from heapq import nsmallest
from zlib import crc32

from evalspan.anchoring.alignment.tokens import Tokens, Words, is_sign
from evalspan.anchoring.alignment.versions import Versions
from evalspan.text.reading import squash

SHINGLE = 3
"""Words in a row, or characters where words are not set apart: two are idioms that many texts share, and of four an
edited sentence keeps too few."""

SKETCH = 128
"""Numbers kept of a text: the share that two texts have in common is then known to about a tenth, which is enough to
tell what is worth comparing."""

_SPREAD = 0x9E3779B97F4A7C15
"""Odd, its bits without a pattern (2**64 divided by the golden ratio): multiplying by it makes the order of the
products independent of the words."""

_MASK = (1 << 64) - 1


def sketch(text: str) -> tuple[int, ...]:
    """The SKETCH smallest numbers of its shingles, ascending; the same on every machine. Empty for a blank text.

    Case, blanks and punctuation do not count, unless there is nothing else. Fewer words than SHINGLE are one shingle.
    """
    words = Words()
    ids = Tokens(text, 0, len(text), words).ids
    spoken = [not is_sign(form) for form in words.forms]
    ids = [word for word in ids if spoken[word]] or ids
    if not ids:
        return ()
    numbers = [crc32(form.encode("utf-8", "surrogatepass")) for form in words.forms]
    row = [numbers[word] for word in ids]
    size = min(SHINGLE, len(row))
    shingles = set(zip(*(row[k : len(row) - size + k + 1] for k in range(size)), strict=True))
    return tuple(nsmallest(SKETCH, {_spread(shingle) for shingle in shingles}))


def _spread(shingle: tuple[int, ...]) -> int:
    number = 0
    for part in shingle:
        number = (number + part + 1) * _SPREAD & _MASK
    return number


def likeness(one: str, other: str) -> float:
    """0 to 1: the share of their non-blank characters that stand in both in the same order, as aligned for `relocate`.

    Two blank texts are alike. The time is near linear in the texts.
    """
    if one == other:
        return 1.0
    total = len(squash(one)) + len(squash(other))
    if not total:
        return 1.0
    versions = Versions(one, other)
    kept = sum(len(squash(one[block.old_start : block.old_end])) for block in versions.blocks)
    for number in range(len(versions.blocks) + 1):
        gap = versions.gap(number)
        kept += sum(sum(gap.old.ends[i : i + n]) - sum(gap.old.starts[i : i + n]) for i, _, n in gap.runs)
    return min(1.0, 2 * kept / total)
