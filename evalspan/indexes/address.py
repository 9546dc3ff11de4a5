"""Where an index is: `chroma:PATH#COLLECTION` and the like."""

import re
from pathlib import Path
from typing import NamedTuple

from evalspan.errors import BadInput, Problem

KINDS = {
    "chroma": "chroma:PATH#COLLECTION",
    "qdrant": "qdrant:PATH#COLLECTION",
    "lancedb": "lancedb:PATH#TABLE",
    "milvus": "milvus:FILE.db#COLLECTION",
    "faiss": "faiss:FILE",
    "duckdb": "duckdb:FILE#TABLE",
    "postgres": "postgresql://USER@HOST/DATABASE#TABLE",
    "llamaindex": "llamaindex:FOLDER",
    "langchain": "langchain:FILE",
}
"""Each kind, and how an index of it is written."""

_NAMELESS = frozenset({"faiss", "llamaindex", "langchain"})
"""One index a path: a # belongs to the path."""

_POSTGRES = re.compile(r"postgres(ql)?(\+\w+)?://")

_PREFIX = re.compile(r"([A-Za-z][\w+.-]+):")
"""Two letters or more: C:\\index.json is a path."""

_PASSWORD = re.compile(r"(://[^:/@\s]*):[^@/\s]*@")


class IndexAddress(NamedTuple):
    """Taken apart."""

    kind: str
    """A key of `KINDS`."""
    path: str
    """A path or URL."""
    name: str
    """Of the collection or table; empty where a path is one index."""

    @property
    def shown(self) -> str:
        """As it was written, without its password: for messages."""
        whole = self.path if self.kind == "postgres" else f"{self.kind}:{self.path}"
        return _PASSWORD.sub(r"\1:***@", f"{whole}#{self.name}" if self.name else whole)

    @property
    def is_url(self) -> bool:
        return self.path.startswith(("http://", "https://"))


def is_index(address: str) -> bool:
    """Whether an index is meant and not the path of a manifest. Raises BadInput for an index of a kind unknown here."""
    return _kind(address) is not None


def parse_address(address: str) -> IndexAddress:
    """Raises BadInput, with the forms there are, on what is no index."""
    kind = _kind(address)
    if kind is None:
        raise _bad(address, f"names no index. {_forms()}")
    rest = address if kind == "postgres" else address.partition(":")[2]
    path, name = rest, ""
    if kind not in _NAMELESS:
        path, _, name = rest.rpartition("#")
        if not name or not path:
            raise _bad(address, f"say which one in it: {KINDS[kind]}")
    if not path:
        raise _bad(address, f"names no place: {KINDS[kind]}")
    if "\0" in address:
        raise _bad(address, "holds a NUL character")
    return IndexAddress(kind, path, name)


def _kind(address: str) -> str | None:
    """None for a plain path."""
    if _POSTGRES.match(address):
        return "postgres"
    prefix = _PREFIX.match(address)
    if prefix is None:
        return None
    word = prefix.group(1)
    if word in KINDS and word != "postgres":
        return word
    if _is_file(address):
        return None
    raise _bad(address, f"{word!r} is no kind of index that is known here. {_forms()}")


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # what no file can be called
        return False


def _forms() -> str:
    return f"There is: {', '.join(KINDS.values())}; or the path of a manifest file."


def _bad(address: str, what: str) -> BadInput:
    return BadInput([Problem(_PASSWORD.sub(r"\1:***@", address), None, what)])
