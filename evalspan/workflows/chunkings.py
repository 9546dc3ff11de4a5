"""Chunkings: how a snapshot was cut."""

from contextlib import closing
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from evalspan.corpus import ChunkingConfig, as_chunks, place_chunks
from evalspan.errors import Problem, Problems
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
