"""Several runs pooled into passages: what they return at the top, and how far they disagree about it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from evalspan.runs.run import Run
from evalspan.spans import Span

SAME = 0.5
"""Two results are one passage where they share more than this part of either: to judge the one is to judge the other.
Of a short result inside a long one that is not so."""


class Result(NamedTuple):
    """What a run returned for a question, as a range of a document."""

    query_id: str
    run: int
    """Which of the runs, from 0."""
    rank: int
    """From 1."""
    doc_id: str
    span: Span


class Pooled(NamedTuple):
    """A passage that runs return for a question."""

    query_id: str
    doc_id: str
    span: Span
    """Of the result that ranks highest."""
    ranks: tuple[int | None, ...]
    """In each of the runs; None where it does not return the passage."""

    @property
    def disagreement(self) -> float:
        """The spread of its reciprocal ranks, 0 to 1: the highest less the lowest, where a run that does not return it
        gives 0. So what one run puts first and another one does not find comes before everything else. A single run
        is held against one that finds nothing.
        """
        found = [1 / rank if rank else 0.0 for rank in self.ranks]
        return max(found) - (min(found) if len(found) > 1 else 0.0)

    @property
    def returned(self) -> int:
        """By how many runs."""
        return sum(rank is not None for rank in self.ranks)


def top(run: Run, depth: int) -> Iterator[tuple[str, int, str]]:
    """(query_id, rank from 1, chunk_id) of each question's first `depth` hits."""
    for query_id, hits in run.rankings.items():
        for rank, hit in enumerate(hits[:depth], 1):
            yield query_id, rank, hit.chunk_id


def pool(results: Iterable[Result], runs: int) -> list[Pooled]:
    """`runs`: how many there are. Most disagreement first; among equals what more runs return, then what ranks higher.

    Results of one document that are equal or mostly overlap are one passage, wherever they come from.
    """
    by_place: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        by_place.setdefault((result.query_id, result.doc_id), []).append(result)
    pooled = [passage for mine in by_place.values() for passage in _passages(mine, runs)]
    return sorted(pooled, key=most_disputed_first)


def _passages(results: Iterable[Result], runs: int) -> Iterator[Pooled]:
    """Of one question in one document. The first result of a passage stays its range, so that none grows by chains."""
    passages: list[Span] = []
    ranks: list[list[int | None]] = []
    where: tuple[str, str] = ("", "")
    for query_id, run, rank, doc_id, span in sorted(results, key=lambda one: (one.rank, one.run, one.span)):
        where = (query_id, doc_id)
        number = next((i for i, passage in enumerate(passages) if _is_same(passage, span)), None)
        if number is None:
            number = len(passages)
            passages.append(span)
            ranks.append([None] * runs)
        if ranks[number][run] is None:  # ascending: the first is the best
            ranks[number][run] = rank
    for passage, mine in zip(passages, ranks, strict=True):
        yield Pooled(*where, passage, tuple(mine))


def _is_same(one: Span, other: Span) -> bool:
    shared = one.shared(other)
    return shared is not None and shared.length > SAME * max(one.length, other.length)


def most_disputed_first(passage: Pooled) -> tuple[float, int, int, str, str, Span]:
    """By what passages are to be sorted: disagreement, then how many runs return it, then its best rank."""
    best = min((rank for rank in passage.ranks if rank), default=0)
    return -passage.disagreement, -passage.returned, best, passage.query_id, passage.doc_id, passage.span


def together(passages: Sequence[Pooled]) -> Pooled:
    """Copies of one passage, at least one, as the first of them: of each run its best rank."""
    columns = zip(*(passage.ranks for passage in passages), strict=True)
    ranks = tuple(min((rank for rank in column if rank), default=None) for column in columns)
    return passages[0]._replace(ranks=ranks)
