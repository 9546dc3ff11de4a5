"""Where the hits of a run stand in their documents, and which chunks of a chunking they are."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from evalspan.anchoring.equal import EqualPassages
from evalspan.runs import Hit, Run
from evalspan.scoring.evidence import Place
from evalspan.scoring.named import OwnMeasure
from evalspan.scoring.projection import Cut
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, Store

NOWHERE: Place = ("", Span(0, 0))
"""An empty range of no document."""

SAME = 0.5
"""Share of both a hit and a chunk that they have in common where the one is taken for the other: below half of either,
another chunk could have as good a claim.
"""


class Named(NamedTuple):
    """A run in the ids of a chunking."""

    rankings: dict[str, list[str]]
    """query_id → chunk ids, best first, each once."""
    unplaced: int
    """Hits that say a range or a text, whose id the chunking lacks, and which are none of its chunks by place either;
    they keep their ids, and count as unjudged.
    """


def named_hits(store: Store, chunking: ChunkingRecord, run: Run, asked: Collection[str]) -> Named:
    """Hits of the questions `asked` whose ids the chunking lacks get that of the chunk which holds the most of their
    range or text, where that is half of both.
    """
    rankings = {query_id: [hit.chunk_id for hit in hits] for query_id, hits in run.rankings.items()}
    mine = {query_id: run.rankings[query_id] for query_id in asked if query_id in run.rankings}
    said = {hit for hits in mine.values() for hit in hits if hit.text or has_range(hit)}
    if not said:
        return Named(rankings, 0)
    known = store.chunk_index(chunking, {hit.chunk_id for hit in said}).keys()
    strangers = {hit for hit in said if hit.chunk_id not in known}
    if not strangers:
        return Named(rankings, 0)
    found = _by_text(store, chunking, [hit for hit in strangers if not has_range(hit)])
    same = _same_chunks(store, chunking, {hit: _place(hit, {}, found) for hit in strangers})
    for query_id, hits in mine.items():
        rankings[query_id] = list(dict.fromkeys(same.get(hit, hit.chunk_id) for hit in hits))
    return Named(rankings, sum(hit in strangers and hit not in same for hits in mine.values() for hit in hits))


def _same_chunks(store: Store, chunking: ChunkingRecord, places: Mapping[Hit, Place]) -> dict[Hit, str]:
    """The chunk that each hit is; of two that hold as much of it, the shorter one."""
    chunks = store.chunks(chunking, {doc_id for doc_id, _ in places.values()})
    cut = Cut(
        {doc_id: [(chunk.span, chunk.chunk_id) for chunk in mine if chunk.span is not None] for doc_id, mine in chunks}
    )
    same: dict[Hit, str] = {}
    for hit, (doc_id, span) in places.items():
        best = (0, 0)
        for other, chunk_id in cut.near(doc_id, span):
            shared = span.shared(other)
            if shared is None or shared.length < SAME * max(span.length, other.length):
                continue
            if (shared.length, -other.length) > best:
                best, same[hit] = (shared.length, -other.length), chunk_id
    return same


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
    loose = {hit for hits in top.values() for hit in hits if hit.chunk_id not in known and not has_range(hit)}
    found = _by_text(store, chunking, [hit for hit in loose if hit.text])
    return {query_id: [_place(hit, known, found) for hit in hits] for query_id, hits in top.items()}


def has_range(hit: Hit) -> bool:
    """Whether it says itself where it stands."""
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
