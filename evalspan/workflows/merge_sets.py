"""`evalspan set merge`: two edits of one set, into a file or as a new version."""

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from evalspan.errors import BadInput, Conflict, NotFound, Problem, Problems
from evalspan.formats.files import reading, write_text
from evalspan.formats.setfile import render_set
from evalspan.labels import EvalSet, Judgment, merge
from evalspan.labels.difference import SetDifference, set_difference
from evalspan.labels.stands import stands
from evalspan.provenance import Provenance
from evalspan.store import Store, VersionRecord
from evalspan.workflows.set_references import FoundSet, SetReference, find_set, is_set_file
from evalspan.workflows.stores import StoreOrAddress, opened


@dataclass(frozen=True, slots=True)
class MergedSet:
    """What came of it."""

    eval_set: EvalSet
    brought: SetDifference
    """From ours to it: what the other side brought."""
    version: VersionRecord | None
    """The newest now; None where a file was written."""


def merge_sets(
    ours: SetReference,
    theirs: SetReference,
    *,
    base: SetReference,
    out: str | PathLike[str] | None = None,
    store: StoreOrAddress = None,
    why: str = "",
) -> MergedSet:
    """What either changed since `base`, together: into the file `out` (which may be one of the three), or as a new
    version of `ours`, which must be the newest of its set then. An empty file as `base`: they have none in common.

    Raises MergeConflict (labels.merge) with everything that both changed otherwise, BadInput, NotFound, Conflict; then
    nothing was written.
    """
    mine, other = find_set(ours, store), find_set(theirs, store)
    if out is None and mine.record is None:
        raise BadInput([Problem(mine.label, None, "is a file; say where the merged set goes: --out FILE")])
    common = None if _is_empty(base) else find_set(base, store)
    merged = merge.merge_sets(
        common.eval_set if common else None, mine.eval_set, other.eval_set, (_named(mine), _named(other))
    )
    brought = set_difference(mine.eval_set, merged)
    if out is not None:
        write_text(Path(out), "".join(render_set(merged)))
        return MergedSet(merged, brought, None)
    assert mine.record is not None
    said = why or f"merged {other.label}" + (f", both made from {common.label}" if common else "")
    with opened(store) as opened_store:
        return MergedSet(merged, brought, _append(opened_store, mine.record, other, merged, brought, said))


def _is_empty(base: SetReference) -> bool:
    """As git hands over the version that two new files have in common."""
    if not is_set_file(base):
        return False
    with reading(Path(base)):
        return Path(base).stat().st_size == 0


def _named(side: FoundSet) -> str:
    if side.record is None:
        return side.label
    return f"{side.label} by {side.record.provenance.by}, {side.record.provenance.at}"


def _append(
    store: Store, ours: VersionRecord, theirs: FoundSet, merged: EvalSet, brought: SetDifference, why: str
) -> VersionRecord:
    newest = store.versions(ours.name)[-1]
    if newest.number != ours.number:
        raise Conflict(f"{ours.label} has been followed by {newest.label}: nothing was written. Merge into that one.")
    if brought.equal:
        return newest
    if theirs.record is None:
        _require_sound(store, theirs.label, merged)
    with store.writing() as tx:
        bodies = (question.body() for question in merged.questions)
        return tx.add_version(ours.name, ours.number, merged.terms, bodies, Provenance.now(why))


def _require_sound(store: Store, label: str, merged: EvalSet) -> None:
    """What comes from a file is held against the texts and the chunks of the store, as an import is."""
    snapshot = store.snapshot_by_digest(merged.terms.snapshot_digest)
    if snapshot is None:
        known = [record.label for record in store.snapshots()]
        hint = "Add the documents first: evalspan snapshot add DOCUMENTS"
        raise NotFound("snapshot", merged.terms.snapshot_digest, known, hint)
    problems = Problems()
    judgments: dict[str, list[tuple[str, Judgment]]] = {}
    for question in merged.questions:
        for judgment in question.judgments:
            judgments.setdefault(judgment.doc_id, []).append((question.query_id, judgment))
    for doc_id, text in store.texts(snapshot, judgments):
        for query_id, judgment in judgments.pop(doc_id):
            if not stands(judgment, text):
                what = f"at {judgment.start}..{judgment.end} of {doc_id!r} stands another text"
                problems.add(label, None, f"question {query_id!r}: {what}")
    for doc_id, mine in judgments.items():
        for query_id, _ in mine:
            problems.add(label, None, f"question {query_id!r}: document {doc_id!r} is not in snapshot {snapshot.label}")
    for query_id, chunk_id in _unknown_chunks(store, merged):
        problems.add(label, None, f"question {query_id!r}: chunk {chunk_id!r} is not in the set's chunking")
    problems.raise_if_any()


def _unknown_chunks(store: Store, merged: EvalSet) -> Iterator[tuple[str, str]]:
    """(query_id, chunk_id) of labels that name no chunk of the chunking that the set pins."""
    labels = [(q.query_id, label.chunk_id) for q in merged.questions for label in q.chunk_labels]
    identity = merged.terms.chunking_identity or ""
    chunking = store.chunking_by_identity(identity, merged.terms.snapshot_digest) if labels else None
    there = store.chunk_index(chunking, (chunk_id for _, chunk_id in labels)) if chunking else {}
    yield from ((query_id, chunk_id) for query_id, chunk_id in labels if chunk_id not in there)
