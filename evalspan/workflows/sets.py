"""Eval sets: in from files, and out again."""

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple

from evalspan.errors import BadInput, NotFound, Problem, Problems
from evalspan.formats.files import write_text
from evalspan.formats.questions import contradicted, read_questions
from evalspan.formats.setfile import SetFile, read_set, render_set
from evalspan.formats.trec import LabelRow, read_labels, render_beir, render_qrels
from evalspan.labels import (
    DEFAULT_MIN_OVERLAP,
    LABEL_SCHEMA,
    ChunkLabel,
    EvalSet,
    JudgedQuestion,
    Judgment,
    LabelsAre,
    Question,
    SetTerms,
    in_order,
)
from evalspan.labels.stands import stands
from evalspan.provenance import Provenance
from evalspan.store import SnapshotRecord, Store, VersionRecord
from evalspan.workflows.migration import check_min_overlap
from evalspan.workflows.qrels import qrels
from evalspan.workflows.stores import StoreOrAddress, opened

_Path = str | PathLike[str]


class ImportedSet(NamedTuple):
    """What came of it."""

    version: VersionRecord
    new: bool
    """False: the newest version was this already, and nothing was written."""
    skipped: tuple[Problem, ...]
    twins: int = 0
    """Places elsewhere that hold a labelled passage too."""


def import_labels(
    name: str,
    labels: _Path,
    *,
    chunking: str = "latest",
    questions: _Path | None = None,
    labels_are: LabelsAre | None = None,
    min_overlap: float = DEFAULT_MIN_OVERLAP,
    guard_scope: Literal["corpus", "evidence"] = "corpus",
    store: StoreOrAddress = None,
    why: str = "",
    skip_bad: bool = False,
) -> ImportedSet:
    """A version of the set from qrels that name chunks of a chunking in the store. They stay chunk labels until the
    set is migrated.

    Raises BadInput (a label names no chunk of it), NotFound, Conflict; then nothing was written.
    """
    check_min_overlap(min_overlap)
    problems = Problems(skip_bad)
    rows = read_labels(labels, problems)
    problems.raise_if_any()
    with opened(store) as opened_store:
        cut = opened_store.find_chunking(chunking)
        asked = _read_questions(questions, problems, opened_store, cut.snapshot)
        problems.raise_if_any()
        no_answer = contradicted(rows, asked)
        there = opened_store.chunk_index(cut, {row.chunk_id for row in rows})
        known = []
        for row in rows:
            if row.chunk_id not in there:
                problems.add(labels, row.line, f"chunk {row.chunk_id!r} is not in chunking {cut.name!r}")
            elif row in no_answer:
                problems.add(labels, row.line, no_answer[row])
            else:
                known.append(row)
        problems.raise_if_any()
        terms = SetTerms(
            snapshot_digest=cut.snapshot.digest,
            min_overlap=min_overlap,
            chunking_identity=cut.identity,
            guard_scope=guard_scope,
            labels_are=labels_are,
        )
        said = why or f"imported {Path(labels).name}, whose labels name chunks of {cut.name}"
        return append_version(opened_store, name, terms, label_questions(known, asked), said, problems)


def _read_questions(
    path: _Path | None, problems: Problems, store: Store, snapshot: SnapshotRecord
) -> dict[str, JudgedQuestion]:
    if path is None:
        return {}
    return read_questions(path, problems, {entry.doc_id for entry in store.snapshot(snapshot).entries})


def label_questions(rows: Iterable[LabelRow], asked: Mapping[str, JudgedQuestion]) -> tuple[JudgedQuestion, ...]:
    """Questions with their labels, which name chunks; those of `asked` without a label are kept too."""
    labels: dict[str, list[ChunkLabel]] = {query_id: [] for query_id in asked}
    for row in rows:
        labels.setdefault(row.query_id, []).append(ChunkLabel(chunk_id=row.chunk_id, grade=row.grade))
    return in_order(
        (asked.get(query_id) or JudgedQuestion(question=Question(query_id=query_id))).model_copy(
            update={"chunk_labels": tuple(mine)}
        )
        for query_id, mine in labels.items()
    )


def import_set_file(
    path: _Path,
    *,
    name: str | None = None,
    labels_are: LabelsAre | None = None,
    store: StoreOrAddress = None,
    why: str = "",
    skip_bad: bool = False,
) -> ImportedSet:
    """A version of the set from a set file. The snapshot that it pins must be in the store, every judgment's text must
    stand where the file says, and every chunk label must name a chunk of the chunking that it pins. `labels_are`:
    where the file does not say.

    Raises BadInput, NotFound, Conflict; then nothing was written.
    """
    problems = Problems(skip_bad)
    found = read_set(path, problems)
    problems.raise_if_any()
    eval_set = found.eval_set
    with opened(store) as opened_store:
        bad = _Bad(opened_store, found, path, problems)
        problems.raise_if_any()
        said = why or f"imported {Path(path).name}"
        questions = bad.without(eval_set.questions)
        terms = _said_of_labels(eval_set.terms, labels_are, path)
        return append_version(opened_store, name or eval_set.name, terms, questions, said, problems)


def _said_of_labels(terms: SetTerms, labels_are: LabelsAre | None, path: _Path) -> SetTerms:
    if labels_are is None or labels_are == terms.labels_are:
        return terms
    if terms.labels_are is not None:
        hint = f"import it as it is, then type: evalspan set amend SET --labels-are {labels_are}"
        what = f"says that labels are {terms.labels_are}, and --labels-are says {labels_are}: {hint}"
        raise BadInput([Problem(str(path), 1, what)])
    return terms.model_copy(update={"labels_are": labels_are, "label_schema": LABEL_SCHEMA})


