"""The review queue as a file to decide in, and the decisions read back from it."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple

from evalspan.errors import BadInput, NotFound, Problem, Problems
from evalspan.formats.annotations import read_annotations
from evalspan.formats.decisions import read_csv_decisions, read_jsonl_decisions
from evalspan.formats.files import write_text
from evalspan.formats.labelstudio import render_config, render_tasks
from evalspan.formats.review import render_csv, render_jsonl
from evalspan.labels import Candidate
from evalspan.store import Store
from evalspan.workflows.deciding import Decided, decide
from evalspan.workflows.review import review_queue
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.texts import Texts

Kind = Literal["jsonl", "csv", "labelstudio"]

_BY_SUFFIX: dict[str, Kind] = {".jsonl": "jsonl", ".csv": "csv", ".json": "labelstudio"}

_Path = str | PathLike[str]


class Exported(NamedTuple):
    """What was written."""

    kind: Kind
    items: int
    beside: tuple[Path, ...]
    """Files that go with it."""


def export_queue(
    eval_set: str,
    out: _Path,
    *,
    kind: Kind | None = None,
    chunking: str | None = None,
    store: StoreOrAddress = None,
) -> Exported:
    """What nobody has decided yet. For Label Studio, its labelling interface is written beside the tasks.

    `kind`: else as the name of `out` ends. Raises BadInput, NotFound, Unwritable; then nothing was written.
    """
    path = Path(out)
    chosen = kind or _kind_of(path)
    with opened(store) as opened_store:
        queue = review_queue(eval_set, chunking=chunking, store=opened_store)
        digest = queue.version.terms.snapshot_digest
        document = _reader(opened_store, digest)

        def candidate_text(candidate: Candidate) -> str:
            return candidate.span.of(document(candidate.doc_id) or "")

        items = queue.open
        asked = {one.query_id: one.question.reference_answers for one in opened_store.eval_set(queue.version).questions}
        beside: tuple[Path, ...] = ()
        if chosen == "jsonl":
            content = b"".join(render_jsonl(items, candidate_text, asked)).decode("utf-8")
        elif chosen == "csv":
            content = "".join(render_csv(items, candidate_text, asked))
        else:
            content = "".join(render_tasks(items, document, digest, answers=asked))
            beside = (path.with_suffix(".xml"),)
            write_text(beside[0], render_config())
        write_text(path, content)
        return Exported(chosen, len(items), beside)


def import_decisions(
    eval_set: str,
    file: _Path,
    *,
    kind: Kind | None = None,
    by: str | None = None,
    skip_bad: bool = False,
    chunking: str | None = None,
    store: StoreOrAddress = None,
) -> Decided:
    """Records the decisions of a file that `export_queue` wrote; `by`: who decided, where the file does not say. Rows
    that were recorded before are passed over, and counted. `skip_bad` leaves out rows that can't be read or do not fit
    what is asked now.

    Raises BadInput with everything that is wrong, NotFound, Conflict; then nothing was written.
    """
    path = Path(file)
    chosen = kind or _kind_of(path)
    problems = Problems(skip_bad)
    with opened(store) as opened_store:
        if chosen == "jsonl":
            rows = read_jsonl_decisions(path, problems)
        elif chosen == "csv":
            rows = read_csv_decisions(path, problems)
        else:
            version = opened_store.find_version(eval_set)
            rows = read_annotations(path, problems, _reader(opened_store, version.terms.snapshot_digest))
        if by is not None:
            rows = [row if row.by else row._replace(by=by) for row in rows]
        return decide(eval_set, rows, file=str(path), problems=problems, chunking=chunking, store=opened_store)


def _kind_of(path: Path) -> Kind:
    kind = _BY_SUFFIX.get(path.suffix.lower())
    if kind is None:
        raise BadInput([Problem(str(path), None, "its name does not tell the format: --format jsonl|csv|labelstudio")])
    return kind


def _reader(store: Store, snapshot_digest: str) -> Callable[[str], str | None]:
    """doc_id → its text in the snapshot, None where it holds no such document."""
    texts = Texts(store)

    def document(doc_id: str) -> str | None:
        try:
            return texts(doc_id, snapshot_digest)
        except NotFound:
            return None

    return document
