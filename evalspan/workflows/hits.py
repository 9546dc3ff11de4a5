"""Where the hits of a run stand in their documents."""

from collections.abc import Iterable, Mapping, Sequence

from evalspan.anchoring.equal import EqualPassages
from evalspan.runs import Hit, Run
from evalspan.scoring.evidence import Place
from evalspan.scoring.named import OwnMeasure
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, Store

NOWHERE: Place = ("", Span(0, 0))
"""An empty range of no document."""


def places_of_hits(
    store: Store, chunking: ChunkingRecord, run: Run, measures: Sequence[OwnMeasure], asked: Mapping[str, object]
) -> dict[str, list[Place]]:
    """query_id → a place for each hit, down to the deepest cut-off: through the chunking, else by the hit's own range,
    else by its text where that stands in one place only, up to white space. Any other hit stands nowhere.
    """
    depth = max(measure.cutoff for measure in measures)
    top = {query_id: hits[:depth] for query_id, hits in run.rankings.items() if query_id in asked}
    chunks = store.chunk_index(chunking, {hit.chunk_id for hits in top.values() for hit in hits})
    known = {key: (chunk.doc_id, chunk.span) for key, chunk in chunks.items() if chunk.span is not None}
    loose = {hit for hits in top.values() for hit in hits if hit.chunk_id not in known and not _has_range(hit)}
    found = _by_text(store, chunking, [hit for hit in loose if hit.text])
    return {query_id: [_place(hit, known, found) for hit in hits] for query_id, hits in top.items()}


def _has_range(hit: Hit) -> bool:
    return hit.doc_id is not None and hit.start is not None and hit.end is not None


def _place(hit: Hit, known: Mapping[str, Place], found: Mapping[Hit, Place]) -> Place:
    if hit.chunk_id in known:
        return known[hit.chunk_id]
    if hit.doc_id is not None and hit.start is not None and hit.end is not None:
        return hit.doc_id, Span(hit.start, hit.end)
    return found.get(hit, NOWHERE)


def _by_text(store: Store, chunking: ChunkingRecord, hits: Sequence[Hit]) -> dict[Hit, Place]:
    """The hits whose text stands once: in the document that they name, or in the whole corpus."""
    if not hits:
        return {}
    named = {hit.doc_id for hit in hits if hit.doc_id is not None}
    documents: Iterable[str] | None = named if all(hit.doc_id is not None for hit in hits) else None
    equal = EqualPassages(hit.text or "" for hit in hits)
    places: dict[int, list[Place]] = {}
    for doc_id, text in store.texts(chunking.snapshot, documents):
        for number, span in equal.find(text):
            if hits[number].doc_id in (None, doc_id):
                places.setdefault(number, []).append((doc_id, span))
    return {hits[number]: mine[0] for number, mine in places.items() if len(mine) == 1}
