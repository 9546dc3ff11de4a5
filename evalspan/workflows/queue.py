"""The review queue of a set: what its newest version, its newest mapping and the offers made for it ask."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from evalspan.errors import Conflict
from evalspan.labels import Action, ChunkLabel, EvalSet, JudgedQuestion, Judgment
from evalspan.mapping import Outcome
from evalspan.migrator.decide import found_label
from evalspan.migrator.review import ReviewItem, answer_item, outcome_item, pending_item, proposal_item
from evalspan.store import ChunkingRecord, DecisionRecord, MappingRecord, Store, VersionRecord
from evalspan.store.lineage import Standing, living, standing
from evalspan.workflows.texts import Texts


@dataclass(frozen=True)
class Queue:
    """What a person is asked, and what has been decided of it."""

    version: VersionRecord
    mapping: MappingRecord | None
    """The one whose outcomes are asked about: the newest of the version, or of an older one with the same content."""
    items: tuple[ReviewItem, ...]
    """What holds a question back comes first; then offers, the weightiest first."""
    waiting: tuple[DecisionRecord, ...]
    """Decisions that are not applied yet: of each item the last one; items that are gone among them."""
    last_mapping: MappingRecord | None = None
    """Where there is no mapping: the newest of the set's other versions, whose labels are others."""

    @cached_property
    def by_name(self) -> dict[str, ReviewItem]:
        return {item.name: item for item in self.items}

    @cached_property
    def decisions(self) -> dict[str, DecisionRecord]:
        """Item name → what was decided of it."""
        return {record.decision.item: record for record in self.waiting}

    @property
    def open(self) -> tuple[ReviewItem, ...]:
        """What nobody has decided, deferred ones among them."""
        return tuple(item for item in self.items if not self.is_decided(item))

    def is_decided(self, item: ReviewItem) -> bool:
        """What was decided about the texts of another snapshot may not hold here, and is no reason to hide the item."""
        record = self.decisions.get(item.name)
        if record is None or record.decision.action is Action.DEFER:
            return False
        return record.decision.snapshot_digest == self.version.terms.snapshot_digest


def read_queue(store: Store, version: VersionRecord, texts: Texts, chunking: ChunkingRecord | None = None) -> Queue:
    """`chunking`: the mapping on it is asked about, and not the newest one."""
    records = store.decisions(version.name)
    chain = living(store.versions(version.name))
    mappings = [one for one in mappings_of(store, version) if chunking is None or one.chunking.id == chunking.id]
    mapping = next(reversed(mappings), None)
    items = _joined(_items(store, version, mapping, chain, records, texts))
    # The last word counts: a decision that another one took the place of waits for nothing.
    last = {record.decision.item: record for record in records}
    waiting = {name: record for name, record in last.items() if standing(record, chain) is Standing.WAITING}
    ordered = sorted(items.values(), key=lambda item: (not item.holds, -item.weight, item.query_id))
    others = [] if mapping else [one for one in store.mappings() if one.version.name == version.name]
    return Queue(version, mapping, tuple(ordered), tuple(waiting.values()), next(reversed(others), None))


def open_queue(store: Store, eval_set: str, chunking: str | None, texts: Texts) -> Queue:
    """Of the set's newest version. Raises NotFound; Conflict for a version that has been followed by another."""
    version = store.find_version(eval_set)
    newest = store.versions(version.name)[-1]
    if newest.number != version.number:
        raise Conflict(f"{version.label} has been followed by {newest.label}: only that one is reviewed")
    return read_queue(store, version, texts, store.find_chunking(chunking) if chunking is not None else None)


def questions_of(store: Store, version: VersionRecord) -> dict[str, JudgedQuestion]:
    """query_id → question."""
    return {question.query_id: question for question in store.eval_set(version).questions}


def mappings_of(store: Store, version: VersionRecord) -> list[MappingRecord]:
    """Newest last: of versions with the same content, as an undo makes them, and then its own. The labels of all of
    them are the same, in the same order.
    """
    same = [one for one in store.versions(version.name) if one.digest == version.digest and one.id != version.id]
    return [mapping for one in (*same, version) for mapping in store.mappings(one)]


