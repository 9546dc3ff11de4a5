"""`evalspan set export --format`: a set in the form of another tool, and what that can't hold."""

from collections import Counter
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from evalspan.corpus import Chunk, Document
from evalspan.errors import BadInput, Problem
from evalspan.formats.files import staged_folder, write_text, writing
from evalspan.formats.foreign.fit import Lost, fit
from evalspan.formats.foreign.form import ForeignChunk, ForeignQuestion, ForeignSet, ForeignSpan, Format, Holds, Piece
from evalspan.formats.foreign.groups import from_groups
from evalspan.formats.foreign.registry import require_format
from evalspan.labels import ChunkLabel, EvalSet, JudgedQuestion, Judgment
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, Store, VersionRecord
from evalspan.workflows.qrels import qrels
from evalspan.workflows.rubrics import chunk_rubrics
from evalspan.workflows.stores import StoreOrAddress, opened

RETIRED = "questions that are no longer asked"
WAITING = "questions with a label that waits"
ALTERNATIVES = "passages that are alternatives of another one"
COARSE = "that a passage was a whole old chunk"
SAID_BY = "who judged, and when"
TOGETHER = "questions to which chunks are enough only together"
UNHELD = "questions with evidence that the chunking does not hold"
UNPLACED = "chunks without a certain place"


class ExportedForeign(NamedTuple):
    """What came of it."""

    format: str
    out: Path
    questions: int
    lost: dict[str, int]
    """What the format can't hold → how many."""


def export_foreign(
    reference: str,
    kind: str,
    out: str | PathLike[str],
    *,
    chunking: str | None = None,
    store: StoreOrAddress = None,
) -> ExportedForeign:
    """Writes the set to `out`: a file, or for formats of several files a new folder. `chunking`: for formats that name
    chunks; passages are laid over it, as `qrels` does.

    Raises BadInput, NotFound; CannotTell where a format says whether labels are alternatives, and the set does not;
    Unwritable; then nothing was written.
    """
    form = require_format(kind)
    _require_chunking(form, chunking)
    _require_ending(form, Path(out))
    lost: Lost = Counter()
    with opened(store) as opened_store:
        version = opened_store.find_version(reference)
        exporting = _Exporting(opened_store, version, form, lost)
        foreign = exporting.of_spans() if chunking is None else exporting.of_chunks(chunking)
    fitted, left_out = fit(foreign, form)
    files = form.write(fitted)
    _land(files, Path(out))
    counts = {str(what): count for what, count in (lost + left_out).items() if count}
    return ExportedForeign(form.name, Path(out), len(fitted.questions), counts)


def _require_chunking(form: Format, chunking: str | None) -> None:
    if chunking is None and Holds.SPANS not in form.holds and Holds.LABELS in form.holds:
        raise BadInput([Problem("--chunking", None, f"is wanted: {form.name} names chunks")])
    if chunking is not None and Holds.LABELS not in form.holds:
        raise BadInput([Problem("--chunking", None, f"can't go with {form.name}, which names no chunks")])


def _require_ending(form: Format, out: Path) -> None:
    """Most readers, ours too, go by it. Without one nothing false is said; a folder has none."""
    if form.many or not out.suffix or out.suffix.lower() in form.endings:
        return
    what = f"{form.name} is not written as {out.suffix}; name a file that ends in {' or '.join(form.endings)}"
    raise BadInput([Problem(f"--out {out}", None, what)])


def _land(files: dict[str, str | bytes], out: Path) -> None:
    alone = files.get("")
    if isinstance(alone, str):
        write_text(out, alone)
        return
    with staged_folder(out) as stage:
        for name, content in files.items():
            path = stage.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with writing(path):
                path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        stage.land()


