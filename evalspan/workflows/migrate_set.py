"""`evalspan migrate SET --to CHUNKING`: a set of the store onto a chunking of the store."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from os import PathLike
from pathlib import Path

from evalspan.corpus import Chunk, EmbeddingConfig
from evalspan.errors import BadInput, Conflict, NotFound, Problem
from evalspan.formats.files import staged_folder
from evalspan.formats.migration import MigrationFolder
from evalspan.labels import LABEL_SCHEMA, JudgedQuestion, Judgment, Proposal, SetTerms
from evalspan.mapping import Label, Outcome, WaitingLabel, carried, lay_over, lost_labels, pieces_of
from evalspan.migrator import document_cuts
from evalspan.migrator.decide import decided, found_label
from evalspan.migrator.narrow import Scorer
from evalspan.migrator.offers import narrowing_proposals
from evalspan.migrator.review import ReviewItem, outcome_item, proposal_item
from evalspan.migrator.settle import Answer, Settled
from evalspan.migrator.twins import TwinPolicy, twin_proposal
from evalspan.provenance import Provenance
from evalspan.store import ChunkingRecord, DecisionRecord, Store, Transaction, VersionRecord
from evalspan.store.lineage import Standing, living, standing
from evalspan.workflows.migration import Migration, Offers, Recorded, Sums, bereft, label_lines, span_row
from evalspan.workflows.progress import Progress, silent
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.texts import Texts
from evalspan.workflows.tie import Tied, coarse_documents, label_of, tie
from evalspan.workflows.twins import twins_of, with_twins


def migrate_set(
    eval_set: str,
    to: str,
    *,
    embedding: EmbeddingConfig | None = None,
    out: str | PathLike[str] | None = None,
    twins: TwinPolicy = "ask",
    scorer: Scorer | None = None,
    store: StoreOrAddress = None,
    why: str = "",
    progress: Progress = silent,
) -> Migration:
    """Maps the set's judgments on a chunking and records the mapping. Labels that still name chunks become spans
    first, and spans of whole chunks are narrowed where that is certain, in a new version of the set; labels whose chunk
    has no certain place stay as they are and wait. What was decided before is applied where it is asked again.

    `twins`: what becomes of passages that stand elsewhere too; they are looked for when a version is mapped for the
    first time. `scorer`: ranks the sentences of a whole chunk beside the question's words.

    Raises NotFound, BadInput (the chunking is a cut of another snapshot), Conflict; then nothing was written.
    """
    with opened(store) as opened_store:
        version = opened_store.find_version(eval_set)
        chunking = opened_store.find_chunking(to)
        _require_same_corpus(version, chunking)
        job = _Job(opened_store, version, chunking)
        with ExitStack() as stack:
            folder = stack.enter_context(staged_folder(Path(out))) if out is not None else None
            written = stack.enter_context(MigrationFolder(folder.path)) if folder is not None else None
            job.prepare(twins, scorer, progress)
            job.require_newest()
            sums = Sums()
            sums.hold(job.lost())
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
            offers=job.offers(),
            bereft=job.bereft(),
        )


def _require_same_corpus(version: VersionRecord, chunking: ChunkingRecord) -> None:
    mine, other = version.terms.snapshot_digest, chunking.snapshot.digest
    if mine != other:
        what = (
            f"{version.label} is about snapshot {mine[:12]}, and this is a cut of {other[:12]} "
            f"({chunking.snapshot.label}). Move the set there first: evalspan rebase {version.name} --to "
            f"{chunking.snapshot.label}"
        )
        raise BadInput([Problem(f"chunking {chunking.name!r}", None, what)])


class _Job:
    """One migration."""

    def __init__(self, store: Store, version: VersionRecord, chunking: ChunkingRecord) -> None:
        self._store, self._version, self._chunking = store, version, chunking
        self._texts = Texts(store)
        self._set = store.eval_set(version)
        self.old_chunking = self._find_old_chunking()
        self._old = self._find_old_chunks()
        self._questions: list[JudgedQuestion] = list(self._set.questions)
        self._tied = Tied(self._questions, 0, 0, {})
        self._proposals: list[Proposal] = []
        self._used: dict[int, DecisionRecord] = {}
        self._twins = 0
        self._outcomes: dict[int, Outcome] = {}
        self.labels: dict[str, list[tuple[int, JudgedQuestion, Label, Judgment | None]]] = {}
        """doc_id → number, question, label, and judgment of each of its labels."""

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

    def _find_old_chunks(self) -> Mapping[str, Chunk]:
        if self.old_chunking is None:
            return {}
        named = {label.chunk_id for question in self._set.questions for label in question.chunk_labels}
        return self._store.chunk_index(self.old_chunking, named)

    def require_newest(self) -> None:
        """Raises Conflict where labels change in a version that has been followed by another."""
        newest = self._store.versions(self._version.name)[-1]
        if self._changed and newest.number != self._version.number:
            raise Conflict(
                f"{self._version.label} has been followed by {newest.label}; labels are tied to text and narrowed in "
                f"the newest version only. Type: evalspan migrate {newest.name} --to {self._chunking.name}"
            )

    @property
    def _changed(self) -> bool:
        return any(old is not new for old, new in zip(self._set.questions, self._questions, strict=True))

    # Before anything is laid over chunks

    def prepare(self, twins: TwinPolicy, scorer: Scorer | None, progress: Progress) -> None:
        """Ties, narrows, looks for twins, and applies what was decided before."""
        snapshot = self._chunking.snapshot
        documents = coarse_documents(self._set, self._old)
        if documents:
            texts = progress(self._store.texts(snapshot, documents), "narrowing", len(documents))
            self._tied = tie(self._set, self._old, texts, scorer)
            self._questions = self._tied.questions
        self._proposals = narrowing_proposals(self._tied.narrowings)
        if twins != "ignore" and (self._changed or not self._store.mappings(self._version)):
            self._find_twins(twins, progress)
        settled, records = self._decided_before()
        if settled:
            self._settle_proposals(settled, records)
            self._settle_outcomes(settled, records)
        self._number()

    def _find_twins(self, policy: TwinPolicy, progress: Progress) -> None:
        found = twins_of(self._store, self._chunking.snapshot, self._questions, progress)
        self._twins = sum(len(one.spans) for one in found)
        if policy == "ask":
            self._proposals += [twin_proposal(one) for one in found]
        else:
            self._questions = with_twins(self._questions, found, self._texts, self._version.terms.snapshot_digest)

    # What was decided before

    def _decided_before(self) -> tuple[Settled, list[DecisionRecord]]:
        chain = living(self._store.versions(self._version.name))
        records = [r for r in self._store.decisions(self._version.name) if standing(r, chain) is Standing.APPLIED]
        return Settled((record.decision for record in records), self._texts), records

    def _use(self, question: int, item: ReviewItem, answer: Answer, records: Sequence[DecisionRecord]) -> None:
        before = self._questions[question]
        after = decided(before, item, answer.here)
        self._questions[question] = before if after == before else after  # what is the same makes no new version
        self._used.update({record.id: record for record in records if record.decision == answer.given})

    def _is_open(self, question: int, item: ReviewItem) -> bool:
        """Whether the label that it is about is there still: another decision may have answered for it."""
        return found_label(self._questions[question], item.subject) is not None

    def _settle_proposals(self, settled: Settled, records: Sequence[DecisionRecord]) -> None:
        at = {question.query_id: i for i, question in enumerate(self._questions)}
        digest = self._version.terms.snapshot_digest
        left = []
        for proposal in self._proposals:
            i = at[proposal.query_id]
            item = proposal_item(self._questions[i], proposal, digest, self._texts)
            answer = settled.find(item, digest)
            if answer is None:
                left.append(proposal)
            elif self._is_open(i, item):
                self._use(i, item, answer, records)
        self._proposals = left

    def _settle_outcomes(self, settled: Settled, records: Sequence[DecisionRecord]) -> None:
        """Lays the labels over once to see what would be asked, and answers what was answered before."""
        self._number()
        at = {question.query_id: i for i, question in enumerate(self._questions)}
        digest, name = self._version.terms.snapshot_digest, self._chunking.name
        for doc_id, text, chunks, outcomes in self._laid_over():
            places = {chunk.chunk_id: chunk.span for chunk in chunks if chunk.span is not None}
            for (_, question, label, judgment), outcome in zip(self.labels[doc_id], outcomes, strict=True):
                if not outcome.asks:
                    continue
                subject = judgment or next(one for one in question.chunk_labels if one.chunk_id == label.chunk_id)
                unknown = "" if judgment else self._old[label.chunk_id or ""].text_digest
                item = outcome_item(question, subject, outcome, text, places, name, digest, unknown)
                answer = settled.find(item, digest) if item is not None else None
                i = at[question.query_id]
                if item is not None and answer is not None and self._is_open(i, item):
                    self._use(i, item, answer, records)

    # Laying over

    def _number(self) -> None:
        """The labels of each document, numbered as the version that is written holds them; a question that is no longer
        asked has no qrels, and waits for nothing.
        """
        self.labels = {}
        number = 0
        for question in self._questions:
            if question.retired:
                continue
            for judgment in question.judgments:
                label = label_of(question.query_id, judgment, self._tied.narrowings.get((question.query_id, judgment)))
                self.labels.setdefault(judgment.doc_id, []).append((number, question, label, judgment))
                number += 1
            for named in question.chunk_labels:
                chunk = self._old[named.chunk_id]
                label = Label(question.query_id, named.grade, chunk.match, named.chunk_id, coarse=True)
                self.labels.setdefault(chunk.doc_id, []).append((number, question, label, None))
                number += 1

    def bereft(self) -> tuple[str, ...]:
        """Questions without any relevant label: the last one was retired."""
        return bereft(self._questions)

    def lost(self) -> Iterator[WaitingLabel]:
        """Labels without an outcome."""
        return lost_labels(self._questions)

    def _laid_over(self) -> Iterator[tuple[str, str, Sequence[Chunk], list[Outcome]]]:
        """doc_id, its text, its new chunks, and the outcomes of its labels."""
        cut = self._store.chunks(self._chunking, self.labels)
        ahead = next(cut, None)
        for doc_id, text in self._store.texts(self._chunking.snapshot, self.labels):
            chunks: Sequence[Chunk] = ()
            if ahead is not None and ahead[0] == doc_id:
                chunks, ahead = ahead[1], next(cut, None)
            pieces = [piece for chunk in chunks for piece in pieces_of(chunk.chunk_id, chunk.match)]
            labels = [label for _, _, label, _ in self.labels[doc_id]]
            yield doc_id, text, chunks, lay_over(doc_id, text, labels, pieces, self._version.terms.min_overlap)

    def documents(self, written: MigrationFolder | None) -> Iterator[Sequence[Outcome]]:
        """The outcomes of each document that has labels."""
        for doc_id, text, chunks, outcomes in self._laid_over():
            for (number, _, _, _), outcome in zip(self.labels[doc_id], outcomes, strict=True):
                self._outcomes[number] = outcome
            if written is not None:
                self._write(written, doc_id, text, outcomes, chunks)
            yield outcomes

    def _write(
        self, written: MigrationFolder, doc_id: str, text: str, outcomes: Sequence[Outcome], chunks: Sequence[Chunk]
    ) -> None:
        places = {chunk.chunk_id: chunk.span for chunk in chunks if chunk.span is not None}
        for (number, question, _, judgment), outcome in zip(self.labels[doc_id], outcomes, strict=True):
            row = span_row(judgment) if judgment else None
            passage = next((place.of(text) for place in outcome.match.places), "")
            written.put(number, label_lines(outcome, row, question.question.text, passage, places))

    # What is kept

    def record(self, tx: Transaction, embedding: EmbeddingConfig | None, why: str) -> Recorded:
        """The new version, where labels changed, what is offered about it, and the mapping."""
        version, name = self._version, self._chunking.name
        if self._changed:
            bodies = (question.body() for question in self._questions)
            version = tx.add_version(version.name, version.number, self._terms(), bodies, Provenance.now(self._said()))
            tx.apply(self._used.values(), version)
        tx.add_proposals(version, self._proposals)
        made = Provenance.now(why or f"migrated to {name}")
        writer = tx.add_mapping(version, self._chunking, embedding, version.terms.min_overlap, made)
        writer.add(self._outcomes[number] for number in sorted(self._outcomes))
        return Recorded(self._store.address, version.label, name, writer.finish().id)

    def _terms(self) -> SetTerms:
        update: dict[str, object] = {"label_schema": LABEL_SCHEMA}
        if not any(question.chunk_labels for question in self._questions):
            update["chunking_identity"] = None
        return self._version.terms.model_copy(update=update)

    def _said(self) -> str:
        parts = []
        if self._tied.chunks and self.old_chunking:
            parts.append(f"tied {self._tied.chunks} labels of chunks of {self.old_chunking.name} to text")
        if self._tied.narrowed:
            parts.append(f"narrowed {self._tied.narrowed}")
        if self._used:
            parts.append(f"applied {len(self._used)} earlier decisions")
        return ", ".join(parts) or "took the same passages elsewhere as alternatives"

    def offers(self) -> Offers:
        """What was done to the labels, and what is offered."""
        return Offers(self._tied.narrowed, self._twins, len(self._proposals), len(self._used))
