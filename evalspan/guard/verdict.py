"""The verdict over a set and an index's manifest: values in, a value out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from evalspan.corpus import EmbeddingConfig, Manifest
from evalspan.errors import CannotTell
from evalspan.guard.facts import CorpusFacts, MappingFacts, SetFacts
from evalspan.labels import LABEL_SCHEMA
from evalspan.provenance import Provenance

NAMED = 10
"""Documents of a kind, or questions, that the text names; the JSON form names all documents."""


class Kind(StrEnum):
    """What a refusal is about."""

    SET_DAMAGED = "set_damaged"
    """The set's content is not what its digest says. No override covers this."""
    CORPUS = "corpus"
    CHUNK_LABELS = "chunk_labels"
    WAITING = "waiting"
    INDEX_COUNT = "index_count"
    """This and the following: the index does not hold what its manifest says; found by reading its chunks back."""
    INDEX_IDS = "index_ids"
    INDEX_DOCUMENTS = "index_documents"
    INDEX_TEXTS = "index_texts"
    INDEX_DUPLICATES = "index_duplicates"
    INDEX_LENGTHS = "index_lengths"
    INDEX_DIGEST = "index_digest"
    UNCOVERED = "uncovered"


_READ_BACK = frozenset(kind for kind in Kind if kind.value.startswith("index_"))


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason to refuse."""

    kind: Kind
    text: str
    """What is wrong, and what to type next."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the set may be run against the index, and why not."""

    eval_set: str
    refusals: tuple[Finding, ...]
    breaks: tuple[str, ...]
    """No reason to refuse, but figures from before and after are not to be compared."""
    notes: tuple[str, ...]
    corpus: CorpusFacts | None
    set_digest: str
    """Of the corpus the set is about."""
    index_digest: str
    """Of the corpus the index was built from."""
    override: Provenance | None = None
    """Who went on all the same, and why."""

    @property
    def passed(self) -> bool:
        return not self.refusals or (self.override is not None and self.overridable)

    @property
    def overridable(self) -> bool:
        return all(finding.kind is not Kind.SET_DAMAGED for finding in self.refusals)

    def deepened(self, findings: Sequence[Finding], notes: Sequence[str]) -> "Verdict":
        """With what reading the index back says."""
        return replace(self, refusals=(*self.refusals, *findings), notes=(*self.notes, *notes))

    def overridden(self, provenance: Provenance) -> "Verdict":
        """The same verdict with somebody's reason to go on."""
        return replace(self, override=provenance)

    @property
    def text(self) -> str:
        """For a person: the answer first, then why, then what to do."""
        lines = [self._headline()]
        for finding in self.refusals:
            lines += ["", *finding.text.split("\n")]
        lines += ["", *(f"Break: {text}" for text in self.breaks)] if self.breaks else []
        lines += ["", *(f"Note: {text}" for text in self.notes)] if self.notes else []
        return "\n".join(lines)

    def _headline(self) -> str:
        if not self.refusals:
            return f"Passed: {self.eval_set} belongs to this index."
        strange = any(finding.kind in (Kind.CORPUS, Kind.SET_DAMAGED) for finding in self.refusals)
        read_back = any(finding.kind in _READ_BACK for finding in self.refusals)
        what = "is not ready for this index"
        if strange:
            what = "does not belong to this index"
        elif read_back:
            what = "can't be measured on this index, which is not what its manifest says"
        if self.override and self.overridable:
            return f"Overridden by {self.override.by}: {self.eval_set} {what}. Reason given: {self.override.why}"
        return f"Refused: {self.eval_set} {what}."

    def to_row(self) -> dict[str, Any]:
        """For a program."""
        row: dict[str, Any] = {
            "eval_set": self.eval_set,
            "passed": self.passed,
            "refusals": [{"kind": finding.kind.value, "text": finding.text} for finding in self.refusals],
            "breaks": list(self.breaks),
            "notes": list(self.notes),
            "set_corpus_digest": self.set_digest,
            "index_corpus_digest": self.index_digest,
            "override": self.override.model_dump() if self.override else None,
            "documents": None,
        }
        if self.corpus is not None:
            diff = self.corpus.diff
            row["documents"] = {
                "added": list(diff.added),
                "removed": list(diff.removed),
                "changed": list(diff.changed),
                "same": diff.same,
                "evidence": self.corpus.evidence,
                "evidence_same": self.corpus.evidence_same,
            }
        return row


