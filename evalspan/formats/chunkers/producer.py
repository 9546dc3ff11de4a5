"""What every producer of chunks is to the registry, and what their readers share."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from evalspan.corpus.reported_chunk import ReportedChunk

Row = Mapping[str, Any]


class Unreadable(Exception):
    """What is wrong with a row, for the message that names it."""


class Producer(NamedTuple):
    """A library that cuts or keeps chunks."""

    name: str
    seen_by: str
    """What its rows are told by, as in "page_content and metadata"."""
    is_row: Callable[[Row], bool]
    parse: Callable[[Row], ReportedChunk]
    """Raises Unreadable. A chunk without an id has "" for one."""


def text_of(row: Row, key: str) -> str:
    """The text under `key`. Raises Unreadable."""
    value = row.get(key)
    if isinstance(value, str):
        return value
    raise Unreadable(f'"{key}" is {"missing" if key not in row else "no text"}; a chunk needs its text')


def name_of(value: object) -> str:
    """An id as text: a number is one as well, None is none. Raises Unreadable."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise Unreadable(f"an id is {value!r}; text or a whole number is wanted")
    return str(value)


def offset_of(row: Row, key: str) -> int | None:
    """The whole number under `key`, or None. Raises Unreadable."""
    value = row.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, float) and value.is_integer():  # stores that know one kind of number, and data frames
        return int(value)
    raise Unreadable(f'"{key}" is {value!r}; a whole number is wanted')


def mapping_of(row: Row, key: str) -> dict[str, Any]:
    """The object under `key`; an empty one where there is none. Raises Unreadable."""
    value = row.get(key)
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return {str(getattr(name, "value", name)): one for name, one in value.items()}
    raise Unreadable(f'"{key}" is no object')


def found(start: int | None) -> tuple[int | None, bool]:
    """A start, and whether it is the -1 with which `str.find` says that it found nothing."""
    return (None, True) if start is not None and start < 0 else (start, False)


def first_of(row: Row, *keys: str) -> Any:
    """The value of the first key that has one."""
    return next((row[key] for key in keys if row.get(key) is not None), None)


def kept(row: Row, *keys: str) -> dict[str, Any]:
    """Those of the keys that have a value."""
    return {key: row[key] for key in keys if row.get(key) not in (None, [], {}, "")}
