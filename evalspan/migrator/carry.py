"""A question's labels, carried to another snapshot: what each becomes."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from unicodedata import normalize

from evalspan.anchoring import make_anchor
from evalspan.anchoring.alignment.tokens import Tokens, Words, is_apart, is_sign
from evalspan.labels import (
    AnswerSource,
    Candidate,
    ChunkLabel,
    JudgedQuestion,
    Judgment,
    Part,
    PendingLabel,
    Range,
    RetiredLabel,
)
from evalspan.migrator.rebase import Carriage
from evalspan.provenance import Provenance
from evalspan.spans import Span

Deleted = Literal["retire", "abstain", "ask"]
"""What becomes of a label whose document or passage is gone: it is retired; it is retired, and a question that has no
other evidence becomes an abstention case; or a person is asked."""

Label = Judgment | ChunkLabel

_COPY = "the same words, in the place of other old text"

SLIGHT = 2
"""Letters (of a Hangul syllable each) up to which a word is mostly an article or a preposition ("a", "of", "le", "zu"),
in scripts that set words apart. An answer has some of those whatever it says."""

_AND = "; "
"""Between what happened to several labels of a document."""


class Fate(StrEnum):
    """What became of a label."""

    KEPT = "kept"
    MOVED = "moved"
    RE_EXTRACTED = "re-extracted"
    EDITED = "edited"
    CHANGED = "changed"
    UNCERTAIN = "uncertain"
    MISSING = "missing"
    DELETED = "deleted"
    """Its document is gone."""
    RENAMED = "renamed"
    """Its document is gone, and another one may be it."""
    NOT_TIED = "not_tied"
    """It names a chunk that has no certain place."""


@dataclass(frozen=True, slots=True)
class Move:
    """What the texts say about one label."""

    fate: Fate
    doc_id: str
    """Of the document that it is in now, or was in."""
    carriage: Carriage | None = None
    new_text: str = ""
    candidates: tuple[Candidate, ...] = ()
    wide: Range | None = None
    """Where the old chunk around a narrowed span is now."""
    written_against: str = ""
    """Text digest of its document's version in the old snapshot; "" where it is not looked at, as in `now`."""
    now: str = ""
    """Of the version in the new one; "" where the document is gone."""
    stale: bool = False

    @property
    def waits(self) -> bool:
        return self.fate not in (Fate.KEPT, Fate.MOVED, Fate.RE_EXTRACTED, Fate.EDITED)

    @property
    def gone(self) -> bool:
        """Nothing of it is left, nor any copy: one piece that still stands is for a person to look at."""
        if self.fate is Fate.MISSING:
            there = self.carriage
            return there is not None and there.gone and not any(one.copies for one in there.ranges)
        return self.fate is Fate.DELETED


def moved(carriage: Carriage, doc_id: str, new_text: str, wide: Range | None, digests: tuple[str, str]) -> Move:
    """Of a passage whose document is there in both snapshots; `digests`: of the document's old and new text."""
    fate = Fate(carriage.change.value)
    candidates: tuple[Candidate, ...] = ()
    if carriage.change.waits:
        places = carriage.spans or tuple(place for one in carriage.ranges for place in one.match.places)
        candidates = tuple(Candidate(doc_id=doc_id, start=start, end=end) for start, end in places)
        copies = (place for one in carriage.ranges for place in one.copies if place not in places)
        candidates += tuple(Candidate(doc_id=doc_id, start=start, end=end, why=_COPY) for start, end in copies)
    return Move(fate, doc_id, carriage, new_text, candidates, wide, *digests, stale=carriage.stale)


class Carrier:
    """Carries the labels of questions, with one policy and in one hand."""

    def __init__(self, old_digest: str, deleted: Deleted, provenance: Provenance) -> None:
        self._old_digest, self._deleted, self._provenance = old_digest, deleted, provenance

    def carry(self, question: JudgedQuestion, moves: Mapping[Label, Move]) -> JudgedQuestion:
        """`moves`: of every label whose text is not where it was. Labels without one stay as they are."""
        if not moves:
            return question
        judgments: list[Judgment] = []
        pending: list[PendingLabel] = []
        retired: list[RetiredLabel] = []
        chunk_labels: list[ChunkLabel] = []
        for judgment in question.judgments:
            if (move := moves.get(judgment)) is None:
                judgments.append(judgment)
            else:
                self._place(judgment, self._old_digest, move, judgments, pending, retired)
        for label in question.chunk_labels:
            if (move := moves.get(label)) is None:
                chunk_labels.append(label)
            else:
                self._place(label, self._old_digest, move, judgments, pending, retired)
        for waiting in question.pending:
            if (move := moves.get(waiting.label)) is None:
                pending.append(waiting)
            else:
                self._place(waiting.label, waiting.snapshot_digest, move, judgments, pending, retired)
        carried = question.model_copy(
            update={
                "judgments": tuple(judgments),
                "chunk_labels": tuple(chunk_labels),
                "pending": tuple(pending),
                "retired_labels": (*question.retired_labels, *retired),
                "answer_sources": _sources(question, moves),
            }
        )
        lost = any(label.label.grade > 0 for label in retired)
        return self._without_evidence(carried) if lost else carried

    def _place(
        self,
        label: Label,
        stood_in: str,
        move: Move,
        judgments: list[Judgment],
        pending: list[PendingLabel],
        retired: list[RetiredLabel],
    ) -> None:
        if isinstance(label, Judgment) and not move.waits:
            judgments.append(_carried(label, move))
        elif self._retires(label, move):
            retired.append(RetiredLabel(label=label, snapshot_digest=stood_in, provenance=self._provenance))
        else:
            pending.append(_pending(label, stood_in, move))

    def _retires(self, label: Label, move: Move) -> bool:
        """A passage that was judged not relevant asks nobody: what became of it is a text that nobody has judged."""
        return label.grade == 0 or (move.gone and self._deleted != "ask")

    def _without_evidence(self, question: JudgedQuestion) -> JudgedQuestion:
        """A question that lost all its evidence is not asked any more, or is to be left unanswered."""
        left = [*question.judgments, *question.chunk_labels, *(waiting.label for waiting in question.pending)]
        if any(label.grade > 0 for label in left):
            return question
        return question.model_copy(update={"no_answer": True} if self._deleted == "abstain" else {"retired": True})


