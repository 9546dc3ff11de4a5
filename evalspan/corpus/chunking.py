"""One cut of one snapshot into chunks, and the configuration that made it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import Field

from evalspan.anchoring import Match, Status
from evalspan.digests import ArrayDigest, fingerprint
from evalspan.spans import Span
from evalspan.value import Value


class ChunkingConfig(Value):
    """How texts were cut."""

    splitter: str = "unknown"
    """As in "langchain.RecursiveCharacterTextSplitter"."""
    version: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """JSON values, as {"chunk_size": 400, "chunk_overlap": 0}."""

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.model_dump(mode="json"))


class EmbeddingConfig(Value):
    """How chunks were embedded."""

    model: str
    version: str = ""
    dimensions: int | None = None
    normalised: bool | None = None
    prefixes: dict[str, str] = Field(default_factory=dict)
    """What is put in front of a text, by its role, as {"query": "query: ", "passage": "passage: "}."""

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.model_dump(mode="json"))


class Chunk(NamedTuple):
    """A piece of a document."""

    chunk_id: str
    doc_id: str
    match: Match
    """Its place in the document: `match.span` is certain only where `match.sure`."""
    text_digest: str
    """Of the chunk's own text, which need not be a slice of the document."""

    @property
    def span(self) -> Span | None:
        """The place, if it is certain, and the document says there what the chunk says."""
        return self.match.span if self.match.sure and self.match.same else None


@dataclass(frozen=True, slots=True)
class Chunking:
    """Chunk id → span, for one snapshot."""

    name: str
    snapshot_digest: str
    config: ChunkingConfig
    chunks: tuple[Chunk, ...]

    @property
    def digest(self) -> str:
        return chunks_digest(self.chunks)


def chunks_digest(chunks: Iterable[Chunk]) -> str:
    """Over ranges and texts: the JSON array `[[doc_id, start, end, text_digest], …]`, ascending, no spaces.

    A chunk without a certain place has -1 for both ends.
    """
    rows = sorted((chunk.doc_id, *(chunk.span or (-1, -1)), chunk.text_digest) for chunk in chunks)
    digest = ArrayDigest()
    for row in rows:
        digest.add(row)
    return digest.hexdigest()


class Placed(NamedTuple):
    """How the chunks of a chunking found their places."""

    exact: int
    reformatted: int
    """Found surely, though not to the letter: other spacing, case or markup, slips, text put in front."""
    repeated: int
    """Several places fit, and neither order nor offset decides."""
    missing: int

    @property
    def total(self) -> int:
        return sum(self)

    def plus(self, other: "Placed") -> "Placed":
        """The counts of both together."""
        return Placed(*(a + b for a, b in zip(self, other, strict=True)))


def count_placed(matches: Sequence[Match]) -> Placed:
    """`matches` of a document or of a whole corpus."""
    exact = sum(match.sure and match.status is Status.EXACT for match in matches)
    sure = sum(match.sure for match in matches)
    missing = sum(match.status is Status.MISSING for match in matches)
    return Placed(exact, sure - exact, len(matches) - sure - missing, missing)
