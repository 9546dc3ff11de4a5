"""`evalspan score`: what a run is worth on a set, with what nobody has decided yet as an interval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalspan.corpus import Manifest
from evalspan.errors import BadInput, NotFound, Problem
from evalspan.provenance import Provenance
from evalspan.runs import Run
from evalspan.scoring.cases import cases_of
from evalspan.scoring.figures import Figure, mean
from evalspan.scoring.named import DEFAULT_MEASURES
from evalspan.store import ChunkingRecord, MappingRecord, ScoreRecord, Store, VersionRecord
from evalspan.workflows.hits import named_hits
from evalspan.workflows.require import require
from evalspan.workflows.run_figures import RunOrPath, run_figures, run_of
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.verify import Index, is_of, manifest_of

__all__ = ["RunOrPath", "Score", "score", "scored_on"]


@dataclass(frozen=True, slots=True)
class Score:
    """What a run scored."""

    mapping: MappingRecord
    run: Run
    figures: Mapping[str, Figure]
    """measure → its mean: over the questions that are decided, its ends over all."""
    questions: Mapping[str, Mapping[str, Figure]]
    """measure → query_id → figure."""
    asked: int
    """Questions with a relevant passage, or one that waits."""
    unanswered: int
    """Of these, how many the run lacks, or has no hit for; they count 0."""
    waiting_labels: int
    waiting_questions: int
    unknown: int
    """Questions of the run that the set does not have."""
    unplaced: int
    """Hits that say a range or a text, and are no chunk of the chunking by id or by place."""
    record: ScoreRecord | None
    """As it was kept."""

    @property
    def min_overlap(self) -> float:
        return self.mapping.min_overlap


def score(
    eval_set: str,
    run: RunOrPath,
    *,
    index: Index | None = None,
    chunking: str | None = None,
    measures: Sequence[str] = DEFAULT_MEASURES,
    pipeline: Mapping[str, Any] | None = None,
    code_version: str = "",
    keep: bool = True,
    override: str | None = None,
    store: StoreOrAddress = None,
    why: str = "",
) -> Score:
    """Scores the run on the set's newest mapping on the chunking of `index` (its manifest), or on `chunking`. With
    `index` the guard is asked first, and refuses before anything is scored. `keep` records the score.

    Raises Refused, NotFound (no such chunking, or no mapping on it), BadInput (the run can't be read, or has no chunk
    id in common with the labels), CannotTell (a measure needs to know whether labels are alternatives).
    """
    if (index is None) == (chunking is None):
        raise BadInput([Problem("score", None, "one of the index and its chunking says which chunks the run names")])
    with opened(store) as opened_store:
        version = opened_store.find_version(eval_set)
        if index is not None:
            manifest = manifest_of(index)
            require(eval_set, manifest, allow_waiting=True, override=override, store=opened_store)
            mapping = _mapping_of_index(opened_store, version, manifest)
        else:
            mapping = _mapping(opened_store, version, opened_store.find_chunking(chunking or ""))
        ranked = run_of(run, pipeline)
        scored = scored_on(opened_store, mapping, ranked, measures)
        if not keep:
            return scored
        made = Provenance.now(why or f"scored {ranked.name or 'a run'}")
        with opened_store.writing() as tx:
            record = tx.add_score(
                mapping, ranked, scored.figures, scored.questions, scored.waiting_labels, code_version, made
            )
        return _with_record(scored, record)


def _with_record(scored: Score, record: ScoreRecord) -> Score:
    from dataclasses import replace

    return replace(scored, record=record)


def _mapping(store: Store, version: VersionRecord, chunking: ChunkingRecord) -> MappingRecord:
    mapping = store.newest_mapping(version, chunking)
    if mapping is None:
        there = [f"{record.version.label} on {record.chunking.name}" for record in store.mappings()]
        hint = f"Map it: evalspan migrate {version.name} --to {chunking.name}"
        raise NotFound("mapping", f"{version.label} on {chunking.name}", there, hint)
    return mapping


def _mapping_of_index(store: Store, version: VersionRecord, manifest: Manifest) -> MappingRecord:
    """The newest of the version on the index's own chunks, ids and all."""
    for record in reversed(store.mappings(version)):
        if is_of(record, manifest):
            return record
    there = [f"{record.version.label} on {record.chunking.name}" for record in store.mappings(version)]
    hint = f"Map it on the chunking of the index: evalspan migrate {version.name} --to CHUNKING"
    raise NotFound("mapping", f"{version.label} on the chunks of this index", there, hint)


def scored_on(store: Store, mapping: MappingRecord, run: Run, measures: Sequence[str] = DEFAULT_MEASURES) -> Score:
    """Under one mapping; nothing is kept. Raises BadInput, CannotTell."""
    eval_set = store.eval_set(mapping.version)
    cases = cases_of(store.outcomes(mapping), eval_set.questions)
    asked = {query_id: case for query_id, case in cases.items() if case.relevant}
    named = named_hits(store, mapping.chunking, run, asked)
    figures = run_figures(store, eval_set, mapping.chunking, cases, mapping.min_overlap, run, measures, named)
    return Score(
        mapping=mapping,
        run=run,
        figures={name: found for name in measures if (found := mean(figures[name])) is not None},
        questions={name: figures[name] for name in measures},
        asked=len(asked),
        unanswered=sum(not run.rankings.get(query_id) for query_id in asked),
        waiting_labels=sum(len(case.waiting) for case in asked.values()),
        waiting_questions=sum(bool(case.waiting) for case in asked.values()),
        unknown=len(run.rankings.keys() - {question.query_id for question in eval_set.questions}),
        unplaced=named.unplaced,
        record=None,
    )
