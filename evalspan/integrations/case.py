"""A set held against one index: the questions to ask it, and what is relevant in it. What every harness needs."""

from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any, NamedTuple

from evalspan.corpus import ChunkingConfig, Manifest
from evalspan.errors import BadInput, CannotTell, NotFound, Problem, Refused
from evalspan.guard import Verdict
from evalspan.guard.verdict import Finding, Kind
from evalspan.labels import EvalSet, JudgedQuestion
from evalspan.mapping import Bucket, Carried, Qrels, QrelsBuilder, Reason, derive_qrels, lost_labels
from evalspan.workflows.manifests import IndexReference, manifest_of
from evalspan.workflows.require import Guard
from evalspan.workflows.set_references import FoundSet, SetReference, find_set
from evalspan.workflows.verify import is_of


@dataclass(frozen=True, slots=True)
class CaseSource:
    """What a harness says of the set and the index that it runs."""

    eval_set: SetReference
    """NAME, NAME@VERSION, or the path of a set file."""
    index: IndexReference
    """A manifest, the path of one, or an index as "chroma:PATH#COLLECTION"."""
    allow_waiting: bool = False
    """Whether questions that wait for review may be left out."""
    chunking: str | None = None
    """What the store calls the index's chunking, where that is to be checked."""
    documents: str | PathLike[str] | None = None
    """Of a set file: the documents it is about,"""
    chunks: str | PathLike[str] | None = None
    """and the index's chunks, over which its passages are laid."""
    store: str | None = None


class AskedQuestion(NamedTuple):
    """A question to which the answer is known in this index."""

    question: JudgedQuestion
    qrels: dict[str, int]
    """chunk_id → grade. Empty for a question without an answer."""

    @property
    def query_id(self) -> str:
        return self.question.query_id

    @property
    def text(self) -> str:
        return self.question.question.text

    @property
    def relevant(self) -> tuple[str, ...]:
        """chunk_ids of grade 1 and up, the highest grade first. Empty for a question without an answer."""
        return tuple(sorted((one for one in self.qrels if self.qrels[one] > 0), key=lambda one: -self.qrels[one]))


@dataclass(frozen=True)
class Case:
    """A set that may be run against an index: what `open_case` gives."""

    source: CaseSource
    verdict: Verdict
    manifest: Manifest
    found: FoundSet

    @property
    def label(self) -> str:
        """As "faq@2", or the path of its file."""
        return self.found.label

    @property
    def eval_set(self) -> EvalSet:
        return self.found.eval_set

    @property
    def chunking(self) -> ChunkingConfig:
        """How the index says that it was cut."""
        return self.manifest.chunking

    @cached_property
    def qrels(self) -> Qrels:
        """In the chunk ids of the index.

        Raises Refused where questions wait and may not be left out; NotFound where the set is not mapped on the index's
        chunking; CannotTell where nothing says which chunks hold the passages; BadInput for a file with faults.
        """
        qrels = self._qrels()
        if qrels.waiting and not self.source.allow_waiting:
            raise Refused(replace(self.verdict, refusals=(*self.verdict.refusals, _waiting(self.label, qrels))))
        return qrels

    @cached_property
    def questions(self) -> tuple[AskedQuestion, ...]:
        """Ascending by query_id. Left out are those that are retired, that wait, and of which nothing is said to be
        relevant, nor that they have no answer. Raises CannotTell where none is left, and what `qrels` raises.
        """
        relevant = self.qrels.as_dict()
        asked = tuple(
            AskedQuestion(question, relevant.get(question.query_id, {}))
            for question in self.eval_set.questions
            if _is_labelled(question) and question.query_id not in self.qrels.waiting
        )
        if not asked:
            raise CannotTell(_nothing_asked(self.label, self.eval_set, len(self.qrels.waiting)))
        return asked

    def facts(self) -> dict[str, Any]:
        """What has to stand beside every figure, as JSON values: numbers that differ in one are not to be compared."""
        return {
            "set": self.label,
            "set_digest": self.eval_set.digest,
            "corpus_digest": self.manifest.corpus_digest,
            "chunking_fingerprint": self.manifest.chunking_fingerprint,
            "chunks_digest": self.manifest.chunks_digest,
            "embedding_fingerprint": self.manifest.embedding_fingerprint,
            "min_overlap": self.eval_set.terms.min_overlap,
            "breaks": list(self.verdict.breaks),
        }

    def _qrels(self) -> Qrels:
        terms = self.eval_set.terms
        judged = any(question.judgments for question in self.eval_set.questions)
        if not judged and terms.chunking_identity in (None, self.manifest.chunks_identity):
            return _as_labelled(self.eval_set)
        if self.found.record is not None:
            return _of_mapping(self.source, self.found, self.manifest)
        if self.source.documents is None or self.source.chunks is None:
            raise CannotTell(
                f"{self.label} is a file of passages, and which chunks of the index hold them is not known. Name the "
                "documents and the index's chunks (documents=, chunks=), or keep the set in a store"
            )
        # Not above: loads the store's code, which only this needs.
        from evalspan.integrations.laid import lay_set_file

        return lay_set_file(self.found, self.source.documents, self.source.chunks, self.manifest)


