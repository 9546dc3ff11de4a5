"""Which labelled passages the chunks that were read back hold."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from evalspan.corpus import Chunk
from evalspan.labels import EvalSet
from evalspan.spans import Span, merged
from evalspan.text import Ink


class Passage(NamedTuple):
    """The passage of a relevant label."""

    query_id: str
    doc_id: str
    spans: tuple[Span, ...]
    needed: float
    """Share of its non-blank characters that chunks must hold of it together."""


def passages_of(eval_set: EvalSet) -> list[Passage]:
    """Of the questions that are still asked."""
    least = eval_set.terms.min_overlap
    return [
        Passage(question.query_id, label.doc_id, label.spans, 1.0 if label.tabular else least)
        for question in eval_set.questions
        if not question.retired
        for label in question.judgments
        if label.grade > 0
    ]


class Cover:
    """The ground of labelled documents that the index's chunks hold, and that the chunking says they hold."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._passages: dict[str, list[Passage]] = defaultdict(list)
        for passage in passages:
            self._passages[passage.doc_id].append(passage)
        self._held: dict[str, list[Span]] = defaultdict(list)
        self._cut: dict[str, list[Span]] = defaultdict(list)

    @property
    def documents(self) -> list[str]:
        return sorted(self._passages)

    def add_cut(self, chunk: Chunk) -> bool:
        """A chunk of the chunking; whether it shares text with a labelled passage."""
        passages = self._passages.get(chunk.doc_id)
        if not passages:
            return False
        self._cut[chunk.doc_id] += chunk.match.places
        return any(
            place.shared(span) is not None
            for place in chunk.match.places
            for passage in passages
            for span in passage.spans
        )

    def add_held(self, doc_id: str, places: Sequence[Span]) -> None:
        """A chunk that the index holds."""
        if doc_id in self._passages:
            self._held[doc_id] += places

    def uncovered(self, doc_id: str, text: str, cut: bool) -> Iterator[Passage]:
        """Passages of the document that the index does not hold. `cut`: of those that the chunking does hold, where it
        is known; what the chunking itself leaves out is a finding of the migration.
        """
        for passage in self._passages[doc_id]:
            if _share(passage, self._held[doc_id], text) >= passage.needed:
                continue
            if not cut or _share(passage, self._cut[doc_id], text) >= passage.needed:
                yield passage


def _share(passage: Passage, ground: Iterable[Span], text: str) -> float:
    """Of the passage's non-blank characters that lie in the ground."""
    wanted = merged(passage.spans)
    shared = [part for one in merged(ground) for span in wanted if (part := one.shared(span)) is not None]
    ink = Ink(text, [offset for span in (*wanted, *shared) for offset in span])
    whole = sum(ink.between(*span) for span in wanted)
    return sum(ink.between(*part) for part in shared) / whole if whole else 1.0
