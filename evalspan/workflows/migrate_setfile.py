"""`evalspan migrate SET.jsonl`: a set file onto new chunks, without a store."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from evalspan.anchoring import Match
from evalspan.corpus import Chunk, Placed, RawChunk, as_chunks, count_placed, place_chunks
from evalspan.digests import ArrayDigest
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.files import staged_folder
from evalspan.formats.migration import LabelLines, MigrationFolder
from evalspan.labels import EvalSet, JudgedQuestion, Judgment
from evalspan.mapping import Carried, Label, Outcome, carried, lay_over, pieces_of
from evalspan.migrator import DocumentCuts, Narrowing, document_cuts, proposed_narrowing
from evalspan.spans import Span
from evalspan.workflows.migration import Migration, Sums, label_lines, span_row
from evalspan.workflows.parallel import in_order
from evalspan.workflows.progress import Progress, silent
from evalspan.workflows.setfile_inputs import FilePath, SetFileInputs, read_setfile_inputs
from evalspan.workflows.tie import label_of, tie

_NONE = Placed(0, 0, 0, 0)


def migrate_set_file(
    eval_set: FilePath,
    *,
    documents: FilePath,
    new_chunks: FilePath,
    old_chunks: FilePath | None = None,
    out: FilePath | None = None,
    skip_bad: bool = False,
    replace_bad_text: bool = False,
    progress: Progress = silent,
) -> Migration:
    """Lays the labels of a set file over new chunks, with the set's own min_overlap, and writes what `migrate_files`
    writes into the folder `out`, which must be absent or empty. Labels that still name chunks are tied to text first,
    by `old_chunks`. The set file stays as it is. Only documents with labels are looked at: `new_chunks` of the result
    counts theirs.

    Raises BadInput: the documents are not those that the set is about, a passage does not stand where the set says, the
    old chunks are not those that its labels name, and every problem of a file. Then nothing was written.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(staged_folder(Path(out))) if out is not None else None
        problems = Problems(skip_bad)
        inputs = read_setfile_inputs(stack, eval_set, documents, new_chunks, old_chunks, problems, replace_bad_text)
        work = _Work(inputs, writes=folder is not None)
        results = stack.enter_context(in_order(work, work.doc_ids))
        written = stack.enter_context(MigrationFolder(folder.path)) if folder is not None else None
        sums, identity = Sums(), ArrayDigest()
        sums.hold(inputs.held)
        old_placed = new_placed = _NONE
        for result in progress(results, "migrating", len(work.doc_ids)):
            old_placed, new_placed = old_placed.plus(result.old), new_placed.plus(result.new)
            if result.named:
                identity.add_encoded(result.named)
            sums.add(result.carried, result.cuts)
            for number, lines in result.lines:
                if written is not None:
                    written.put(number, lines)
        _require_same_chunks(inputs, identity.hexdigest())
        if written is not None and folder is not None:
            written.finish(sums.qrels(inputs.terms.min_overlap))
            folder.land()
        return Migration(
            tally=sums.tally,
            decided=sums.decided,
            waiting=sums.waiting,
            cuts=sums.cuts,
            old_chunks=old_placed if inputs.old is not None else None,
            new_chunks=new_placed,
            min_overlap=inputs.terms.min_overlap,
            skipped=problems.skipped,
            out=Path(out) if out is not None else None,
        )


def _require_same_chunks(inputs: SetFileInputs, identity: str) -> None:
    """Ids alone prove nothing: splitters number their chunks."""
    pinned = inputs.terms.chunking_identity
    if inputs.old is not None and pinned is not None and pinned != identity:
        what = f"these are not the chunks that the set's labels name (chunking {pinned[:12]}; this is {identity[:12]})"
        raise BadInput([Problem(str(inputs.old.path), None, what)])


class _Result(NamedTuple):
    """What comes back of one document."""

    old: Placed
    new: Placed
    named: bytes
    """Its part of the array that the old chunks' identity is taken over."""
    carried: list[Carried]
    cuts: DocumentCuts
    lines: list[tuple[int, LabelLines]]


class _Numbered(NamedTuple):
    """A label ready to be laid over chunks."""

    number: int
    question: JudgedQuestion
    label: Label
    judgment: Judgment | None
    """None where its chunk has no certain place."""
    narrowing: Narrowing | None


