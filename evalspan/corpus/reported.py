"""What chunks report of themselves, held against their document: per chunk four facts, and a place that needs no trust.

The facts: is there an offset, and what does it count; is the slice there the chunk's text; how often does the text
stand in the document; and is the text a slice, a slice with something added, or another rendering. They are kept apart,
since none implies another: a slice may be equal at the wrong copy, and an offset may be right for text that grew.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from evalspan.anchoring import Match, Status
from evalspan.anchoring.search import occurrences
from evalspan.corpus.reported_chunk import ReportedChunk
from evalspan.corpus.reported_places import Ground, place_reported
from evalspan.text.units import Unit, find_code_points


class Offset(StrEnum):
    """What a reported start turned out to be."""

    ABSENT = "absent"
    UNFOUND = "unfound"
    """The producer says that it did not find the chunk (-1; AutoRAG's 0, 0)."""
    RIGHT = "right"
    """Code points from the document's start, as are ours."""
    UNIT = "unit"
    """Right in another unit."""
    PARENT = "parent"
    """Right, counted from the start of the parent, which is known."""
    END = "end"
    """The start is right; the end is another one."""
    PART = "part"
    """Right for a part of the text: it grew (table head, overlap) and its range did not."""
    TWIN = "twin"
    """The text stands there, but the chunk is another copy of it."""
    SHIFTED = "shifted"
    """Wrong by as much as a neighbour's: counted from a section or a parent that is not in the list, or drifted."""
    WRONG = "wrong"
    """In no unit that a text can tell."""
    OPEN = "open"
    """The text stands there and elsewhere, and nothing decides."""
    UNCHECKED = "unchecked"
    """The chunk has no certain place to hold it against."""


class Wording(StrEnum):
    """How a chunk's text relates to the document."""

    VERBATIM = "verbatim"
    EXTRA = "extra"
    """A slice with something in front or behind that is not of it."""
    JOINED = "joined"
    """Put together from several slices."""
    RERENDERED = "rerendered"
    """Other spacing, hyphenation, case or markup."""
    ALTERED = "altered"
    """Other characters too."""
    UNCERTAIN = "uncertain"
    """Like something in the document, not surely."""
    ABSENT = "absent"
    BLANK = "blank"


class ChunkFacts(NamedTuple):
    """Of one chunk."""

    chunk: ReportedChunk
    match: Match
    """Its place, with a range of code points of the document."""
    offset: Offset
    unit: Unit | None
    """What a start that was found right counts, from the document's start or the parent's."""
    off_by: int | None
    """The true start less the reported one, in code points; None where there is nothing to compare."""
    slice_equal: bool | None
    """Whether the document has the text at the reported range, read as code points; None without a start."""
    occurrences: int
    """Places where the text stands to the letter, overlapping ones too (1,000 are counted at most)."""
    wording: Wording
    front: str
    """What is in front of the slice, where the wording is extra."""
    behind: str


def check_reported(chunks: Sequence[ReportedChunk], text: str, *, ordered: bool = False) -> list[ChunkFacts]:
    """The facts of a document's chunks, in the order given.

    `ordered`: the list is in the order in which a splitter gave it. Otherwise only an order that the chunks state
    themselves is used, or one that their places confirm. A token offset can't be resolved without its tokenizer: it is
    told as wrong.
    """
    grounds, matches = place_reported(chunks, text, ordered)
    read = _readings(chunks, text)
    facts = [_facts(*each, text, read) for each in zip(chunks, grounds, matches, strict=True)]
    return _with_shifts(_in_one_unit(facts, read))


Read = dict[Unit, dict[int, int | None]]
"""Every reported offset read in each unit: as code points, or None where it is no place of the document."""


def _readings(chunks: Sequence[ReportedChunk], text: str) -> Read:
    """All at once: each reading passes through the whole text."""
    asked = sorted({at for chunk in chunks for at in (chunk.start, chunk.end) if at is not None})
    return {unit: dict(zip(asked, find_code_points(asked, text, unit), strict=True)) for unit in Unit}


def _facts(chunk: ReportedChunk, ground: Ground, match: Match, text: str, read: Read) -> ChunkFacts:
    start = chunk.start
    end = None if start is None else start + len(chunk.text) if chunk.end is None else chunk.end
    equal = None if start is None or end is None else start >= 0 and text[start:end] == chunk.text
    count = len(occurrences(chunk.text, text)) if chunk.text.strip() else 0
    wording, front, behind = _wording(chunk, match, count, text)
    offset, unit = _offset(chunk, ground, match, wording, bool(equal), text, read)
    known = match.span.start if match.sure and match.span else None
    off_by = None if known is None or start is None else known - start
    return ChunkFacts(chunk, match, offset, unit, off_by, equal, count, wording, front, behind)


def _wording(chunk: ReportedChunk, match: Match, count: int, text: str) -> tuple[Wording, str, str]:
    if not chunk.text.strip():
        return Wording.BLANK, "", ""
    certain = match.span if match.sure else None
    if count and (certain is None or certain.of(text) == chunk.text):
        return Wording.VERBATIM, "", ""
    if match.status is Status.MISSING:
        return Wording.ABSENT, "", ""
    if match.span is None or not match.sure:
        return Wording.UNCERTAIN, "", ""
    if len(match.pieces) > 1:
        return Wording.JOINED, "", ""
    front, found, behind = chunk.text.partition(match.span.of(text).strip())
    if found:
        return Wording.EXTRA, front, behind
    return (Wording.RERENDERED if match.status is Status.REFORMATTED else Wording.ALTERED), "", ""


def _offset(
    chunk: ReportedChunk, ground: Ground, match: Match, wording: Wording, equal: bool, text: str, read: Read
) -> tuple[Offset, Unit | None]:
    start = chunk.start
    if start is None:
        return (Offset.UNFOUND if chunk.unfound else Offset.ABSENT), None
    if not match.sure or match.span is None:
        return (Offset.OPEN if equal and wording is not Wording.BLANK else Offset.UNCHECKED), None
    fitting = [unit for unit in Unit if read[unit][start] == match.span.start]
    for unit in fitting:
        if _end_fits(chunk, match.span.end, wording, read[unit]):
            return (Offset.RIGHT if unit is Unit.CODE_POINT else Offset.UNIT), unit
    if fitting:
        return Offset.END, fitting[0]
    if ground.start is not None:
        for unit in Unit:
            if find_code_points([start], ground.text, unit) == [match.span.start - ground.start]:
                return Offset.PARENT, unit
    if _is_part(chunk, start, match, text):
        return Offset.PART, Unit.CODE_POINT
    return (Offset.TWIN if equal else Offset.WRONG), None


def _end_fits(chunk: ReportedChunk, end: int, wording: Wording, read: dict[int, int | None]) -> bool:
    if chunk.end is None or wording is not Wording.VERBATIM:  # else the end may be the one of what was added to
        return True
    return read[chunk.end] == end


def _is_part(chunk: ReportedChunk, start: int, match: Match, text: str) -> bool:
    span = match.span
    if chunk.end is None or span is None or not span.start <= start < chunk.end:
        return False
    part = text[start : chunk.end].rstrip()
    inside = start + len(part) <= span.end
    part = part.lstrip()
    return inside and bool(part) and (chunk.text.rstrip().endswith(part) or chunk.text.lstrip().startswith(part))


def _in_one_unit(facts: list[ChunkFacts], read: Read) -> list[ChunkFacts]:
    """Before a document's first wide character all units agree; then it is the one that the others count."""
    units = [one.unit for one in facts if one.offset is Offset.UNIT]
    if not units:
        return facts
    told = max(Unit, key=units.count)
    right = [i for i, one in enumerate(facts) if one.offset is Offset.RIGHT]
    starts = {i: facts[i].chunk.start for i in right}
    agreeing = {i for i, start in starts.items() if start is not None and read[told][start] == start}
    if units.count(told) + len(agreeing) <= len(right):
        return facts
    return [one._replace(offset=Offset.UNIT, unit=told) if i in agreeing else one for i, one in enumerate(facts)]


def _with_shifts(facts: list[ChunkFacts]) -> list[ChunkFacts]:
    """One offset is wrong by any amount; two neighbours that are wrong by the same are not so by chance."""
    out = list(facts)
    for i, one in enumerate(facts):
        near = [facts[k] for k in (i - 1, i + 1) if 0 <= k < len(facts)]
        if one.offset is Offset.WRONG and any(
            other.offset is Offset.WRONG and other.off_by == one.off_by for other in near
        ):
            out[i] = one._replace(offset=Offset.SHIFTED)
    return out
