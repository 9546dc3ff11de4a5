"""Reading and writing the manifest where the index lives, and reading its chunks back."""

from importlib import import_module

from evalspan.indexes.address import KINDS, IndexAddress, is_index, parse_address
from evalspan.indexes.base import Index, IndexChunk

__all__ = ["KINDS", "Index", "IndexAddress", "IndexChunk", "is_index", "open_index", "parse_address"]

_MODULES = {"lancedb": "lance", "duckdb": "duck"}
"""Where a module must not have its library's name."""


def open_index(address: str, *, write: bool = False) -> Index:
    """The index at `chroma:PATH#COLLECTION` and the like, for a `with` block; only its own module is loaded.

    `write`: it must be possible to write its manifest; else nothing in it is touched.
    Raises BadInput on an address that is none, CannotTell where there is no such index, or it can't be read.
    """
    parsed = parse_address(address)
    module = import_module(f"evalspan.indexes.{_MODULES.get(parsed.kind, parsed.kind)}")
    index: Index = module.open_index(parsed, write=write)
    return index
