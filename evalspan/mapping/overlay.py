"""The judgments of one document laid over the chunks of one document."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from evalspan.anchoring import Match, Status
from evalspan.mapping.evidence import Evidence, Held, taken_by_evidence, weighed
from evalspan.mapping.outcome import Bucket, Cover, Fit, Outcome, Place, Reason
from evalspan.spans import Span, merged
from evalspan.text import Ink


class Label(NamedTuple):
    """One judgment of a document, ready to be laid over its chunks."""

    query_id: str
    grade: int
    match: Match
    """Where the judged passage is."""
    chunk_id: str | None = None
    coarse: bool = False
    tabular: bool = False
    evidence: tuple[Evidence, ...] = ()
    """Where in a coarse passage the answer stands, as far as is known."""
    decides: bool = True
    """Whether the evidence says to which chunks the label goes, or only which candidate comes first."""
    wide: Span | None = None
    """The whole old chunk, where the passage was narrowed."""


class Piece(NamedTuple):
    """A chunk of the document at a place it has, or may have."""

    start: int
    end: int
    chunk_id: str
    certain: bool


def pieces_of(chunk_id: str, match: Match) -> list[Piece]:
    """Every place a chunk has; without a sure one, every place it may have."""
    certain = match.sure and match.same  # a chunk that says something else is not what the document holds
    return [Piece(*span, chunk_id, certain) for span in match.places]


Site = Sequence[tuple[Span, list[Piece]]]
"""A place of a passage: its spans, each with the chunks that share a code point with it, in the order of the text."""


class _Ground(NamedTuple):
    """What the labels of a document are laid over."""

    over: dict[Span, list[Piece]]
    """The pieces over each span that a label has or may have."""
    composites: dict[str, list[Span]]
    """The ground of each chunk that was joined from several pieces of the document."""
    ink: Ink


def lay_over(
    doc_id: str, text: str, labels: Sequence[Label], pieces: Sequence[Piece], min_overlap: float
) -> list[Outcome]:
    """One outcome per label, in their order. A pure function of one document: documents can be done anywhere."""
    pieces = sorted(pieces)
    reach = list(accumulate((piece.end for piece in pieces), max))
    over = {span: _overlapping(span, pieces, reach) for label in labels for span in _places(label.match)}
    composites = _composites(pieces)
    offsets = [offset for span in over for offset in span]
    for found in over.values():
        for piece in found:
            offsets += piece[:2]
    for mine in composites.values():
        for span in mine:
            offsets += span
    for label in labels:
        for start, end, _ in label.evidence:
            offsets += (start, end)
    ground = _Ground(over, composites, Ink(text, offsets))
    return [_outcome(doc_id, label, ground, min_overlap) for label in labels]


def _places(match: Match) -> Sequence[Span]:
    """The same ground for a passage in pieces, each code point once."""
    places = match.places
    return merged(places) if match.sure and len(places) > 1 else places


def _composites(pieces: Sequence[Piece]) -> dict[str, list[Span]]:
    certain = [piece for piece in pieces if piece.certain]
    if len({piece.chunk_id for piece in certain}) == len(certain):
        return {}
    spans: dict[str, list[Span]] = {}
    for start, end, chunk_id, _ in certain:
        spans.setdefault(chunk_id, []).append(Span(start, end))
    return {chunk_id: merged(mine) for chunk_id, mine in spans.items() if len(mine) > 1}


def _overlapping(span: Span, pieces: Sequence[Piece], reach: Sequence[int]) -> list[Piece]:
    """The pieces that share a code point with the span; `reach[i]` is the furthest end among the first i + 1."""
    start, end = span
    out = []
    for i in range(bisect_right(reach, start), len(pieces)):
        piece = pieces[i]
        if piece.start >= end:
            break
        if piece.end > start:
            out.append(piece)
    return out


def _outcome(doc_id: str, label: Label, ground: _Ground, min_overlap: float) -> Outcome:
    match = label.match
    needed = 1.0 if label.tabular else min_overlap
    places = _places(match)
    scattered = label.coarse and match.sure and len(places) > 1
    certain = match.sure and match.same and not scattered
    place = Place.CERTAIN if certain else Place.UNCERTAIN if places else Place.GONE
    site = [(span, ground.over[span]) for span in places]
    # Where it is certain, the passage is all its spans together; else it is at one of its places, each weighed alone.
    covers, union = _cover(site, ground) if match.sure else _best_covers(site, ground)
    if len(covers) > 1:
        covers.sort(key=_by_coverage)
    fit = _fit(covers, needed)
    certain_fit = fit if all(cover.certain for cover in covers) else _fit([c for c in covers if c.certain], needed)
    bucket, reason = _bucket(place, fit, certain_fit, label)
    taken = None
    if label.evidence and place is Place.CERTAIN and label.grade > 0 and covers:
        held = _held(label.evidence, site, ground, needed)
        covers = weighed(covers, held)
        if label.decides:
            taken = taken_by_evidence(covers, held)
            bucket, reason = _by_evidence(covers[:taken], needed, certain_fit, reason)
    if bucket is Bucket.CLEAN and label.grade > 0:
        fit = certain_fit
    return Outcome(
        label.query_id,
        label.chunk_id,
        label.grade,
        place,
        fit,
        bucket,
        reason,
        doc_id,
        match,
        label.coarse,
        needed,
        tuple(covers),
        union,
        label.wide,
        taken or None,
    )


def _held(evidence: Sequence[Evidence], site: Site, ground: _Ground, needed: float) -> Held:
    """The evidence that each chunk over the passage holds: `needed` of the range's non-blank characters."""
    before = ground.ink.before
    pieces = sorted({piece for _, over in site for piece in over}) if len(site) > 1 else site[0][1]
    held: dict[str, set[int]] = {}
    nowhere = 0.0
    for number, (start, end, weight) in enumerate(evidence):
        holders: list[str] = []
        shares: dict[str, int] = {}
        for low, high, chunk_id, _ in pieces:
            if low >= end:
                break
            if low <= start and end <= high:
                holders.append(chunk_id)
            elif high > start:
                shared = before[high if high < end else end] - before[low if low > start else start]
                shares[chunk_id] = shares.get(chunk_id, 0) + shared
        if shares:
            least = needed * (before[end] - before[start])
            holders += [chunk_id for chunk_id, shared in shares.items() if shared >= least]
        for chunk_id in holders:
            if chunk_id in held:
                held[chunk_id].add(number)
            else:
                held[chunk_id] = {number}
        if not holders:
            nowhere += weight
    weights = [weight for _, _, weight in evidence]
    return Held({chunk_id: sum([weights[number] for number in mine]) for chunk_id, mine in held.items()}, nowhere)


