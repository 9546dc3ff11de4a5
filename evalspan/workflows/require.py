"""`evalspan.require`: a guard around an eval run, as a call, in a `with` block, or on a function."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from evalspan.errors import Refused
from evalspan.guard import Verdict
from evalspan.workflows.manifests import IndexReference
from evalspan.workflows.set_references import SetReference
from evalspan.workflows.verify import verify

if TYPE_CHECKING:
    # Not loaded for a set file: a store is half of what `verify` takes.
    from evalspan.workflows.stores import StoreOrAddress

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Guard:
    """Holds a set against an index whenever it is entered or what it decorates is called; making one checks nothing.

    For an index that does not stand yet where the code is read:

        @evalspan.Guard("faq", "index.json")
        def run() -> None: ...
    """

    eval_set: SetReference
    index: IndexReference
    allow_waiting: bool = field(default=False, kw_only=True)
    override: str | None = field(default=None, kw_only=True)
    store: "StoreOrAddress" = field(default=None, kw_only=True)

    def check(self) -> "Required":
        """Raises Refused, which carries the verdict, unless the set may be run; and what `verify` raises."""
        verdict = verify(
            self.eval_set, self.index, allow_waiting=self.allow_waiting, override=self.override, store=self.store
        )
        if not verdict.passed:
            raise Refused(verdict)
        return Required(**{one.name: getattr(verdict, one.name) for one in fields(verdict)}, guard=self)

    def __enter__(self) -> "Required":
        return self.check()

    def __exit__(self, *_: object) -> None:
        """Nothing is held open."""

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """The same function, which checks at each call before anything else; `async def` stays `async def`, and checks
        when it is awaited.
        """
        if isinstance(function, type) or not callable(function):
            raise TypeError(f"evalspan guards functions, and this is {function!r}")
        if inspect.iscoroutinefunction(function):

            @wraps(function)
            async def checked_async(*args: P.args, **kwargs: P.kwargs) -> Any:
                self.check()
                return await function(*args, **kwargs)

            return checked_async  # type: ignore[return-value] # R is the coroutine

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            self.check()
            return function(*args, **kwargs)

        return checked


@dataclass(frozen=True)
class Required(Verdict):
    """A verdict that let the set pass, of the moment when it was asked for. In a `with` block it is itself; on a
    function it checks again at each call.
    """

    guard: Guard = field(kw_only=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is held open."""

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        return self.guard(function)


def require(
    eval_set: SetReference,
    index: IndexReference,
    *,
    allow_waiting: bool = False,
    override: str | None = None,
    store: "StoreOrAddress" = None,
) -> Required:
    """`verify`, for a harness: raises Refused, which carries the verdict, unless the set may be run.

    It checks where it stands: at once in a call and in a `with` block; as a decorator when the function is defined, and
    again at each of its calls. `Guard` with the same arguments leaves out the first.
    """
    return Guard(eval_set, index, allow_waiting=allow_waiting, override=override, store=store).check()
