"""What the guard judges by: what is known of a set, of its corpus, and of its mappings."""

from dataclasses import dataclass

from evalspan.corpus import EmbeddingConfig, SnapshotDiff
from evalspan.labels import SetTerms


@dataclass(frozen=True, slots=True)
class SetFacts:
    """What is known of the set."""

    label: str
    """As "faq@2"; for a set file, its path."""
    terms: SetTerms
    digest_holds: bool
    """Whether its content is what its digest says."""
    judgments: int
    chunk_labels: int
    snapshot: str
    """How the snapshot it pins is named."""
    lost: int = 0
    """Questions with a label that lost its place when the corpus changed, and waits for a person."""
    bereft: tuple[str, ...] = ()
    """query_ids of questions that lost their last relevant label: whatever a run returns for them, nothing counts."""
    newest: str = ""
    """The label of the version that has followed it: commands that name the set alone work on that."""
    file: bool = False
    """Whether it is a set file: nothing is known then but what stands in it."""

    @property
    def name(self) -> str:
        """What commands of the store call it."""
        return self.label if self.file else self.label.rpartition("@")[0]


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """How the set's snapshot and the index's differ, where both lists are known."""

    diff: SnapshotDiff
    """From the set's snapshot to the index's."""
    evidence: int
    """Documents in which the set's judgments stand."""
    evidence_same: int
    """Of these, those whose text is the same in both."""


@dataclass(frozen=True, slots=True)
class MappingFacts:
    """What the set was last mapped on."""

    chunking: str
    chunking_digest: str
    embedding: EmbeddingConfig | None
    waiting: int
    """Questions with a label that waits for a person."""
