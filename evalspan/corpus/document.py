"""A document, and the exact content of a corpus: its snapshot."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from evalspan.digests import fingerprint, snapshot_digest, text_digest
from evalspan.value import Value


@dataclass(frozen=True, slots=True)
class Document:
    """One text of a corpus, exactly as read: UTF-8, no newline translation, no normalisation."""

    doc_id: str
    text: str
    version: str | None = None
    """The user's own label of the version, as "v3"."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """JSON values: effective dates, tenant, locale, what it supersedes."""

    def entry(self) -> "SnapshotEntry":
        digest = fingerprint(dict(self.metadata)) if self.metadata else None
        return SnapshotEntry(self.doc_id, text_digest(self.text), self.version, digest)


@dataclass(frozen=True, slots=True)
class SnapshotEntry:
    """One document of a snapshot, by its digests."""

    doc_id: str
    text_digest: str
    version: str | None = None
    metadata_digest: str | None = None
    """Of the metadata's canonical JSON; None where there is none."""


class Extractor(Value):
    """What made texts of the sources: a snapshot belongs to one."""

    name: str
    version: str = ""


@dataclass(frozen=True)
class Snapshot:
    """The exact content of a corpus, named by its digest."""

    entries: tuple[SnapshotEntry, ...]
    """In code-point order of doc_id."""
    extractor: Extractor | None = None

    @classmethod
    def of(cls, documents: Iterable[Document], extractor: Extractor | None = None) -> "Snapshot":
        """Of documents in any order."""
        entries = sorted((document.entry() for document in documents), key=lambda entry: entry.doc_id)
        return cls(tuple(entries), extractor)

    @cached_property
    def digest(self) -> str:
        """Over doc_ids and texts alone, so that anyone can compute it from the documents."""
        return snapshot_digest((entry.doc_id, entry.text_digest) for entry in self.entries)


@dataclass(frozen=True, slots=True)
class SnapshotDiff:
    """What it takes to get from one snapshot to another; doc_ids in code-point order."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    """Same doc_id, another text."""
    relabelled: tuple[str, ...]
    """Same text; version label or metadata differ."""
    same: int
    """How many texts are equal (the relabelled ones among them)."""

    @property
    def equal(self) -> bool:
        """Whether the texts are the same ones."""
        return not (self.added or self.removed or self.changed)


def difference(old: Snapshot, new: Snapshot) -> SnapshotDiff:
    """From `old` to `new`."""
    before = {entry.doc_id: entry for entry in old.entries}
    after = {entry.doc_id: entry for entry in new.entries}
    both = sorted(before.keys() & after.keys())
    changed = tuple(doc for doc in both if before[doc].text_digest != after[doc].text_digest)
    relabelled = tuple(
        doc for doc in both if before[doc] != after[doc] and before[doc].text_digest == after[doc].text_digest
    )
    return SnapshotDiff(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=changed,
        relabelled=relabelled,
        same=len(both) - len(changed),
    )
