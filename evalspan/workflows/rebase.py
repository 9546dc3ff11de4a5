"""`evalspan rebase SET --to SNAPSHOT`: a set moves to another snapshot of its corpus."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalspan.corpus import SnapshotDiff
from evalspan.corpus.renames import Rename
from evalspan.errors import Conflict
from evalspan.labels import LABEL_SCHEMA, Decision, JudgedQuestion
from evalspan.migrator.carry import Carrier, Deleted, Fate, Label, counted
from evalspan.migrator.decide import decided
from evalspan.migrator.review import pending_item
from evalspan.migrator.settle import Settled
from evalspan.provenance import Provenance
from evalspan.store import DecisionRecord, SnapshotRecord, Store, VersionRecord
from evalspan.store.lineage import Standing, living, standing
from evalspan.workflows.migration import bereft
from evalspan.workflows.progress import Progress, silent
from evalspan.workflows.rebase_moves import Moves, RebasedLabel, Renamed
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.texts import Texts


@dataclass(frozen=True, slots=True)
class Rebase:
    """What came of it."""

    version: VersionRecord
    new: bool
    """False: the set was about these texts already, and nothing was written."""
    diff: SnapshotDiff
    snapshot: SnapshotRecord
    labels: int
    """All that the set has."""
    fates: dict[Fate, int]
    """How many of them had each fate; of those that wait since an earlier rebase, too. Without those that are taken."""
    taken: int
    """Labels whose document came back under another id: they went along, and nothing else happened to them."""
    moved: tuple[RebasedLabel, ...]
    """Those whose document is another one now."""
    renames: tuple[Rename, ...]
    """Of documents that hold evidence."""
    accepted: frozenset[str]
    """Old ids of those that were gone along with."""
    settled: int
    """Labels that an earlier decision answered."""
    waiting: int
    """Labels that wait for a person now; of questions that are still asked."""
    retired: int
    """Labels that this retired."""
    stale: tuple[str, ...]
    """Questions whose reference answers are stale now."""
    bereft: tuple[str, ...]
    """Questions without any relevant label: the last one was retired, now or before."""


def rebase(
    eval_set: str,
    to: str = "latest",
    *,
    deleted: Deleted = "ask",
    renamed: Renamed = "ask",
    store: StoreOrAddress = None,
    why: str = "",
    progress: Progress = silent,
) -> Rebase:
    """Writes a new version of the set, pinned to the snapshot `to`; the one that was stays. Labels in documents that
    did not change cost nothing; in those that did, each is carried where its place and meaning are sure, and waits for
    a person where they are not. Earlier decisions are applied where they answer what is asked.

    Raises NotFound, BadInput (labels name chunks, and could be tied to text), Conflict (the version has been followed
    by another, or somebody was faster); then nothing was written.
    """
    with opened(store) as opened_store:
        version = opened_store.find_version(eval_set)
        newest = opened_store.versions(version.name)[-1]
        if newest.number != version.number:
            raise Conflict(f"{version.label} has been followed by {newest.label}. Type: evalspan rebase {newest.name}")
        target = opened_store.find_snapshot(to)
        job = _Job(opened_store, version, target, renamed)
        if job.diff.equal:
            return job.nothing()
        made = Provenance.now(why or f"rebased to {target.label}")
        questions, settled = job.carry(Carrier(version.terms.snapshot_digest, deleted, made), progress)
        terms = version.terms.model_copy(
            update={"snapshot_digest": target.digest, "label_schema": LABEL_SCHEMA, "chunking_identity": None}
        )
        with opened_store.writing() as tx:
            bodies = (question.body() for question in questions)
            rebased = tx.add_version(version.name, version.number, terms, bodies, made)
            tx.apply(settled, rebased)
        return job.report(rebased, questions, settled)


class _Job:
    """One rebase."""

    def __init__(self, store: Store, version: VersionRecord, target: SnapshotRecord, renamed: Renamed) -> None:
        self._store, self._version, self._target = store, version, target
        self._texts = Texts(store)
        self._set = store.eval_set(version)
        self.diff = store.diff(self._texts.snapshot(version.terms.snapshot_digest), target)
        self._moves = Moves(store, self._set, target, self.diff, self._texts, renamed)

    def nothing(self) -> Rebase:
        return Rebase(
            self._version,
            False,
            self.diff,
            self._target,
            self._labels(),
            self._fates(),
            0,
            (),
            (),
            frozenset(),
            0,
            _waiting(self._set.questions),
            0,
            (),
            bereft(self._set.questions),
        )

    def carry(self, carrier: Carrier, progress: Progress) -> tuple[list[JudgedQuestion], list[DecisionRecord]]:
        """The questions as they are in the new snapshot, and the decisions that settled what would have waited."""
        self._moves.find(progress)
        moves, new_ids = self._moves.of, self._moves.new_ids
        return self._settle(
            [
                carrier.carry(_with_new_ids(question, new_ids), moves.get(question.query_id, {}))
                for question in self._set.questions
            ]
        )

    def _settle(self, questions: list[JudgedQuestion]) -> tuple[list[JudgedQuestion], list[DecisionRecord]]:
        records = self._store.decisions(self._version.name)
        chain = living(self._store.versions(self._version.name))
        alive = [record for record in records if standing(record, chain) is Standing.APPLIED]
        settled = Settled((record.decision for record in alive), self._texts)
        if not settled:
            return questions, []
        used: dict[int, DecisionRecord] = {}
        out = []
        for question in questions:
            after = question
            for pending in question.pending:
                item = pending_item(question, pending, self._texts)
                answer = settled.find(item, self._target.digest)
                if answer is not None and pending in after.pending and not _is_there(after, answer.here):
                    after = decided(after, item, answer.here)
                    used.update({record.id: record for record in alive if record.decision == answer.given})
            out.append(after)
        return out, list(used.values())

    def _labels(self) -> int:
        return self._version.judgments + self._version.chunk_labels + self._version.pending

    def _fates(self) -> dict[Fate, int]:
        """Before anything is moved, what waits does so still."""
        fates = Counter(self._fate(question, label) for question in self._set.questions for label in _labels(question))
        fates.subtract(row.fate for row in self._moves.rows if row.taken)
        return counted(fates.elements())

    def _fate(self, question: JudgedQuestion, label: Label) -> Fate:
        move = self._moves.of.get(question.query_id, {}).get(label)
        if move is not None:
            return move.fate
        waiting = next((pending for pending in question.pending if pending.label == label), None)
        return Fate(waiting.reason) if waiting else Fate.KEPT

    def report(
        self, rebased: VersionRecord, questions: Sequence[JudgedQuestion], settled: Sequence[DecisionRecord]
    ) -> Rebase:
        before = {question.query_id: question for question in self._set.questions}
        retired = sum(len(q.retired_labels) - len(before[q.query_id].retired_labels) for q in questions)
        asked = [question for question in questions if not question.retired]
        stale = tuple(q.query_id for q in asked if q.stale and q.stale != before[q.query_id].stale)
        return Rebase(
            rebased,
            True,
            self.diff,
            self._target,
            self._labels(),
            self._fates(),
            sum(row.taken for row in self._moves.rows),
            tuple(self._moves.rows),
            self._moves.renames,
            frozenset(self._moves.new_ids),
            len(settled),
            _waiting(questions),
            retired,
            stale,
            bereft(questions),
        )


def _labels(question: JudgedQuestion) -> tuple[Label, ...]:
    return (*question.judgments, *question.chunk_labels, *(pending.label for pending in question.pending))


def _waiting(questions: Iterable[JudgedQuestion]) -> int:
    """Labels that a person is asked about: of a question that is no longer asked, none."""
    return sum(len(question.pending) for question in questions if not question.retired)


def _with_new_ids(question: JudgedQuestion, new_ids: Mapping[str, str]) -> JudgedQuestion:
    """What it says of whole documents goes with them."""
    if new_ids.keys().isdisjoint((*question.must_not_use, *question.acceptable_docs)):
        return question
    said = {field: getattr(question, field) for field in ("must_not_use", "acceptable_docs")}
    renamed = {field: tuple(new_ids.get(one, one) for one in doc_ids) for field, doc_ids in said.items()}
    return question.model_copy(update=renamed)


def _is_there(question: JudgedQuestion, decision: Decision) -> bool:
    """Whether the passage is judged already: two labels of equal words, of which one was decided on, ask twice."""
    there = {(judgment.place, judgment.fact) for judgment in question.judgments}
    return any(((span.doc_id, span.start, span.end), decision.fact) in there for span in decision.spans)