def open_case(
    eval_set: SetReference,
    index: IndexReference,
    *,
    allow_waiting: bool = False,
    chunking: str | None = None,
    documents: str | PathLike[str] | None = None,
    chunks: str | PathLike[str] | None = None,
    store: str | None = None,
) -> Case:
    """The set, guarded: see `CaseSource` for what is asked. Raises Refused, CannotTell (also where the set has no
    question to ask), NotFound, BadInput, StoreError.
    """
    return open_source(CaseSource(eval_set, index, allow_waiting, chunking, documents, chunks, store))


def open_source(source: CaseSource) -> Case:
    """The same."""
    manifest = manifest_of(source.index)
    guard = Guard(source.eval_set, manifest, allow_waiting=source.allow_waiting, store=source.store)
    verdict = guard.check()
    # Not source.eval_set: the version that was judged, though a newer one may have come.
    found = find_set(verdict.eval_set, source.store)
    _require_one_way(source, found)
    if not any(map(_is_labelled, found.eval_set.questions)):
        raise CannotTell(_nothing_asked(found.label, found.eval_set, 0))
    return Case(source, verdict, manifest, found)


def _require_one_way(source: CaseSource, found: FoundSet) -> None:
    """What is said for the other kind of set would go unheard."""
    if found.record is None and source.chunking is not None:
        raise BadInput([Problem("chunking", None, f"is of a store, and {found.label} is a file: say chunks= instead")])
    if found.record is not None and (source.chunks is not None or source.documents is not None):
        what = f"are for a set file, and {found.label} is in a store, where its mapping says it: leave them out"
        raise BadInput([Problem("chunks, documents", None, what)])


def _is_labelled(question: JudgedQuestion) -> bool:
    """Whether it is asked, and it is said what is right for it."""
    labels = (*question.judgments, *question.chunk_labels, *(lost.label for lost in question.pending))
    return not question.retired and (question.no_answer or any(label.grade > 0 for label in labels))


def _nothing_asked(label: str, eval_set: EvalSet, waiting: int) -> str:
    questions = eval_set.questions
    retired = sum(question.retired for question in questions)
    unlabelled = sum(not question.retired and not _is_labelled(question) for question in questions)
    return (
        f"{label} has no question to ask of this index: of {len(questions)}, {retired} are retired, {unlabelled} have "
        f"no label, {waiting} wait for review. An eval run without questions says nothing"
    )


def _waiting(label: str, qrels: Qrels) -> Finding:
    (query_id, labels), *others = qrels.waiting.items()
    more = f" (and {len(others)} more)" if others else ""
    text = (
        f"Which chunks of the index answer is not decided for question {query_id!r}{more} of {label}: "
        f"{', '.join(sorted({one.reason for one in labels}))}.\n"
        "Decide in a store: evalspan review SET list; or run without them: allow_waiting=True"
    )
    return Finding(Kind.WAITING, text)


def _as_labelled(eval_set: EvalSet) -> Qrels:
    """Of labels that name the index's own chunks."""
    builder = QrelsBuilder()
    for question in eval_set.questions:
        for label in () if question.retired else question.chunk_labels:
            ids = (label.chunk_id,)
            builder.add(Carried(question.query_id, label.chunk_id, label.grade, Bucket.CLEAN, Reason.WHOLE, ids))
    for lost in lost_labels(eval_set.questions):
        builder.hold(lost)
    return builder.build(eval_set.terms.min_overlap)


def _of_mapping(source: CaseSource, found: FoundSet, manifest: Manifest) -> Qrels:
    """Of the version's newest mapping on the chunks of the index, ids and all."""
    from evalspan.workflows.stores import opened

    assert found.record is not None
    with opened(source.store) as store:
        if source.chunking is not None:
            digest = store.find_chunking(source.chunking).digest
            if digest != manifest.chunks_digest:
                raise CannotTell(
                    f"The index does not hold the chunks of chunking {source.chunking!r}: its manifest says "
                    f"{manifest.chunks_digest[:12]}, and those are {digest[:12]}. Name another, or build the index anew"
                )
        mappings = store.mappings(found.record)
        here = [one for one in mappings if is_of(one, manifest)]
        if not here:
            there = [f"{one.version.label} on {one.chunking.name}" for one in mappings]
            hint = f"Map it: evalspan migrate {found.record.name} --to CHUNKING"
            raise NotFound("mapping", f"{found.label} on the index's chunks", there, hint)
        lost = lost_labels(found.eval_set.questions)
        return derive_qrels(store.outcomes(here[-1]), here[-1].min_overlap, lost)