class _Work:
    """What is done with each document; called in whichever process."""

    def __init__(self, inputs: SetFileInputs, writes: bool) -> None:
        self._inputs, self._writes = inputs, writes
        self._labels: dict[str, list[JudgedQuestion]] = {}
        """doc_id → the questions with labels there, each with those labels alone."""
        self._numbers: dict[str, list[int]] = {}
        """doc_id → the numbers of these labels among all, question by question, judgments first."""
        self._share_out()
        # To know the old chunks for those that the labels name, all are wanted.
        self.doc_ids = sorted(self._labels if inputs.old is None else inputs.documents.ids)

    def _share_out(self) -> None:
        number = 0
        for question in self._inputs.questions:
            mine: dict[str, tuple[list[Judgment], list[object]]] = {}
            for judgment in question.judgments:
                mine.setdefault(judgment.doc_id, ([], []))[0].append(judgment)
                self._numbers.setdefault(judgment.doc_id, []).append(number)
                number += 1
            for label in question.chunk_labels:
                assert self._inputs.old is not None
                doc_id = self._inputs.old.document_of(label.chunk_id)
                mine.setdefault(doc_id, ([], []))[1].append(label)
                self._numbers.setdefault(doc_id, []).append(number)
                number += 1
            for doc_id, (judgments, labels) in mine.items():
                here = {"judgments": tuple(judgments), "chunk_labels": tuple(labels)}
                self._labels.setdefault(doc_id, []).append(question.model_copy(update=here))

    def __call__(self, doc_id: str) -> _Result:
        text = self._inputs.documents.read(doc_id).text
        raw = self._inputs.old.of_document(doc_id) if self._inputs.old is not None else []
        old = as_chunks(doc_id, raw, place_chunks(raw, text))
        placed = count_placed([chunk.match for chunk in old])
        named = _named(doc_id, old)
        questions = self._labels.get(doc_id)
        if questions is None:
            return _Result(placed, _NONE, named, [], document_cuts(()), [])
        new = self._inputs.new.of_document(doc_id)
        matches = place_chunks(new, text)
        pieces = [
            piece for chunk, match in zip(new, matches, strict=True) for piece in pieces_of(chunk.chunk_id, match)
        ]
        labels = self._tied(doc_id, text, questions, old)
        outcomes = lay_over(doc_id, text, [one.label for one in labels], pieces, self._inputs.terms.min_overlap)
        return _Result(
            placed,
            count_placed(matches),
            named,
            [carried(outcome) for outcome in outcomes],
            document_cuts(outcomes),
            list(_lines(text, labels, outcomes, raw, _places(new, matches))) if self._writes else [],
        )

    def _tied(
        self, doc_id: str, text: str, questions: Sequence[JudgedQuestion], old: Sequence[Chunk]
    ) -> list[_Numbered]:
        """The labels of the document, those of chunks tied to text and narrowed as far as that is certain."""
        chunks = {chunk.chunk_id: chunk for chunk in old}
        coarse = any(one.chunk_labels or any(j.coarse for j in one.judgments) for one in questions)
        texts = [(doc_id, text)] if coarse else []
        tied = tie(EvalSet("", 0, self._inputs.terms, tuple(questions)), chunks, texts)
        numbers = iter(self._numbers[doc_id])
        out = []
        for before, after in zip(questions, tied.questions, strict=True):
            judgments = iter(after.judgments)
            for label in (*before.judgments, *before.chunk_labels):
                number = next(numbers)
                if label in after.chunk_labels:
                    match = chunks[label.chunk_id or ""].match
                    unplaced = Label(before.query_id, label.grade, match, label.chunk_id, coarse=True)
                    out.append(_Numbered(number, before, unplaced, None, None))
                else:
                    judgment = next(judgments)
                    narrowing = tied.narrowings.get((before.query_id, judgment))
                    ready = label_of(before.query_id, judgment, narrowing)
                    out.append(_Numbered(number, before, ready, judgment, narrowing))
        return out


def _places(chunks: Sequence[RawChunk], matches: Sequence[Match]) -> dict[str, Span]:
    """The range of each chunk whose place is certain."""
    pairs = zip(chunks, matches, strict=True)
    return {chunk.chunk_id: match.span for chunk, match in pairs if match.sure and match.same and match.span}


def _lines(
    text: str,
    labels: Sequence[_Numbered],
    outcomes: Sequence[Outcome],
    old: Sequence[RawChunk],
    places: dict[str, Span],
) -> Iterator[tuple[int, LabelLines]]:
    texts = {chunk.chunk_id: chunk.text for chunk in old}
    for one, outcome in zip(labels, outcomes, strict=True):
        row, passage = None, texts.get(outcome.chunk_id or "", "")
        if one.judgment is not None:
            row = span_row(one.judgment)
            passage = " … ".join(span.of(text) for span in one.judgment.spans)
        asked = one.question.question.text
        yield one.number, label_lines(outcome, row, asked, passage, places, proposed_narrowing(one.narrowing, text))


def _named(doc_id: str, chunks: Sequence[Chunk]) -> bytes:
    if not chunks:
        return b""
    # Loads the store's code, which a set of spans does not need.
    from evalspan.store.blocks import chunk_block

    return chunk_block(doc_id, chunks).named
