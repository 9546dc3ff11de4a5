"""What was read back out of an index, held against what its manifest says: values in, findings out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from evalspan.anchoring import Status, locate_chunks
from evalspan.corpus import Manifest
from evalspan.guard.lengths import Lengths, lengths_finding, lengths_note
from evalspan.guard.verdict import NAMED, Finding, Kind
from evalspan.spans import Span
from evalspan.text.reading import squash

SHOWN = 60
"""Code points of a text or an id that a message quotes: enough to know it by."""


class Likeness(StrEnum):
    """A chunk's text against the document's, where the chunk stands."""

    EXACT = "exact"
    REFORMATTED = "reformatted"
    """The same characters in other white space, or found surely though not to the letter."""
    OTHER = "other"


class Place(NamedTuple):
    """Where a chunk's text stands in its document."""

    likeness: Likeness
    spans: tuple[Span, ...]
    """Every place that it has or may have."""
    sure: bool
    """Whether those are its place, and not several to choose from."""


def compare(text: str, passage: str) -> Likeness:
    """A chunk against what its document holds at the chunk's range."""
    if text == passage:
        return Likeness.EXACT
    return Likeness.REFORMATTED if squash(text) == squash(passage) else Likeness.OTHER


def find_place(text: str, document: str, start: int | None) -> Place:
    """Of a chunk that no chunking in the store knows; `start`: as the index reports it."""
    if not squash(text):
        return Place(Likeness.EXACT, (), False)  # nothing is said, so nothing is wrong
    [match] = locate_chunks([text], document, ordered=False)
    if not match.sure and start is not None and document.startswith(text, start):
        return Place(Likeness.EXACT, (Span(start, start + len(text)),), True)
    if match.status is Status.EXACT or (match.status is Status.AMBIGUOUS and text in document):
        return Place(Likeness.EXACT, match.places, match.sure)
    if match.sure and match.same:
        return Place(Likeness.REFORMATTED, match.places, True)
    return Place(Likeness.OTHER, (), False)


@dataclass(slots=True)
class Examples:
    """How many, and the first ones."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, one: str) -> None:
        self.count += 1
        if len(self.first) < NAMED:
            self.first.append(one)

    @property
    def lines(self) -> list[str]:
        rest = self.count - len(self.first)
        return [f"  {one}" for one in self.first] + ([f"  and {rest:,} more"] if rest else [])


@dataclass(slots=True)
class DeepFacts:
    """What was found while an index was read back."""

    held: int
    """Chunks that the index says it holds."""
    whole: bool
    """Whether all of them were read."""
    chunking: str | None
    """What the store calls the chunking that the manifest names; None: it does not know it."""
    lengths: Lengths
    read: int = 0
    exact: int = 0
    reformatted: int = 0
    textless: Examples = field(default_factory=Examples)
    """Chunks that the index keeps no text of."""
    wants_texts: bool = False
    """Whether the index is of a kind that has a place for texts, so that none there is a loss."""
    displaced: Examples = field(default_factory=Examples)
    """Chunks of the chunking that the index says are of another document."""
    same_names: bool = False
    """Whether the index calls any document as the snapshot does."""
    moved: int = 0
    """Chunks of the chunking that the index says begin elsewhere."""
    unplaced: int = 0
    """Chunks whose text could be held against nothing: their ids are not known, and they name no document."""
    unknown: Examples = field(default_factory=Examples)
    """Ids that the chunking does not hold."""
    missing: Examples = field(default_factory=Examples)
    """Ids that the chunking or the set's labels name, and the index does not hold."""
    foreign: Examples = field(default_factory=Examples)
    """Chunks of documents that the snapshot does not hold."""
    other: Examples = field(default_factory=Examples)
    """Chunks that say something else than their documents."""
    repeated: Examples = field(default_factory=Examples)
    """Chunks that are there more often than they were cut."""
    uncovered: Examples = field(default_factory=Examples)
    """Labelled passages that the index does not hold."""
    covers: bool = True
    """Whether it could be told which passages the index holds."""
    same_corpus: bool = True
    """Whether the set is about the index's corpus: its passages are ranges of that alone."""
    texts: bool = True
    """Whether the documents' texts were at hand."""
    others: tuple[tuple[str, int], ...] = ()
    """Chunkings of the store that strange chunks belong to, and how many of them."""
    digest_holds: bool | None = None
    """Whether the digest over the chunks is the manifest's; None where it could not be taken."""


