"""Chunkings: how a snapshot was cut."""

from contextlib import closing
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from evalspan.corpus import ChunkingConfig, RawChunk, as_chunks, place_chunks
from evalspan.corpus.reported import ChunkFacts, check_reported
from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.corpus.reported_summary import ReportedSummary, summarise
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.chunkers import ParsedChunks, Told, read_chunks
from evalspan.formats.chunks import ChunkFile
from evalspan.provenance import Provenance
from evalspan.store import ChunkingRecord
from evalspan.workflows.progress import Progress, silent
from evalspan.workflows.stores import StoreOrAddress, opened


class AddedChunking(NamedTuple):
    """What came of it."""

    chunking: ChunkingRecord
    uncut: int
    """Documents of the snapshot that have no chunk."""
    skipped: tuple[Problem, ...]


def add_chunking(
    name: str,
    chunks: str | PathLike[str],
    *,
    snapshot: str = "latest",
    config: ChunkingConfig | None = None,
    store: StoreOrAddress = None,
    why: str = "",
    skip_bad: bool = False,
    replace_bad_text: bool = False,
    progress: Progress = silent,
) -> AddedChunking:
    """Places the chunks of a file in the documents of a snapshot, and keeps their ranges.

    Raises BadInput, NotFound, Conflict (the name is another chunking's); then nothing was written.
    """
    problems = Problems(skip_bad)
    with opened(store) as opened_store:
        record = opened_store.find_snapshot(snapshot)
        doc_ids = {entry.doc_id for entry in opened_store.snapshot(record).entries}
        with closing(ChunkFile(chunks, problems, doc_ids, f"snapshot {record.label}", replace_bad_text)) as file:
            problems.raise_if_any()
            cut = file.doc_ids()
            with opened_store.writing() as tx:
                writer = tx.add_chunking(name, record, config or ChunkingConfig(), Provenance.now(why))
                texts = opened_store.texts(record, cut)
                for doc_id, text in progress(texts, f"placing {Path(chunks).name}", len(cut)):
                    raw = file.of_document(doc_id)
                    writer.add(doc_id, as_chunks(doc_id, raw, place_chunks(raw, text)))
                added = writer.finish()
        return AddedChunking(added, record.documents - len(cut), problems.skipped)


class AddedReported(NamedTuple):
    """What came of chunks that a library dumped."""

    added: AddedChunking
    producer: str
    guessed: str
    """What it was told by; "" where the caller named it."""
    numbered: int
    """Chunks that came without an id, and were given one."""
    summary: ReportedSummary
    facts: dict[str, list[ChunkFacts]]
    """By document, where they were asked for."""


def add_reported(
    name: str,
    chunks: str | PathLike[str],
    told: Told | None = None,
    *,
    ordered: bool = False,
    with_facts: bool = False,
    snapshot: str = "latest",
    config: ChunkingConfig | None = None,
    store: StoreOrAddress = None,
    why: str = "",
    skip_bad: bool = False,
    replace_bad_text: bool = False,
    progress: Progress = silent,
) -> AddedReported:
    """The same for a file that a library dumped: what its chunks report is checked, and told.

    `ordered`: the file has the chunks of each document in the order in which the splitter gave them. Raises as
    `add_chunking` does, and BadInput where not one chunk stands in its document.
    """
    problems = Problems(skip_bad)
    with opened(store) as opened_store:
        record = opened_store.find_snapshot(snapshot)
        doc_ids = {entry.doc_id for entry in opened_store.snapshot(record).entries}
        parsed = read_chunks(chunks, told, problems, replace_bad_text)
        by_document = _by_document(parsed, chunks, doc_ids, f"snapshot {record.label}", problems)
        problems.raise_if_any()
        total = summarise([])
        kept: dict[str, list[ChunkFacts]] = {}
        with opened_store.writing() as tx:
            writer = tx.add_chunking(name, record, config or ChunkingConfig(), Provenance.now(why))
            texts = opened_store.texts(record, sorted(by_document))
            for doc_id, text in progress(texts, f"placing {Path(chunks).name}", len(by_document)):
                facts = check_reported(by_document[doc_id], text, ordered=ordered)
                raw = [RawChunk(one.chunk.chunk_id, one.chunk.text) for one in facts]
                writer.add(doc_id, as_chunks(doc_id, raw, [one.match for one in facts]))
                total = total.plus(summarise(facts))
                if with_facts:
                    kept[doc_id] = facts
            added = writer.finish()
            _require_placed(added, chunks)
    done = AddedChunking(added, record.documents - len(by_document), problems.skipped)
    return AddedReported(done, parsed.producer, parsed.guessed, parsed.numbered, total, kept)


def _require_placed(added: ChunkingRecord, file: str | PathLike[str]) -> None:
    """A library's dump names its documents by a field that may be another, so that nothing fits is no cut of them."""
    if added.chunks and added.placed.missing == added.chunks:
        what = (
            f"not one of its {added.chunks:,} chunks stands in its document of snapshot {added.snapshot.label}. Check "
            "which documents they are of (--document, --document-key), and which snapshot was cut (--snapshot)"
        )
        raise BadInput([Problem(str(file), None, what)])


def _by_document(
    parsed: ParsedChunks, file: str | PathLike[str], doc_ids: set[str], documents_from: str, problems: Problems
) -> dict[str, list[ReportedChunk]]:
    out: dict[str, list[ReportedChunk]] = {}
    seen: set[str] = set()
    unnamed = 0
    for number, chunk in zip(parsed.rows, parsed.chunks, strict=True):
        if chunk.doc_id is None:
            unnamed += 1
        elif chunk.doc_id not in doc_ids:
            what = (
                f"chunk {chunk.chunk_id!r} belongs to document {chunk.doc_id!r}, which {documents_from} does not hold"
            )
            problems.add(file, number, what)
        elif chunk.chunk_id in seen:
            problems.add(file, number, f"chunk id {chunk.chunk_id!r} came before")
        else:
            seen.add(chunk.chunk_id)
            out.setdefault(chunk.doc_id, []).append(chunk)
    if unnamed:
        what = (
            f"{unnamed} of {len(parsed.chunks)} chunks name no document; say which all are of with --document ID, or "
            "which field has its id with --document-key FIELD"
        )
        problems.add(file, None, what)
    return out
