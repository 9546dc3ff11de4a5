"""Labels that name chunks become judgments, and those of whole chunks are narrowed, document by document."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from evalspan.anchoring import Match, Status, make_anchor
from evalspan.corpus import Chunk
from evalspan.labels import ChunkLabel, EvalSet, JudgedQuestion, Judgment, Part
from evalspan.mapping import Label
from evalspan.migrator import chunk_judgment
from evalspan.migrator.narrow import Certainty, Narrowing, Scorer, narrow_labels
from evalspan.migrator.narrowed import narrowed, wide_label
from evalspan.spans import merged


class Tied(NamedTuple):
    """A set whose labels are tied to text as far as that is certain."""

    questions: list[JudgedQuestion]
    """In their order; of each, the judgments that it had, those that were chunk labels, and what is left of these."""
    chunks: int
    """Labels that named chunks and are judgments now."""
    narrowed: int
    """Judgments that were narrowed."""
    narrowings: dict[tuple[str, Judgment], Narrowing]
    """(query_id, coarse judgment) → where in it the evidence may stand."""


def coarse_documents(eval_set: EvalSet, old: Mapping[str, Chunk]) -> set[str]:
    """The documents that `tie` needs."""
    documents = {j.doc_id for q in eval_set.questions for j in q.judgments if j.coarse}
    return documents | {old[label.chunk_id].doc_id for q in eval_set.questions for label in q.chunk_labels}


def tie(
    eval_set: EvalSet, old: Mapping[str, Chunk], texts: Iterable[tuple[str, str]], scorer: Scorer | None = None
) -> Tied:
    """`old`: chunk id → chunk, of those that labels name; `texts`: of `coarse_documents`."""
    job = _Tie(eval_set, old, scorer)
    for doc_id, text in texts:
        job.document(doc_id, text)
    return job.tied()


class _Tie:
    def __init__(self, eval_set: EvalSet, old: Mapping[str, Chunk], scorer: Scorer | None) -> None:
        self._set, self._old, self._scorer = eval_set, old, scorer
        self._asked = {question.query_id: question.question for question in eval_set.questions}
        self._become: dict[tuple[str, Judgment | ChunkLabel], Judgment] = {}
        self._narrowings: dict[tuple[str, Judgment], Narrowing] = {}
        self._chunks = self._narrowed = 0
        self._mine: dict[str, list[tuple[str, Judgment | ChunkLabel]]] = {}
        for question in eval_set.questions:
            for judgment in question.judgments:
                if judgment.coarse:
                    self._mine.setdefault(judgment.doc_id, []).append((question.query_id, judgment))
            for label in question.chunk_labels:
                self._mine.setdefault(old[label.chunk_id].doc_id, []).append((question.query_id, label))

    def document(self, doc_id: str, text: str) -> None:
        """All labels of the document at once: what one question says of two chunks is said together."""
        judgments: list[tuple[str, Judgment | ChunkLabel, Judgment]] = []
        made: dict[str, Judgment | None] = {}
        for query_id, label in self._mine[doc_id]:
            if isinstance(label, Judgment):
                judgments.append((query_id, label, label))
                continue
            if label.chunk_id not in made:
                made[label.chunk_id] = _of_chunk(text, self._old[label.chunk_id])
            one = made[label.chunk_id]
            if one is not None:
                said = {"grade": label.grade, "fact": label.fact, "provenance": label.provenance}
                judgments.append((query_id, label, one.model_copy(update=said)))
                self._chunks += 1
        wide = [wide_label(label_of(query_id, judgment)) for query_id, _, judgment in judgments]
        narrowings = narrow_labels(text, wide, self._asked, self._scorer)
        for (query_id, label, judgment), narrowing in zip(judgments, narrowings, strict=True):
            self._become[query_id, label] = self._narrow(query_id, judgment, narrowing, text)

    def _narrow(self, query_id: str, judgment: Judgment, narrowing: Narrowing | None, text: str) -> Judgment:
        if narrowing is None:
            return judgment
        if narrowing.certainty is Certainty.CERTAIN:
            self._narrowed += 1
            return narrowed(judgment, narrowing, text)
        self._narrowings[query_id, judgment] = narrowing
        return judgment

    def tied(self) -> Tied:
        questions = [self._question(question) for question in self._set.questions]
        return Tied(questions, self._chunks, self._narrowed, self._narrowings)

    def _question(self, question: JudgedQuestion) -> JudgedQuestion:
        query_id = question.query_id
        judgments = [self._become.get((query_id, judgment), judgment) for judgment in question.judgments]
        left = []
        for label in question.chunk_labels:
            judgment = self._become.get((query_id, label))
            if judgment is None:
                left.append(label)
            else:
                judgments.append(judgment)
        new = {"judgments": tuple(judgments), "chunk_labels": tuple(left)}
        return question if judgments == list(question.judgments) else question.model_copy(update=new)


def _of_chunk(text: str, chunk: Chunk) -> Judgment | None:
    """The judgment that a label of the chunk becomes, without grade; None where the chunk has no certain place.

    A chunk that was joined from several places of its document is one passage in several pieces.
    """
    match = chunk.match
    if not (match.sure and match.same and match.places):
        return None
    first, *rest = merged(match.places)
    judgment = chunk_judgment(text, chunk.doc_id, first, chunk.chunk_id, 0)
    also = tuple(Part(start=span.start, end=span.end, anchor=make_anchor(text, span)) for span in rest)
    return judgment.model_copy(update={"also": also})


def label_of(query_id: str, judgment: Judgment, narrowing: Narrowing | None = None) -> Label:
    """A judgment as it is laid over chunks; `narrowing`: where in a coarse one the evidence may stand."""
    spans = judgment.spans
    match = Match(spans[0], Status.EXACT, True, True, 1.0, 1.0, spans)
    label = Label(
        query_id,
        judgment.grade,
        match,
        judgment.chunk_id,
        coarse=judgment.coarse,
        tabular=judgment.tabular,
        wide=judgment.wide.span if judgment.wide else None,
    )
    if narrowing is None:
        return label
    return label._replace(evidence=narrowing.candidates, decides=narrowing.decides)
