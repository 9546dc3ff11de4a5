"""LanceDB: the manifest is a value of the table's schema metadata.

A table is a Lance dataset in PATH/TABLE.lance. It is read by `pylance` alone: lancedb takes thrice as long to load,
and needs pylance itself to change a schema's metadata.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from evalspan.corpus import Manifest, parse_manifest
from evalspan.errors import CannotTell, EvalspanError, Unwritable
from evalspan.indexes.address import IndexAddress
from evalspan.indexes.base import KEY, PAGE, Index, IndexChunk, library, no_manifest, no_such, pages
from evalspan.indexes.payload import chunk_of

SUFFIX = ".lance"

IDS = ("chunk_id", "id")
"""Columns that name a chunk: ours; LangChain's and LlamaIndex's."""

_KEY = KEY.encode("ascii")

LOOKED_BACK = 20
"""Versions that are searched for a manifest that was lost: each is one small file, and an index is not overwritten
more often between two runs of a guard."""


def open_index(address: IndexAddress, *, write: bool = False) -> Index:  # noqa: ARG001 - both open alike
    """Raises CannotTell where there is no such table."""
    return LanceTable(address)


class LanceTable:
    """A table as it was when it was opened: its newest version."""

    def __init__(self, address: IndexAddress) -> None:
        self._where = address.shown
        lance = library("lance", "lancedb")
        uri = f"{address.path.rstrip('/')}/{address.name}{SUFFIX}"
        if "://" not in uri:
            self._look(Path(address.path), address.name)
        with self._asking("read"):
            self._dataset: Any = lance.dataset(uri)

    def _look(self, folder: Path, name: str) -> None:
        if not folder.is_dir():
            raise CannotTell(f"{self._where}: {'is a file' if folder.exists() else 'no such folder'}.")
        if not (folder / f"{name}{SUFFIX}").is_dir():
            raise no_such(self._where, "table", name, (path.stem for path in folder.glob(f"*{SUFFIX}")))

    def read_manifest(self) -> Manifest:
        text = _value(self._dataset)
        if text is None:
            raise self._lost() or no_manifest(self._where)
        return parse_manifest(text, self._where)

    def _lost(self) -> CannotTell | None:
        """Where an earlier version has a manifest: the table was overwritten since, and it speaks of other chunks."""
        newest = self._dataset.version
        for version in range(newest - 1, max(0, newest - 1 - LOOKED_BACK), -1):
            try:
                had = _value(self._dataset.checkout_version(version)) is not None
            except (ValueError, OSError):  # cleaned away
                return None
            if had:
                return CannotTell(
                    f"{self._where}: version {version} of the table had a manifest, and version {newest} has none: the "
                    "table was overwritten since. Write the manifest of what it holds now: "
                    f"evalspan manifest write CHUNKING --index {self._where}"
                )
        return None

    def write_manifest(self, manifest: Manifest) -> None:
        """Makes a version of the table, with the same rows."""
        text = manifest.to_json()
        with self._asking("written"):
            self._dataset.update_schema_metadata({KEY: text})

    def count(self) -> int:
        with self._asking("read"):
            return int(self._dataset.count_rows())

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        with self._asking("read"):
            column = self._id_column()
            if chunk_ids is None:
                yield from self._scanned(column, None)
                return
            compute = library("pyarrow.compute", "lancedb")
            array = library("pyarrow", "lancedb").array
            kind = self._dataset.schema.field(column).type
            for page in pages(chunk_ids):
                wanted = array(_as_numbers(page) if _is_whole(kind) else list(page), type=kind)
                yield from self._scanned(column, compute.field(column).isin(wanted))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def _id_column(self) -> str:
        names = self._dataset.schema.names
        for column in IDS:
            if column in names:
                return column
        raise CannotTell(
            f"{self._where}: no column says which chunk a row is: {' or '.join(IDS)} is wanted, and there is "
            f"{', '.join(names)}."
        )

    def _scanned(self, column: str, condition: Any) -> Iterator[IndexChunk]:
        for batch in self._dataset.to_batches(columns=self._plain_columns(), filter=condition, batch_size=PAGE):
            for row in batch.to_pylist():
                yield chunk_of(str(row.pop(column)), row)

    def _plain_columns(self) -> list[str]:
        """All but vectors, which are most of a table."""
        types = library("pyarrow", "lancedb").types
        lists = (types.is_fixed_size_list, types.is_list, types.is_large_list, types.is_binary, types.is_large_binary)
        return [field.name for field in self._dataset.schema if not any(is_list(field.type) for is_list in lists)]

    @contextmanager
    def _asking(self, what: str) -> Iterator[None]:
        """Turns what Lance says into errors of ours."""
        try:
            yield
        except EvalspanError:
            raise
        except Exception as error:  # Lance raises ValueError, OSError and RuntimeError, each for everything
            first = str(error).partition("\n")[0]
            if what == "written":
                raise Unwritable(
                    f"{self._where}: can't be written ({first}). Keep the manifest in a file: evalspan manifest write "
                    "CHUNKING --out FILE"
                ) from None
            raise CannotTell(f"{self._where}: is no LanceDB table that can be read ({first}).") from None


def _value(dataset: Any) -> str | None:
    metadata: Mapping[bytes, bytes] = dataset.schema.metadata or {}
    value = metadata.get(_KEY)
    return None if value is None else value.decode("utf-8", "replace")


def _is_whole(kind: Any) -> bool:
    return bool(library("pyarrow", "lancedb").types.is_integer(kind))


def _as_numbers(ids: Sequence[str]) -> list[int]:
    """Those that are whole numbers; others can't be in such a column."""
    return [int(one) for one in ids if one.isascii() and one.isdigit()]
