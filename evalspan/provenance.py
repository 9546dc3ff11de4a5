"""Who did it, when, and why."""

import getpass
import os
from datetime import UTC, datetime

from evalspan.value import Value


class Provenance(Value):
    """Stands beside everything that is appended."""

    by: str
    """A person or a program."""
    at: str
    """UTC, ISO 8601 to the second, as in 2026-03-01T09:30:00Z."""
    why: str = ""
    """What was done, in words."""

    @classmethod
    def now(cls, why: str = "", by: str | None = None) -> "Provenance":
        """`by` defaults to EVALSPAN_USER, else to the name of the account."""
        return cls(by=by or _account(), at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), why=why)


def _account() -> str:
    named = os.environ.get("EVALSPAN_USER")
    if named:
        return named
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # an account without a name, as in containers
        return "unknown"
