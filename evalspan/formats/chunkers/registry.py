"""The registry: whose chunks these are, and what they report."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.chunkers.autorag import AUTORAG
from evalspan.formats.chunkers.chonkie import CHONKIE
from evalspan.formats.chunkers.docling import DOCLING
from evalspan.formats.chunkers.haystack import HAYSTACK
from evalspan.formats.chunkers.langchain import LANGCHAIN
from evalspan.formats.chunkers.llamaindex import LLAMAINDEX
from evalspan.formats.chunkers.pairs import SEMANTIC_TEXT_SPLITTER, SEMCHUNK, rows_of_pairs
from evalspan.formats.chunkers.producer import Producer, Row, Unreadable
from evalspan.formats.chunkers.stores import OWN, STORE, rows_of_dump
from evalspan.formats.chunkers.unstructured import UNSTRUCTURED
from evalspan.formats.lines import fits_qrels
from evalspan.text import find_bad_character, replace_bad_characters

_ALL = (
    LANGCHAIN,
    LLAMAINDEX,
    HAYSTACK,
    CHONKIE,
    SEMCHUNK,
    SEMANTIC_TEXT_SPLITTER,
    UNSTRUCTURED,
    DOCLING,
    AUTORAG,
    OWN,
    STORE,
)
PRODUCERS: dict[str, Producer] = {producer.name: producer for producer in _ALL}
"""By name, the most telling first: a store's rows are told by the least."""

SOURCE = "chunks"
"""What problems are reported of where objects did not come out of a file."""


class ParsedChunks(NamedTuple):
    """What came in."""

    producer: str
    guessed: str
    """What the producer was told by, as in "page_content and metadata"; "" where the caller named it."""
    chunks: tuple[ReportedChunk, ...]
    """In the order in which they came."""
    rows: tuple[int, ...]
    """The number of each one's row, from 1, those that were left out counted too."""
    numbered: int
    """Chunks that came without an id, and were given one: the document's id and a number."""


class Told(NamedTuple):
    """What the caller knows of the chunks."""

    producer: str | None = None
    """None to guess."""
    document: str | None = None
    """The document that all of them are of."""
    document_key: str | None = None
    """The field, of a chunk or its metadata, that has the document's id."""


def parse_chunks(
    objects: Any, producer: str | None = None, *, document: str | None = None, document_key: str | None = None
) -> ParsedChunks:
    """What a library's chunks report: objects of it, or what their own dumps hold; one list, or one whole dump.

    `producer` is a key of PRODUCERS, or None to guess it; `document` the id of the document that all are of, or
    `document_key` the field of the chunk or of its metadata that has it. Raises BadInput with every problem.
    """
    problems = Problems()
    parsed = parse_rows(objects, Told(producer, document, document_key), problems, SOURCE)
    problems.raise_if_any()
    return parsed


def parse_rows(
    objects: Any, told: Told, problems: Problems, source: str, replace_bad_text: bool = False
) -> ParsedChunks:
    """The same for what came out of the file `source`; problems of rows are noted, with the number of the row as its
    line, and their rows left out. Raises BadInput where the producer can't be told.
    """
    rows = [_row(one) for one in _rows(objects)]
    found = PRODUCERS[told.producer] if told.producer in PRODUCERS else _guess(rows, told.producer, source)
    before = problems.count
    chunks: list[ReportedChunk] = []
    numbers: list[int] = []
    for number, row in enumerate(rows, 1):
        try:
            chunks.append(_parse(found, row, told, replace_bad_text))
            numbers.append(number)
        except Unreadable as error:
            problems.add(source, number, str(error))
    problems.require_some(chunks, source, "chunk", before)
    named = _numbered(_of_roots(chunks, told))
    guessed = "" if told.producer in PRODUCERS else found.seen_by
    return ParsedChunks(found.name, guessed, tuple(named), tuple(numbers), sum(not chunk.named for chunk in named))


def _rows(objects: Any) -> Sequence[Any]:
    for unwrap in (rows_of_pairs, rows_of_dump):
        rows: list[Any] | None = unwrap(objects)
        if rows is not None:
            return rows
    if isinstance(objects, Mapping | str | bytes) or not isinstance(objects, Iterable):
        return [objects]
    return list(objects)


