"""How long chunks are, against how long the manifest says that they were to be."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from evalspan.corpus import ChunkingConfig
from evalspan.guard.verdict import Finding, Kind

LIMITS = ("chunk_size", "max_characters", "split_length", "size")
"""Parameters that say how long a chunk may be: of LangChain, LlamaIndex, chonkie and semchunk; of unstructured; of
Haystack; of the rest."""

UNITS = ("unit", "length_function", "split_by")
"""Parameters that say in what."""


class Unit(StrEnum):
    CHARACTERS = "characters"
    WORDS = "words"
    TOKENS = "tokens"
    UNKNOWN = "unknown"


_SPELT = {
    **dict.fromkeys(("character", "characters", "char", "chars", "code_points", "len"), Unit.CHARACTERS),
    **dict.fromkeys(("word", "words"), Unit.WORDS),
    **dict.fromkeys(("token", "tokens"), Unit.TOKENS),
}

MOST = 0.5
"""Share of chunks above the limit from which they contradict it. Splitters let a piece that they can't cut run over,
and headers are put in front afterwards: some are too long then, but not most."""


@dataclass(slots=True)
class Lengths:
    """Counts chunks that are longer than the configuration lets them be."""

    limit: int | None
    """None where the configuration sets none, or in a unit that chunks are not measured in here."""
    unit: Unit
    read: int = 0
    longer: int = 0
    """Longer for certain."""
    longer_in_characters: int = 0
    longest: int = 0
    """In the unit that counts."""

    @classmethod
    def of(cls, config: ChunkingConfig) -> Self:
        return cls(*_limit(config.parameters))

    def add(self, text: str) -> None:
        if self.limit is None:
            return
        # A word is a token or more: more words than the limit are too many in every unit.
        size = len(text) if self.unit is Unit.CHARACTERS else len(text.split())
        self.read += 1
        self.longer += size > self.limit
        self.longer_in_characters += len(text) > self.limit
        self.longest = max(self.longest, size)


def _limit(parameters: Mapping[str, Any]) -> tuple[int | None, Unit]:
    name = next((one for one in LIMITS if type(parameters.get(one)) is int and parameters[one] > 0), None)
    said = next((parameters[one] for one in UNITS if isinstance(parameters.get(one), str)), None)
    if name is None:
        return None, Unit.UNKNOWN
    if name == "max_characters":
        return parameters[name], Unit.CHARACTERS
    if said is None:
        return parameters[name], Unit.UNKNOWN
    unit = _SPELT.get(said.lower())
    return (None, Unit.UNKNOWN) if unit is None else (parameters[name], unit)


def lengths_finding(lengths: Lengths) -> list[Finding]:
    """Where most chunks are longer than they may be."""
    if lengths.longer <= MOST * lengths.read:
        return []
    what = "characters" if lengths.unit is Unit.CHARACTERS else "words"
    text = (
        f"{lengths.longer:,} of {lengths.read:,} chunks are longer than the {lengths.limit:,} that the manifest's "
        f"chunking lets them be; the longest has {lengths.longest:,} {what}. They were cut with another setting.\n"
        "Cut and ingest the documents anew, or write the manifest of the chunking that is in the index: "
        "evalspan manifest write CHUNKING --index INDEX"
    )
    return [Finding(Kind.INDEX_LENGTHS, text)]


def lengths_note(lengths: Lengths) -> list[str]:
    """Where they would be too long in characters, and nobody says whether characters are meant."""
    if lengths.unit is not Unit.UNKNOWN or lengths.longer_in_characters <= MOST * lengths.read:
        return []
    if lengths.longer > MOST * lengths.read:
        return []
    return [
        f"{lengths.longer_in_characters:,} of {lengths.read:,} chunks have more than {lengths.limit:,} characters. The "
        'manifest does not say what its chunking counts: put "unit": "characters" or "tokens" among its parameters.'
    ]
