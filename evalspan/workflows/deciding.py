"""`evalspan review SET decide` and `import`: what people decide is recorded, once."""

from collections.abc import Iterable
from dataclasses import dataclass

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.decisions import DecisionRow
from evalspan.labels import Action, Decision
from evalspan.migrator.decide import decided
from evalspan.migrator.review import ReviewItem
from evalspan.provenance import Provenance
from evalspan.spans import Span
from evalspan.store import DecisionRecord, Store
from evalspan.store.lineage import Standing, living, standing
from evalspan.workflows.decisions import decision_of, find_item
from evalspan.workflows.queue import Queue, open_queue, questions_of
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.texts import Texts

_NOT_COMPARED = {"provenance", "chosen", "seen"}
"""Fields of a decision that say how it was made, and not what was decided."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What came of it."""

    records: tuple[DecisionRecord, ...]
    """What was recorded, in the order given."""
    replaced: tuple[DecisionRecord | None, ...]
    """Of each of these, the decision that it takes the place of, which was not applied yet; or None."""
    repeated: tuple[DecisionRecord, ...]
    """Decisions that stand already, and that were only said again."""
    skipped: tuple[Problem, ...] = ()
    """What does not fit, where it was to be left out."""


def decide(
    eval_set: str,
    rows: Iterable[DecisionRow],
    *,
    file: str = "",
    problems: Problems | None = None,
    chunking: str | None = None,
    store: StoreOrAddress = None,
) -> Decided:
    """Records decisions about items of the queue; `apply_decisions` makes a version of them. What was decided so
    already, by whomever, is not recorded again. `file`: where the rows stand, for messages; `problems`: what is wrong
    with other rows of that file, which is told together with what is wrong here, or left out.

    Raises BadInput with everything that is wrong with any of them (the item is gone, the span lies outside its
    document, the action does not fit what is asked); then nothing was written.
    """
    with opened(store) as opened_store:
        desk = _Desk(opened_store, eval_set, chunking)
        wrong: list[Problem] = []
        for row in rows:
            try:
                desk.take(row)
            except BadInput as error:
                wrong += [Problem(file, row.line, str(p)) if file else p for p in error.problems]
        if problems is not None:
            for problem in wrong:
                problems.add(file, problem.line, problem.what)
            problems.raise_if_any()
        elif wrong:
            raise BadInput(wrong)
        return desk.record(problems.skipped if problems is not None else ())


class _Desk:
    """Where the decisions about one queue come in."""

    def __init__(self, store: Store, eval_set: str, chunking: str | None) -> None:
        self._store, self._texts = store, Texts(store)
        self._queue: Queue = open_queue(store, eval_set, chunking, self._texts)
        self._version = self._queue.version
        self._questions = questions_of(store, self._version)
        chain = living(store.versions(self._version.name))
        # The last word about an item counts, unless it was set aside by an undo.
        self._last = {record.decision.item: record for record in store.decisions(self._version.name)}
        self._standing = {item: standing(record, chain) for item, record in self._last.items()}
        self._new: list[Decision] = []
        self._repeated: list[DecisionRecord] = []

    def take(self, row: DecisionRow) -> None:
        """Raises BadInput where it does not fit; then it is not taken."""
        known = self._last.get(row.item)
        stands = self._standing.get(row.item)
        item = None if known is not None and row.item not in self._queue.by_name else find_item(self._queue, row.item)
        if item is None:
            assert known is not None
            self._take_of_gone(row, known)
            return
        if row.seen and row.seen != item.seen:
            if known is not None and stands is Standing.WAITING and says_again(row, known.decision):
                self._repeated.append(known)
                return
            raise BadInput([Problem(f"item {item.name}", None, _OTHERS_NOW)])
        self._take_of_asked(row, item)

    def _take_of_asked(self, row: DecisionRow, item: ReviewItem) -> None:
        decision = decision_of(item, row, self._version, self._texts)
        decided(self._questions[item.query_id], item, decision)
        known = self._last.get(item.name)
        if known is not None and self._standing[item.name] is Standing.WAITING and _same(decision, known.decision):
            self._repeated.append(known)
        else:
            self._new.append(decision)

    def _take_of_gone(self, row: DecisionRow, known: DecisionRecord) -> None:
        """The file may have been read in before, and applied since. A decision that is not applied can be taken back:
        deferred, it never is.
        """
        stands = self._standing[row.item]
        if stands is not Standing.SET_ASIDE and says_again(row, known.decision):
            self._repeated.append(known)
        elif stands is Standing.WAITING and row.action is Action.DEFER:
            update = {"action": Action.DEFER, "provenance": Provenance.now(row.note, row.by or None)}
            self._new.append(known.decision.model_copy(update=update))
        elif stands is Standing.APPLIED:
            made = known.decision.provenance
            what = (
                f"{made.by} decided it on {made.at} ({known.decision.action}), and that is applied. To decide "
                f"otherwise, take that back: evalspan set undo {self._version.name}"
            )
            raise BadInput([Problem(f"item {row.item}", None, what)])
        else:
            find_item(self._queue, row.item)

    def record(self, skipped: tuple[Problem, ...]) -> Decided:
        if not self._new:
            return Decided((), (), tuple(self._repeated), skipped)
        with self._store.writing() as tx:
            records = tx.add_decisions(self._version, self._new)
        replaced = (
            self._last[one.item] if self._standing.get(one.item) is Standing.WAITING else None for one in self._new
        )
        return Decided(tuple(records), tuple(replaced), tuple(self._repeated), skipped)


_OTHERS_NOW = "its candidates or its place are others now. Look at it again: export the queue anew"


def _same(decision: Decision, other: Decision) -> bool:
    """Whoever decided it, and why."""
    return decision.model_dump(exclude=_NOT_COMPARED) == other.model_dump(exclude=_NOT_COMPARED)


def says_again(row: DecisionRow, decision: Decision) -> bool:
    """Whether a row says what was decided of its item, which need not be asked any more."""
    said = (decision.action, decision.either, decision.grade, decision.answer)
    if (row.action, row.either, row.grade, row.answer) != said or (row.seen and row.seen != decision.seen):
        return False
    if row.action is Action.ACCEPT:
        return row.candidates == decision.chosen or (not row.candidates and len(decision.chosen) < 2)
    there = [(span.doc_id, span.span) for span in decision.spans]
    typed = [(one.doc_id or decision.doc_id, Span(one.start, one.end)) for one in row.spans]
    if row.action is Action.MERGE:  # what was typed was merged with the passage
        return all(any(doc_id == of and span.inside(whole) for of, whole in there) for doc_id, span in typed)
    return not typed or sorted(typed) == sorted(there)
