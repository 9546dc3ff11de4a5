"""`evalspan migrate SET --to CHUNKING`: a set of the store onto a chunking of the store."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from evalspan.anchoring import Match, Status
from evalspan.corpus import Chunk, EmbeddingConfig
from evalspan.errors import BadInput, Conflict, NotFound, Problem
from evalspan.formats.files import staged_folder
from evalspan.formats.migration import MigrationFolder
from evalspan.labels import EvalSet, JudgedQuestion, Judgment
from evalspan.mapping import Label, Outcome, carried, lay_over, pieces_of
from evalspan.migrator import chunk_judgment, document_cuts, rebuild
from evalspan.provenance import Provenance
from evalspan.store import ChunkingRecord, Store, Transaction, VersionRecord
from evalspan.workflows.migration import Migration, Recorded, Sums, label_lines
from evalspan.workflows.progress import Progress, silent
from evalspan.workflows.stores import StoreOrAddress, opened


def migrate_set(
    eval_set: str,
    to: str,
    *,
    embedding: EmbeddingConfig | None = None,
    out: str | PathLike[str] | None = None,
    store: StoreOrAddress = None,
    why: str = "",
    progress: Progress = silent,
) -> Migration:
    """Maps the set's judgments on a chunking and records the mapping. Labels that still name chunks become spans
    first, in a new version of the set; those whose chunk has no certain place stay labels and wait.

    Raises NotFound, BadInput (the chunking is a cut of another snapshot), Conflict; then nothing was written.
    """
    with opened(store) as opened_store:
        version = opened_store.find_version(eval_set)
        chunking = opened_store.find_chunking(to)
        _require_same_corpus(version, chunking)
        job = _Job(opened_store, version, chunking)
        job.require_newest()
        with ExitStack() as stack:
            folder = stack.enter_context(staged_folder(Path(out))) if out is not None else None
            written = stack.enter_context(MigrationFolder(folder.path)) if folder is not None else None
            sums = Sums()
            for outcomes in progress(job.documents(written), "migrating", len(job.labels)):
                sums.add((carried(outcome) for outcome in outcomes), document_cuts(outcomes))
            with opened_store.writing() as tx:
                recorded = job.record(tx, embedding, why)
                if written is not None and folder is not None:
                    written.finish(sums.qrels(version.terms.min_overlap))
                    folder.land()  # before the transaction ends: if either fails, neither is there
        return Migration(
            tally=sums.tally,
            decided=sums.decided,
            waiting=sums.waiting,
            cuts=sums.cuts,
            old_chunks=job.old_chunking.placed if job.old_chunking else None,
            new_chunks=chunking.placed,
            min_overlap=version.terms.min_overlap,
            out=Path(out) if out is not None else None,
            recorded=recorded,
        )


def _require_same_corpus(version: VersionRecord, chunking: ChunkingRecord) -> None:
    mine, other = version.terms.snapshot_digest, chunking.snapshot.digest
    if mine != other:
        what = (
            f"{version.label} is about snapshot {mine[:12]}, and this is a cut of {other[:12]} "
            f"({chunking.snapshot.label}). See what differs: evalspan snapshot diff {mine[:12]} {other[:12]}"
        )
        raise BadInput([Problem(f"chunking {chunking.name!r}", None, what)])


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A label, and which of the set it is."""

    number: int
    question: JudgedQuestion
    label: Label
    judgment: Judgment | None
    """None where it still names a chunk."""


