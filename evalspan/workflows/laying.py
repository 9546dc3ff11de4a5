"""Judgments of a set laid over a chunking anew, without a mapping: at any min_overlap, in any version of the set."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evalspan.corpus import Chunk
from evalspan.errors import BadInput, NotFound, Problem
from evalspan.labels import EvalSet, JudgedQuestion, Judgment
from evalspan.mapping import Label, Piece, pieces_of
from evalspan.migrator.narrow import Narrowing
from evalspan.store import ChunkingRecord, Store
from evalspan.workflows.tie import coarse_documents, label_of, tie


class Ground(NamedTuple):
    """One document with labels, and its chunks."""

    doc_id: str
    text: str
    labels: list[Label]
    judgments: list[Judgment | None]
    """Of each label; None where it names a chunk without a certain place."""
    pieces: list[Piece]


class Tied(NamedTuple):
    """A set as a migration would lay it over chunks."""

    questions: list[JudgedQuestion]
    narrowings: Mapping[tuple[str, Judgment], Narrowing]
    old: Mapping[str, Chunk]
    """The chunks that chunk labels name."""


def tied(store: Store, eval_set: EvalSet) -> Tied:
    """Labels of chunks tied to text and whole chunks narrowed, as far as that is certain; nothing is written. Raises
    NotFound where the store lacks the chunks that labels name.
    """
    old = _old_chunks(store, eval_set)
    documents = coarse_documents(eval_set, old)
    snapshot = store.snapshot_by_digest(eval_set.terms.snapshot_digest)
    texts = store.texts(snapshot, documents) if snapshot is not None and documents else ()
    found = tie(eval_set, old, texts)
    return Tied(found.questions, found.narrowings, old)


def _old_chunks(store: Store, eval_set: EvalSet) -> Mapping[str, Chunk]:
    named = {label.chunk_id for question in eval_set.questions for label in question.chunk_labels}
    if not named:
        return {}
    identity = eval_set.terms.chunking_identity or ""
    found = store.chunking_by_identity(identity, eval_set.terms.snapshot_digest)
    if found is None:
        known = [record.name for record in store.chunkings()]
        hint = "The set's labels name its chunks. Add it first: evalspan chunking add NAME CHUNKS"
        raise NotFound("chunking", identity, known, hint)
    return store.chunk_index(found, named)


def ground(store: Store, laid: Tied, chunking: ChunkingRecord) -> Iterator[Ground]:
    """Of each document with labels. The chunking must be of the set's own snapshot."""
    labels = _labels(laid)
    chunks = store.chunks(chunking, labels)
    ahead = next(chunks, None)
    for doc_id, text in store.texts(chunking.snapshot, labels):
        mine: Sequence[Chunk] = ()
        if ahead is not None and ahead[0] == doc_id:
            mine, ahead = ahead[1], next(chunks, None)
        pieces = [piece for chunk in mine for piece in pieces_of(chunk.chunk_id, chunk.match)]
        pairs = labels[doc_id]
        yield Ground(doc_id, text, [label for label, _ in pairs], [judgment for _, judgment in pairs], pieces)


def _labels(laid: Tied) -> dict[str, list[tuple[Label, Judgment | None]]]:
    """By document; a question that is no longer asked has none."""
    labels: dict[str, list[tuple[Label, Judgment | None]]] = {}
    for question in laid.questions:
        if question.retired:
            continue
        query_id = question.query_id
        for judgment in question.judgments:
            label = label_of(query_id, judgment, laid.narrowings.get((query_id, judgment)))
            labels.setdefault(judgment.doc_id, []).append((label, judgment))
        for named in question.chunk_labels:
            chunk = laid.old[named.chunk_id]
            label = Label(query_id, named.grade, chunk.match, named.chunk_id, coarse=True)
            labels.setdefault(chunk.doc_id, []).append((label, None))
    return labels


def require_same_corpus(eval_set: EvalSet, chunking: ChunkingRecord) -> None:
    """Raises BadInput where the chunking is a cut of other texts than the set is about."""
    mine, other = eval_set.terms.snapshot_digest, chunking.snapshot.digest
    if mine != other:
        what = (
            f"{eval_set.label} is about snapshot {mine[:12]}, and this is a cut of {other[:12]} "
            f"({chunking.snapshot.label}). Move the set there first: evalspan rebase {eval_set.name} --to "
            f"{chunking.snapshot.label}"
        )
        raise BadInput([Problem(f"chunking {chunking.name!r}", None, what)])
