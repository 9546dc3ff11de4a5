"""What is wrong with a value that was read from JSON, in our words where pydantic's are about Python."""

from collections.abc import Iterator

from pydantic import ValidationError

_WORDS = {"extra_forbidden": "there is no such field", "missing": "is missing"}


def wrong_values(error: ValidationError, name: str = "") -> Iterator[str]:
    """Each problem as "judgments[0].start: is missing"; `name`: of the value that was read."""
    for found in error.errors():
        own = found.get("ctx", {}).get("error")
        what = _WORDS.get(found["type"], found["msg"]) if own is None else str(own)
        where = name + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in found["loc"])
        yield f"{where.lstrip('.')}: {what}" if where else what
