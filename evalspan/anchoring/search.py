"""Every place where a text stands in another."""

from functools import lru_cache

LIMIT = 1000
"""Places looked at. A passage that stands in more of them is periodic ("aaaa…"), and no context will tell one from the
next; the bound keeps the time near linear."""

LARGE = 100_000
"""Characters of a text from which an index of it pays: below, reading it through for each passage takes some ten
microseconds; above, a book's thousands of chunks would read it thousands of times."""

BLOCK = 64
"""Characters of an indexed block. A passage of twice that holds a whole block wherever it stands."""

CROWDED = 256
"""Places looked at for one passage. Where its blocks stand more often the text is periodic there, and reading it
through finds places at once."""

SEVERAL = 8
"""Passages looked for in one large text before its index is made: that costs as much as some tens of readings."""


def occurrences(needle: str, text: str, limit: int = LIMIT) -> list[int]:
    """The starts of up to `limit` places, overlapping ones too, ascending."""
    if len(text) > LARGE and len(needle) >= 2 * BLOCK:
        places = _asked(text).places(needle)
        if places is not None:
            return places[:limit]
    out: list[int] = []
    at = text.find(needle)
    while at >= 0 and len(out) < limit:
        out.append(at)
        at = text.find(needle, at + 1)
    return out


class Index:
    """The blocks of a large text, laid end to end, and where each stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks: dict[str, list[int]] = {}
        for at in range(0, len(text) - BLOCK + 1, BLOCK):
            self._blocks.setdefault(text[at : at + BLOCK], []).append(at)

    def places(self, needle: str) -> list[int] | None:
        """All places of a passage of at least two blocks, ascending; None where its blocks stand too often to tell."""
        get = self._blocks.get
        found = [(get(needle[k : k + BLOCK]), k) for k in range(BLOCK)]
        places = {at - k for blocks, k in found if blocks for at in blocks[:CROWDED]}
        if len(places) >= CROWDED:
            return None
        startswith = self._text.startswith
        return sorted(at for at in places if at >= 0 and startswith(needle, at))


class _Asked:
    """A large text, indexed once it is asked for the `SEVERAL`th time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._times = 0
        self._index: Index | None = None

    def places(self, needle: str) -> list[int] | None:
        self._times += 1
        if self._index is None and self._times >= SEVERAL:
            self._index = Index(self._text)
        return self._index.places(needle) if self._index is not None else None


@lru_cache(maxsize=4)
def _asked(text: str) -> _Asked:
    """Of the texts at hand: a document and its readings."""
    return _Asked(text)
