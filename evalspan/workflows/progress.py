"""How a long task says how far it is; the command line draws it."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

T = TypeVar("T")


class Progress(Protocol):
    """Wraps what is walked through."""

    def __call__(self, items: Iterable[T], what: str, total: int) -> Iterator[T]: ...


def silent(items: Iterable[T], what: str, total: int) -> Iterator[T]:  # noqa: ARG001 - the shape of Progress
    """Draws nothing."""
    yield from items
