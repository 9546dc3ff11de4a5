"""What the store says it holds: one record per thing that was appended."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalspan.corpus import ChunkingConfig, EmbeddingConfig, Extractor, Placed
from evalspan.labels import Decision, SetTerms
from evalspan.mapping import Tally
from evalspan.provenance import Provenance
from evalspan.scoring.figures import Figure


@dataclass(frozen=True, slots=True)
class SnapshotRecord:
    id: int
    name: str | None
    digest: str
    documents: int
    extractor: Extractor | None
    provenance: Provenance

    @property
    def label(self) -> str:
        """How the command line names it: by its name, else by the start of its digest."""
        return self.name or self.digest[:12]


@dataclass(frozen=True, slots=True)
class ChunkingRecord:
    id: int
    name: str
    snapshot: SnapshotRecord
    config: ChunkingConfig
    digest: str
    identity: str
    """Over chunk ids too: what labels that name chunks are held against."""
    placed: Placed
    provenance: Provenance

    @property
    def chunks(self) -> int:
        return self.placed.total


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """One version of an eval set."""

    id: int
    name: str
    number: int
    parent: int | None
    terms: SetTerms
    digest: str
    questions: int
    judgments: int
    chunk_labels: int
    provenance: Provenance
    pending: int = 0
    """Labels that lost their place when the corpus changed."""
    restores: int | None = None
    """The number of the version that it is equal to, where it undoes those between."""

    @property
    def label(self) -> str:
        return f"{self.name}@{self.number}"


@dataclass(frozen=True, slots=True)
class MappingRecord:
    id: int
    version: VersionRecord
    chunking: ChunkingRecord
    embedding: EmbeddingConfig | None
    min_overlap: float
    tally: Tally
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """What somebody decided about a set."""

    id: int
    name: str
    """Of the set."""
    decision: Decision
    versions: tuple[int, ...]
    """Numbers of the versions that it was applied in, ascending; none: it is not applied yet."""


@dataclass(frozen=True, slots=True)
class OverrideRecord:
    """Somebody went on although the guard said no."""

    id: int
    version: VersionRecord
    manifest: str
    """The index's manifest, as JSON."""
    refusal: str
    """What the guard said."""
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class StoreInfo:
    address: str
    """Without a password."""
    revision: str
    snapshots: int
    chunkings: int
    eval_sets: int
    versions: int
    mappings: int
    decisions: int
    scores: int
    overrides: int
    texts: int
    text_bytes: int
    """UTF-8, each text once."""
    stored_bytes: int
    """The same, compressed."""


@dataclass(frozen=True, slots=True)
class ScoreRecord:
    """What a run scored under a mapping."""

    id: int
    mapping: MappingRecord
    """Of the set's version, on the chunking of the index, with its embedding."""
    run: str
    """Its name."""
    run_digest: str
    min_overlap: float
    pipeline: Mapping[str, Any]
    """stage → its configuration."""
    code_version: str
    """As the caller gave it."""
    waiting: int
    """Labels that nobody had decided."""
    figures: Mapping[str, Figure]
    """measure → its mean."""
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class BridgeRecord:
    """Two scores of one set version, taken together: the only link across a break."""

    old: int
    """Ids of scores."""
    new: int
    provenance: Provenance
