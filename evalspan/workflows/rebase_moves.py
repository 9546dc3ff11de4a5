"""What became of every label of a set whose text is not where it was, when the set moves to another snapshot."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from evalspan.corpus import SnapshotDiff
from evalspan.corpus.renames import Rename, find_renames
from evalspan.errors import BadInput, NotFound, Problem
from evalspan.labels import Candidate, EvalSet, JudgedQuestion, Judgment, PendingLabel, Range
from evalspan.labels.judgment import overlapping
from evalspan.migrator.carry import Fate, Label, Move, moved
from evalspan.migrator.rebase import Carriage, Change, rebase_passages
from evalspan.migrator.review import passage_of
from evalspan.spans import Span
from evalspan.store import SnapshotRecord, Store
from evalspan.workflows.progress import Progress
from evalspan.workflows.texts import Texts

Renamed = Literal["accept", "ask"]
"""What becomes of labels in a document that came back under another id: they go with it where only one document can be
it; or a person is asked."""


@dataclass(frozen=True, slots=True)
class RebasedLabel:
    """What became of one label whose text is not where it was."""

    query_id: str
    fact: str
    grade: int
    fate: Fate
    doc_id: str
    new_doc_id: str
    old_ranges: tuple[tuple[int, int], ...]
    new_ranges: tuple[tuple[int, int], ...]
    """Where it stands; of one that waits, where it may stand."""
    old: str
    """The passage as it was."""
    new: str
    """As it is; of one that waits, at the likeliest place."""
    stale: bool
    """The reference answers have to be confirmed or rewritten."""

    @property
    def taken(self) -> bool:
        """Whether its document has another id now, and it went along without a word being different."""
        return self.doc_id != self.new_doc_id and self.fate in _AS_IT_WAS

    def to_row(self) -> dict[str, Any]:
        """As JSON."""
        ranges = {
            "old_ranges": [list(one) for one in self.old_ranges],
            "new_ranges": [list(one) for one in self.new_ranges],
        }
        row = {field: getattr(self, field) for field in self.__slots__}
        return {**row, "fate": self.fate.value, "taken": self.taken, **ranges}


_AS_IT_WAS = frozenset({Fate.KEPT, Fate.MOVED, Fate.RE_EXTRACTED})


class Moves:
    """Of one set, from the snapshot it is pinned to, to another."""

    def __init__(
        self,
        store: Store,
        eval_set: EvalSet,
        target: SnapshotRecord,
        diff: SnapshotDiff,
        texts: Texts,
        renamed: Renamed,
    ) -> None:
        self._store, self._set, self._target, self._renamed = store, eval_set, target, renamed
        self._diff, self._texts = diff, texts
        self._old_digest = eval_set.terms.snapshot_digest
        self._pinned = texts.snapshot(self._old_digest)
        self.of: dict[str, dict[Label, Move]] = {}
        """query_id → its labels → what the texts say. A label without one stays as it is."""
        self.rows: list[RebasedLabel] = []
        self.renames: tuple[Rename, ...] = ()
        """Of documents that hold evidence, or that a question names."""

    def find(self, progress: Progress) -> None:
        """Fills the three fields above. Raises BadInput where labels of chunks could be tied to text, and are not."""
        self._move_chunk_labels()
        self.renames = tuple(self._find_renames(sorted(self._documents() & set(self._diff.removed))))
        self._move_judgments(progress)
        self._move_waiting()

    def _documents(self) -> set[str]:
        """Those that labels stand in, stood in, or that a question names."""
        out: set[str] = set()
        for question in self._set.questions:
            labels = (*question.judgments, *(waiting.label for waiting in question.pending))
            out.update(label.doc_id for label in labels if isinstance(label, Judgment))
            out.update(question.must_not_use, question.acceptable_docs)
        return out

    @cached_property
    def new_ids(self) -> dict[str, str]:
        """doc_id → the id under which its document came back, where that is taken for it without asking."""
        if self._renamed == "ask":
            return {}
        found = Counter(one.old_id for one in self.renames)
        return {one.old_id: one.new_id for one in self.renames if found[one.old_id] == 1 and not one.rivals}

    def _move_judgments(self, progress: Progress) -> None:
        mine = _by_document(self._set.questions)
        changed = sorted(mine.keys() & set(self._diff.changed))
        old, new = self._store.texts(self._pinned, changed), self._store.texts(self._target, changed)
        for (doc_id, old_text), (_, new_text) in progress(zip(old, new, strict=True), "aligning", len(changed)):
            self._align(mine[doc_id], doc_id, old_text, new_text, (self._before[doc_id], self._after[doc_id]))
        for doc_id in sorted(mine.keys() & set(self._diff.removed)):
            self._move_removed(mine[doc_id], doc_id, self._texts(doc_id, self._old_digest))

    @cached_property
    def _before(self) -> dict[str, str]:
        """doc_id → text digest."""
        return {entry.doc_id: entry.text_digest for entry in self._store.snapshot(self._pinned).entries}

    @cached_property
    def _after(self) -> dict[str, str]:
        return {entry.doc_id: entry.text_digest for entry in self._store.snapshot(self._target).entries}

    def _find_renames(self, removed: Sequence[str]) -> list[Rename]:
        if not removed or not self._diff.added:
            return []
        return find_renames(
            {doc_id: self._before[doc_id] for doc_id in removed},
            {doc_id: self._after[doc_id] for doc_id in self._diff.added},
            lambda doc_id: self._texts(doc_id, self._old_digest),
            lambda doc_id: self._texts(doc_id, self._target.digest),
        )

    def _align(
        self,
        labels: Sequence[tuple[str, Judgment]],
        doc_id: str,
        old_text: str,
        new_text: str,
        digests: tuple[str, str],
    ) -> None:
        """`doc_id`: of the document in the new snapshot."""
        judgments = [judgment for _, judgment in labels]
        moves = _aligned(judgments, doc_id, old_text, new_text, digests)
        for (query_id, judgment), move in zip(labels, moves, strict=True):
            self._note(query_id, judgment, move, old_text)

    def _note(self, query_id: str, judgment: Judgment, move: Move, old_text: str) -> None:
        self.of.setdefault(query_id, {})[judgment] = move
        ranges = move.carriage.spans if move.carriage and not move.waits else ()
        places = ranges or tuple(candidate.span for candidate in move.candidates)
        new = passage_of(ranges or places[:1], move.new_text) if move.new_text else ""
        self.rows.append(
            RebasedLabel(
                query_id,
                judgment.fact,
                judgment.grade,
                move.fate,
                judgment.doc_id,
                move.doc_id,
                tuple((start, end) for start, end in judgment.spans),
                tuple((start, end) for start, end in places),
                passage_of(judgment.spans, old_text),
                new,
                move.stale,
            )
        )

    def _move_removed(self, labels: Sequence[tuple[str, Judgment]], doc_id: str, old_text: str) -> None:
        """`old_text`: that the labels stood in."""
        judgments = [judgment for _, judgment in labels]
        if doc_id in self.new_ids:
            new_id = self.new_ids[doc_id]
            new_text = self._texts(new_id, self._target.digest)
            self._align(labels, new_id, old_text, new_text, (self._before[doc_id], self._after[new_id]))
            return
        offers = [
            _aligned(judgments, one.new_id, old_text, self._texts(one.new_id, self._target.digest), ("", ""))
            for one in self.renames
            if one.old_id == doc_id
        ]
        for at, (query_id, judgment) in enumerate(labels):
            there = [offer[at] for offer in offers if not offer[at].gone]
            self._note(query_id, judgment, self._offered(doc_id, there), old_text)

    def _offered(self, doc_id: str, there: Sequence[Move]) -> Move:
        """Of a label whose document is gone; `there`: what would become of it in each that may be it."""
        candidates = tuple(
            Candidate(doc_id=move.doc_id, start=start, end=end, why=f"{move.fate.value} in {move.doc_id}")
            for move in there
            for start, end in _places(move)
        )
        was = self._before.get(doc_id, "")
        if not candidates:
            return Move(Fate.DELETED, doc_id, written_against=was, stale=True)
        stale = any(move.stale for move in there)
        return Move(Fate.RENAMED, there[0].doc_id, None, there[0].new_text, candidates, None, was, stale=stale)

    def _move_waiting(self) -> None:
        """Labels that wait since an earlier rebase: from the text that they stood in to the newest."""
        for question in self._set.questions:
            for waiting in question.pending:
                label = waiting.label
                if isinstance(label, Judgment):
                    self._move_judgment_that_waits(question.query_id, waiting, label)
                else:
                    candidates = self._still_there(waiting.candidates)
                    move = Move(Fate.NOT_TIED, candidates[0].doc_id if candidates else "", candidates=candidates)
                    self.of.setdefault(question.query_id, {})[label] = move

    def _move_judgment_that_waits(self, query_id: str, waiting: PendingLabel, label: Judgment) -> None:
        doc_id = label.doc_id
        old_text = self._old_text(waiting, doc_id)
        digests = self._before.get(doc_id, ""), self._after.get(doc_id, "")
        mine = self.of.setdefault(query_id, {})
        if old_text is None or digests == ("", ""):
            mine[label] = self._waits_still(waiting, doc_id)
        elif digests[0] == digests[1]:
            # What it asks is asked already, and its answers may have been confirmed since.
            (move,) = _aligned([label], doc_id, old_text, self._texts(doc_id, self._target.digest), digests)
            mine[label] = replace(move, stale=False)
        elif digests[1]:
            self._align([(query_id, label)], doc_id, old_text, self._texts(doc_id, self._target.digest), digests)
        else:
            self._move_removed([(query_id, label)], doc_id, old_text)

    def _old_text(self, waiting: PendingLabel, doc_id: str) -> str | None:
        """None where the set came from elsewhere, and the text that the label stood in is not here."""
        try:
            return self._texts(doc_id, waiting.snapshot_digest)
        except NotFound:
            return None

    def _waits_still(self, waiting: PendingLabel, doc_id: str) -> Move:
        """Nothing more is known of it than when it began to wait."""
        candidates = self._still_there(waiting.candidates)
        fate = Fate(waiting.reason)
        if fate is Fate.RENAMED and not candidates:
            fate = Fate.DELETED
        return Move(fate, candidates[0].doc_id if candidates else doc_id, candidates=candidates)

    def _still_there(self, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """Where they stand in the new snapshot, as far as that is sure."""
        out = []
        for candidate in candidates:
            try:
                old = self._texts(candidate.doc_id, self._old_digest)
                new = self._texts(candidate.doc_id, self._target.digest)
            except NotFound:
                continue
            match = rebase_passages([[candidate.span]], old, new)[0]
            out += [candidate.model_copy(update={"start": start, "end": end}) for start, end in match.spans]
        return tuple(out)

    def _move_chunk_labels(self) -> None:
        """Labels that still name a chunk of the old snapshot, which has no certain place there."""
        named = {label.chunk_id for question in self._set.questions for label in question.chunk_labels}
        if not named:
            return
        identity = self._set.terms.chunking_identity
        cut = self._store.chunking_by_identity(identity, self._old_digest) if identity else None
        chunks = self._store.chunk_index(cut, named) if cut else {}
        placed = sum(one.match.sure and one.match.same and bool(one.match.places) for one in chunks.values())
        if cut is not None and placed:
            name = self._set.name
            what = (
                f"its labels name {placed:,} chunks of {cut.name} whose places are certain. Tie them to text first: "
                f"evalspan migrate {name} --to {cut.name}"
            )
            raise BadInput([Problem(self._set.label, None, what)])
        for question in self._set.questions:
            for label in question.chunk_labels:
                chunk = chunks.get(label.chunk_id)
                places = (
                    [Candidate(doc_id=chunk.doc_id, start=a, end=b) for a, b in chunk.match.places] if chunk else []
                )
                candidates = self._still_there(places)
                move = Move(Fate.NOT_TIED, chunk.doc_id if chunk else "", candidates=candidates)
                self.of.setdefault(question.query_id, {})[label] = move


def _by_document(questions: Iterable[JudgedQuestion]) -> dict[str, list[tuple[str, Judgment]]]:
    out: dict[str, list[tuple[str, Judgment]]] = {}
    for question in questions:
        for judgment in question.judgments:
            out.setdefault(judgment.doc_id, []).append((question.query_id, judgment))
    return out


def _aligned(
    judgments: Sequence[Judgment], doc_id: str, old_text: str, new_text: str, digests: tuple[str, str]
) -> list[Move]:
    """Every judgment of a document at once, and the old chunks that some of them were narrowed from."""
    wides = [judgment.wide.span for judgment in judgments if judgment.wide is not None]
    passages: list[Sequence[Span]] = [judgment.spans for judgment in judgments]
    carried = rebase_passages([*passages, *([wide] for wide in wides)], old_text, new_text)
    around = iter(carried[len(judgments) :])
    return [
        moved(_apart(one), doc_id, new_text, _wide(next(around)) if judgment.wide is not None else None, digests)
        for judgment, one in zip(judgments, carried, strict=False)
    ]


def _apart(carriage: Carriage) -> Carriage:
    """Pieces of one passage that came to lie over each other are no longer the pieces that it had."""
    together = overlapping(carriage.spans) is not None and not carriage.change.waits
    return carriage._replace(change=Change.UNCERTAIN) if together else carriage


def _wide(carriage: Carriage) -> Range | None:
    """The range of the old chunk now; None where it has no sure place in one piece."""
    if carriage.change is Change.UNCERTAIN or len(carriage.spans) != 1:
        return None
    start, end = carriage.spans[0]
    return Range(start=start, end=end)


def _places(move: Move) -> Iterator[Span]:
    if move.carriage is not None and not move.waits:
        yield from move.carriage.spans
    else:
        yield from (candidate.span for candidate in move.candidates)