def judge(
    facts: SetFacts,
    manifest: Manifest,
    corpus: CorpusFacts | None,
    here: MappingFacts | None,
    last: MappingFacts | None,
    allow_waiting: bool = False,
) -> Verdict:
    """`here`: the set's mapping on the index's own chunking; `last`: its newest mapping on any.

    Raises CannotTell where the set's labels are of a schema that this evalspan does not know.
    """
    if facts.terms.label_schema > LABEL_SCHEMA:
        raise CannotTell(
            f"{facts.label} has label schema {facts.terms.label_schema}, and this evalspan knows up to {LABEL_SCHEMA}. "
            "Upgrade: pip install -U evalspan"
        )
    refusals: list[Finding] = []
    breaks: list[str] = []
    notes: list[str] = []
    if not facts.digest_holds:
        refusals.append(_damaged(facts))
    if manifest.corpus_digest != facts.terms.snapshot_digest:
        untouched = corpus is not None and 0 < corpus.evidence == corpus.evidence_same
        if facts.terms.guard_scope == "evidence" and untouched:
            breaks.append(
                "the corpus differs, and only the set's evidence documents are guarded (guard_scope: evidence)."
            )
        else:
            refusals.append(_other_corpus(facts, manifest, corpus))
    named = facts.terms.chunking_identity
    if here is None and facts.chunk_labels and (named is None or named != manifest.chunks_identity):
        refusals.append(_chunk_labels(facts))
    elif here is None and facts.chunk_labels and facts.judgments and not allow_waiting:
        refusals.append(_left_over(facts))
    for waiting in _waiting(facts, here):
        if allow_waiting:
            notes.append(f"{waiting.what}, and {'is' if waiting.questions == 1 else 'are'} left out of the qrels.")
        else:
            text = f"{waiting.what}.\n{waiting.next}, or run without them: --allow-waiting"
            refusals.append(Finding(Kind.WAITING, text))
    if here is None and facts.judgments and not refusals and not facts.file:
        notes.append("the set is not mapped on this index's chunking yet: evalspan migrate SET --to CHUNKING")
    if facts.bereft:
        notes.append(_bereft(facts))
    breaks += _breaks(manifest, last)
    return Verdict(
        eval_set=facts.label,
        refusals=tuple(refusals),
        breaks=tuple(breaks),
        notes=tuple(notes),
        corpus=corpus,
        set_digest=facts.terms.snapshot_digest,
        index_digest=manifest.corpus_digest,
    )


class _Waiting(NamedTuple):
    """Questions that nobody has decided yet."""

    questions: int
    what: str
    next: str


def _waiting(facts: SetFacts, here: MappingFacts | None) -> Iterator[_Waiting]:
    if here is not None and here.waiting:
        what = f"{_questions(here.waiting)} of {facts.label} {'waits' if here.waiting == 1 else 'wait'} for review"
        yield _Waiting(
            here.waiting,
            what,
            _followed(facts) or f"See why: evalspan migrate {facts.name} --to CHUNKING --out DIR (waiting.jsonl)",
        )
    if facts.lost:
        what = (
            f"{_questions(facts.lost)} of {facts.label} {'waits' if facts.lost == 1 else 'wait'} for review, since "
            "labels lost their place when the corpus changed"
        )
        decide = f"Decide: evalspan review {facts.name} list"
        if facts.file:
            decide = "Decide in a store: evalspan set import NAME --file FILE, evalspan review NAME list"
        yield _Waiting(facts.lost, what, _followed(facts) or decide)


def _followed(facts: SetFacts) -> str:
    """Instead of commands that work on the newest version, and were perhaps what made it."""
    if not facts.newest:
        return ""
    return (
        f"{facts.label} has been followed by {facts.newest}. Judge that: evalspan verify {facts.newest} --index INDEX"
    )


def _bereft(facts: SetFacts) -> str:
    has = "has" if len(facts.bereft) == 1 else "have"
    return (
        f"{_questions(len(facts.bereft))} of {facts.label} {has} no relevant label any more, and no part in any "
        f"figure: {_named(facts.bereft, 'evalspan set show SET --all')}. Where the corpus has no answer now: "
        "evalspan set amend SET --question ID --no-answer"
    )


