"""Where is this passage now?"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from evalspan.anchoring.anchor import Anchor, Match, Status, make_anchor

if TYPE_CHECKING:
    from evalspan.anchoring.align import relocate
    from evalspan.anchoring.quote import locate
    from evalspan.anchoring.sequence import locate_chunks, place_exact

__all__ = ["Anchor", "Match", "Status", "locate", "locate_chunks", "make_anchor", "place_exact", "relocate"]

_ENGINES = {"relocate": "align", "locate": "quote", "locate_chunks": "sequence", "place_exact": "sequence"}
"""Loaded when first asked for: the guard, which must answer at once, needs the values and no engine."""


def __getattr__(name: str) -> Any:
    home = _ENGINES.get(name)
    if home is None:
        raise AttributeError(f"module 'evalspan.anchoring' has no attribute {name!r}")
    value = getattr(import_module(f"evalspan.anchoring.{home}"), name)
    globals()[name] = value
    return value
