"""`evalspan score --sensitivity`: the figures of a run at every min_overlap."""

from collections.abc import Sequence
from typing import NamedTuple

from evalspan.corpus import Manifest
from evalspan.errors import BadInput, NotFound, Problem
from evalspan.labels import EvalSet
from evalspan.scoring.figures import Figure, mean
from evalspan.scoring.named import DEFAULT_MEASURES
from evalspan.scoring.sensitivity import Sweep
from evalspan.store import ChunkingRecord, Store
from evalspan.workflows.laying import ground, require_same_corpus, tied
from evalspan.workflows.require import require
from evalspan.workflows.run_figures import RunOrPath, run_figures, run_of
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.verify import Index, manifest_of


class Row(NamedTuple):
    """The figures at one value; those of two values are never to be compared."""

    min_overlap: float
    figures: dict[str, Figure]
    """measure → its mean."""


def sensitivity(
    eval_set: str,
    run: RunOrPath,
    *,
    index: Index | None = None,
    chunking: str | None = None,
    measures: Sequence[str] = DEFAULT_MEASURES,
    store: StoreOrAddress = None,
) -> list[Row]:
    """At 0.1, 0.2, … 1.0 and at the set's own value, ascending. The judgments are laid over the chunking anew each
    time, so that no mapping is needed; nothing is kept.

    Raises Refused, NotFound, BadInput, CannotTell as `score` does.
    """
    if (index is None) == (chunking is None):
        raise BadInput([Problem("score", None, "one of the index and its chunking says which chunks the run names")])
    with opened(store) as opened_store:
        version = opened_store.find_version(eval_set)
        if index is not None:
            manifest = manifest_of(index)
            require(eval_set, manifest, allow_waiting=True, store=opened_store)
            cut = _of_index(opened_store, manifest)
        else:
            cut = opened_store.find_chunking(chunking or "")
        given = opened_store.eval_set(version)
        require_same_corpus(given, cut)
        laid = tied(opened_store, given)
        sweep = Sweep(laid.questions, given.terms.min_overlap)
        for one in ground(opened_store, laid, cut):
            sweep.document(one.doc_id, one.text, one.labels, one.pieces)
        ranked = run_of(run)
        judged = EvalSet(given.name, given.version, given.terms, tuple(laid.questions))
        rows = []
        for step, cases in sweep.cases.items():
            figures = run_figures(opened_store, judged, cut, cases, step, ranked, measures)
            rows.append(Row(step, {name: found for name in measures if (found := mean(figures[name])) is not None}))
        return rows


def _of_index(store: Store, manifest: Manifest) -> ChunkingRecord:
    """The newest chunking with the index's own chunks. Raises NotFound."""
    records = store.chunkings()
    for record in reversed(records):
        ids = manifest.chunks_identity
        if record.digest == manifest.chunks_digest and (ids is None or ids == record.identity):
            return record
    hint = "Add the chunks of the index: evalspan chunking add NAME CHUNKS"
    raise NotFound("chunking", manifest.chunks_digest, [record.name for record in records], hint)
