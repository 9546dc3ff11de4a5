"""`evalspan verify`: may this set be run against this index?"""

from os import fspath
from typing import TYPE_CHECKING

from evalspan.corpus import Manifest
from evalspan.errors import BadInput, CannotTell, Problem, StoreError
from evalspan.guard import CorpusFacts, MappingFacts, SetFacts, Verdict, judge
from evalspan.labels import JudgedQuestion
from evalspan.provenance import Provenance
from evalspan.workflows.manifests import IndexReference as Index
from evalspan.workflows.manifests import manifest_of
from evalspan.workflows.set_references import FoundSet, SetReference, is_set_file, read_set_file

__all__ = ["Index", "is_of", "manifest_of", "verify"]

if TYPE_CHECKING:
    # Not loaded for a set file: a store is half of what `verify` takes.
    from evalspan.store import MappingRecord, Store, VersionRecord
    from evalspan.workflows.stores import StoreOrAddress

Sample = int | str
"""How many chunks `deep` reads back, or "all"."""

SAMPLE = 200
"""Unless said otherwise: a fault in one of a hundred chunks is met in six cases of seven, and it takes a second."""


def verify(
    eval_set: SetReference,
    index: Index,
    *,
    allow_waiting: bool = False,
    override: str | None = None,
    deep: bool = False,
    sample: Sample = SAMPLE,
    store: "StoreOrAddress" = None,
) -> Verdict:
    """Holds the corpus the set is about against the one the index was built from.

    `index`: where it is ("chroma:PATH#COLLECTION" and the like), the path of its manifest, or the manifest.
    A set file needs no store: one is looked at only to name what differs, if it is there. `override`: a written reason
    to go on all the same; it is recorded, and does not cover a set that is damaged.
    `deep`: the index is not believed: so many of its chunks as `sample` says are read back, or "all", and held against
    the documents, the chunking and the set's labels in the store.
    Raises CannotTell where there is nothing to judge by, NotFound, BadInput (a set file with faults; an override of a
    set file, which no store could keep).
    """
    manifest = manifest_of(index)
    if override is not None and not override.strip():
        raise BadInput([Problem("--override", None, "an override needs a reason in words")])
    if is_set_file(eval_set):
        if override is not None:
            what = (
                f"an override is recorded in a store, and {fspath(eval_set)} is a file. Take it into one and verify "
                f"that: evalspan set import NAME --file {fspath(eval_set)}"
            )
            raise BadInput([Problem("--override", None, what)])
        found = read_set_file(eval_set)
        verdict = _judge_file(found, manifest, allow_waiting, store)
        return _deepen_file(verdict, found, manifest, index, sample, store) if deep else verdict
    from evalspan.workflows.stores import opened

    with opened(store) as opened_store:
        version = opened_store.find_version(fspath(eval_set))
        verdict = _judge(opened_store, version, manifest, allow_waiting)
        if deep:
            from evalspan.workflows.deep import deepen

            verdict = deepen(verdict, opened_store, opened_store.eval_set(version), manifest, index, sample)
        if override is None or not verdict.refusals or not verdict.overridable:
            return verdict
        provenance = Provenance.now(override)
        with opened_store.writing() as tx:
            tx.add_override(version, manifest.to_json(), verdict.text, provenance)
        return verdict.overridden(provenance)


def _judge_file(found: FoundSet, manifest: Manifest, allow_waiting: bool, store: "StoreOrAddress") -> Verdict:
    questions, terms = found.eval_set.questions, found.eval_set.terms
    facts = SetFacts(
        label=found.label,
        terms=terms,
        digest_holds=True,
        judgments=sum(len(question.judgments) for question in questions),
        chunk_labels=sum(len(question.chunk_labels) for question in questions),
        snapshot=terms.snapshot_digest[:12],
        lost=sum(map(_lost, questions)),
        file=True,
        bereft=tuple(question.query_id for question in questions if question.bereft),
    )
    corpus = None
    if manifest.corpus_digest != terms.snapshot_digest:
        evidence = {judgment.doc_id for question in questions for judgment in question.judgments}
        corpus = _compare_where_known(store, terms.snapshot_digest, manifest, evidence)
    return judge(facts, manifest, corpus, None, None, allow_waiting)


