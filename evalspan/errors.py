"""Everything evalspan raises on purpose.

EvalspanError
├── BadInput        files or values that do not hold what they must: every problem of a file at once
├── NoSuchOffset    an offset lies inside a character, or outside its text
├── StoreError      the store can't be used as it is
│   ├── NoStore         there is none at that address
│   ├── NotAStore       a database, but not ours
│   ├── StoreTooOld     its schema wants `evalspan store upgrade`
│   ├── StoreTooNew     its schema comes from a newer evalspan
│   ├── StoreBusy       another process holds it
│   └── Unwritable      read-only, full, or refused by the server
├── NotFound        the store holds no such snapshot, chunking, set or version
├── Conflict        somebody else was faster, or the name is taken: nothing was written
├── MissingExtra    a library is not installed that only some people need
├── CannotTell      the guard has nothing to judge by: a manifest that is missing, unreadable, or of the future
├── Incomparable    two figures stand on different sides of a break
└── Refused         the guard says no; carries the verdict

The command line turns Refused and Incomparable into exit code 1 and all others into 2.
"""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalspan.guard import Verdict

SHOWN = 20
"""How many problems of one input are printed; the rest are counted."""


class EvalspanError(Exception):
    """What went wrong, where, and what to type next.

    Those that carry more than a message say how they are pickled: they come out of worker processes too.
    """


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input."""

    file: str
    line: int | None
    """1-based, or None where the whole file is meant."""
    what: str

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{where}: {self.what}"


class BadInput(EvalspanError):
    """`problems` holds the first ones found, `count` is how many there are in all."""

    def __init__(self, problems: Sequence[Problem], count: int | None = None, hint: str = "") -> None:
        self.problems = tuple(problems)
        self.count = len(self.problems) if count is None else count
        self.hint = hint
        lines = [str(problem) for problem in self.problems[:SHOWN]]
        if self.count > len(lines):
            lines.append(f"… and {self.count - len(lines)} more like these ({self.count} in all)")
        if hint:
            lines.append(hint)
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems, self.count, self.hint)


class Problems:
    """Collects what is wrong while a file is read, so that all of it is told at once.

    With `skip` the bad rows are left out instead, and `skipped` says which; None: whoever asked has no way to leave any
    out. What is wrong with a whole file (no line) can't be left out.
    """

    def __init__(self, skip: bool | None = None) -> None:
        self._skip = skip
        self._rows: list[Problem] = []
        self._files: list[Problem] = []
        self.count = 0
        """Of bad rows."""

    def add(self, file: str | PathLike[str], line: int | None, what: str) -> None:
        if line is None:
            self._files.append(Problem(str(file), None, what))
            return
        self.count += 1
        if self._skip or len(self._rows) < SHOWN:
            self._rows.append(Problem(str(file), line, what))

    def require_some(self, found: Sized, file: str | PathLike[str], what: str, before: int) -> None:
        """Notes that a file holds nothing that can be used, unless its rows were bad (`before`: the count when its
        reading began) and will be told of.
        """
        if not found and (self._skip or self.count == before):
            self.add(file, None, f"holds no {what}")

    @property
    def skipped(self) -> tuple[Problem, ...]:
        return tuple(self._rows) if self._skip else ()

    def raise_if_any(self) -> None:
        """Raises BadInput for what can't be left out."""
        if self._files:
            raise BadInput(self._files)
        if self.count and not self._skip:
            hint = "" if self._skip is None else "Mend these, or go on without them: --skip-bad"
            raise BadInput(self._rows, self.count, hint)


class NoSuchOffset(EvalspanError):
    """An offset lies inside a character in its own unit, or outside its text: it is refused rather than rounded."""

    def __init__(self, offset: int, unit: str) -> None:
        self.offset, self.unit = offset, unit
        super().__init__(f"{unit} offset {offset} lies inside a character or outside the text")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.offset, self.unit)


class StoreError(EvalspanError):
    """The store can't be used as it is."""


class NoStore(StoreError):
    """There is none at that address."""


class NotAStore(StoreError):
    """A database, but not one of ours."""


class StoreTooOld(StoreError):
    """Its schema is older than this evalspan."""


class StoreTooNew(StoreError):
    """Its schema comes from a newer evalspan."""


class StoreBusy(StoreError):
    """Another process holds it for longer than we wait."""


class Unwritable(StoreError):
    """Nothing can be written there: read-only, disk full, no right."""


class NotFound(EvalspanError):
    """The store holds no such thing."""

    def __init__(self, kind: str, name: str, known: Iterable[str] = (), hint: str = "") -> None:
        self.kind, self.name, self.known, self.hint = kind, name, tuple(known), hint
        there = f" There is: {', '.join(self.known[:10])}." if self.known else f" There is no {kind} yet."
        super().__init__(f"No {kind} {name!r} in this store.{there}{' ' + hint if hint else ''}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.name, self.known, self.hint)


class Conflict(EvalspanError):
    """Somebody else was faster, or the name is taken; nothing was written."""


class MissingExtra(EvalspanError):
    """A library is not installed that only some people need; the message says how to get it."""


class CannotTell(EvalspanError):
    """The guard has nothing to judge by."""


class Incomparable(EvalspanError):
    """Two figures stand on different sides of a break: the message says which, and which bridge would allow it."""


class Refused(EvalspanError):
    """The guard says no."""

    def __init__(self, verdict: "Verdict") -> None:
        self.verdict = verdict
        super().__init__(verdict.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.verdict,)
