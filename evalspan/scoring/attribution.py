"""How much of a difference each of several changes made."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import factorial
from typing import NamedTuple

Changed = frozenset[str]
"""Which of the changes are made; the others are as they were."""


class Share(NamedTuple):
    """A part of the difference."""

    of: tuple[str, ...]
    """The changes that it belongs to; several where they could not be told apart."""
    value: float


def shapley(changes: Sequence[str], worth: Callable[[Changed], float]) -> dict[str, float]:
    """change → its share of worth(all) - worth(none); the shares add up to that.

    A change's share is what it adds to those made before it, on average over all orders of making them:
    Σ |S|! (n - |S| - 1)! / n! · (worth(S ∪ {i}) - worth(S)) over the sets S of the others (L. S. Shapley, A Value for
    n-Person Games, 1953). `worth` is asked once for each of the 2ⁿ sets.
    """
    count = len(changes)
    sets = [frozenset(chosen) for size in range(count + 1) for chosen in combinations(changes, size)]
    known = {chosen: worth(chosen) for chosen in sets}
    shares = {}
    for change in changes:
        share = 0.0
        for before in sets:
            if change not in before:
                orders = factorial(len(before)) * factorial(count - len(before) - 1) / factorial(count)
                share += orders * (known[before | {change}] - known[before])
        shares[change] = share
    return shares