def _damaged(facts: SetFacts) -> Finding:
    text = (
        f"The content of {facts.label} is not what its digest says: the store was changed by something else.\n"
        "Take the set from a copy of the store, or import it anew: evalspan set import"
    )
    return Finding(Kind.SET_DAMAGED, text)


def _other_corpus(facts: SetFacts, manifest: Manifest, corpus: CorpusFacts | None) -> Finding:
    if corpus is None:
        lines = [
            "The index was built from another corpus.",
            f"  the set's    {facts.terms.snapshot_digest}" + ("" if facts.file else f"  ({facts.snapshot})"),
            f"  the index's  {manifest.corpus_digest}  ({manifest.documents:,} documents)",
            _unknown_difference(facts),
        ]
    else:
        diff = corpus.diff
        counts = (
            f"{len(diff.added)} added, {len(diff.removed)} removed, {len(diff.changed)} changed, {diff.same} the same"
        )
        lines = [f"The index was built from another corpus: of its documents {counts}."]
        for what, doc_ids in (("added", diff.added), ("removed", diff.removed), ("changed", diff.changed)):
            if doc_ids:
                lines.append(f"  {what:8} {_named(doc_ids)}")
        if corpus.evidence:
            lines.append(f"{corpus.evidence_same} of {corpus.evidence} evidence documents of the set are untouched.")
    if facts.newest:
        lines.append(_followed(facts))
    if facts.file:
        lines.append(f"Build the index from snapshot {facts.snapshot}, or move the set to the index's: evalspan rebase")
    else:
        lines.append(f"Build the index from snapshot {facts.snapshot}, or go on knowingly: --override REASON")
    return Finding(Kind.CORPUS, "\n".join(lines))


def _unknown_difference(facts: SetFacts) -> str:
    """Why it can't be said which documents differ, and what to do about that."""
    if not facts.file:
        return "The index's corpus is not in this store. To see what differs: evalspan snapshot add DOCUMENTS"
    what = "A set file does not hold the documents' digests, and no store at hand knows both corpora"
    if facts.terms.guard_scope == "evidence":
        return (
            f"{what}: so it can't be told whether the evidence documents alone (guard_scope: evidence) are untouched."
        )
    return f"{what}: so it can't be told which documents differ."


def _chunk_labels(facts: SetFacts) -> Finding:
    labels = f"1 label of {facts.label} names chunks" if facts.chunk_labels == 1 else ""
    labels = labels or f"{facts.chunk_labels:,} labels of {facts.label} name chunks"
    tie = f"Tie them to text and carry them over: evalspan migrate {facts.name} {_MIGRATED[facts.file]}"
    return Finding(Kind.CHUNK_LABELS, f"{labels} of another chunking than the index's.\n{_followed(facts) or tie}")


_MIGRATED = {False: "--to CHUNKING", True: "--documents D --old-chunks OLD --new-chunks NEW --out DIR"}
"""How a set is migrated, by whether it is a file."""


def _left_over(facts: SetFacts) -> Finding:
    labels = "1 label" if facts.chunk_labels == 1 else f"{facts.chunk_labels:,} labels"
    text = (
        f"{labels} of {facts.label} could not be tied to text, since the place of the chunk is not certain.\n"
        "Run without their questions: --allow-waiting"
    )
    return Finding(Kind.WAITING, text)


def _breaks(manifest: Manifest, last: MappingFacts | None) -> list[str]:
    out = []
    if last is not None and last.chunking_digest != manifest.chunks_digest:
        out.append(f"the index is chunked otherwise than {last.chunking}, on which the set was last mapped.")
    if last is not None and last.embedding is not None and last.embedding != manifest.embedding:
        out.append(
            f"the index is embedded otherwise than the set was last mapped for: {_differs(last.embedding, manifest)}"
        )
    return out


def _differs(was: EmbeddingConfig, manifest: Manifest) -> str:
    if manifest.embedding is None:
        return f"{was.model}, and now the manifest names no embedding."
    before, now = was.model_dump(), manifest.embedding.model_dump()
    return (
        "; ".join(f"{field} {before[field]!r}, now {now[field]!r}" for field in now if before[field] != now[field])
        + "."
    )


def _named(ids: Sequence[str], all_of_them: str = "--json names them") -> str:
    rest = len(ids) - NAMED
    return ", ".join(ids[:NAMED]) + (f" and {rest:,} more ({all_of_them})" if rest > 0 else "")


def _questions(count: int) -> str:
    return f"{count:,} question" + ("" if count == 1 else "s")
