"""The facts of many chunks, counted, and said so that a person can act on them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from evalspan.corpus.reported import ChunkFacts, Offset, Wording
from evalspan.text.units import Unit


class ReportedSummary(NamedTuple):
    """Counts over the chunks of one or more documents."""

    chunks: int
    sure: int
    """With a certain place."""
    offsets: Counter[Offset]
    units: Counter[Unit]
    """Of the starts that were found right."""
    wordings: Counter[Wording]
    repeated: int
    """Whose text stands in several places to the letter."""
    front: int
    """That have something in front."""
    behind: int

    def plus(self, other: "ReportedSummary") -> "ReportedSummary":
        """The counts of both together."""
        return ReportedSummary(
            chunks=self.chunks + other.chunks,
            sure=self.sure + other.sure,
            offsets=self.offsets + other.offsets,
            units=self.units + other.units,
            wordings=self.wordings + other.wordings,
            repeated=self.repeated + other.repeated,
            front=self.front + other.front,
            behind=self.behind + other.behind,
        )

    def as_json(self) -> dict[str, Any]:
        """Counts by their names; kinds that did not come are left out."""
        counts = {
            name: {key.value: count for key, count in sorted(value.items())} if isinstance(value, Counter) else value
            for name, value in self._asdict().items()
        }
        return {**counts, "said": list(self.sentences())}

    def sentences(self) -> Iterator[str]:
        """One each for what there is to know, the offsets first."""
        offsets = self.offsets
        given = self.chunks - offsets[Offset.ABSENT] - offsets[Offset.UNFOUND]
        if not given:
            yield f"no offsets are reported; {self.sure:,} of {self.chunks:,} places are certain"
        else:
            yield f"{offsets[Offset.RIGHT]:,} of {given:,} reported starts are right as they are"
        for kind, what in _SAID_OF_OFFSETS.items():
            if offsets[kind]:
                yield f"{offsets[kind]:,} {what}"
        for unit in (Unit.UTF8, Unit.UTF16):
            if self.units[unit]:
                yield f"{self.units[unit]:,} count {_NAMES[unit]}"
        if self.front:
            yield f"{self.front:,} {_chunks(self.front)} with text in front that is not of the passage"
        if self.behind:
            yield f"{self.behind:,} {_chunks(self.behind)} with text behind that is not of the passage"
        for wording, what in _SAID_OF_WORDINGS.items():
            if self.wordings[wording]:
                yield f"{self.wordings[wording]:,} {_chunks(self.wordings[wording])} {what}"
        lost = self.chunks - self.sure - self.wordings[Wording.ABSENT] - self.wordings[Wording.BLANK]
        if lost:
            yield f"{lost:,} {_chunks(lost)} may stand in several places, or not surely: no place is taken for them"


_NAMES = {Unit.UTF8: "UTF-8 bytes", Unit.UTF16: "UTF-16 units"}

_SAID_OF_OFFSETS = {
    Offset.TWIN: "point at another copy of the text",
    Offset.PARENT: "count from the start of their parent",
    Offset.SHIFTED: "are wrong by as much as a neighbour's: they count from a section or parent that is not here, "
    "or drifted",
    Offset.PART: "are right for a part of the text: it grew, and its range did not",
    Offset.END: "have the right start and another end",
    Offset.WRONG: "are wrong in every unit that a text can tell; if they count tokens, only the tokenizer can",
    Offset.OPEN: "have the text, which stands elsewhere too, and nothing decides",
    Offset.UNCHECKED: "can't be checked: the chunk has no certain place",
    Offset.UNFOUND: "are reported as not found",
}

_SAID_OF_WORDINGS = {
    Wording.JOINED: "put together from several passages",
    Wording.RERENDERED: "with other spacing, hyphenation, case or markup than the document",
    Wording.ALTERED: "with other characters than the document",
    Wording.ABSENT: "not found: made text (a summary), another document's, or another version's",
    Wording.BLANK: "without text",
}


def _chunks(count: int) -> str:
    return "chunk" if count == 1 else "chunks"


def summarise(facts: Iterable[ChunkFacts]) -> ReportedSummary:
    """The counts of a document's chunks, or of all."""
    facts = list(facts)
    return ReportedSummary(
        chunks=len(facts),
        sure=sum(one.match.sure for one in facts),
        offsets=Counter(one.offset for one in facts),
        units=Counter(one.unit for one in facts if one.unit is not None),
        wordings=Counter(one.wording for one in facts),
        repeated=sum(one.occurrences > 1 for one in facts),
        front=sum(bool(one.front.strip()) for one in facts),
        behind=sum(bool(one.behind.strip()) for one in facts),
    )