class _Exporting:
    def __init__(self, store: Store, version: VersionRecord, form: Format, lost: Lost) -> None:
        self._store, self._version, self._form, self._lost = store, version, form, lost
        self._set: EvalSet = store.eval_set(version)
        snapshot = store.snapshot_by_digest(version.terms.snapshot_digest)
        assert snapshot is not None
        self._snapshot = snapshot
        asked = [question for question in self._set.questions if not question.retired]
        lost[RETIRED] += len(self._set.questions) - len(asked)
        self._asked = [self._said(question) for question in asked]

    def _said(self, question: JudgedQuestion) -> JudgedQuestion:
        """With what the set says for all its questions."""
        return question.model_copy(update={"labels_are": question.labels_are or self._set.terms.labels_are})

    def _uncarried(self, judgments: Iterable[Judgment]) -> None:
        """What no format has a place for."""
        for judgment in judgments:
            self._lost[COARSE] += judgment.origin == "chunk"
            self._lost[SAID_BY] += judgment.provenance is not None

    def of_spans(self) -> ForeignSet:
        """A question with a label that waits, or that still names a chunk, is left out: it would look complete."""
        whole = [question for question in self._asked if not _waits(question)]
        self._lost[WAITING] += len(self._asked) - len(whole)
        kept = {question.query_id: self._kept(question) for question in whole}
        self._uncarried(judgment for mine in kept.values() for judgment in mine)
        doc_ids = {judgment.doc_id for mine in kept.values() for judgment in mine}
        named = None if "documents" in self._form.carries and not self._form.wants_texts else doc_ids
        documents = {one.doc_id: one for one in self._store.documents(self._snapshot, named)}
        questions = []
        for at, question in enumerate(whole, 1):
            spans = tuple(_span(judgment, documents[judgment.doc_id]) for judgment in kept[question.query_id])
            questions.append(ForeignQuestion(at, _bare(question), spans))
        return ForeignSet(tuple(questions), documents=tuple(documents.values()))

    def _kept(self, question: JudgedQuestion) -> list[Judgment]:
        """Of alternatives of one name the first, where a format does not take all for alternatives."""
        kept, named = [], set()
        for judgment in question.judgments:
            again = judgment.alternative == "*" or judgment.alternative in named
            if judgment.alternative and again and self._form.labels_are != "any":
                self._lost[ALTERNATIVES] += 1
                continue
            named.add(judgment.alternative)
            kept.append(judgment)
        return kept

    def of_chunks(self, chunking: str) -> ForeignSet:
        cut = self._store.find_chunking(chunking)
        chunks = tuple(self._chunks(cut)) if "chunks" in self._form.carries else ()
        grouped = Holds.GROUPS in self._form.holds and Holds.SPANS not in self._form.holds
        asked = self._by_rubric(chunking) if grouped else self._by_qrels(chunking)
        questions = tuple(ForeignQuestion(at, question) for at, question in enumerate(asked, 1))
        return ForeignSet(questions, chunks=chunks)

    def _by_qrels(self, chunking: str) -> list[JudgedQuestion]:
        derived = qrels(self._version.label, chunking, store=self._store)
        self._lost[WAITING] += len(derived.waiting)
        labels = derived.as_dict()
        out = []
        for question in self._asked:
            mine = labels.get(question.query_id, {})
            if question.query_id not in derived.waiting:
                named = tuple(ChunkLabel(chunk_id=chunk_id, grade=grade) for chunk_id, grade in mine.items())
                out.append(_bare(question).model_copy(update={"chunk_labels": named, "facts": ()}))
        self._lost[Holds.FACTS] += sum(bool(question.facts) for question in self._asked)
        return out

    def _by_rubric(self, chunking: str) -> list[JudgedQuestion]:
        derived = chunk_rubrics(self._version.label, chunking, store=self._store)
        self._lost[WAITING] += len(derived.waiting)
        said = {rubric.query_id: rubric for rubric in derived.rubrics}
        out = []
        for question in self._asked:
            rubric = said.get(question.query_id)
            if rubric is None:
                continue
            if any(not one.any_of for one in rubric.all_of):
                self._lost[UNHELD] += 1
                continue
            if any(len(chunks) > 1 for one in rubric.all_of for chunks in one.any_of):
                self._lost[TOGETHER] += 1
                continue
            groups = [[ChunkLabel(chunk_id=one, grade=1) for (one,) in each.any_of] for each in rubric.all_of]
            labels, facts, labels_are = from_groups(groups)
            self._lost[Holds.FACTS] += bool(question.facts)
            update = {"chunk_labels": labels, "facts": facts, "labels_are": labels_are}
            out.append(_bare(question).model_copy(update=update))
        return out

    def _chunks(self, cut: ChunkingRecord) -> list[ForeignChunk]:
        texts = dict(self._store.texts(self._snapshot))
        found = [chunk for _, chunks in self._store.chunks(cut) for chunk in chunks]
        placed = [one for one in (_chunk(chunk, texts) for chunk in found) if one is not None]
        self._lost[UNPLACED] += len(found) - len(placed)
        return placed


def _waits(question: JudgedQuestion) -> bool:
    return bool(question.chunk_labels) or any(one.label.grade > 0 for one in question.pending)


def _bare(question: JudgedQuestion) -> JudgedQuestion:
    """Without labels."""
    none: dict[str, object] = {"judgments": (), "chunk_labels": (), "pending": (), "retired_labels": ()}
    return question.model_copy(update={**none, "answer_sources": ()})


def _span(judgment: Judgment, document: Document) -> ForeignSpan:
    also = tuple(Piece(*span, span.of(document.text)) for span in judgment.spans[1:])
    return ForeignSpan(
        judgment.doc_id,
        judgment.start,
        judgment.end,
        judgment.span.of(document.text),
        judgment.grade,
        judgment.fact,
        judgment.tabular,
        also,
        version=document.version,
    )


def _chunk(chunk: Chunk, texts: dict[str, str]) -> ForeignChunk | None:
    if chunk.span is None:
        return None
    span: Span = chunk.span
    return ForeignChunk(chunk.chunk_id, span.of(texts[chunk.doc_id]), chunk.doc_id, span.start)
