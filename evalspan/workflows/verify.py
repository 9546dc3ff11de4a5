"""`evalspan verify`: may this set be run against this index?"""

from os import PathLike

from evalspan.corpus import Manifest
from evalspan.errors import BadInput, Problem, Refused
from evalspan.guard import CorpusFacts, MappingFacts, SetFacts, Verdict, judge
from evalspan.provenance import Provenance
from evalspan.store import MappingRecord, SnapshotRecord, Store, VersionRecord
from evalspan.workflows.manifests import read_manifest
from evalspan.workflows.stores import StoreOrAddress, opened

Index = Manifest | str | PathLike[str]
"""A manifest, or the path of one."""


def verify(
    eval_set: str,
    index: Index,
    *,
    allow_waiting: bool = False,
    override: str | None = None,
    store: StoreOrAddress = None,
) -> Verdict:
    """Holds the corpus the set is about against the one the index was built from.

    `override`: a written reason to go on all the same; it is recorded, and does not cover a set that is damaged.
    Raises CannotTell where there is nothing to judge by, NotFound.
    """
    manifest = index if isinstance(index, Manifest) else read_manifest(index)
    if override is not None and not override.strip():
        raise BadInput([Problem("--override", None, "an override needs a reason in words")])
    with opened(store) as opened_store:
        version = opened_store.find_version(eval_set)
        verdict = _judge(opened_store, version, manifest, allow_waiting)
        if override is None or not verdict.refusals or not verdict.overridable:
            return verdict
        provenance = Provenance.now(override)
        with opened_store.writing() as tx:
            tx.add_override(version, manifest.to_json(), verdict.text, provenance)
        return verdict.overridden(provenance)


def require(
    eval_set: str,
    index: Index,
    *,
    allow_waiting: bool = False,
    override: str | None = None,
    store: StoreOrAddress = None,
) -> Verdict:
    """The same, for a harness: raises Refused, which carries the verdict, unless the set may be run."""
    verdict = verify(eval_set, index, allow_waiting=allow_waiting, override=override, store=store)
    if not verdict.passed:
        raise Refused(verdict)
    return verdict


def _judge(store: Store, version: VersionRecord, manifest: Manifest, allow_waiting: bool) -> Verdict:
    pinned = store.snapshot_by_digest(version.terms.snapshot_digest)
    facts = SetFacts(
        label=version.label,
        terms=version.terms,
        digest_holds=store.check_digest(version),
        judgments=version.judgments,
        chunk_labels=version.chunk_labels,
        snapshot=pinned.label if pinned else version.terms.snapshot_digest[:12],
    )
    corpus = None
    if pinned is not None and manifest.corpus_digest != pinned.digest:
        built_from = store.snapshot_by_digest(manifest.corpus_digest)
        corpus = _compare(store, version, pinned, built_from) if built_from is not None else None
    mappings = store.mappings(version)
    here = [record for record in mappings if _is_of(record, manifest)]
    last = mappings or [record for record in store.mappings() if record.version.name == version.name]
    return judge(
        facts,
        manifest,
        corpus,
        _mapping_facts(store, here[-1]) if here else None,
        _mapping_facts(store, last[-1]) if last else None,
        allow_waiting,
    )


def _is_of(record: MappingRecord, manifest: Manifest) -> bool:
    """Whether the mapping is on the index's own chunks, ids and all."""
    chunking = record.chunking
    ids = manifest.chunks_identity
    return chunking.digest == manifest.chunks_digest and (ids is None or ids == chunking.identity)


def _compare(store: Store, version: VersionRecord, pinned: SnapshotRecord, built_from: SnapshotRecord) -> CorpusFacts:
    diff = store.diff(pinned, built_from)
    evidence = store.evidence_documents(version)
    touched = {*diff.changed, *diff.removed}
    return CorpusFacts(diff, len(evidence), sum(doc_id not in touched for doc_id in evidence))


def _mapping_facts(store: Store, record: MappingRecord) -> MappingFacts:
    return MappingFacts(
        chunking=record.chunking.name,
        chunking_digest=record.chunking.digest,
        embedding=record.embedding,
        waiting=store.waiting_questions(record),
    )