_TO_ROWS = ("to_dict", "model_dump", "_asdict")
"""Methods by which libraries give an object as a dict; their own before pydantic's."""


def _row(one: Any) -> Row | None:
    node = getattr(one, "node", None)  # LlamaIndex's NodeWithScore
    if node is not None:
        one = node
    if isinstance(one, Mapping):
        return one
    for name in _TO_ROWS:
        method: Callable[[], Any] | None = getattr(one, name, None)
        if callable(method):
            value = method()
            if isinstance(value, Mapping):
                return value
    return None


def _guess(rows: Sequence[Row | None], name: str | None, source: str) -> Producer:
    if name is not None:
        what = f"no producer of chunks is called {name!r}. There is: {', '.join(PRODUCERS)}"
        raise BadInput([Problem(source, None, what)])
    kinds: dict[str, Producer] = {}
    for row in rows:
        found = None if row is None else next((one for one in _ALL if one.is_row(row)), None)
        if found is not None:
            kinds.setdefault(found.name, found)
    if len(kinds) == 1:
        return next(iter(kinds.values()))
    if kinds:
        what = f"may be chunks of {' or '.join(kinds)}; say which: --from {next(iter(kinds))}"
    elif rows:
        fields = (
            "no objects" if rows[0] is None else f"the fields {', '.join(map(str, list(rows[0])[:10])) or '(none)'}"
        )
        what = f"has {fields}, which no producer of chunks has that is known here. There is: {', '.join(PRODUCERS)}"
    else:
        what = "holds no chunk"
    raise BadInput([Problem(source, None, what)])


def _parse(producer: Producer, row: Row | None, told: Told, replace_bad_text: bool) -> ReportedChunk:
    if row is None:
        raise Unreadable("is no object with fields")
    if not producer.is_row(row):
        raise Unreadable(f"is no chunk of {producer.name}: {producer.seen_by} is wanted")
    chunk = producer.parse(row)
    if told.document is not None:
        chunk = chunk._replace(doc_id=told.document)
    elif told.document_key is not None:
        chunk = chunk._replace(doc_id=_found_id(row, told.document_key))
    for subject, name in (("chunk id", chunk.chunk_id), ("document id", chunk.doc_id or "")):
        if not fits_qrels(name) or find_bad_character(name):
            raise Unreadable(f"{subject} {name!r} holds a character that no id may hold")
    bad = find_bad_character(chunk.text)
    if bad is None:
        return chunk
    if replace_bad_text:
        return chunk._replace(text=replace_bad_characters(chunk.text))
    offset, name = bad
    raise Unreadable(f"the text of chunk {chunk.chunk_id!r} holds {name} at offset {offset}: --replace-bad-text")


def _found_id(row: Row, key: str) -> str:
    for place in (row, *(row.get(name) for name in ("metadata", "meta", "payload", "kwargs"))):
        while isinstance(place, Mapping):
            value = place.get(key)
            if isinstance(value, str | int) and not isinstance(value, bool):
                return str(value)
            place = place.get("metadata")
    raise Unreadable(f"has no {key!r}, neither itself nor in its metadata")


def _of_roots(chunks: Sequence[ReportedChunk], told: Told) -> list[ReportedChunk]:
    """A child's document is its root's: some producers name the parent where a document's id is wanted."""
    if told.document is not None or told.document_key is not None:
        return list(chunks)
    by_id = {chunk.chunk_id: chunk for chunk in chunks if chunk.chunk_id}
    out = []
    for chunk in chunks:
        root, seen = chunk, {chunk.chunk_id}
        while root.parent_id in by_id and root.parent_id not in seen:
            seen.add(root.parent_id or "")
            root = by_id[root.parent_id or ""]
        out.append(chunk if root is chunk else chunk._replace(doc_id=root.doc_id or chunk.doc_id))
    return out


def _numbered(chunks: Sequence[ReportedChunk]) -> list[ReportedChunk]:
    counts: dict[str | None, int] = {}
    out = []
    for chunk in chunks:
        number = counts[chunk.doc_id] = counts.get(chunk.doc_id, 0) + 1
        if not chunk.chunk_id:
            chunk = chunk._replace(chunk_id=f"{chunk.doc_id or SOURCE}#{number}", named=False)
        out.append(chunk)
    return out
