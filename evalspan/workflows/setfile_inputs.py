"""The files that a migration of a set file reads, held against each other."""

from contextlib import ExitStack, closing
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from evalspan.digests import snapshot_digest, text_digest
from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.chunks import ChunkFile
from evalspan.formats.documents import DocumentFile
from evalspan.formats.setfile import SetFile, read_set
from evalspan.formats.trec import skipped_label
from evalspan.labels import ChunkLabel, JudgedQuestion, Judgment, SetTerms
from evalspan.labels.stands import stands
from evalspan.mapping import Bucket, WaitingLabel

FilePath = str | PathLike[str]


class SetFileInputs(NamedTuple):
    """What they hold, checked; texts are read when they are needed."""

    questions: tuple[JudgedQuestion, ...]
    """Those that are asked, with the labels that hold."""
    terms: SetTerms
    documents: DocumentFile
    new: ChunkFile
    old: ChunkFile | None
    """None where no label names a chunk."""
    held: list[WaitingLabel]
    """Labels that have no outcome, and whose questions wait: lost when the corpus changed, or skipped as bad."""


def read_setfile_inputs(
    stack: ExitStack,
    eval_set: FilePath,
    documents: FilePath,
    new_chunks: FilePath,
    old_chunks: FilePath | None,
    problems: Problems,
    replace_bad_text: bool,
) -> SetFileInputs:
    """Every file, in turn: each one's problems are raised together. `stack` closes them.

    Raises BadInput also where the documents are not those that the set is about.
    """
    found = read_set(eval_set, problems)
    problems.raise_if_any()
    names_chunks = any(question.chunk_labels for question in found.eval_set.questions)
    _require_fitting(eval_set, names_chunks, old_chunks)
    opened = stack.enter_context(closing(DocumentFile(documents, problems, replace_bad_text)))
    problems.raise_if_any()
    cut = []
    for path in (new_chunks, old_chunks):
        if path is not None:
            file = ChunkFile(path, problems, opened.ids, Path(documents).name, replace_bad_text)
            cut.append(stack.enter_context(closing(file)))
            problems.raise_if_any()
    old = cut[1] if len(cut) > 1 else None
    asked = [question for question in found.eval_set.questions if not question.retired]
    bad = _bad_labels(found, Path(eval_set), asked, opened, old, problems)
    problems.raise_if_any()
    held = [skipped_label(query_id, label.chunk_id or "") for query_id, label in bad]
    held += [
        WaitingLabel(question.query_id, lost.label.chunk_id, Bucket.UNMAPPED.value, lost.reason)
        for question in asked
        for lost in question.pending
        if lost.label.grade > 0
    ]
    sound = tuple(_without(question, bad) for question in asked)
    return SetFileInputs(sound, found.eval_set.terms, opened, cut[0], old, held)


def _require_fitting(eval_set: FilePath, names_chunks: bool, old_chunks: FilePath | None) -> None:
    if names_chunks and old_chunks is None:
        what = "labels of it name chunks; give the chunks that they name: --old-chunks OLD.jsonl"
        raise BadInput([Problem(str(eval_set), None, what)])
    if not names_chunks and old_chunks is not None:
        what = "all its labels are ranges of text; it is migrated without --old-chunks"
        raise BadInput([Problem(str(eval_set), None, what)])


_Bad = set[tuple[str, Judgment | ChunkLabel]]


def _bad_labels(
    found: SetFile,
    path: Path,
    asked: list[JudgedQuestion],
    documents: DocumentFile,
    old: ChunkFile | None,
    problems: Problems,
) -> _Bad:
    """(query_id, label) of those that the other files give the lie; each is a problem with its line."""
    bad: _Bad = set()

    def add(query_id: str, label: Judgment | ChunkLabel, what: str) -> None:
        problems.add(path, found.lines[query_id], f"question {query_id!r}: {what}")
        bad.add((query_id, label))

    by_document: dict[str, list[tuple[str, Judgment]]] = {}
    for question in asked:
        for judgment in question.judgments:
            by_document.setdefault(judgment.doc_id, []).append((question.query_id, judgment))
    digests = []
    moved = []
    for doc_id in documents.ids:
        text = documents.read(doc_id).text
        digests.append((doc_id, text_digest(text)))
        moved += [(query_id, one) for query_id, one in by_document.get(doc_id, ()) if not stands(one, text)]
    gone = [one for doc_id, mine in by_document.items() if doc_id not in documents.ids for one in mine]
    passages = sum(map(len, by_document.values()))
    standing = passages - len(moved) - len(gone)
    _require_same_corpus(found, path, documents.path, snapshot_digest(digests), f"{standing} of {passages}")
    for query_id, judgment in moved:
        add(query_id, judgment, f"at {judgment.start}..{judgment.end} of {judgment.doc_id!r} stands another text")
    for query_id, judgment in gone:
        add(query_id, judgment, f"document {judgment.doc_id!r} is not in {documents.path.name}")
    for question in asked:
        for label in question.chunk_labels:
            if old is None or label.chunk_id not in old.ids:
                add(question.query_id, label, f"chunk {label.chunk_id!r} is not in {old.path.name if old else ''}")
    return bad


def _require_same_corpus(found: SetFile, path: Path, documents: Path, digest: str, standing: str) -> None:
    pinned = found.eval_set.terms.snapshot_digest
    if digest != pinned:
        what = (
            f"{path} is about corpus {pinned[:12]}, and this is {digest[:12]} ({standing} passages stand where the "
            "set says). Move the set to it first, in a store: evalspan rebase NAME --to SNAPSHOT"
        )
        raise BadInput([Problem(str(documents), None, what)])


def _without(question: JudgedQuestion, bad: _Bad) -> JudgedQuestion:
    if not bad:
        return question
    return question.model_copy(
        update={
            "judgments": tuple(one for one in question.judgments if (question.query_id, one) not in bad),
            "chunk_labels": tuple(one for one in question.chunk_labels if (question.query_id, one) not in bad),
        }
    )
