"""`evalspan history`, `bridge`: a set's scores over time, with their breaks, and the only links across them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from evalspan.errors import BadInput, NotFound, Problem
from evalspan.provenance import Provenance
from evalspan.scoring.history import History, Point, Setting, trace
from evalspan.scoring.named import DEFAULT_MEASURES
from evalspan.store import BridgeRecord, ScoreRecord, Store
from evalspan.workflows.score import RunOrPath, Score, score
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.verify import Index


def history(eval_set: str, *, measure: str = "R@10", store: StoreOrAddress = None) -> History:
    """Of every score of the set (NAME, all its versions) that has the measure. Raises NotFound."""
    with opened(store) as opened_store:
        records = opened_store.scores(opened_store.versions(eval_set)[0].name)
        known = sorted({name for record in records for name in record.figures})
        if not records:
            raise NotFound("score", eval_set, hint=f"Score a run: evalspan score {eval_set} --run RUN --index INDEX")
        if measure not in known:
            raise NotFound("measure", measure, known)
        named = names_of(records)
        ids = {record.id for record in records}
        bridges = [(one.old, one.new) for one in opened_store.bridges() if one.old in ids and one.new in ids]
        return trace(
            measure, (point_of(record, measure, named) for record in records if measure in record.figures), bridges
        )


Names = Mapping[str, str]
"""Digest of a snapshot or chunking → how it is called: the same texts under two names are no break."""


def names_of(records: Iterable[ScoreRecord]) -> Names:
    """By the name that was scored first."""
    names: dict[str, str] = {}
    for record in records:
        cut = record.mapping.chunking
        names.setdefault(cut.snapshot.digest, cut.snapshot.label)
        names.setdefault(cut.digest, f"{cut.name} ({cut.digest[:6]})")
    return names


def setting_of(record: ScoreRecord, names: Names) -> Setting:
    """What its figures must share with others to be compared with them."""
    mapping = record.mapping
    embedding = mapping.embedding
    return Setting(
        corpus=names[mapping.chunking.snapshot.digest],
        chunking=names[mapping.chunking.digest],
        embedding=f"{embedding.model} {embedding.version}".strip() if embedding else "not said",
        set_version=mapping.version.label,
        min_overlap=f"{record.min_overlap:g}",
    )


def point_of(record: ScoreRecord, measure: str, names: Names) -> Point:
    return Point(
        record.id,
        record.provenance.at,
        setting_of(record, names),
        record.figures[measure],
        record.run,
        record.code_version,
        record.waiting,
    )


class Bridged(NamedTuple):
    """Two configurations, scored on one set version at one time."""

    old: Score
    new: Score
    bridge: BridgeRecord


def bridge(
    eval_set: str,
    *,
    old_run: RunOrPath,
    old_index: Index,
    new_run: RunOrPath,
    new_index: Index,
    measures: Sequence[str] = DEFAULT_MEASURES,
    old_pipeline: dict[str, Any] | None = None,
    new_pipeline: dict[str, Any] | None = None,
    code_version: str = "",
    store: StoreOrAddress = None,
    why: str = "",
) -> Bridged:
    """Scores both and records the pair. Both indexes must fit the same version of the set, which must be mapped on the
    chunkings of both.

    Raises Refused, NotFound, BadInput; then neither is kept.
    """
    with opened(store) as opened_store:
        kept = {"measures": measures, "code_version": code_version, "store": opened_store, "keep": False}
        before = score(eval_set, old_run, index=old_index, pipeline=old_pipeline, **kept)  # type: ignore[arg-type]
        after = score(eval_set, new_run, index=new_index, pipeline=new_pipeline, **kept)  # type: ignore[arg-type]
        made = Provenance.now(why or "both configurations on the same questions at the same time")
        with opened_store.writing() as tx:
            records = [
                tx.add_score(one.mapping, one.run, one.figures, one.questions, one.waiting_labels, code_version, made)
                for one in (before, after)
            ]
            return Bridged(before, after, tx.add_bridge(records[0], records[1], made))


def find_score(store: Store, eval_set: str, reference: str) -> ScoreRecord:
    """By its number, or "latest". Raises NotFound, BadInput."""
    records = store.scores(store.find_version(eval_set).name)
    if reference == "latest" and records:
        return records[-1]
    if not reference.isdecimal():
        raise BadInput([Problem("score", None, f"{reference!r} is no score's number: evalspan history {eval_set}")])
    for record in records:
        if record.id == int(reference):
            return record
    raise NotFound("score", reference, [str(record.id) for record in reversed(records)])
