"""A question's rubric in chunk ids: all of these facts, each by any of these chunks, or of these that go together."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from evalspan.labels import JudgedQuestion, Judgment, LabelsAre, rubric
from evalspan.mapping.outcome import Bucket, Outcome, Reason
from evalspan.mapping.overlay import Piece
from evalspan.spans import Span, merged
from evalspan.text import Ink

Together = tuple[str, ...]
"""chunk_ids that are enough together, in the order of the text; mostly one."""


class ChunkRequirement(NamedTuple):
    """One fact, and what is enough for it."""

    fact: str
    """Its id; "" where none was named."""
    any_of: tuple[Together, ...]
    """Empty: this chunking holds no passage of it, and no result can be enough."""


class ChunkRubric(NamedTuple):
    """What a result for a question must hold."""

    query_id: str
    all_of: tuple[ChunkRequirement, ...]
    """All are needed. Empty for a question without an answer."""
    no_answer: bool
    min_overlap: float
    """The set's; a tabular span needs all of itself."""

    def to_row(self) -> dict[str, Any]:
        """As JSON."""
        facts = [{"fact": fact, "any_of": [list(chunks) for chunks in any_of]} for fact, any_of in self.all_of]
        row: dict[str, Any] = {"query_id": self.query_id, "all_of": facts, "min_overlap": self.min_overlap}
        return {**row, "no_answer": True} if self.no_answer else row


def chunk_rubric(
    question: JudgedQuestion,
    found: Mapping[Judgment, Sequence[Together]],
    labels_are: LabelsAre | None,
    min_overlap: float,
) -> ChunkRubric:
    """`found`: judgment → the alternatives that it has in this chunking. Raises CannotTell, as `rubric` does."""
    wanted = rubric(question, labels_are)
    all_of = tuple(
        ChunkRequirement(name, _least(chunks for judgment in any_of for chunks in found.get(judgment, ())))
        for name, any_of in wanted
    )
    return ChunkRubric(question.query_id, all_of, question.no_answer, min_overlap)


def _least(groups: Iterable[Together]) -> tuple[Together, ...]:
    """Each once, without those that hold another one: chunks beyond what is enough are not needed."""
    each = list(dict.fromkeys(groups))
    sets = [frozenset(group) for group in each]
    return tuple(group for group, mine in zip(each, sets, strict=True) if not any(other < mine for other in sets))


def paired(question: JudgedQuestion, outcomes: Iterable[Outcome]) -> dict[Judgment, Outcome]:
    """Which of a question's outcomes, in their order, is which of its judgments': a judgment's place is certain, so it
    is known by that. The others are of labels that name chunks.
    """
    waiting: dict[tuple[object, ...], list[Outcome]] = {}
    for outcome in outcomes:
        waiting.setdefault(_ground(outcome.doc_id, outcome.match.places, outcome.grade), []).append(outcome)
    pairs: dict[Judgment, Outcome] = {}
    for judgment in question.judgments:
        mine = waiting.get(_ground(judgment.doc_id, judgment.spans, judgment.grade))
        if mine:
            pairs[judgment] = mine.pop(0)
    return pairs


def _ground(doc_id: str, spans: Iterable[Span], grade: int) -> tuple[object, ...]:
    return doc_id, tuple(merged(spans)), grade


def is_cut(outcome: Outcome) -> bool:
    """Whether its passage is cut, and nobody is asked: its pieces go together."""
    return outcome.reason is Reason.CUT and not outcome.asks


def held_by(outcome: Outcome) -> tuple[Together, ...]:
    """Of a clean outcome: each chunk that takes the label is enough alone."""
    return tuple((cover.chunk_id,) for cover in outcome.chosen) if outcome.bucket is Bucket.CLEAN else ()


def held_together(outcome: Outcome, text: str, pieces: Iterable[Piece]) -> tuple[Together, ...]:
    """Of a passage that is cut: the fewest chunks that together reach its min_overlap, as one alternative; none where
    all of them do not. `text`, `pieces`: its document, and the document's chunks.
    """
    if outcome.union_coverage < outcome.min_overlap:
        return ()
    over = {cover.chunk_id for cover in outcome.covers if cover.certain}
    mine = [piece for piece in pieces if piece.certain and piece.chunk_id in over]
    spans = merged(outcome.match.places)
    ends = [(span.start, span.end) for span in spans] + [(piece.start, piece.end) for piece in mine]
    ink = Ink(text, (offset for pair in ends for offset in pair))
    parts = sorted((part, chunk_id) for chunk_id, part in _parts(spans, mine, ink).items())
    size = sum(ink.between(*span) for span in spans)
    together = _fewest(parts, size, outcome.min_overlap)
    return (together,) if together else ()


def _parts(spans: Sequence[Span], pieces: Iterable[Piece], ink: Ink) -> dict[str, Span]:
    """chunk_id → what it holds of the passage, counted in the passage's own non-blank characters. One that was joined
    from several places, and holds several stretches of the passage, is no piece of it.
    """
    stretches: dict[str, list[Span]] = {}
    for start, end, chunk_id, _ in pieces:
        before = 0
        for span in spans:
            low, high = max(start, span.start), min(end, span.end)
            if low < high:
                first = before + ink.between(span.start, low)
                stretches.setdefault(chunk_id, []).append(Span(first, first + ink.between(low, high)))
            before += ink.between(*span)
    joined = {chunk_id: merged(mine) for chunk_id, mine in stretches.items()}
    return {chunk_id: mine[0] for chunk_id, mine in joined.items() if len(mine) == 1 and mine[0].length}


def _fewest(parts: Sequence[tuple[Span, str]], size: int, needed: float) -> Together:
    """The fewest parts whose union is `needed` of `size`; of several such, what holds most, then what stands first.

    With the ends ascending as the starts do, what a part adds to a choice before it depends on the last one of that
    only: so for one part, two, three …, the most that a choice ending in each part can hold.
    """
    ascending: list[tuple[Span, str]] = []
    for part, chunk_id in sorted(parts, key=lambda one: (one[0].start, -one[0].end)):
        if not ascending or part.end > ascending[-1][0].end:
            ascending.append((part, chunk_id))
    most: list[tuple[int, Together]] = [(part.length, (chunk_id,)) for part, chunk_id in ascending]
    while most:
        held, chosen = max(most, key=lambda one: one[0])
        if held / size >= needed:
            return chosen
        most = _one_more(ascending, most, len(chosen))
    return ()


def _one_more(
    parts: Sequence[tuple[Span, str]], most: Sequence[tuple[int, Together]], chosen: int
) -> list[tuple[int, Together]]:
    """The same with one part more; `most[i]` is of choices that end in part `i + chosen - 1`."""
    out = []
    for at in range(chosen, len(parts)):
        part, chunk_id = parts[at]
        best: tuple[int, Together] = (-1, ())
        for before in range(at - chosen + 1):
            held, ids = most[before]
            reached = parts[before + chosen - 1][0].end
            whole = held + part.end - max(part.start, reached)
            if whole > best[0]:
                best = whole, (*ids, chunk_id)
        out.append(best)
    return out
