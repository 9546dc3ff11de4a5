"""What meeting a word says, and which of the words that two texts share were met by chance."""

import heapq
from math import log2

from evalspan.anchoring.alignment.seeds import Run
from evalspan.anchoring.alignment.tokens import Words, is_apart, is_sign

LETTER = 1.5
"""Bits a letter of running text tells (Shannon found 0.6 to 1.5). What a word says is taken from its length: frequent
words are short in every language, and no count of words says more about a text of a few pages."""

WORD_LIMIT = 12.0
"""Bits no word exceeds: one in 4,000, which is about what a word that stands once in a chapter says."""

HAN = 6.0
"""Bits a character of a script without blanks says, about: a Han character 9, a kana 5, a Thai letter 4."""

SIGN = 1.0
"""Bits a punctuation mark says: one in two tokens is one."""

LONG = 8
"""Words in a row that are never met by chance."""

SURE = 99.0


class Bits(dict[int, float]):
    """What meeting a word says, by its number: the less likely it is to stand anywhere, the more."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._forms = words.forms

    def __missing__(self, number: int) -> float:
        form = self._forms[number]
        if form.isascii() and form.isalnum():
            bits = min(WORD_LIMIT, LETTER * len(form))
        else:
            bits = SIGN if is_sign(form) else HAN if is_apart(form) else min(WORD_LIMIT, LETTER * len(form))
        self[number] = bits
        return bits


def by_more_than_chance(runs: list[Run], ids: list[int], new_size: int, word_bits: Bits, *, held: bool) -> list[Run]:
    """Without those that would be met by chance.

    In a hole of m old and n new words, a stretch that says b bits is met about m·n·2^-b times by chance. Where that
    is more than a half, it is no evidence. The weakest goes first, since its going widens its neighbours' holes.
    `held`: equal text goes on at both ends, so that a stretch that begins or ends there is no matter of chance.
    """
    bits = [sum(map(word_bits.__getitem__, ids[i : i + n])) if n < LONG else SURE for i, _, n in runs]
    if held and runs[0][:2] == (0, 0):
        bits[0] = SURE
    if held and (runs[-1].i + runs[-1].n, runs[-1].j + runs[-1].n) == (len(ids), new_size):
        bits[-1] = SURE
    if min(bits) == SURE:
        return runs
    starts = [(0, 0, 0), *runs, (len(ids), new_size, 0)]
    before = list(range(len(runs)))
    after = list(range(2, len(runs) + 2))
    gone = [False] * len(runs)

    def surplus(k: int) -> float:
        left_i, left_j, left_n = starts[before[k]]
        right_i, right_j, _ = starts[after[k]]
        n = starts[k + 1][2] + left_n
        hole = (right_i - left_i - n + 1) * (right_j - left_j - n + 1)
        return bits[k] - 1 - log2(hole) if hole > 1 else SURE

    heap = [(s, k) for k, b in enumerate(bits) if b < SURE and (s := surplus(k)) < 0]
    if not heap:
        return runs
    heapq.heapify(heap)
    while heap:
        s, k = heapq.heappop(heap)
        if gone[k] or s != surplus(k):
            continue
        gone[k] = True
        left, right = before[k] - 1, after[k] - 1
        if left >= 0:
            after[left] = after[k]
        if right < len(runs):
            before[right] = before[k]
        for near in (left, right):
            if 0 <= near < len(runs) and bits[near] < SURE and (s := surplus(near)) < 0:
                heapq.heappush(heap, (s, near))
    return [run for run, out in zip(runs, gone, strict=True) if not out]
