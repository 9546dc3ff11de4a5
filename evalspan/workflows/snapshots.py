"""Snapshots: what a corpus holds."""

from os import PathLike
from pathlib import Path
from typing import NamedTuple

from evalspan.corpus import Extractor, SnapshotDiff
from evalspan.errors import Problem, Problems
from evalspan.formats.documents import files_passed_over, read_documents
from evalspan.provenance import Provenance
from evalspan.store import SnapshotRecord
from evalspan.workflows.progress import Progress, silent
from evalspan.workflows.stores import StoreOrAddress, opened


class AddedSnapshot(NamedTuple):
    """What came of it."""

    snapshot: SnapshotRecord
    new_texts: int
    """Texts that the store did not hold yet."""
    skipped: tuple[Problem, ...]
    passed_over: int
    """Files of a folder that are no text files, by their endings."""


def add_snapshot(
    source: str | PathLike[str],
    *,
    name: str | None = None,
    extractor: Extractor | None = None,
    store: StoreOrAddress = None,
    why: str = "",
    skip_bad: bool = False,
    replace_bad_text: bool = False,
    progress: Progress = silent,
) -> AddedSnapshot:
    """Keeps the documents of a JSON lines file, or of a folder's text files. One that is there already is not kept
    twice.

    Raises BadInput, Conflict (the name is another snapshot's); then nothing was written.
    """
    problems = Problems(skip_bad)
    with opened(store) as opened_store:
        before = opened_store.info().texts
        with opened_store.writing() as tx:
            writer = tx.add_snapshot(name, extractor, Provenance.now(why))
            for document in progress(read_documents(source, problems, replace_bad_text), "reading", 0):
                writer.add(document)
            problems.raise_if_any()
            record = writer.finish()
        passed_over = files_passed_over(Path(source)) if Path(source).is_dir() else 0
        return AddedSnapshot(record, opened_store.info().texts - before, problems.skipped, passed_over)


def diff_snapshots(old: str, new: str, *, store: StoreOrAddress = None) -> SnapshotDiff:
    """From one to the other; each by name, digest or "latest"."""
    with opened(store) as opened_store:
        return opened_store.diff(opened_store.find_snapshot(old), opened_store.find_snapshot(new))
