"""Runs on the small store, in a few words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalspan.runs import Hit, Run
from evalspan.store import Store

from .small_store import ask, put_set, span

THIRTY = "within thirty days"
"""Of document a, 21 to 39: whole in a0 of 40 code points."""
TWO = "two working days"
"""Of document b, 15 to 31: whole in b0 of 40."""
NOON = "An order by noon leaves"
"""Of document b, 33 to 56: cut at 40, so that no chunk holds all of it."""


def a_run(rankings: Mapping[str, str], name: str = "run", **more: Any) -> Run:
    """`rankings`: query_id → chunk ids, best first, between blanks."""
    return Run(
        {q: tuple(Hit(chunk, -float(at)) for at, chunk in enumerate(ids.split())) for q, ids in rankings.items()},
        name=name,
        **more,
    )


def put_two_questions(store: Store, folder: Path, *more: dict[str, Any], **terms: Any) -> None:
    """q1 is answered by a0, q2 by b0, of the chunking "chunks"."""
    first = ask("q1", span("a", THIRTY), tags=["family:returns"])
    second = ask("q2", span("b", TWO), tags=["family:shipping"])
    put_set(store, folder, first, second, *more, **terms)