def _carried(judgment: Judgment, move: Move) -> Judgment:
    assert move.carriage is not None
    first, *rest = move.carriage.spans
    update: dict[str, object] = {
        "doc_id": move.doc_id,
        "start": first.start,
        "end": first.end,
        "anchor": make_anchor(move.new_text, first),
        "also": tuple(_part(span, move.new_text) for span in rest),
    }
    if judgment.wide is not None:
        wide = move.wide
        inside = wide is not None and all(span.inside(wide.span) for span in move.carriage.spans)
        update |= {"wide": wide} if inside else {"wide": None, "origin": "span"}
    return judgment.model_copy(update=update)


def _part(span: Span, text: str) -> Part:
    return Part(start=span.start, end=span.end, anchor=make_anchor(text, span))


def _pending(label: Label, stood_in: str, move: Move) -> PendingLabel:
    return PendingLabel.model_validate(
        {"label": label, "snapshot_digest": stood_in, "reason": move.fate.value, "candidates": move.candidates}
    )


def _sources(question: JudgedQuestion, moves: Mapping[Label, Move]) -> tuple[AnswerSource, ...]:
    """Of reference answers: the documents that are not any more what they were written against."""
    answers = question.question.reference_answers
    if not answers:
        return question.answer_sources
    sources = {source.doc_id: source for source in question.answer_sources}
    by_document: dict[str, list[tuple[Judgment, Move]]] = {}
    for label, move in moves.items():
        if isinstance(label, Judgment) and label.grade > 0 and (move.stale or move.written_against != move.now):
            by_document.setdefault(label.doc_id, []).append((label, move))
    for doc_id, mine in by_document.items():
        known = sources.pop(doc_id, None)
        written = known.text_digest if known else next((m.written_against for _, m in mine if m.written_against), "")
        if any(written == move.now != "" for _, move in mine):
            continue  # the document is again what they were written against
        said = known.stale.split(_AND) if known and known.stale else []
        said += filter(None, (_what_happened(label, move, answers) for label, move in mine))
        sources[doc_id] = AnswerSource(doc_id=doc_id, text_digest=written, stale=_AND.join(dict.fromkeys(said)))
    return tuple(sources[doc_id] for doc_id in sorted(sources))


def _what_happened(judgment: Judgment, move: Move, answers: Iterable[str]) -> str:
    """What became of a label, where that may change the answers; "" where it does not."""
    what = f"{move.fate.value}: {judgment.start}-{judgment.end}"
    if move.stale:
        return what
    lost = _lost(move.carriage, answers) if move.carriage and move.fate is Fate.EDITED else []
    return f"{what}, without {', '.join(lost)}" if lost else ""


def _lost(carriage: Carriage, answers: Iterable[str]) -> list[str]:
    """Words of the answers that the passage had and has no more, in the order of the passage."""
    words = Words()

    def of(text: str) -> list[int]:
        return Tokens(text, 0, len(text), words).ids

    was = [word for one in carriage.ranges for word in of(one.old)]
    now = {word for one in carriage.ranges for word in of(one.new)}
    said = {word for answer in answers for word in of(answer)}
    return [words.forms[word] for word in dict.fromkeys(was) if word in said - now and _tells(words.forms[word])]


def _tells(word: str) -> bool:
    return not is_sign(word) and (len(normalize("NFKD", word)) > SLIGHT or is_apart(word) is not None)


def counted(fates: Iterable[Fate]) -> dict[Fate, int]:
    """How many labels had each fate, the quietest first."""
    counts = Counter(fates)
    return {fate: counts[fate] for fate in Fate if counts[fate]}
