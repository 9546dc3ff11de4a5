"""`evalspan set unpack`: the corpus that a foreign data set carries, as files of documents and chunks."""

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.files import staged_folder, write_text
from evalspan.formats.foreign.form import ForeignChunk
from evalspan.formats.foreign.rows import render_lines
from evalspan.store import Store
from evalspan.text.reading import squash
from evalspan.workflows.foreign import AUTO, read_foreign
from evalspan.workflows.stores import StoreOrAddress, opened

DOCUMENTS, CHUNKS = "documents.jsonl", "chunks.jsonl"


class Unpacked(NamedTuple):
    """What was written."""

    format: str
    documents: int
    chunks: int
    left_out: tuple[str, ...]
    """Chunks that stand in no document of the snapshot, or in several, and why."""
    notes: tuple[str, ...]


def unpack_corpus(
    files: Sequence[str | PathLike[str]],
    out: str | PathLike[str],
    *,
    kind: str = AUTO,
    snapshot: str | None = None,
    store: StoreOrAddress = None,
) -> Unpacked:
    """Writes documents.jsonl and chunks.jsonl into the new folder `out`, for `snapshot add` and `chunking add`.

    With `snapshot`, passages are chunks of its documents: each is sought in all of them, and left out where it stands
    in none, or in several. Without it, each passage that names no document is a document of its own, and its one chunk.

    Raises BadInput, NotFound; then nothing was written.
    """
    problems = Problems()
    form, foreign, source = read_foreign(files, kind, problems, None)
    if not foreign.documents and not foreign.chunks:
        raise BadInput([Problem(str(source), None, f"carries no corpus ({form.name})")])
    documents: list[dict[str, Any]] = [{"doc_id": one.doc_id, "text": one.text} for one in foreign.documents]
    left_out: list[str] = []
    if snapshot is None:
        documents += [{"doc_id": one.chunk_id, "text": one.text} for one in foreign.chunks if one.doc_id is None]
        chunks = [_row(one, one.doc_id or one.chunk_id) for one in foreign.chunks]
    else:
        with opened(store) as opened_store:
            chunks = list(_placed(foreign.chunks, opened_store, snapshot, left_out))
    with staged_folder(Path(out)) as stage:
        for name, rows in ((DOCUMENTS, documents), (CHUNKS, chunks)):
            if rows:
                write_text(stage.path / name, render_lines(rows))
        stage.land()
    return Unpacked(form.name, len(documents), len(chunks), tuple(left_out), foreign.notes)


def _row(chunk: ForeignChunk, doc_id: str) -> dict[str, Any]:
    start = {} if chunk.start is None else {"start": chunk.start}
    return {"chunk_id": chunk.chunk_id, "doc_id": doc_id, "text": chunk.text, **start}


def _placed(
    chunks: Sequence[ForeignChunk], store: Store, snapshot: str, left_out: list[str]
) -> Iterable[dict[str, Any]]:
    record = store.find_snapshot(snapshot)
    squashed = [squash(chunk.text) for chunk in chunks]
    found: list[list[str]] = [[] for _ in chunks]
    for doc_id, text in store.texts(record):
        whole = squash(text)
        for chunk, words, doc_ids in zip(chunks, squashed, found, strict=True):
            if chunk.doc_id == doc_id or (words and words in whole):
                doc_ids.append(doc_id)
    for chunk, doc_ids in zip(chunks, found, strict=True):
        if chunk.doc_id is not None and chunk.doc_id in doc_ids:
            yield _row(chunk, chunk.doc_id)
        elif len(doc_ids) == 1:
            yield _row(chunk, doc_ids[0])
        else:
            where = f"stands in {len(doc_ids)} documents" if doc_ids else f"stands in no document of {record.label}"
            left_out.append(f"chunk {chunk.chunk_id!r} {where}")
