"""An index that is a table of a SQL database: which column holds what, and where its manifest stands.

The manifest is the table's comment, which goes when the table is replaced. Where the user has a comment there already,
it is a row of `META_TABLE` beside it, which stays when the table is replaced: `verify --deep` tells then.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

from evalspan.corpus import Manifest, parse_manifest
from evalspan.errors import CannotTell
from evalspan.indexes.base import IndexChunk, no_manifest, pages
from evalspan.indexes.payload import DOCUMENTS, ENDS, STARTS, TEXTS, chunk_of

META_TABLE = "evalspan_meta"
"""Its columns: `name` of the table, and `manifest`."""

IDS = ("chunk_id", "node_id", "langchain_id", "id", "uuid")
"""Ours; LlamaIndex's PGVectorStore (whose `id` merely counts); LangChain's; most people's."""

METADATA = ("metadata", "metadata_", "langchain_metadata", "cmetadata", "meta")
"""JSON, of the same tools."""

VIEW = "Make a view with the columns chunk_id, text, doc_id, start, end, and name that"


class SqlTable(ABC):
    """What DuckDB and PostgreSQL have in common. `where`: how messages call it."""

    mark: str
    """Stands for a parameter."""

    def __init__(self, where: str) -> None:
        self.where = where

    @property
    @abstractmethod
    def table(self) -> str:
        """Quoted, with its schema."""

    @property
    @abstractmethod
    def meta_table(self) -> str:
        """The same of `META_TABLE`, in the schema of the table."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The table's, in `META_TABLE`."""

    @abstractmethod
    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Raises CannotTell for what the database says."""

    @abstractmethod
    def stream(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The same page by page, so that a whole table is never held."""

    @abstractmethod
    def quoted(self, name: str) -> str:
        """As an identifier."""

    @abstractmethod
    def columns(self) -> list[str]: ...

    @abstractmethod
    def comment(self) -> str | None: ...

    @abstractmethod
    def set_comment(self, text: str) -> None: ...

    @abstractmethod
    def has_meta_table(self) -> bool: ...

    @abstractmethod
    def change(self, *statements: tuple[str, Sequence[Any]]) -> None:
        """All of them, or none."""

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read_manifest(self) -> Manifest:
        comment, row = self.comment(), self._meta_row()
        ours = comment if _is_ours(comment) else None
        if ours is not None and row is not None and ours != row:
            raise CannotTell(
                f"{self.where}: the table's comment and {META_TABLE} hold different manifests. "
                f"Write it anew: evalspan manifest write CHUNKING --index {self.where}"
            )
        text = ours if ours is not None else row
        if text is None:
            raise no_manifest(self.where)
        return parse_manifest(text, self.where)

    def write_manifest(self, manifest: Manifest) -> None:
        text, comment = manifest.to_json(), self.comment()
        delete = (f"DELETE FROM {self.meta_table} WHERE name = {self.mark}", (self.name,))
        if not comment or _is_ours(comment):
            self.set_comment(text)
            if self.has_meta_table():
                self.change(delete)
            return
        insert = f"INSERT INTO {self.meta_table} (name, manifest) VALUES ({self.mark}, {self.mark})"
        create = f"CREATE TABLE IF NOT EXISTS {self.meta_table} (name text PRIMARY KEY, manifest text NOT NULL)"
        self.change((create, ()), delete, (insert, (self.name, text)))

    def count(self) -> int:
        return int(self.rows(f"SELECT count(*) FROM {self.table}")[0][0])

    def chunks(self, chunk_ids: Sequence[str] | None = None) -> Iterator[IndexChunk]:
        """Raises CannotTell where the table has no column of ids or of texts under a name that is known here."""
        columns = self.columns()
        own_id = self._column(columns, IDS, "ids")
        texts = self._column(columns, TEXTS, "texts")
        wanted = [own_id, texts, *(one for one in columns if one in {*DOCUMENTS, *STARTS, *ENDS, *METADATA})]
        id_text = f"CAST({self.quoted(own_id)} AS text)"
        select = f"SELECT {id_text}, {', '.join(map(self.quoted, wanted[1:]))} FROM {self.table}"
        if chunk_ids is None:
            yield from self._read(wanted, self.stream(select))
            return
        for some in pages(list(dict.fromkeys(chunk_ids))):
            marks = ", ".join([self.mark] * len(some))
            yield from self._read(wanted, self.rows(f"{select} WHERE {id_text} IN ({marks})", some))

    def _read(self, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> Iterator[IndexChunk]:
        names = ["metadata" if name in METADATA else name for name in columns[2:]]
        for own_id, text, *rest in rows:
            if own_id is None:
                raise CannotTell(f"{self.where}: a row has no {columns[0]}, so that nothing can name its chunk")
            yield chunk_of(own_id, dict(zip(names, rest, strict=True)), text)

    def _column(self, columns: Sequence[str], names: Sequence[str], what: str) -> str:
        found = next((name for name in names if name in columns), None)
        if found is None:
            raise CannotTell(
                f"{self.where}: no column of {what} ({', '.join(names)}); there is: {', '.join(columns)}. {VIEW}"
            )
        return found

    def _meta_row(self) -> str | None:
        if not self.has_meta_table():
            return None
        sql = f"SELECT manifest FROM {self.meta_table} WHERE name = {self.mark}"
        rows = self.rows(sql, (self.name,))
        return str(rows[0][0]) if rows else None


def _is_ours(comment: str | None) -> bool:
    """Also where it is broken: then it is to be told, and not to be passed by."""
    return comment is not None and '"evalspan_manifest"' in comment
