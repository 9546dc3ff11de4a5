"""Decisions that last: what was decided once is applied again wherever the same is asked."""

from collections.abc import Iterable
from typing import NamedTuple

from evalspan.anchoring import make_anchor, relocate
from evalspan.errors import NotFound
from evalspan.labels import Action, DecidedSpan, Decision, DecisionKey
from evalspan.labels.judgment import overlapping
from evalspan.migrator.review import ReviewItem, TextOf
from evalspan.spans import Span

_WHERE = frozenset({"cut", "evidence_elsewhere", "narrowing", "uncovered"})
"""Reasons that ask one question: where in this old chunk is the evidence?"""

_PLACES = frozenset({Action.ACCEPT, Action.SET, Action.NARROW, Action.WIDEN, Action.SPLIT})
"""Actions that say where the evidence stands."""


class Answer(NamedTuple):
    """A decision that answers an item."""

    given: Decision
    """As it was decided."""
    here: Decision
    """The same of the snapshot at hand: with its ranges there, where it names places; without any, where not."""


class Settled:
    """The decisions of a set that are in force."""

    def __init__(self, decisions: Iterable[Decision], text_of: TextOf) -> None:
        """Oldest first: the last word counts."""
        self._text_of = text_of
        self._by_question: dict[tuple[str, str], list[Decision]] = {}
        for decision in decisions:
            self._by_question.setdefault((decision.query_id, decision.fact), []).append(decision)

    def __bool__(self) -> bool:
        return bool(self._by_question)

    def find(self, item: ReviewItem, snapshot_digest: str) -> Answer | None:
        """The decision that answers the item, where its evidence surely stands in the snapshot now; else None.

        Of those about the same passage the last word counts, also where it can't be applied here.
        """
        for decision in reversed(self._by_question.get((item.query_id, item.fact), [])):
            if not _same_question(decision, item):
                continue
            same = decision.item == _named(item, decision.reason)
            if decision.action in _PLACES:
                spans = carried_spans(decision, snapshot_digest, self._text_of)
                if spans and (same or (item.snapshot_digest == snapshot_digest and _inside(spans, item))):
                    return Answer(decision, _here(decision, snapshot_digest, spans))
                if same:
                    return None
            elif same:
                return Answer(decision, _here(decision, snapshot_digest, ()))
        return None


def _named(item: ReviewItem, reason: str) -> str:
    """The name that the item has where it is asked for that reason."""
    return DecisionKey(item.query_id, item.fact, item.doc_id, item.asked, reason).name


def carried_spans(decision: Decision, snapshot_digest: str, text_of: TextOf) -> tuple[DecidedSpan, ...]:
    """Its spans in the snapshot; none where one of them has no sure place, says something else there, or lies over
    another one.
    """
    if decision.snapshot_digest == snapshot_digest:
        return decision.spans
    out = []
    for span in decision.spans:
        try:
            old = text_of(span.doc_id, decision.snapshot_digest)
            new = text_of(span.doc_id, snapshot_digest)
        except NotFound:
            return ()
        match = relocate([span.span], old, new)[0]
        if not (match.sure and match.same and match.span and len(match.places) == 1):
            return ()
        out.append(decided_span(span.doc_id, match.span, new))
    if decision.either:
        return tuple(dict.fromkeys(out))  # of two copies one may be left
    return () if _overlap(out) else tuple(out)


def _overlap(spans: Iterable[DecidedSpan]) -> bool:
    by_document: dict[str, list[Span]] = {}
    for one in spans:
        by_document.setdefault(one.doc_id, []).append(one.span)
    return any(overlapping(mine) for mine in by_document.values())


def decided_span(doc_id: str, span: Span, text: str) -> DecidedSpan:
    return DecidedSpan(doc_id=doc_id, start=span.start, end=span.end, anchor=make_anchor(text, span))


def _here(decision: Decision, snapshot_digest: str, spans: tuple[DecidedSpan, ...]) -> Decision:
    return decision.model_copy(update={"spans": spans, "snapshot_digest": snapshot_digest})


def _same_question(decision: Decision, item: ReviewItem) -> bool:
    if decision.action in (Action.DEFER, Action.MERGE):
        return False
    if decision.reason == item.reason:
        return True
    # That no part that was offered is right says nothing about where the evidence is.
    return decision.reason in _WHERE and item.reason in _WHERE and decision.action is not Action.REJECT


def _inside(spans: Iterable[DecidedSpan], item: ReviewItem) -> bool:
    """Whether what was decided lies within what is asked about: the wide chunk around it may be another one now."""
    return all(
        span.doc_id == item.doc_id and any(start <= span.start and span.end <= end for start, end in item.ranges)
        for span in spans
    )