def _by_evidence(taken: Sequence[Cover], needed: float, fit: Fit, reason: Reason) -> tuple[Bucket, Reason]:
    """The bucket of a coarse label whose evidence is known; `fit` and `reason` are what coverage alone says."""
    plain = fit in (Fit.WHOLE, Fit.HELD)
    if not taken:
        return Bucket.AMBIGUOUS, Reason.EVIDENCE_ELSEWHERE if plain else reason
    if plain and any(cover.coverage >= needed for cover in taken):
        return Bucket.CLEAN, reason
    return Bucket.CLEAN, Reason.EVIDENCE_HELD


def _by_coverage(cover: Cover) -> float:
    return -cover.coverage


def _best_covers(places: Site, ground: _Ground) -> tuple[list[Cover], float]:
    """What each chunk holds of the passage at the place where it holds the most."""
    best: dict[str, Cover] = {}
    union = 0.0
    for one in places:
        covers, together = _cover([one], ground)
        union = max(union, together)
        for cover in covers:
            known = best.get(cover.chunk_id)
            if known is None or cover.coverage > known.coverage:
                best[cover.chunk_id] = cover
    return list(best.values()), union


def _cover(site: Site, ground: _Ground) -> tuple[list[Cover], float]:
    """What each chunk holds of the passage, in the order of the text, and what all hold together."""
    before = ground.ink.before
    held: dict[str, tuple[int, int, bool]] = {}
    size = together = 0
    for (start, end), pieces in site:
        size += before[end] - before[start]
        reached = start
        for piece_start, piece_end, chunk_id, certain in pieces:
            low = piece_start if piece_start > start else start
            high = piece_end if piece_end < end else end
            shared = before[high] - before[low]
            if shared:
                whole = before[piece_end] - before[piece_start]
                if chunk_id in held:
                    shared, whole = _again(held[chunk_id], shared, whole, certain)
                held[chunk_id] = shared, whole, certain
            if high > reached:
                together += before[high] - before[max(low, reached)]
                reached = high
    for chunk_id in held.keys() & ground.composites.keys():
        held[chunk_id] = (*_composite(site, ground, chunk_id), True)
    covers = [
        Cover(chunk_id, min(1.0, shared / size), min(1.0, shared / whole), certain)
        for chunk_id, (shared, whole, certain) in held.items()
    ]
    return covers, together / size if size else 0.0


def _again(known: tuple[int, int, bool], shared: int, whole: int, certain: bool) -> tuple[int, int]:
    """A chunk met a second time: over another span of the passage, or at another place that it may have."""
    if certain:
        return known[0] + shared, known[1]
    return max(known[:2], (shared, whole))


def _composite(site: Site, ground: _Ground, chunk_id: str) -> tuple[int, int]:
    """What a chunk of several pieces shares with the passage, and what it holds in all."""
    mine = ground.composites[chunk_id]
    shared = sum(ground.ink.between(*part) for span, _ in site for piece in mine if (part := piece.shared(span)))
    return shared, sum(ground.ink.between(*piece) for piece in mine)


def _fit(covers: list[Cover], needed: float) -> Fit:
    best = covers[0].coverage if covers else 0.0
    if best >= 1:
        return Fit.WHOLE
    if best >= needed:
        return Fit.HELD
    return Fit.CUT if covers else Fit.UNCOVERED


def _bucket(place: Place, fit: Fit, certain_fit: Fit, label: Label) -> tuple[Bucket, Reason]:
    """`fit` counts every chunk that may hold the passage, `certain_fit` only those whose own place is certain."""
    if place is Place.GONE:
        return Bucket.UNMAPPED, Reason.BLANK if label.match.reason == "blank" else Reason.NOT_FOUND
    if place is Place.UNCERTAIN and label.match.sure:
        return Bucket.AMBIGUOUS, Reason.SCATTERED if label.match.same else Reason.CHANGED
    if place is Place.UNCERTAIN:
        repeated = label.match.status is Status.AMBIGUOUS
        return Bucket.AMBIGUOUS, Reason.REPEATED if repeated else Reason.WEAK_MATCH
    if label.grade <= 0:
        return Bucket.CLEAN, Reason.NEGATIVE
    if fit is Fit.UNCOVERED:
        return Bucket.UNMAPPED, Reason.UNCOVERED
    if certain_fit in (Fit.WHOLE, Fit.HELD):
        return Bucket.CLEAN, Reason.WHOLE if certain_fit is Fit.WHOLE else Reason.HELD
    if fit in (Fit.WHOLE, Fit.HELD) or certain_fit is Fit.UNCOVERED:
        return Bucket.AMBIGUOUS, Reason.CHUNK_UNCERTAIN
    return Bucket.AMBIGUOUS, Reason.CUT
