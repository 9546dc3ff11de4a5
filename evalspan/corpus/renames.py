"""Documents that came back under another id, with the same or nearly the same text."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from heapq import nlargest
from itertools import islice
from typing import NamedTuple

from evalspan.anchoring.likeness import likeness, sketch

ALIKE = 0.5
"""Likeness from which a document is offered, as git's for renamed files: with less, more was written anew than kept."""

LEAD = 0.1
"""Likeness by which the best must lead over the next, or both are offered: a sentence in ten."""

WORTH = 1 / 16
"""Share of two sketches from which the texts are compared. Texts of which half is the same share a third of their
shingles where they were edited in stretches, and far fewer where every other sentence was touched."""

TRIED = 5
"""Texts compared with one at most: those whose sketches share most. With more that are as much alike the offer would
be no clearer."""

OFFERED = 10
"""Of equal texts under many ids, how many are offered for one."""

COMMON = 50
"""Documents that may share a shingle for it to say anything: what stands in more is a licence or a form, and would
pair every document with every other."""


class Rename(NamedTuple):
    """A removed document, and an added one that may be it."""

    old_id: str
    new_id: str
    likeness: float
    """0 to 1, as `anchoring.likeness`."""
    same: bool
    """The texts are equal, to the character."""
    rivals: int
    """How many other documents fit one of the two as well: with any, nothing but a person can tell."""


def find_renames(
    removed: Mapping[str, str],
    added: Mapping[str, str],
    old_text: Callable[[str], str],
    new_text: Callable[[str], str],
) -> list[Rename]:
    """By old id, the likeliest first. One to one, unless several fit equally well: then each of them is given.

    `removed` and `added` are doc_id → text digest. Equal texts are paired by digest alone, and are no one else's then.
    The others are read one by one and sketched, and only those with like sketches are read again and compared: the time
    is near linear in the texts, and what is held is a sketch of each removed document.
    """
    equal = _equal(removed, added)
    before, after = set(removed.values()), set(added.values())
    old = sorted(doc_id for doc_id, digest in removed.items() if digest not in after)
    new = sorted(doc_id for doc_id, digest in added.items() if digest not in before)
    found = equal + _alike(_compared(old, new, old_text, new_text))
    return sorted(found, key=lambda rename: (rename.old_id, -rename.likeness, rename.new_id))


def _equal(removed: Mapping[str, str], added: Mapping[str, str]) -> list[Rename]:
    there: defaultdict[str, list[str]] = defaultdict(list)
    for new_id in sorted(added):
        there[added[new_id]].append(new_id)
    copies = Counter(removed.values())
    return [
        Rename(old_id, new_id, 1.0, True, copies[digest] + len(there[digest]) - 2)
        for old_id, digest in removed.items()
        if digest in there
        for new_id in islice(there[digest], OFFERED)
    ]


def _compared(
    old: list[str], new: list[str], old_text: Callable[[str], str], new_text: Callable[[str], str]
) -> list[tuple[float, str, str]]:
    """Pairs that are ALIKE, the likeliest first: likeness, old id, new id."""
    if not old or not new:
        return []
    sketches = [sketch(old_text(doc_id)) for doc_id in old]
    index = _index(sketches)
    worth: list[list[tuple[float, int]]] = [[] for _ in old]
    for number, new_id in enumerate(new):
        mine = sketch(new_text(new_id))
        shared = Counter(which for shingle in mine for which in index.get(shingle, ()))
        for share, which in nlargest(TRIED, _shares(shared, sketches, len(mine))):
            worth[which].append((share, -number))
    pairs = []
    for which, candidates in enumerate(worth):
        if candidates:
            text = old_text(old[which])
            for _, number in nlargest(TRIED, candidates):
                pairs.append((likeness(text, new_text(new[-number])), old[which], new[-number]))
    return sorted((pair for pair in pairs if pair[0] >= ALIKE), key=lambda pair: (-pair[0], pair[1], pair[2]))


def _shares(shared: Counter[int], sketches: list[tuple[int, ...]], size: int) -> Iterable[tuple[float, int]]:
    for which, count in shared.items():
        share = count / min(size, len(sketches[which]))
        if share >= WORTH:
            yield share, which


def _index(sketches: list[tuple[int, ...]]) -> dict[int, list[int]]:
    """Shingle → the numbers of the sketches that have it."""
    index: defaultdict[int, list[int]] = defaultdict(list)
    for number, shingles in enumerate(sketches):
        for shingle in shingles:
            index[shingle].append(number)
    return {shingle: numbers for shingle, numbers in index.items() if len(numbers) <= COMMON}


def _alike(pairs: list[tuple[float, str, str]]) -> list[Rename]:
    """Each pair whose documents no clearly better pair has."""
    best_old: dict[str, float] = {}
    best_new: dict[str, float] = {}
    offered = []
    for pair in pairs:
        share, old_id, new_id = pair
        if max(best_old.get(old_id, 0.0), best_new.get(new_id, 0.0)) < share + LEAD:
            best_old.setdefault(old_id, share)
            best_new.setdefault(new_id, share)
            offered.append(pair)
    olds, news = Counter(pair[1] for pair in offered), Counter(pair[2] for pair in offered)
    return [Rename(old_id, new_id, share, False, olds[old_id] + news[new_id] - 2) for share, old_id, new_id in offered]
