"""What somebody types about an item of the review queue becomes a decision, or is refused with what would do."""

from collections.abc import Sequence
from typing import NoReturn

from evalspan.errors import BadInput, NotFound, Problem
from evalspan.formats.decisions import DecisionRow
from evalspan.labels import Action, DecidedSpan, Decision
from evalspan.labels.judgment import overlapping
from evalspan.migrator.review import STALE_ANSWER, ReviewItem
from evalspan.migrator.settle import decided_span
from evalspan.provenance import Provenance
from evalspan.spans import Span, merged
from evalspan.store import VersionRecord
from evalspan.workflows.queue import Queue
from evalspan.workflows.texts import Texts

SHORTEST = 4
"""Hex digits of an item's name that are taken for it: with fewer, a slip of the finger names another one."""

_NAMES_PLACES = frozenset({Action.ACCEPT, Action.SET, Action.NARROW, Action.WIDEN, Action.SPLIT, Action.MERGE})


def find_item(queue: Queue, name: str) -> ReviewItem:
    """By its name or the beginning of it. Raises BadInput."""
    found = [item for known, item in queue.by_name.items() if known.startswith(name) and len(name) >= SHORTEST]
    if len(found) == 1:
        return found[0]
    if found:
        what = f"this is the beginning of {len(found)} items; write more of it"
    else:
        version = queue.version
        what = f"{version.label} asks nothing of this name, or no more. Look: evalspan review {version.name} list"
    raise BadInput([Problem(f"item {name}", None, what)])


def decision_of(item: ReviewItem, row: DecisionRow, version: VersionRecord, texts: Texts) -> Decision:
    """Raises BadInput: no such candidate, a span outside its document, an action that does not fit."""
    if row.answer is not None and item.reason != STALE_ANSWER:
        _refuse(item, "asks about a passage, and no reference answer: an answer goes with set, where one is stale")
    digest = version.terms.snapshot_digest
    spans = _spans(item, row, texts, digest)
    if not spans and item.snapshot_digest == digest and item.ranges:
        spans = tuple(decided_span(item.doc_id, Span(*one), texts(item.doc_id, digest)) for one in item.ranges)
    return Decision(
        item=item.name,
        query_id=item.query_id,
        fact=item.fact,
        doc_id=spans[0].doc_id if spans else item.doc_id,
        reason=item.reason,
        asked=item.asked,
        action=row.action,
        spans=spans,
        chosen=_numbers(item, row) if row.action is Action.ACCEPT and item.reason != STALE_ANSWER else (),
        seen=item.seen,
        either=row.either,
        grade=row.grade,
        answer=row.answer,
        snapshot_digest=digest,
        provenance=Provenance.now(row.note, row.by or None),
    )


def _refuse(item: ReviewItem, what: str) -> NoReturn:
    raise BadInput([Problem(f"item {item.name}", None, what)])


def _spans(item: ReviewItem, row: DecisionRow, texts: Texts, digest: str) -> tuple[DecidedSpan, ...]:
    """Where the evidence stands; none for an action that names no place."""
    action = row.action
    if action not in _NAMES_PLACES or item.reason == STALE_ANSWER:
        if row.candidates or row.spans:
            _refuse(item, f"{action} takes neither a candidate nor a range here")
        return ()
    places = [(doc_id or item.doc_id, Span(start, end)) for doc_id, start, end in row.spans]
    if action is Action.ACCEPT:
        if places:
            _refuse(item, "accept takes candidates; a range goes with set")
        places = [(item.candidates[n - 1].doc_id, item.candidates[n - 1].span) for n in _numbers(item, row)]
    elif row.candidates:
        _refuse(item, f"{action} takes a range, --span START-END; a candidate goes with accept")
    elif not places:
        _refuse(item, f"{action} needs a range: --span START-END, or --span DOCUMENT:START-END")
    _require_apart(item, row, places)
    if action is Action.MERGE:
        places = _one_passage(item, places)
    spans = tuple(_proven(item, doc_id, span, texts, digest) for doc_id, span in places)
    _require_fit(item, action, spans, digest)
    return spans


