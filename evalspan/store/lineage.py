"""Which versions of a set its newest one stands on, now that some may have been undone, and what that makes of
decisions.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from evalspan.store.records import DecisionRecord, VersionRecord


class Standing(StrEnum):
    """What became of a decision."""

    APPLIED = "applied"
    """The newest version stands on it."""
    WAITING = "waiting"
    """No version was made with it yet."""
    SET_ASIDE = "set_aside"
    """Every version made with it is undone."""


def living(versions: Iterable[VersionRecord]) -> list[VersionRecord]:
    """The versions of one set that count, newest first: the newest; from one that restores another, that other; else
    its parent. `versions`: all of the set, in any order. Undoing an undo brings the undone ones back.

    Raises ValueError where versions of several sets are given, or one that is needed is not.
    """
    by_number = {version.number: version for version in versions}
    if len({version.name for version in by_number.values()}) > 1:
        raise ValueError("the versions are of several sets")
    chain: list[VersionRecord] = []
    number = max(by_number, default=None)
    while number is not None:
        version = by_number.get(number)
        if version is None:
            raise ValueError(f"version {number} is missing")
        chain.append(version)
        number = version.parent if version.restores is None else version.restores
    return chain


def standing(decision: DecisionRecord, chain: Sequence[VersionRecord]) -> Standing:
    """`chain`: of the decision's set, from `living`."""
    if not decision.versions:
        return Standing.WAITING
    alive = {version.number for version in chain}
    return Standing.SET_ASIDE if alive.isdisjoint(decision.versions) else Standing.APPLIED