class _Bad:
    """The judgments and chunk labels of a set file that the store gives the lie."""

    def __init__(self, store: Store, found: SetFile, path: _Path, problems: Problems) -> None:
        self._found, self._path, self._problems = found, path, problems
        self._judgments: set[tuple[str, int]] = set()
        self._labels: set[tuple[str, str]] = set()
        self._hold_judgments(store)
        self._hold_labels(store)

    def _add(self, query_id: str, what: str) -> None:
        self._problems.add(self._path, self._found.lines[query_id], f"question {query_id!r}: {what}")

    def _hold_judgments(self, store: Store) -> None:
        """Against the texts."""
        digest = self._found.eval_set.terms.snapshot_digest
        snapshot = store.snapshot_by_digest(digest)
        if snapshot is None:
            known = [record.label for record in store.snapshots()]
            raise NotFound("snapshot", digest, known, "Add the documents first: evalspan snapshot add DOCUMENTS")
        by_document: dict[str, list[tuple[str, int, Judgment]]] = {}
        for question in self._found.eval_set.questions:
            for at, judgment in enumerate(question.judgments):
                by_document.setdefault(judgment.doc_id, []).append((question.query_id, at, judgment))
        for doc_id, text in store.texts(snapshot, by_document):
            for query_id, at, judgment in by_document.pop(doc_id):
                for what in _lies(judgment, text):
                    self._add(query_id, what)
                    self._judgments.add((query_id, at))
        for doc_id, mine in by_document.items():
            for query_id, at, _ in mine:
                self._add(query_id, f"document {doc_id!r} is not in snapshot {snapshot.label}")
                self._judgments.add((query_id, at))

    def _hold_labels(self, store: Store) -> None:
        """Against the chunking."""
        labels = [(q.query_id, label.chunk_id) for q in self._found.eval_set.questions for label in q.chunk_labels]
        if not labels:
            return
        terms = self._found.eval_set.terms
        identity = terms.chunking_identity
        chunking = store.chunking_by_identity(identity, terms.snapshot_digest) if identity else None
        if chunking is None:
            known = [record.name for record in store.chunkings()]
            hint = "The set's labels name its chunks. Add it first: evalspan chunking add NAME CHUNKS"
            raise NotFound("chunking", identity or "", known, hint)
        there = store.chunk_index(chunking, (chunk_id for _, chunk_id in labels))
        for query_id, chunk_id in labels:
            if chunk_id not in there:
                self._add(query_id, f"chunk {chunk_id!r} is not in chunking {chunking.name!r}")
                self._labels.add((query_id, chunk_id))

    def without(self, questions: Iterable[JudgedQuestion]) -> tuple[JudgedQuestion, ...]:
        """The questions without them."""
        if not self._judgments and not self._labels:
            return tuple(questions)
        return tuple(
            question.model_copy(
                update={
                    "judgments": tuple(
                        judgment
                        for at, judgment in enumerate(question.judgments)
                        if (question.query_id, at) not in self._judgments
                    ),
                    "chunk_labels": tuple(
                        label
                        for label in question.chunk_labels
                        if (question.query_id, label.chunk_id) not in self._labels
                    ),
                }
            )
            for question in questions
        )


def _lies(judgment: Judgment, text: str) -> Iterator[str]:
    """What a judgment says of its document that is not so."""
    if not stands(judgment, text):
        ranges = " + ".join(f"{start}..{end}" for start, end in judgment.spans)
        yield f"at {ranges} of {judgment.doc_id!r} stands another text"
    if judgment.wide is not None and judgment.wide.end > len(text):
        yield f"{judgment.wide.start}..{judgment.wide.end} lies outside {judgment.doc_id!r}"


def append_version(
    store: Store,
    name: str,
    terms: SetTerms,
    questions: tuple[JudgedQuestion, ...],
    why: str,
    problems: Problems,
) -> ImportedSet:
    """Unless the newest one is this already."""
    newest = newest_version(store, name)
    number = newest.number if newest else 0
    if newest is not None and EvalSet(name, number, terms, questions).digest == newest.digest:
        return ImportedSet(newest, False, problems.skipped)
    with store.writing() as tx:
        parent = newest.number if newest else None
        bodies = (question.body() for question in questions)
        version = tx.add_version(name, parent, terms, bodies, Provenance.now(why))
    return ImportedSet(version, True, problems.skipped)


def newest_version(store: Store, name: str) -> VersionRecord | None:
    """Of the set, or None where there is no such set."""
    try:
        return store.versions(name)[-1]
    except NotFound:
        return None


def export_set(reference: str, *, store: StoreOrAddress = None) -> Iterator[str]:
    """The lines of its set file."""
    with opened(store) as opened_store:
        yield from render_set(opened_store.eval_set(opened_store.find_version(reference)))


def export_qrels(reference: str, chunking: str, *, beir: bool = False, store: StoreOrAddress = None) -> Iterator[str]:
    """The lines of the qrels that its newest mapping on the chunking gives; decided questions only."""
    derived = qrels(reference, chunking, store=store)
    yield from render_beir(derived.qrels) if beir else render_qrels(derived.qrels)


def write_lines(lines: Iterable[str], path: _Path) -> None:
    """The file appears whole or not at all."""
    write_text(Path(path), "".join(lines))
