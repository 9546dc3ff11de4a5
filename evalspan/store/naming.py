"""Which names things may have, and how one of them is found again by what somebody typed."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from evalspan.errors import BadInput, NotFound, Problem
from evalspan.text import find_bad_character

T = TypeVar("T")

LATEST = "latest"
"""Stands for the newest one wherever a name may stand."""

SHORTEST_PREFIX = 6
"""Hex digits of a digest that are taken for one: shorter ones are too easily a word."""

_HEX = re.compile(r"[0-9a-f]+")


def require_name(kind: str, name: str, file_suffix: str = "") -> None:
    """Raises BadInput for a name that could not be typed back. `file_suffix`: what ends so is taken for a file."""
    what = None
    if not name.strip() or name != name.strip():
        what = "a name can't be empty, nor begin or end with a blank"
    elif name == LATEST:
        what = f'"{LATEST}" means the newest one and can\'t be a name'
    elif "@" in name:
        what = 'a name can\'t hold "@", which stands before the number of a version'
    elif not name.isprintable():
        what = "a name can't hold control characters"
    elif file_suffix and name.endswith(file_suffix):
        what = f"what ends in {file_suffix} is a file, and can't be a name"
    if what:
        raise BadInput([Problem(kind, None, f"{name!r}: {what}")])


def require_no_file(name: str) -> None:
    """Raises BadInput where a file is named, and a set of the store is wanted."""
    try:
        is_file = Path(name).is_file()
    except (OSError, ValueError):  # what no file can be called: too long, a NUL in it
        return
    if is_file:
        what = f"is a file, and this takes a set of a store. Take it into one: evalspan set import NAME --file {name}"
        raise BadInput([Problem(name, None, what)])


def require_sound(kind: str, ids: Iterable[str]) -> None:
    """Raises BadInput for an id that no database keeps: one with NUL or a lone surrogate."""
    ids = list(ids)
    if find_bad_character("\n".join(ids)) is None:
        return
    for one in ids:
        found = find_bad_character(one)
        if found:
            raise BadInput([Problem(kind, None, f"{one!r} holds {found[1]} at offset {found[0]}")])


def find_by_reference(
    kind: str,
    reference: str,
    things: Sequence[T],
    name_of: Callable[[T], str | None],
    digest_of: Callable[[T], str],
) -> T:
    """By name, by digest or the unique beginning of one, or the newest; `things` are oldest first."""
    for thing in things:
        if name_of(thing) == reference:
            return thing
    if reference == LATEST and things:
        return things[-1]
    known = [name_of(thing) or digest_of(thing)[:12] for thing in reversed(things)]
    if len(reference) >= SHORTEST_PREFIX and _HEX.fullmatch(reference):
        fitting = [thing for thing in things if digest_of(thing).startswith(reference)]
        digests = sorted({digest_of(thing) for thing in fitting})
        if len(digests) == 1:
            return fitting[-1]
        if digests:
            raise NotFound(f"single {kind}", reference, digests, "Type more of the digest.")
    raise NotFound(kind, reference, known)
