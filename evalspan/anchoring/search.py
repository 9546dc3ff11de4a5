"""Every place where a text stands in another."""

LIMIT = 1000
"""Places looked at. A passage that stands in more of them is periodic ("aaaa…"), and no context will tell one from the
next; the bound keeps the time near linear."""


def occurrences(needle: str, text: str, limit: int = LIMIT) -> list[int]:
    """The starts of up to `limit` places, overlapping ones too, ascending."""
    out: list[int] = []
    at = text.find(needle)
    while at >= 0 and len(out) < limit:
        out.append(at)
        at = text.find(needle, at + 1)
    return out