class DeepCheck(NamedTuple):
    """What reading the index back says."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]


def judge_deep(facts: DeepFacts, manifest: Manifest) -> DeepCheck:
    """Each finding refuses; what could not be checked is said in a note."""
    findings = [
        *_count(facts, manifest),
        *_strange(facts),
        *_listed(
            facts.missing,
            Kind.INDEX_IDS,
            "chunk that should be in the index is not there",
            "chunks that should be in the index are not there",
        ),
        *_listed(
            facts.foreign,
            Kind.INDEX_DOCUMENTS,
            "chunk is of a document that the snapshot does not hold",
            "chunks are of documents that the snapshot does not hold",
        ),
        *_displaced(facts),
        *_textless(facts),
        *_listed(
            facts.other,
            Kind.INDEX_TEXTS,
            "chunk says something else than its document",
            "chunks say something else than their documents",
            () if facts.unknown.count else _whose(facts),
        ),
        *_listed(
            facts.repeated,
            Kind.INDEX_DUPLICATES,
            "chunk is there more often than it was cut",
            "chunks are there more often than they were cut",
        ),
        *lengths_finding(facts.lengths),
        *_digest(facts),
        *_listed(
            facts.uncovered,
            Kind.UNCOVERED,
            "labelled passage is not in the index",
            "labelled passages are not in the index",
        ),
    ]
    return DeepCheck(tuple(findings), tuple(_notes(facts)))


_ANEW = (
    "Build the index anew and write its manifest then (evalspan manifest write CHUNKING --index INDEX), or go on "
    "knowingly: --override REASON"
)


def _listed(examples: Examples, kind: Kind, one: str, several: str, more: Sequence[str] = ()) -> list[Finding]:
    if not examples.count:
        return []
    head = f"{examples.count:,} {one if examples.count == 1 else several}:"
    return [Finding(kind, "\n".join([head, *examples.lines, *more, _ANEW]))]


def _count(facts: DeepFacts, manifest: Manifest) -> list[Finding]:
    if facts.held == manifest.chunks:
        return []
    text = f"The index holds {facts.held:,} chunks, and its manifest says {manifest.chunks:,}"
    times, rest = divmod(facts.held, manifest.chunks) if manifest.chunks else (0, 1)
    text += f": {times} times as many, as after a second ingest." if times > 1 and not rest else "."
    return [Finding(Kind.INDEX_COUNT, f"{text}\n{_ANEW}")]


def _strange(facts: DeepFacts) -> list[Finding]:
    if not facts.unknown.count:
        return []
    all_of_them = facts.unknown.count == facts.read
    count = "None" if all_of_them else f"{facts.unknown.count:,}"
    verb = "is known" if all_of_them else "is not known" if facts.unknown.count == 1 else "are not known"
    lines = [f"{count} of the ids read back {verb} to chunking {facts.chunking}, which the manifest names:"]
    lines += facts.unknown.lines
    return [Finding(Kind.INDEX_IDS, "\n".join([*lines, *_whose(facts), _ANEW]))]


def _whose(facts: DeepFacts) -> list[str]:
    return [f"{count:,} of the strange chunks are those of chunking {name}." for name, count in facts.others]


def _displaced(facts: DeepFacts) -> list[Finding]:
    """Not where the index has other names for all documents: paths, or ids of its library."""
    if not facts.same_names:
        return []
    return _listed(
        facts.displaced,
        Kind.INDEX_DOCUMENTS,
        "chunk is of another document than the index says",
        "chunks are of other documents than the index says",
    )


def _textless(facts: DeepFacts) -> list[Finding]:
    """Where other chunks have texts, or the index has a place for them: what is searched there is not the chunking."""
    if facts.textless.count == facts.read and not facts.wants_texts:
        return []
    return _listed(
        facts.textless, Kind.INDEX_TEXTS, "chunk has no text in the index", "chunks have no texts in the index"
    )


def _digest(facts: DeepFacts) -> list[Finding]:
    if facts.digest_holds is not False:
        return []
    text = "The digest over the ranges and texts of all chunks is not the manifest's: the index was cut otherwise."
    return [Finding(Kind.INDEX_DIGEST, f"{text}\n{_ANEW}")]


def _notes(facts: DeepFacts) -> list[str]:
    whole = "all" if facts.whole else f"{facts.read:,} of"
    out = [
        f"read back {whole} {facts.held:,} chunks: {facts.exact:,} as their documents have them, "
        f"{facts.reformatted:,} reformatted, {facts.other.count:,} otherwise."
    ]
    if facts.textless.count:
        out.append(f"the index keeps no text of {facts.textless.count:,} chunks: their ids alone were checked.")
    if facts.displaced.count and not facts.same_names:
        out.append(
            f"the index names its documents otherwise than the snapshot ({facts.displaced.first[0]}): they were not "
            "compared."
        )
    if facts.moved:
        out.append(
            f"{facts.moved:,} chunks begin elsewhere in their documents than the index says: in other units, perhaps."
        )
    if facts.unplaced:
        out.append(f"{facts.unplaced:,} chunks name no document: their texts were held against nothing.")
    if not facts.texts:
        out.append("the corpus of the index is not in this store: no text was checked.")
    if facts.chunking is None:
        out.append("no chunking of this store is the manifest's: ids were not checked. Add it: evalspan chunking add")
    if facts.whole and facts.chunking is None and facts.digest_holds is None:
        out.append("the digest over the chunks was not taken: the place of some of them is not certain.")
    if not facts.same_corpus:
        out.append("the set is about another corpus: whether the index holds its passages was not checked.")
    elif not facts.covers:
        out.append("whether the index holds every labelled passage takes all its chunks: --sample all")
    return [*out, *lengths_note(facts.lengths)]


def quoted(text: str) -> str:
    """As an example shows it."""
    short = " ".join(text.split())
    return repr(short if len(short) <= SHOWN else short[:SHOWN] + "…")


def named(chunk_id: str) -> str:
    """An id may be 10 kB long."""
    return chunk_id if len(chunk_id) <= SHOWN and chunk_id.isprintable() else quoted(chunk_id)
