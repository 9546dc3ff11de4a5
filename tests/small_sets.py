"""Small corpora and sets in a store, written down in a few words, for the tests of what becomes of labels."""

from collections.abc import Mapping, Sequence
from typing import Any

from evalspan.anchoring import Match, Status, make_anchor
from evalspan.corpus import Chunk, ChunkingConfig, Document
from evalspan.digests import text_digest
from evalspan.formats.decisions import DecidedRange, DecisionRow
from evalspan.labels import (
    Action,
    ChunkLabel,
    DecidedSpan,
    Decision,
    JudgedQuestion,
    Judgment,
    Part,
    Question,
    Range,
    SetTerms,
)
from evalspan.migrator.review import ReviewItem
from evalspan.provenance import Provenance
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, SnapshotRecord, Store, VersionRecord

BY = Provenance(by="a tester", at="2026-03-01T09:30:00Z", why="because")

INTRO = "The borough library lends books, films and tools to everybody who lives in the town.\n\n"
LOAN = "Members may keep a borrowed book for 21 days before it has to come back."
FINE = "Whoever returns it late pays a fine of 30 pence for each day of delay."
CARD = "A lost membership card is replaced at the front desk for five pounds."
HOURS = "The reading room opens at nine in the morning and closes at seven."
OUTRO = "\n\nQuestions are answered by telephone or by letter, whichever you prefer.\n"

LENDING = f"{INTRO}{LOAN} {FINE}\n\n{CARD}\n\n{HOURS}{OUTRO}"
"""A document of seven sentences."""

OTHER = (
    "Visitors park behind the building, where forty bays are marked in yellow.\n\n"
    "The cafe on the second floor serves soup, bread and tea until four.\n"
)
"""About nothing that is asked."""

ASKED = "How long may I keep a book?"


def span_of(text: str, passage: str, nth: int = 0) -> Span:
    at = -1
    for _ in range(nth + 1):
        at = text.index(passage, at + 1)
    return Span(at, at + len(passage))


def judgment(doc_id: str, text: str, passage: str, grade: int = 3, nth: int = 0, **more: Any) -> Judgment:
    """Of the passage where it stands in the text; `also`: further passages."""
    span = span_of(text, passage, nth)
    parts = [span_of(text, one) for one in more.pop("also", ())]
    also = tuple(Part(start=part.start, end=part.end, anchor=make_anchor(text, part)) for part in parts)
    place = {"start": span.start, "end": span.end, "anchor": make_anchor(text, span), "also": also}
    return Judgment.model_validate({"doc_id": doc_id, **place, "grade": grade, **more})


def coarse(doc_id: str, text: str, passage: str, chunk_id: str = "old-1", **more: Any) -> Judgment:
    """Of a whole old chunk."""
    return judgment(doc_id, text, passage, origin="chunk", chunk_id=chunk_id, **more)


def narrow(doc_id: str, text: str, passage: str, wide: str, **more: Any) -> Judgment:
    """Of a part of an old chunk."""
    start, end = span_of(text, wide)
    return coarse(doc_id, text, passage, wide=Range(start=start, end=end), **more)


def question(
    *labels: Judgment | ChunkLabel, query_id: str = "q1", answers: Sequence[str] = (), **more: Any
) -> JudgedQuestion:
    return JudgedQuestion(
        question=Question(query_id=query_id, text=more.pop("text", ASKED), reference_answers=tuple(answers)),
        judgments=tuple(label for label in labels if isinstance(label, Judgment)),
        chunk_labels=tuple(label for label in labels if isinstance(label, ChunkLabel)),
        **more,
    )


def decided_at(doc_id: str, text: str, passage: str, nth: int = 0) -> DecidedSpan:
    span = span_of(text, passage, nth)
    return DecidedSpan(doc_id=doc_id, start=span.start, end=span.end, anchor=make_anchor(text, span))


def decision(item: ReviewItem, action: Action, *spans: DecidedSpan, **more: Any) -> Decision:
    """`snapshot_digest` of the set's own corpus is "now" unless given."""
    values = {"snapshot_digest": "now", "provenance": BY, **more}
    return Decision(
        item=item.name,
        query_id=item.query_id,
        fact=item.fact,
        doc_id=spans[0].doc_id if spans else item.doc_id,
        reason=item.reason,
        asked=item.asked,
        action=action,
        spans=spans,
        **values,
    )


def put_snapshot(store: Store, name: str, documents: Mapping[str, str]) -> SnapshotRecord:
    with store.writing() as tx:
        return tx.put_snapshot([Document(*one) for one in documents.items()], name, None, BY)


def put_set(
    store: Store, snapshot: SnapshotRecord, *questions: JudgedQuestion, name: str = "faq", **terms: Any
) -> VersionRecord:
    """Its first version."""
    ordered = sorted(questions, key=lambda one: one.query_id)
    pinned = SetTerms(snapshot_digest=snapshot.digest, **terms)
    with store.writing() as tx:
        return tx.add_version(name, None, pinned, [one.body() for one in ordered], BY)


def put_chunking(
    store: Store, name: str, snapshot: SnapshotRecord, chunks: Mapping[str, Sequence[str]], unplaced: Sequence[str] = ()
) -> ChunkingRecord:
    """`chunks`: doc_id → texts of its chunks, each of which stands in the document once; ids are NAME-1, NAME-2, …
    `unplaced`: chunk ids whose place is not known.
    """
    number = 0
    texts = dict(store.texts(snapshot))
    with store.writing() as tx:
        writer = tx.add_chunking(name, snapshot, ChunkingConfig(), BY)
        for doc_id in sorted(chunks):
            placed = []
            for body in chunks[doc_id]:
                number += 1
                span = span_of(texts[doc_id], body)
                match = Match(span, Status.EXACT, True, True, 1.0, 1.0, (span,))
                if f"{name}-{number}" in unplaced:
                    match = Match(None, Status.AMBIGUOUS, False, rivals=(span, Span(0, span.length)), reason="repeated")
                placed.append(Chunk(f"{name}-{number}", doc_id, match, text_digest(body)))
            writer.add(doc_id, placed)
        return writer.finish()


def row(
    item: str | ReviewItem, action: str, *candidates: int, at: Sequence[tuple[int, int]] = (), **more: Any
) -> DecisionRow:
    """A decision as somebody types it."""
    name = item if isinstance(item, str) else item.name
    spans = tuple(DecidedRange(more.pop("doc_id", None) if len(at) == 1 else None, *one) for one in at)
    return DecisionRow(name, Action(action), candidates, spans, **more)


def the_question(store: Store, query_id: str = "q1", name: str = "faq") -> JudgedQuestion:
    """As the newest version has it."""
    eval_set = store.eval_set(store.find_version(name))
    return next(one for one in eval_set.questions if one.query_id == query_id)


def words_of(store: Store, label: Judgment, snapshot: SnapshotRecord) -> list[str]:
    """What stands where the label says."""
    text = store.text(snapshot, label.doc_id)
    return [span.of(text) for span in label.spans]
