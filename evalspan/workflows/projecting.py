"""A stored run read in another chunking of the same corpus."""

from collections.abc import Mapping
from typing import NamedTuple

from evalspan.runs import Hit, Run
from evalspan.scoring.evidence import Place
from evalspan.scoring.projection import Cut, projected
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, Store


class Placed(NamedTuple):
    """Where the hits of a run stand."""

    places: dict[str, list[Place]]
    """query_id → the place of each hit that has one, best first."""
    complete: bool
    """Every hit has one."""


def placed_hits(store: Store, chunking: ChunkingRecord, run: Run) -> Placed:
    """Through the chunking that the run is of, else by a hit's own range."""
    chunks = store.chunk_index(chunking, {hit.chunk_id for hits in run.rankings.values() for hit in hits})
    known = {key: (chunk.doc_id, chunk.span) for key, chunk in chunks.items() if chunk.span is not None}
    places: dict[str, list[Place]] = {}
    for query_id, hits in run.rankings.items():
        places[query_id] = [place for hit in hits if (place := _place(hit, known)) is not None]
    complete = all(len(places[query_id]) == len(hits) for query_id, hits in run.rankings.items())
    return Placed(places, complete)


def _place(hit: Hit, known: Mapping[str, Place]) -> Place | None:
    if hit.chunk_id in known:
        return known[hit.chunk_id]
    if hit.doc_id is not None and hit.start is not None and hit.end is not None:
        return hit.doc_id, Span(hit.start, hit.end)
    return None


def run_in(store: Store, run: Run, own: ChunkingRecord, other: ChunkingRecord) -> Run:
    """The run, of the chunking `own`, as if it had returned the chunks of `other` at the places of its hits."""
    places = placed_hits(store, own, run).places
    documents = {doc_id for mine in places.values() for doc_id, _ in mine}
    cut = Cut(
        {
            doc_id: [(chunk.span, chunk.chunk_id) for chunk in chunks if chunk.span is not None]
            for doc_id, chunks in store.chunks(other, documents)
        }
    )
    rankings = {
        query_id: tuple(Hit(chunk_id, -float(at)) for at, chunk_id in enumerate(projected(mine, cut)))
        for query_id, mine in places.items()
    }
    return Run(rankings, name=run.name)
