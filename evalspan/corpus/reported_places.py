"""The places of chunks that report something: roots in the document, children in their parents' texts."""

from collections.abc import Sequence
from typing import NamedTuple

from evalspan import anchoring
from evalspan.anchoring import Match, Status
from evalspan.anchoring.search import occurrences
from evalspan.corpus.placing import RawChunk, place_chunks
from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.spans import Span
from evalspan.text.reading import squash

SHORT = 12
"""Non-blank characters below which a slice that a chunk's text ends with may be there by chance: a stop, a number."""

EDGE = 3
"""U+FFFD at an end that are taken off: a character cut between its bytes leaves three at most."""

_LOST = "\ufffd"


class Ground(NamedTuple):
    """The text in which a chunk was looked for."""

    text: str
    start: int | None
    """Where the parent that it is the text of begins in the document; None for the document itself."""


def place_reported(chunks: Sequence[ReportedChunk], text: str, ordered: bool) -> tuple[list[Ground], list[Match]]:
    """Where each chunk stands in the document, and in which text it was looked for."""
    whole = Ground(text, None)
    grounds, matches = [whole] * len(chunks), [_NOWHERE] * len(chunks)
    families = _families(chunks)
    waiting: list[tuple[int | None, Ground]] = [(None, whole)]
    while waiting:
        parent, ground = waiting.pop()
        members = families.pop(parent, [])
        placed = _place([chunks[i] for i in members], ground, ordered, known=parent is None or ground is not whole)
        for i, match in zip(members, placed, strict=True):
            if match.status is Status.MISSING and ground is not whole:  # its parent is the parent in name only
                (match,) = _place([chunks[i]], whole, ordered, known=False)
            else:
                grounds[i] = ground
            matches[i] = match
            if i in families:
                waiting.append((i, _ground(chunks[i], match, text) or whole))
    return grounds, matches


_NOWHERE = Match(None, Status.MISSING, sure=False, reason="its parents are each other's")


def _families(chunks: Sequence[ReportedChunk]) -> dict[int | None, list[int]]:
    """The numbers of a parent's children, by its number; under None those without a parent in the list."""
    numbers = {chunk.chunk_id: i for i, chunk in enumerate(chunks)}
    out: dict[int | None, list[int]] = {}
    for i, chunk in enumerate(chunks):
        parent = None if chunk.parent_id is None else numbers.get(chunk.parent_id)
        out.setdefault(None if parent == i else parent, []).append(i)
    return out


def _ground(parent: ReportedChunk, match: Match, text: str) -> Ground | None:
    """A parent's text is ground for its children where it stands surely and to the letter."""
    if match.sure and match.span is not None and match.span.of(text) == parent.text:
        return Ground(parent.text, match.span.start)
    return None


def _place(chunks: Sequence[ReportedChunk], ground: Ground, ordered: bool, known: bool) -> list[Match]:
    """`known`: they are all that was cut from the ground; else they are some of it, and no order helps."""
    cores = [_core(chunk, ground) for chunk in chunks]
    if known:
        names = _names(chunks, ordered)
        raw = [
            RawChunk(name, core, _start(chunk, core, ground))
            for name, core, chunk in zip(names, cores, chunks, strict=True)
        ]
        matches = place_chunks(raw, ground.text)
    else:
        matches = anchoring.locate_chunks(cores, ground.text, ordered=False)
    out = []
    for chunk, core, match in zip(chunks, cores, matches, strict=True):
        if core != chunk.text and match.status is Status.EXACT:
            match = match._replace(status=Status.EDITED)  # sure, and yet not what the chunk says to the letter
        out.append(_moved(match, ground.start or 0))
    return out


def _names(chunks: Sequence[ReportedChunk], ordered: bool) -> list[str]:
    """Ids that number the chunks where their order is known; else their own, or none."""
    order = _stated(chunks) or (range(len(chunks)) if ordered else None)
    if order is not None:
        return [str(number) for number in order]
    return [chunk.chunk_id if chunk.named else "" for chunk in chunks]


def _stated(chunks: Sequence[ReportedChunk]) -> list[int] | None:
    """The number of each chunk, where all of them are numbered or linked into one row."""
    numbers = [chunk.order for chunk in chunks if chunk.order is not None]
    if len(numbers) == len(chunks) == len(set(numbers)):
        return numbers
    by_id = {chunk.chunk_id: i for i, chunk in enumerate(chunks)}
    following: dict[int | None, int] = {}
    for i, chunk in enumerate(chunks):
        before = None if chunk.after is None else by_id.get(chunk.after)
        if before in following:  # two that begin a row, or that follow the same chunk
            return None
        following[before] = i
    out = [0] * len(chunks)
    at = following.pop(None, None)
    for number in range(len(chunks)):
        if at is None:
            return None
        out[at] = number
        at = following.pop(at, None)
    return out


def _core(chunk: ReportedChunk, ground: Ground) -> str:
    """The text without what was added to it, as far as that is known; the text itself where it stands as it is."""
    text = chunk.text
    if not text.strip():
        return text
    part = _part(chunk, ground)
    if text in ground.text and (
        part is None or any(part.inside(Span(at, at + len(text))) for at in _all(chunk, ground))
    ):
        return text
    known = [text[len(front) :].strip() for front in chunk.front if front.strip() and text.startswith(front)]
    reported = [] if part is None else [part.of(ground.text)]
    cores = (*reported, *known, _without_lost_edges(text))
    return next((core for core in cores if core.strip() and core in ground.text), text)


def _all(chunk: ReportedChunk, ground: Ground) -> list[int]:
    return occurrences(chunk.text, ground.text)


def _part(chunk: ReportedChunk, ground: Ground) -> Span | None:
    """The reported range, without blanks at its edges, where it is only the beginning or the end of the text: a table's
    row, whose head was put in front and stands elsewhere."""
    if chunk.start is None or chunk.end is None:
        return None
    for base in (0, ground.start or 0):
        start, end = chunk.start - base, chunk.end - base
        slice_ = ground.text[start:end] if 0 <= start < end else ""
        form = slice_.strip()
        if form and _is_telling(form, chunk.text.strip()):
            start += len(slice_) - len(slice_.lstrip())
            return Span(start, start + len(form))
    return None


def _is_telling(form: str, text: str) -> bool:
    """Whether a text begins or ends with it by more than chance: it is long, or whole lines."""
    size = len(form)
    if size >= len(text):
        return False
    long = len(squash(form)) >= SHORT
    return (text.endswith(form) and (long or text[-size - 1] == "\n")) or (
        text.startswith(form) and (long or text[size] == "\n")
    )


def _without_lost_edges(text: str) -> str:
    left = len(text) - len(text.lstrip(_LOST))
    right = len(text) - len(text.rstrip(_LOST))
    return text[min(left, EDGE) : len(text) - min(right, EDGE)]


def _start(chunk: ReportedChunk, core: str, ground: Ground) -> int | None:
    """The reported start as an offset of the ground, if it may be one."""
    start = chunk.start
    if start is None or ground.start is None or ground.text.startswith(core, start):
        return start
    return start - ground.start if start >= ground.start else start


def _moved(match: Match, by: int) -> Match:
    def move(span: Span) -> Span:
        return Span(span.start + by, span.end + by)

    if not by:
        return match
    return match._replace(
        span=match.span and move(match.span),
        pieces=tuple(map(move, match.pieces)),
        rivals=tuple(map(move, match.rivals)),
    )