class _Job:
    """One migration."""

    def __init__(self, store: Store, version: VersionRecord, chunking: ChunkingRecord) -> None:
        self._store, self._version, self._chunking = store, version, chunking
        self._set: EvalSet = store.eval_set(version)
        self.old_chunking = self._find_old_chunking()
        self._old = self._find_old_chunks()
        self._rebuilt: dict[str, Judgment] = {}
        self._outcomes: dict[int, Outcome] = {}
        self.labels: dict[str, list[_Numbered]] = {}
        """doc_id → its labels."""
        for numbered, doc_id in self._numbered():
            self.labels.setdefault(doc_id, []).append(numbered)

    def _find_old_chunking(self) -> ChunkingRecord | None:
        identity = self._version.terms.chunking_identity
        if identity is None or not self._version.chunk_labels:
            return None
        found = self._store.chunking_by_identity(identity, self._version.terms.snapshot_digest)
        if found is None:
            known = [record.name for record in self._store.chunkings()]
            hint = "The set's labels name its chunks. Add it first: evalspan chunking add NAME CHUNKS"
            raise NotFound("chunking", identity, known, hint)
        return found

    def require_newest(self) -> None:
        """Raises Conflict where labels would become spans in a version that has been followed by another."""
        newest = self._store.versions(self._version.name)[-1]
        if self._old and newest.number != self._version.number:
            raise Conflict(
                f"{self._version.label} has been followed by {newest.label}; labels that name chunks become spans in "
                f"the newest version only. Type: evalspan migrate {newest.name} --to {self._chunking.name}"
            )

    def _find_old_chunks(self) -> Mapping[str, Chunk]:
        if self.old_chunking is None:
            return {}
        named = {label.chunk_id for question in self._set.questions for label in question.chunk_labels}
        return self._store.chunk_index(self.old_chunking, named)

    def _numbered(self) -> Iterator[tuple[_Numbered, str]]:
        number = 0
        for question in self._set.questions:
            for judgment in question.judgments:
                found = Match(judgment.span, Status.EXACT, True, True, 1.0, 1.0, (judgment.span,))
                label = Label(
                    question.query_id,
                    judgment.grade,
                    found,
                    judgment.chunk_id,
                    coarse=judgment.origin == "chunk",
                    tabular=judgment.tabular,
                )
                yield _Numbered(number, question, label, judgment), judgment.doc_id
                number += 1
            for named in question.chunk_labels:
                chunk = self._old[named.chunk_id]
                label = Label(question.query_id, named.grade, chunk.match, named.chunk_id, coarse=True)
                yield _Numbered(number, question, label, None), chunk.doc_id
                number += 1

    def documents(self, written: MigrationFolder | None) -> Iterator[Sequence[Outcome]]:
        """The outcomes of each document that has labels."""
        snapshot = self._chunking.snapshot
        cut = self._store.chunks(self._chunking, self.labels)
        ahead = next(cut, None)
        for doc_id, text in self._store.texts(snapshot, self.labels):
            chunks: Sequence[Chunk] = ()
            if ahead is not None and ahead[0] == doc_id:
                chunks, ahead = ahead[1], next(cut, None)
            mine = self.labels[doc_id]
            pieces = [piece for chunk in chunks for piece in pieces_of(chunk.chunk_id, chunk.match)]
            labels = [numbered.label for numbered in mine]
            outcomes = lay_over(doc_id, text, labels, pieces, self._version.terms.min_overlap)
            self._rebuild(doc_id, text, mine)
            for numbered, outcome in zip(mine, outcomes, strict=True):
                self._outcomes[numbered.number] = outcome
            if written is not None:
                self._write(written, text, mine, outcomes, chunks)
            yield outcomes

    def _rebuild(self, doc_id: str, text: str, mine: Sequence[_Numbered]) -> None:
        for numbered in mine:
            _, grade, match, chunk_id, _, _ = numbered.label
            if (
                numbered.judgment is None
                and match.sure
                and match.same
                and len(match.pieces) == 1
                and match.span
                and chunk_id
                and chunk_id not in self._rebuilt
            ):
                self._rebuilt[chunk_id] = chunk_judgment(text, doc_id, match.span, chunk_id, grade)

    def _write(
        self,
        written: MigrationFolder,
        text: str,
        mine: Sequence[_Numbered],
        outcomes: Sequence[Outcome],
        chunks: Sequence[Chunk],
    ) -> None:
        places = {chunk.chunk_id: chunk.span for chunk in chunks if chunk.span is not None}
        for numbered, outcome in zip(mine, outcomes, strict=True):
            judgment = numbered.judgment or self._rebuilt.get(outcome.chunk_id or "")
            row = judgment.model_dump(exclude_none=True) if judgment else None
            passage = next((place.of(text) for place in outcome.match.places), "")
            question = numbered.question.question.text
            written.put(numbered.number, label_lines(outcome, row, question, passage, places))

    def record(self, tx: Transaction, embedding: EmbeddingConfig | None, why: str) -> Recorded:
        """The new version, where labels became spans, and the mapping."""
        version, name = self._version, self._chunking.name
        if self._rebuilt:
            old = self.old_chunking.name if self.old_chunking else ""
            said = f"tied {len(self._rebuilt)} labelled chunks of {old} to text"
            rebuilt = [rebuild(question, self._rebuilt) for question in self._set.questions]
            terms = version.terms
            if not any(question.chunk_labels for question in rebuilt):
                terms = terms.model_copy(update={"chunking_identity": None})
            bodies = (question.body() for question in rebuilt)
            version = tx.add_version(version.name, version.number, terms, bodies, Provenance.now(said))
        made = Provenance.now(why or f"migrated to {name}")
        writer = tx.add_mapping(version, self._chunking, embedding, version.terms.min_overlap, made)
        writer.add(self._outcomes[number] for number in sorted(self._outcomes))
        return Recorded(self._store.address, version.label, name, writer.finish().id)