def _require_apart(item: ReviewItem, row: DecisionRow, places: Sequence[tuple[str, Span]]) -> None:
    """Pieces that are all needed share no text, and no place is named twice."""
    number, place = next(((n, one) for n, one in enumerate(places) if one in places[:n]), (0, None))
    if place is not None:
        named = f"candidate {row.candidates[number]}" if row.candidates else f"{place[1].start}-{place[1].end}"
        _refuse(item, f"{named} is named twice")
    if row.either:
        return
    for doc_id in {doc_id for doc_id, _ in places}:
        two = overlapping(span for of, span in places if of == doc_id)
        if two is not None:
            (a, b), (c, d) = two
            what = f"{a}-{b} and {c}-{d} overlap, and pieces of one passage share no text"
            _refuse(item, f"{what}. Give one range for both; or, where either is enough, --either")


def _numbers(item: ReviewItem, row: DecisionRow) -> tuple[int, ...]:
    there = len(item.candidates)
    numbers = row.candidates or ((1,) if there == 1 else ())
    if item.reason == "chunk_uncertain":
        _refuse(
            item, "it is the new chunk whose place is not known: give its offset in the chunks' file, or set a span"
        )
    if not there:
        _refuse(item, "it has no candidate. Set its span, retire it, or defer")
    if not numbers:
        _refuse(item, f"accept which of its {there} candidates? Name one or more by number")
    for number in numbers:
        if not 1 <= number <= there:
            _refuse(item, f"it has no candidate {number}: there are {there}")
    return numbers


def _one_passage(item: ReviewItem, places: Sequence[tuple[str, Span]]) -> list[tuple[str, Span]]:
    """The passage that is asked about and the ranges it is merged with, each code point once."""
    spans = [*(Span(*one) for one in item.ranges), *(span for _, span in places)]
    return [(item.doc_id, span) for span in merged(spans)]


def _proven(item: ReviewItem, doc_id: str, span: Span, texts: Texts, digest: str) -> DecidedSpan:
    try:
        text = texts(doc_id, digest)
    except NotFound:
        _refuse(item, f"document {doc_id!r} is not in the set's snapshot")
    if not 0 <= span.start < span.end <= len(text):
        _refuse(item, f"{span.start}-{span.end} is no range of {doc_id!r}, which has {len(text):,} code points")
    if not span.of(text).strip():
        _refuse(item, f"{span.start}-{span.end} of {doc_id!r} holds white space only")
    return decided_span(doc_id, span, text)


def _require_fit(item: ReviewItem, action: Action, spans: Sequence[DecidedSpan], digest: str) -> None:
    """Narrow and split stay inside the passage, widen holds it; all three change it."""
    if action is Action.SPLIT and len(spans) < 2:
        _refuse(item, "split needs two ranges or more: --span START-END --span START-END")
    if action is Action.MERGE and any(span.doc_id != item.doc_id for span in spans):
        _refuse(item, "one passage stands in one document")
    if action not in (Action.NARROW, Action.WIDEN, Action.SPLIT):
        return
    asked = [Span(*one) for one in item.ranges] if item.snapshot_digest == digest else []
    asked = asked or [candidate.span for candidate in item.candidates]
    inside = all(span.doc_id == item.doc_id and any(span.span.inside(wide) for wide in asked) for span in spans)
    if action is not Action.WIDEN and not inside:
        _refuse(item, f"{action} takes {_RANGES[action]} inside the passage; for any other: set")
    if action is Action.WIDEN and not any(one.inside(span.span) for span in spans for one in asked):
        _refuse(item, "widen takes a range that holds the passage; for any other: set")
    if action is not Action.SPLIT and any(span.doc_id == item.doc_id and span.span in asked for span in spans):
        _refuse(item, f"that is the passage itself: nothing would change. If all of it is meant, set it; else {action}")


_RANGES = {Action.NARROW: "a range", Action.SPLIT: "ranges"}
