"""`queries`, `corpus`, `relevant_docs`: LlamaIndex's EmbeddingQAFinetuneDataset as a file, and what the evaluators of
sentence-transformers take.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.foreign.form import ForeignChunk, ForeignSet, Format, Holds, ReadOptions
from evalspan.formats.foreign.qrels import Labelled, by_question
from evalspan.formats.foreign.rows import Numbered, Wrong, an_id, each, id_of, only, read_json, text_of

KEYS = ("queries", "corpus", "relevant_docs")


class RetrievalDicts(NamedTuple):
    """As `InformationRetrievalEvaluator` of sentence-transformers takes them."""

    queries: dict[str, str]
    corpus: dict[str, str]
    relevant_docs: dict[str, set[str]]


def to_dicts(foreign: ForeignSet) -> RetrievalDicts:
    """Labels that are not relevant are left out: what is named is relevant."""
    questions = [one.question for one in foreign.questions]
    relevant = {q.query_id: {label.chunk_id for label in q.chunk_labels if label.grade > 0} for q in questions}
    return RetrievalDicts(
        {question.query_id: question.question.text for question in questions},
        {chunk.chunk_id: chunk.text for chunk in foreign.chunks},
        {query_id: found for query_id, found in relevant.items() if found},
    )


def from_dicts(
    queries: Mapping[str, str], corpus: Mapping[str, str], relevant_docs: Mapping[str, Sequence[str] | set[str]]
) -> ForeignSet:
    """The way back; sets come in code-point order."""
    labels = [
        Labelled(at, query_id, chunk_id, 1)
        for at, (query_id, found) in enumerate(relevant_docs.items(), 1)
        for chunk_id in dict.fromkeys(sorted(found) if isinstance(found, set) else found)
    ]
    chunks = tuple(ForeignChunk(chunk_id, text) for chunk_id, text in corpus.items())
    return ForeignSet(by_question(labels, queries, keep_bare=True), chunks=chunks)


def _read(files: Sequence[Path], problems: Problems, options: ReadOptions) -> ForeignSet:  # noqa: ARG001
    path = only(files)
    value = read_json(path)
    if not isinstance(value, dict) or not all(isinstance(value.get(key), dict) for key in KEYS):
        raise BadInput([Problem(str(path), None, f"has no objects {', '.join(KEYS)}")])
    queries, corpus = (dict(each(path, problems, _rows(value[key]), _text)) for key in KEYS[:2])
    relevant = dict(each(path, problems, _rows(value["relevant_docs"]), _ids))
    unknown = [(q, one) for q, found in relevant.items() for one in found if corpus and one not in corpus]
    for query_id, one in unknown:
        problems.add(path, list(relevant).index(query_id) + 1, f"question {query_id!r}: {one!r} is not in the corpus")
    return from_dicts(queries, corpus, relevant)


def _rows(value: Mapping[str, object]) -> list[Numbered]:
    return [Numbered(at, {"id": key, "value": one}) for at, (key, one) in enumerate(value.items(), 1)]


def _text(line: Numbered) -> tuple[str, str]:
    return id_of(line.row, "id"), text_of(line.row, "value")


def _ids(line: Numbered) -> tuple[str, list[str]]:
    found = line.row["value"]
    if not isinstance(found, list):
        raise Wrong(f"relevant_docs of {line.row['id']!r} is no list of ids")
    return id_of(line.row, "id"), [an_id(one, "a relevant document") for one in found]


def _write(foreign: ForeignSet) -> dict[str, str | bytes]:
    queries, corpus, _ = to_dicts(foreign)
    relevant = {
        one.question.query_id: [label.chunk_id for label in one.question.chunk_labels] for one in foreign.questions
    }
    value = {"queries": queries, "corpus": corpus, "relevant_docs": relevant, "mode": "text"}
    return {"": json.dumps(value, ensure_ascii=False) + "\n"}


FORMAT = Format(
    name="llamaindex-qa",
    title="LlamaIndex's EmbeddingQAFinetuneDataset, and the dicts of sentence-transformers as JSON",
    suffixes=(".json",),
    guess=lambda look: look.has("queries") and (look.has("corpus") or look.has("relevant_docs")),
    read=_read,
    write=_write,
    holds=frozenset({Holds.IDS, Holds.TEXT, Holds.LABELS, Holds.UNLABELLED}),
    carries=("chunks",),
)
