"""Matches, chunks and outcomes as columns and JSON, and back: what goes in comes out equal."""

import zlib
from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json, to_json

from evalspan.anchoring import Match, Status
from evalspan.corpus import Chunk
from evalspan.mapping import Bucket, Cover, Fit, Outcome, Place, Reason
from evalspan.spans import Span

NOWHERE = Span(-1, -1)

_STATUS = {status.value: status for status in Status}
_PLACE = {place.value: place for place in Place}
_FIT = {fit.value: fit for fit in Fit}
BUCKET = {bucket.value: bucket for bucket in Bucket}
REASON = {reason.value: reason for reason in Reason}


def _usual_pieces(match: Match) -> tuple[Span, ...]:
    """What `pieces` holds unless a passage was split: it is not stored then."""
    return (match.span,) if match.sure and match.span is not None else ()


def _spans(raw: Sequence[Sequence[int]]) -> tuple[Span, ...]:
    return tuple(Span(start, end) for start, end in raw)


def chunks_body(chunks: Sequence[Chunk]) -> bytes:
    """A document's chunks in columns: JSON, compressed. A chunk that stands exactly in one place, as nearly all do, has
    no more than its range; the matches of the others stand under their numbers.
    """
    ranges = [chunk.match.span or NOWHERE for chunk in chunks]
    odd = {i: _match_to_json(chunk.match) for i, chunk in enumerate(chunks) if chunk.match != _plain(ranges[i])}
    columns = {
        "ids": [chunk.chunk_id for chunk in chunks],
        "starts": [start for start, _ in ranges],
        "ends": [end for _, end in ranges],
        "digests": [chunk.text_digest for chunk in chunks],
        "odd": odd,
    }
    return zlib.compress(to_json(columns), 1)


def chunks_of_body(doc_id: str, body: bytes) -> list[Chunk]:
    """From such columns."""
    columns = from_json(zlib.decompress(body))
    odd = columns["odd"]
    out = []
    rows = zip(columns["ids"], columns["starts"], columns["ends"], columns["digests"], strict=True)
    for i, (chunk_id, start, end, digest) in enumerate(rows):
        match = _match_of_json(odd[str(i)]) if str(i) in odd else _plain(Span(start, end))
        out.append(Chunk(chunk_id, doc_id, match, digest))
    return out


def _plain(span: Span) -> Match:
    return Match(span, Status.EXACT, True, True, 1.0, 1.0, (span,))


def outcome_body(outcome: Outcome) -> str:
    """All of an outcome that has no column of its own. What came later is left out where it says nothing."""
    raw: dict[str, Any] = {
        "chunk_id": outcome.chunk_id,
        "grade": outcome.grade,
        "place": str(outcome.place),
        "fit": str(outcome.fit),
        "doc_id": outcome.doc_id,
        "match": _match_to_json(outcome.match),
        "coarse": outcome.coarse,
        "min_overlap": outcome.min_overlap,
        "covers": [cover if cover.evidence is not None else cover[:4] for cover in outcome.covers],
        "union_coverage": outcome.union_coverage,
    }
    if outcome.wide is not None:
        raw["wide"] = outcome.wide
    if outcome.taken is not None:
        raw["taken"] = outcome.taken
    return to_json(raw).decode("utf-8")


def outcome_of(query_id: str, bucket: str, reason: str, body: str) -> Outcome:
    raw = from_json(body)
    return Outcome(
        query_id=query_id,
        chunk_id=raw["chunk_id"],
        grade=raw["grade"],
        place=_PLACE[raw["place"]],
        fit=_FIT[raw["fit"]],
        bucket=BUCKET[bucket],
        reason=REASON[reason],
        doc_id=raw["doc_id"],
        match=_match_of_json(raw["match"]),
        coarse=raw["coarse"],
        min_overlap=raw["min_overlap"],
        covers=tuple(Cover(*cover) for cover in raw["covers"]),
        union_coverage=raw["union_coverage"],
        wide=Span(*raw["wide"]) if "wide" in raw else None,
        taken=raw.get("taken"),
    )


def _match_to_json(match: Match) -> dict[str, Any]:
    """Fields at their default are left out."""
    raw: dict[str, Any] = {"span": match.span, "status": str(match.status), "sure": match.sure}
    if not match.same:
        raw["same"] = False
    if match.score:
        raw["score"] = match.score
    if match.coverage:
        raw["coverage"] = match.coverage
    if match.pieces != _usual_pieces(match):
        raw["pieces"] = match.pieces
    if match.rivals:
        raw["rivals"] = match.rivals
    if match.reason:
        raw["reason"] = match.reason
    return raw


def _match_of_json(raw: dict[str, Any]) -> Match:
    span = None if raw["span"] is None else Span(*raw["span"])
    match = Match(
        span=span,
        status=_STATUS[raw["status"]],
        sure=raw["sure"],
        same=raw.get("same", True),
        score=raw.get("score", 0.0),
        coverage=raw.get("coverage", 0.0),
        rivals=_spans(raw.get("rivals", ())),
        reason=raw.get("reason", ""),
    )
    pieces = _spans(raw["pieces"]) if "pieces" in raw else _usual_pieces(match)
    return match._replace(pieces=pieces)
