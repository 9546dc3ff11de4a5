"""`evalspan review`: what waits for a person, and the version that comes of what they decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalspan.errors import BadInput, Problem
from evalspan.labels import LABEL_SCHEMA, Action, Decision, JudgedQuestion
from evalspan.migrator.decide import decided
from evalspan.migrator.review import STALE_ANSWER, ReviewItem
from evalspan.migrator.settle import carried_spans
from evalspan.provenance import Provenance
from evalspan.store import DecisionRecord, Store, VersionRecord
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.migration import Migration
from evalspan.workflows.queue import Queue, mappings_of, open_queue, questions_of, read_queue
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.texts import Texts


def review_queue(eval_set: str, *, chunking: str | None = None, store: StoreOrAddress = None) -> Queue:
    """What the newest version of the set asks; `chunking`: of the mapping on it, not of the newest one.

    Raises NotFound; Conflict for a version that has been followed by another.
    """
    with opened(store) as opened_store:
        return open_queue(opened_store, eval_set, chunking, Texts(opened_store))


@dataclass(frozen=True, slots=True)
class Applied:
    """What came of it."""

    version: VersionRecord
    """The new one; the one that was, where no label changed."""
    decisions: tuple[DecisionRecord, ...]
    """Applied."""
    left: tuple[DecisionRecord, ...]
    """Whose items are gone: they stay as they are."""
    migration: Migration | None
    """On the chunking of the mapping that was asked about."""


def apply_decisions(eval_set: str, *, skip_gone: bool = False, why: str = "", store: StoreOrAddress = None) -> Applied:
    """A new version of the set with every decision that waits, mapped again on the chunking that was asked about.

    Raises BadInput for decisions whose item is gone, that no longer fit, or whose passage was changed by a rebase since
    (`skip_gone` leaves them), Conflict where somebody else was faster; then nothing was written.
    """
    with opened(store) as opened_store:
        texts = Texts(opened_store)
        queue = open_queue(opened_store, eval_set, None, texts)
        waiting = [record for record in queue.waiting if record.decision.action is not Action.DEFER]
        if not waiting:
            raise BadInput([Problem(eval_set, None, f"no decision waits: evalspan review {queue.version.name} list")])
        before = questions_of(opened_store, queue.version)
        items = _asked(opened_store, queue, waiting, texts)
        questions, applied, left = _apply(items, before, waiting, texts, queue.version.terms.snapshot_digest, skip_gone)
        version = queue.version
        with opened_store.writing() as tx:
            if questions != before:
                made = Provenance.now(why or f"applied {len(applied)} decision{'s' if len(applied) != 1 else ''}")
                terms = version.terms.model_copy(update={"label_schema": LABEL_SCHEMA})
                bodies = (questions[query_id].body() for query_id in sorted(questions))
                version = tx.add_version(version.name, version.number, terms, bodies, made)
            tx.apply(applied, version)
        migration = None
        mapping = queue.mapping
        if mapping is not None and version.number != queue.version.number:
            to, embedding = mapping.chunking.name, mapping.embedding
            migration = migrate_set(version.name, to, embedding=embedding, twins="ignore", store=opened_store)
        return Applied(version, tuple(applied), tuple(left), migration)


def _asked(store: Store, queue: Queue, waiting: Sequence[DecisionRecord], texts: Texts) -> dict[str, ReviewItem]:
    """Item name → item; those that only an earlier mapping asks about too, where decisions are about them."""
    items = queue.by_name
    if queue.mapping is None or all(record.decision.item in items for record in waiting):
        return items
    chunkings = {one.chunking.id: one.chunking for one in mappings_of(store, queue.version)}
    for chunking in chunkings.values():
        if chunking.id != queue.mapping.chunking.id:
            items = {**read_queue(store, queue.version, texts, chunking).by_name, **items}
    return items


def _apply(
    items: Mapping[str, ReviewItem],
    before: dict[str, JudgedQuestion],
    waiting: Sequence[DecisionRecord],
    texts: Texts,
    digest: str,
    skip_gone: bool,
) -> tuple[dict[str, JudgedQuestion], list[DecisionRecord], list[DecisionRecord]]:
    """The questions afterwards, and what was applied and left. `digest`: of the set's snapshot."""
    questions = dict(before)
    applied: list[DecisionRecord] = []
    left: list[DecisionRecord] = []
    problems: list[Problem] = []
    # Copies are taken while the label that they are copies of is there still: it may be placed anew, or retired.
    for record in sorted(waiting, key=lambda record: record.decision.reason != "twin"):
        decision = record.decision
        item = items.get(decision.item)
        try:
            if item is None:
                raise BadInput([Problem(f"item {decision.item}", None, _gone(record))])
            questions[item.query_id] = decided(questions[item.query_id], item, _of_now(record, digest, texts))
            applied.append(record)
        except BadInput as error:
            left.append(record)
            problems += error.problems
    if problems and not skip_gone:
        raise BadInput(problems, hint="Apply the others: --skip-gone. Take one of these back: decide ITEM defer")
    return questions, applied, left


def _of_now(record: DecisionRecord, digest: str, texts: Texts) -> Decision:
    """The decision with its ranges in the set's snapshot: the set may have been rebased since."""
    decision = record.decision
    if decision.snapshot_digest == digest:
        return decision
    spans = carried_spans(decision, digest, texts)
    if decision.reason == STALE_ANSWER or (decision.spans and not spans):
        made = decision.provenance
        what = (
            f"what {made.by} decided on {made.at} ({decision.action}, question {decision.query_id!r}) was about texts "
            "that have changed since. Look again, and decide anew"
        )
        raise BadInput([Problem(f"item {decision.item}", None, what)])
    return decision.model_copy(update={"spans": spans, "snapshot_digest": digest})


def _gone(record: DecisionRecord) -> str:
    decision = record.decision
    made = decision.provenance
    return (
        f"what {made.by} decided on {made.at} ({decision.action}, question {decision.query_id!r}) is not asked any more"
    )
