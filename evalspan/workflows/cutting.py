"""`evalspan chunking report`: what chunkings do to the passages of a set, before any run."""

from collections.abc import Sequence
from typing import NamedTuple

from evalspan.labels import EvalSet
from evalspan.mapping import lay_over
from evalspan.migrator.context import Drawing, draw
from evalspan.scoring.cutting import Cutting, Found, cutting, held
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, Store, VersionRecord
from evalspan.workflows.laying import Tied, ground, require_same_corpus, tied
from evalspan.workflows.stores import StoreOrAddress, opened

SHOWN = 10
"""Passages that are shown: enough to see a pattern, and few enough to be read."""


class Shown(NamedTuple):
    """A passage that is split or not covered, in its text."""

    found: Found
    drawing: Drawing
    """With every place where a chunk begins or ends."""


class ChunkingReport(NamedTuple):
    """Of one chunking."""

    chunking: ChunkingRecord
    cutting: Cutting
    worst: tuple[Shown, ...]


class CuttingReport(NamedTuple):
    """Of one or several chunkings, in the order given."""

    version: VersionRecord
    min_overlap: float
    lost: int
    """Relevant labels that lost their place in a rebase: no chunking is to blame."""
    reports: tuple[ChunkingReport, ...]


def report(
    eval_set: str, chunkings: Sequence[str], *, shown: int = SHOWN, store: StoreOrAddress = None
) -> CuttingReport:
    """The set's judgments laid over each chunking anew: no mapping is needed, and nothing is written.

    Raises NotFound, BadInput where a chunking is of another corpus.
    """
    with opened(store) as opened_store:
        version = opened_store.find_version(eval_set)
        judged = opened_store.eval_set(version)
        cuts = [opened_store.find_chunking(name) for name in chunkings]
        for cut in cuts:
            require_same_corpus(judged, cut)
        laid = tied(opened_store, judged)
        lost = sum(p.label.grade > 0 for q in laid.questions if not q.retired for p in q.pending)
        reports = tuple(_report(opened_store, judged, laid, cut, shown) for cut in cuts)
        return CuttingReport(version, judged.terms.min_overlap, lost, reports)


def _report(store: Store, judged: EvalSet, laid: Tied, cut: ChunkingRecord, shown: int) -> ChunkingReport:
    found: list[Found] = []
    for one in ground(store, laid, cut):
        outcomes = lay_over(one.doc_id, one.text, one.labels, one.pieces, judged.terms.min_overlap)
        for judgment, outcome in zip(one.judgments, outcomes, strict=True):
            if outcome.grade > 0:
                found.append(Found(outcome.query_id, judgment, outcome, held(outcome)))
    result = cutting(laid.questions, found, judged.terms.labels_are)
    return ChunkingReport(cut, result, tuple(_shown(store, cut, one) for one in result.split[:shown]))


def _shown(store: Store, cut: ChunkingRecord, found: Found) -> Shown:
    doc_id = found.outcome.doc_id
    chunks: list[tuple[str, Span]] = [
        (chunk.chunk_id, chunk.span)
        for _, mine in store.chunks(cut, [doc_id])
        for chunk in mine
        if chunk.span is not None
    ]
    text = store.text(cut.snapshot, doc_id)
    return Shown(found, draw(text, found.outcome.match.places, chunks))
