"""What a migration says about the chunking: "your splitter is cutting answers in half"."""

from collections.abc import Iterable, Sequence
from heapq import nsmallest
from statistics import median
from typing import NamedTuple

from evalspan.mapping import Bucket, Cover, Fit, Outcome, Place
from evalspan.spans import Span

WORST = 10
"""Passages named one by one; the share of each stands in the outcomes."""


class Cutting(NamedTuple):
    """A labelled passage that no single chunk holds."""

    best_coverage: float
    """How much of it its best chunk holds."""
    doc_id: str
    span: Span
    best_chunk: str
    query_ids: tuple[str, ...]


class Cuts(NamedTuple):
    """How a chunking cuts the labelled passages."""

    passages: int
    """Different labelled passages (relevant ones, whose place is certain)."""
    cut: int
    """Those of which no chunk reaches min_overlap."""
    tenths: tuple[int, ...]
    """Of the cut passages, how many have 0–10 %, 10–20 %, … of them in their best chunk; as long as needed."""
    median: float | None
    """Of the share in the best chunk, over the cut passages."""
    worst: tuple[Cutting, ...]
    coarse: bool = False
    """Whether cut passages are whole old chunks, whose answers may still be whole."""


class DocumentCuts(NamedTuple):
    """The part of one document."""

    passages: int
    cut: tuple[Cutting, ...]
    coarse: bool


def document_cuts(outcomes: Iterable[Outcome]) -> DocumentCuts:
    """`outcomes` of one document, all of them together."""
    passages: set[Span] = set()
    cut: dict[Span, Outcome] = {}
    queries: dict[Span, list[str]] = {}
    coarse = False
    for outcome in outcomes:
        span = outcome.span
        if outcome.place is not Place.CERTAIN or outcome.grade <= 0 or span is None:
            continue
        passages.add(span)
        if outcome.fit is Fit.CUT and outcome.bucket is not Bucket.CLEAN:
            cut[span] = outcome
            coarse |= outcome.coarse
            queries.setdefault(span, []).append(outcome.query_id)
    cuttings = tuple(_cutting(outcome, span, queries[span]) for span, outcome in cut.items())
    return DocumentCuts(len(passages), cuttings, coarse)


def _cutting(outcome: Outcome, span: Span, queries: Sequence[str]) -> Cutting:
    best = max(outcome.covers, key=_coverage)
    return Cutting(best.coverage, outcome.doc_id, span, best.chunk_id, tuple(queries))


def _coverage(cover: Cover) -> float:
    return cover.coverage


def summarise_cuts(parts: Iterable[DocumentCuts]) -> Cuts:
    """Of all documents."""
    passages = 0
    cuttings: list[Cutting] = []
    coarse = False
    for part in parts:
        coarse |= part.coarse
        passages += part.passages
        cuttings += part.cut
    shares = [cutting.best_coverage for cutting in cuttings]
    tenths = [0] * 10
    for share in shares:
        tenths[min(9, int(share * 10))] += 1
    while tenths and not tenths[-1]:
        tenths.pop()
    worst = tuple(nsmallest(WORST, cuttings))
    return Cuts(passages, len(cuttings), tuple(tenths), median(shares) if shares else None, worst, coarse)
