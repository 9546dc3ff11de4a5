"""The figures of a run under cases, however these were made: by a mapping, or laid over anew."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from math import isfinite
from os import PathLike
from typing import Any

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.runs import contradiction, read_any_run
from evalspan.labels import EvalSet
from evalspan.runs import Run
from evalspan.scoring.cases import Case, ids_in_common
from evalspan.scoring.figures import Figure
from evalspan.scoring.named import own_figures, split_measures
from evalspan.scoring.standard import standard_figures
from evalspan.store import ChunkingRecord, Store
from evalspan.workflows.hits import Named, has_range, named_hits, places_of_hits

RunOrPath = Run | str | PathLike[str]

TOP = 10
"""Hits of each question whose ids are looked up in the chunking."""

KNOWN = 0.5
"""Share of them that it must hold. A few ids outlive a new cut, or are met by chance ("0", "1"): a run of another
chunking that is scored all the same gives a plausible figure that means nothing.
"""


def run_of(run: RunOrPath, pipeline: Mapping[str, Any] | None = None) -> Run:
    """As it is, or read from its file; `pipeline` adds stages to its own. Raises BadInput, also where the two
    contradict each other, and for a run made by hand with a score that is not finite.
    """
    if isinstance(run, Run):
        for query_id, hits in run.rankings.items():
            if not all(isfinite(hit.score) for hit in hits):
                what = f"question {query_id!r} has a score that is no finite number: leave such hits out"
                raise BadInput([Problem(run.name or "the run", None, what)])
        wrong = contradiction(run.pipeline, pipeline or {})
        if wrong:
            raise BadInput([Problem(run.name or "the run", None, wrong)])
        return replace(run, pipeline={**run.pipeline, **pipeline}) if pipeline else run
    problems = Problems()
    found = read_any_run(run, problems, pipeline=pipeline)
    problems.raise_if_any()
    return found


def run_figures(
    store: Store,
    eval_set: EvalSet,
    chunking: ChunkingRecord,
    cases: Mapping[str, Case],
    min_overlap: float,
    run: Run,
    measures: Sequence[str],
    named: Named | None = None,
) -> dict[str, dict[str, Figure]]:
    """measure → query_id → figure, of every case that has or may have a relevant chunk. `cases`: of the set on the
    chunking, whose chunks the run names, by id or by place; `named`: its hits in the chunking's ids, if it is at hand.

    Raises BadInput where nothing of the run has to do with the set, CannotTell where a measure needs to know whether
    labels are alternatives.
    """
    standard, own = split_measures(measures)
    asked = {query_id: case for query_id, case in cases.items() if case.relevant}
    rankings = (named or named_hits(store, chunking, run, asked)).rankings
    by_place = set() if standard else _with_range(run, asked)  # our own measures need no chunk of the chunking
    _require_common(asked, rankings, eval_set, chunking, run, by_place)
    _require_known(store, asked, rankings, chunking, run, by_place)
    figures: dict[str, dict[str, Figure]] = {}
    if standard:
        figures |= standard_figures(cases, rankings, standard)
    if own:
        places = places_of_hits(store, chunking, run, own, asked)
        questions = {question.query_id: question for question in eval_set.questions if question.query_id in asked}
        wanted = {judgment.doc_id for question in questions.values() for judgment in question.judgments}
        wanted |= {doc_id for mine in places.values() for doc_id, _ in mine}
        texts = dict(store.texts(chunking.snapshot, wanted))
        superseded = _superseded(store, chunking) if any(measure.kind == "Stale" for measure in own) else set()
        figures |= own_figures(own, questions, places, texts, min_overlap, eval_set.terms.labels_are, superseded)
    return figures


def _superseded(store: Store, chunking: ChunkingRecord) -> set[str]:
    """doc_ids that a document's metadata says it supersedes: `{"supersedes": "policy-2024"}`, or a list of them."""
    out: set[str] = set()
    for document in store.documents(chunking.snapshot):
        named = document.metadata.get("supersedes", ())
        out |= {named} if isinstance(named, str) else {one for one in named if isinstance(one, str)}
    return out


def _with_range(run: Run, asked: Iterable[str]) -> set[str]:
    """Ids of the hits that say themselves where they stand."""
    return {hit.chunk_id for query_id in asked for hit in run.rankings.get(query_id, ()) if has_range(hit)}


def _require_common(
    cases: Mapping[str, Case],
    rankings: Mapping[str, Sequence[str]],
    eval_set: EvalSet,
    chunking: ChunkingRecord,
    run: Run,
    by_place: Set[str],
) -> None:
    """Raises BadInput where nothing of the run has to do with the set: a mean of zeros would be no finding."""
    name = run.name or "the run"
    if not rankings.keys() & cases.keys():
        what = f"ranks no question of {eval_set.label}: is it the run of another set?"
        raise BadInput([Problem(name, None, what)])
    if not by_place and not ids_in_common(cases, {query_id: rankings.get(query_id, ()) for query_id in cases}):
        what = (
            f"names no chunk that {eval_set.label} judges on {chunking.name}: are its ids those of documents, or of "
            "another chunking?"
        )
        raise BadInput([Problem(name, None, what)])


def _require_known(
    store: Store,
    cases: Mapping[str, Case],
    rankings: Mapping[str, Sequence[str]],
    chunking: ChunkingRecord,
    run: Run,
    by_place: Set[str],
) -> None:
    """Raises BadInput where most of what the run returns is no chunk of the chunking, by id or by place."""
    top = {chunk_id for query_id in cases for chunk_id in rankings.get(query_id, ())[:TOP]}
    known = len(store.chunk_index(chunking, top).keys() | (top & by_place))
    if known < KNOWN * len(top):
        what = (
            f"of the {len(top):,} chunks that it ranks first, {chunking.name} holds {known:,}: is it the run of an "
            "index of another chunking? Name that one: --index, or --chunking"
        )
        raise BadInput([Problem(run.name or "the run", None, what)])