def _deepen_file(
    verdict: Verdict, found: FoundSet, manifest: Manifest, index: Index, sample: Sample, store: "StoreOrAddress"
) -> Verdict:
    """Raises CannotTell where there is no store: a set file does not hold the documents."""
    from evalspan.workflows.deep import deepen
    from evalspan.workflows.stores import opened

    try:
        with opened(store) as opened_store:
            return deepen(verdict, opened_store, found.eval_set, manifest, index, sample)
    except StoreError as error:
        if store is not None:
            raise
        raise CannotTell(
            f"Reading an index back holds its chunks against the documents, which {found.label} does not hold: name a "
            f"store that does (--store). {error}"
        ) from None


def _compare_where_known(
    store: "StoreOrAddress", pinned: str, manifest: Manifest, evidence: set[str]
) -> CorpusFacts | None:
    """None where no store is there that knows both; one that was named must be there."""
    from evalspan.workflows.stores import opened

    try:
        with opened(store) as opened_store:
            return _compare(opened_store, pinned, manifest, evidence)
    except StoreError:
        if store is not None:
            raise
        return None


def _lost(question: JudgedQuestion) -> bool:
    """Whether it waits for a label that lost its place."""
    return not question.retired and any(waiting.label.grade > 0 for waiting in question.pending)


def _judge(store: "Store", version: "VersionRecord", manifest: Manifest, allow_waiting: bool) -> Verdict:
    pinned = store.snapshot_by_digest(version.terms.snapshot_digest)
    newest = store.find_version(version.name)
    facts = SetFacts(
        label=version.label,
        terms=version.terms,
        digest_holds=store.check_digest(version),
        judgments=version.judgments,
        chunk_labels=version.chunk_labels,
        snapshot=pinned.label if pinned else version.terms.snapshot_digest[:12],
        lost=sum(map(_lost, store.eval_set(version).questions)) if version.pending else 0,
        bereft=store.bereft_questions(version),
        newest="" if newest.label == version.label else newest.label,
    )
    corpus = None
    if pinned is not None and manifest.corpus_digest != pinned.digest:
        corpus = _compare(store, pinned.digest, manifest, store.evidence_documents(version))
    mappings = store.mappings(version)
    here = [record for record in mappings if is_of(record, manifest)]
    last = mappings or [record for record in store.mappings() if record.version.name == version.name]
    return judge(
        facts,
        manifest,
        corpus,
        _mapping_facts(store, here[-1]) if here else None,
        _mapping_facts(store, last[-1]) if last else None,
        allow_waiting,
    )


def is_of(record: "MappingRecord", manifest: Manifest) -> bool:
    """Whether the mapping is on the index's own chunks, ids and all."""
    chunking = record.chunking
    ids = manifest.chunks_identity
    return chunking.digest == manifest.chunks_digest and (ids is None or ids == chunking.identity)


def _compare(store: "Store", pinned: str, manifest: Manifest, evidence: set[str]) -> CorpusFacts | None:
    """`pinned`: digest of the set's snapshot. None where the store lacks one of the two."""
    was, built_from = store.snapshot_by_digest(pinned), store.snapshot_by_digest(manifest.corpus_digest)
    if was is None or built_from is None:
        return None
    diff = store.diff(was, built_from)
    touched = {*diff.changed, *diff.removed}
    return CorpusFacts(diff, len(evidence), sum(doc_id not in touched for doc_id in evidence))


def _mapping_facts(store: "Store", record: "MappingRecord") -> MappingFacts:
    return MappingFacts(
        chunking=record.chunking.name,
        chunking_digest=record.chunking.digest,
        embedding=record.embedding,
        waiting=store.waiting_questions(record),
    )
