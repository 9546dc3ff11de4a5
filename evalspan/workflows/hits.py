"""Where the hits of a run stand in their documents."""

from collections.abc import Mapping, Sequence

from evalspan.runs import Hit, Run
from evalspan.scoring.evidence import Place
from evalspan.scoring.named import OwnMeasure
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, Store


def places_of_hits(
    store: Store, chunking: ChunkingRecord, run: Run, measures: Sequence[OwnMeasure], asked: Mapping[str, object]
) -> dict[str, list[Place]]:
    """query_id → a place for each hit, down to the deepest cut-off: through the chunking, else by the hit's own range.
    A hit without either, or whose chunk has no certain place, stands nowhere: an empty range of no document.
    """
    depth = max(measure.cutoff for measure in measures)
    top = {query_id: hits[:depth] for query_id, hits in run.rankings.items() if query_id in asked}
    chunks = store.chunk_index(chunking, {hit.chunk_id for hits in top.values() for hit in hits})
    known = {key: (chunk.doc_id, chunk.span) for key, chunk in chunks.items() if chunk.span is not None}
    return {query_id: [_place(hit, known) for hit in hits] for query_id, hits in top.items()}


def _place(hit: Hit, known: Mapping[str, Place]) -> Place:
    if hit.chunk_id in known:
        return known[hit.chunk_id]
    if hit.doc_id is not None and hit.start is not None and hit.end is not None:
        return hit.doc_id, Span(hit.start, hit.end)
    return "", Span(0, 0)