def _joined(items: Iterable[ReviewItem]) -> dict[str, ReviewItem]:
    """By name. What is offered about a label that waits is no item of its own: its candidates go before the others."""
    out: dict[str, ReviewItem] = {}
    asked: dict[tuple[str, object], str] = {}
    for item in items:
        name = asked.get((item.query_id, item.subject)) if item.reason == "narrowing" else None
        if name is None:
            out[item.name] = item
            if item.holds:
                asked[item.query_id, item.subject] = item.name
        else:
            out[name] = out[name].model_copy(update={"candidates": (*item.candidates, *out[name].candidates)})
    return out


def _items(
    store: Store,
    version: VersionRecord,
    mapping: MappingRecord | None,
    chain: list[VersionRecord],
    records: list[DecisionRecord],
    texts: Texts,
) -> Iterator[ReviewItem]:
    eval_set = store.eval_set(version)
    questions = {question.query_id: question for question in eval_set.questions}
    digest = version.terms.snapshot_digest
    for question in eval_set.questions:
        if not question.retired:
            for pending in question.pending:
                yield pending_item(question, pending, texts)
            answer = answer_item(question, digest)
            if answer is not None:
                yield answer
    if mapping is not None:
        yield from _outcome_items(store, eval_set, mapping, texts)
    answered = {record.decision.item for record in records if standing(record, chain) is Standing.APPLIED}
    here = [one for one in chain if one.terms.snapshot_digest == digest]
    for proposal in store.proposals(here):
        about = questions.get(proposal.query_id)
        if about is None or about.retired:
            continue
        item = proposal_item(about, proposal, digest, texts)
        if item.name not in answered and _is_news(about, item):
            yield item


def _is_news(question: JudgedQuestion, item: ReviewItem) -> bool:
    """Whether an offer still says something: its label is there, and its passage is not judged by now."""
    if item.subject is not None and found_label(question, item.subject) is None:
        return False
    there = {judgment.place for judgment in question.judgments}
    return not all((one.doc_id, one.start, one.end) in there for one in item.candidates)


def _outcome_items(store: Store, eval_set: EvalSet, mapping: MappingRecord, texts: Texts) -> Iterator[ReviewItem]:
    asks = [pair for pair in _labelled(eval_set, store.outcomes(mapping)) if pair[2].asks and not pair[0].retired]
    named = {label.chunk_id for _, label, _ in asks if isinstance(label, ChunkLabel)}
    identity, digest = eval_set.terms.chunking_identity, eval_set.terms.snapshot_digest
    old = store.chunking_by_identity(identity, digest) if named and identity else None
    digests = {key: chunk.text_digest for key, chunk in store.chunk_index(old, named).items()} if old else {}
    docs = sorted({outcome.doc_id for _, _, outcome in asks})
    places = {
        doc_id: {chunk.chunk_id: chunk.span for chunk in chunks if chunk.span is not None}
        for doc_id, chunks in store.chunks(mapping.chunking, docs)
    }
    for question, label, outcome in asks:
        text = texts(outcome.doc_id, digest)
        unknown = digests.get(label.chunk_id, "") if isinstance(label, ChunkLabel) else ""
        mine = places.get(outcome.doc_id, {})
        item = outcome_item(question, label, outcome, text, mine, mapping.chunking.name, digest, unknown)
        if item is not None:
            yield item


def _labelled(
    eval_set: EvalSet, outcomes: Iterable[Outcome]
) -> Iterator[tuple[JudgedQuestion, Judgment | ChunkLabel, Outcome]]:
    """A mapping's outcomes are in the order of its version's labels: of each question, judgments, then chunk labels. Of
    a question that is no longer asked there may be none.
    """
    of: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        of.setdefault(outcome.query_id, []).append(outcome)
    for question in eval_set.questions:
        if question.query_id in of:
            labels: tuple[Judgment | ChunkLabel, ...] = (*question.judgments, *question.chunk_labels)
            for label, outcome in zip(labels, of[question.query_id], strict=True):
                yield question, label, outcome
