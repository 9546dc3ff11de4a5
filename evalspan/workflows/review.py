"""`evalspan review`: what waits for a person, what they decide, and the version that comes of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalspan.errors import BadInput, Conflict, Problem
from evalspan.formats.decisions import DecisionRow
from evalspan.labels import LABEL_SCHEMA, Action, Decision, JudgedQuestion
from evalspan.migrator.decide import decided
from evalspan.migrator.review import STALE_ANSWER, ReviewItem
from evalspan.migrator.settle import carried_spans
from evalspan.provenance import Provenance
from evalspan.store import DecisionRecord, Store, VersionRecord
from evalspan.workflows.decisions import decision_of, find_item
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.migration import Migration
from evalspan.workflows.queue import Queue, read_queue
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.texts import Texts


def review_queue(eval_set: str, *, chunking: str | None = None, store: StoreOrAddress = None) -> Queue:
    """What the newest version of the set asks; `chunking`: of the mapping on it, not of the newest one.

    Raises NotFound; Conflict for a version that has been followed by another.
    """
    with opened(store) as opened_store:
        return _queue(opened_store, eval_set, chunking, Texts(opened_store))


def decide(
    eval_set: str,
    rows: Iterable[DecisionRow],
    *,
    file: str = "",
    chunking: str | None = None,
    store: StoreOrAddress = None,
) -> list[DecisionRecord]:
    """Records decisions about items of the queue; `apply_decisions` makes a version of them. `file`: where the rows
    stand, for messages.

    Raises BadInput with everything that is wrong with any of them (the item is gone, the span lies outside its
    document, the action does not fit what is asked); then nothing was written.
    """
    with opened(store) as opened_store:
        texts = Texts(opened_store)
        queue = _queue(opened_store, eval_set, chunking, texts)
        questions = _questions(opened_store, queue.version)
        problems: list[Problem] = []
        decisions: list[Decision] = []
        for row in rows:
            try:
                put_off = _put_off(queue, row)
                if put_off is not None:
                    decisions.append(put_off)
                    continue
                item = _item(queue, row)
                decision = decision_of(item, row, queue.version, texts)
                decided(questions[item.query_id], item, decision)
                decisions.append(decision)
            except BadInput as error:
                problems += [Problem(file, row.line, str(p)) if file else p for p in error.problems]
        if problems:
            raise BadInput(problems)
        with opened_store.writing() as tx:
            return tx.add_decisions(queue.version, decisions)


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
        queue = _queue(opened_store, eval_set, None, texts)
        waiting = [record for record in queue.waiting if record.decision.action is not Action.DEFER]
        if not waiting:
            raise BadInput([Problem(eval_set, None, f"no decision waits: evalspan review {queue.version.name} list")])
        before = _questions(opened_store, queue.version)
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


def _put_off(queue: Queue, row: DecisionRow) -> Decision | None:
    """A decision whose item is gone can be taken back: deferred, it is not applied."""
    if row.action is not Action.DEFER:
        return None
    gone = [r.decision for r in queue.waiting if r.decision.item == row.item and row.item not in queue.by_name]
    update = {"action": Action.DEFER, "provenance": Provenance.now(row.note, row.by or None)}
    return gone[0].model_copy(update=update) if gone else None


def _item(queue: Queue, row: DecisionRow) -> ReviewItem:
    """Raises BadInput where it is gone, or is not what it was when the decision was written."""
    item = find_item(queue, row.item)
    if row.seen and row.seen != item.seen:
        what = "its candidates or its place are others now. Look at it again: export the queue anew"
        raise BadInput([Problem(f"item {item.name}", None, what)])
    return item


def _queue(store: Store, eval_set: str, chunking: str | None, texts: Texts) -> Queue:
    version = store.find_version(eval_set)
    newest = store.versions(version.name)[-1]
    if newest.number != version.number:
        raise Conflict(f"{version.label} has been followed by {newest.label}: only that one is reviewed")
    cut = store.find_chunking(chunking) if chunking is not None else None
    return read_queue(store, version, texts, cut)


def _questions(store: Store, version: VersionRecord) -> dict[str, JudgedQuestion]:
    return {question.query_id: question for question in store.eval_set(version).questions}


def _asked(store: Store, queue: Queue, waiting: Sequence[DecisionRecord], texts: Texts) -> dict[str, ReviewItem]:
    """Item name → item; those that only an earlier mapping asks about too, where decisions are about them."""
    items = queue.by_name
    if queue.mapping is None or all(record.decision.item in items for record in waiting):
        return items
    chunkings = {one.chunking.id: one.chunking for one in store.mappings(queue.version)}
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
