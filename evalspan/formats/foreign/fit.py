"""What a format can't hold is left out of a set before it is written, and named."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from evalspan.formats.foreign.form import (
    ForeignQuestion,
    ForeignSet,
    ForeignSpan,
    Format,
    Holds,
    Measure,
    Piece,
    text_id,
)
from evalspan.formats.foreign.groups import from_groups, plain, to_groups
from evalspan.labels import ChunkLabel, JudgedQuestion

Lost = Counter[str]
"""What is left out → how many of it, or of questions that had it."""

OF_NO_FACT = "labels that belong to none of their question's facts"


def fit(foreign: ForeignSet, form: Format) -> tuple[ForeignSet, Lost]:
    """The set as the format can hold it. Export and import of that is the identity.

    A label that is not relevant is left out where a format has no grades: it would come back as relevant.
    """
    lost: Lost = Counter()
    kept = [one for asked in foreign.questions for one in _Fit(form, lost).questions(asked)]
    if Holds.IDS not in form.holds:
        kept = _renamed(kept, lost)
    documents = foreign.documents if form.wants_texts or "documents" in form.carries else ()
    chunks = foreign.chunks if "chunks" in form.carries else ()
    return replace(foreign, questions=tuple(kept), documents=documents, chunks=chunks), lost


def _renamed(asked: Iterable[ForeignQuestion], lost: Lost) -> list[ForeignQuestion]:
    taken: Counter[str] = Counter()
    out = []
    for one in asked:
        name = text_id(one.question.question.text, taken)
        lost[Holds.IDS] += name != one.question.query_id
        question = one.question.question.model_copy(update={"query_id": name})
        out.append(one._replace(question=one.question.model_copy(update={"question": question})))
    return out


class _Fit:
    def __init__(self, form: Format, lost: Lost) -> None:
        self._form, self._holds, self._lost = form, form.holds, lost

    def _drop(self, what: Holds, holds_some: object) -> bool:
        """Whether the format can't hold it; counted where there is some."""
        if what in self._holds:
            return False
        self._lost[what] += bool(holds_some)
        return True

    def questions(self, asked: ForeignQuestion) -> list[ForeignQuestion]:
        """One, or none; one for each document where a format ties a question to a document, and names none."""
        fitted = self._question(asked)
        if fitted is None:
            return []
        documents = list(dict.fromkeys(span.doc_id for span in fitted.spans))
        if len(documents) < 2 or not self._drop(Holds.SEVERAL, True):
            return [fitted]
        if Holds.IDS in self._holds:
            return []
        return [fitted._replace(spans=tuple(s for s in fitted.spans if s.doc_id == one)) for one in documents]

    def _question(self, asked: ForeignQuestion) -> ForeignQuestion | None:
        question, spans, labels = asked.question, asked.spans, asked.question.chunk_labels
        spans = () if self._drop(Holds.SPANS, spans) else spans
        labels = () if self._drop(Holds.LABELS, labels) else labels
        grades = [*(span.grade for span in spans), *(label.grade for label in labels)]
        if self._drop(Holds.GRADES, any(grade != 1 for grade in grades)):
            spans = tuple(span._replace(grade=1) for span in spans if span.grade > 0)
            labels = tuple(label.model_copy(update={"grade": 1}) for label in labels if label.grade > 0)
        elif self._drop(Holds.HARMFUL, any(grade < 0 for grade in grades)):
            spans = tuple(span for span in spans if span.grade >= 0)
            labels = tuple(label for label in labels if label.grade >= 0)
        if self._drop(Holds.FACTS, question.facts and Holds.GROUPS in self._holds):
            spans = tuple(span._replace(fact="") for span in spans)
            question, labels = self._in_groups(question, labels)
        spans = tuple(dict.fromkeys(one for span in spans for one in self._span(span)))
        labels = tuple(dict.fromkeys(labels))
        if not (spans or labels or self._may_be_bare(question)):
            return None
        fitted = self._said(question, several=len(spans) + len(labels) > 1)
        return ForeignQuestion(asked.line, fitted.model_copy(update={"chunk_labels": labels}), spans)

    def _may_be_bare(self, question: JudgedQuestion) -> bool:
        if question.no_answer:
            return not self._drop(Holds.NO_ANSWER, True)
        return not self._drop(Holds.UNLABELLED, True)

    def _in_groups(
        self, question: JudgedQuestion, labels: tuple[ChunkLabel, ...]
    ) -> tuple[JudgedQuestion, tuple[ChunkLabel, ...]]:
        """Without names of facts, and where the format has no groups, without facts."""
        if self._drop(Holds.GROUPS, question.facts):
            return question.model_copy(update={"facts": ()}), tuple(map(plain, labels))
        groups = to_groups(labels, question.facts, question.labels_are)
        if groups is None:
            return question, labels
        self._lost[OF_NO_FACT] += sum(map(len, groups)) < len(labels)
        grouped = from_groups(groups)
        said = {"facts": grouped.facts, "labels_are": grouped.labels_are}
        return question.model_copy(update=said), grouped.labels

    def _span(self, span: ForeignSpan) -> Iterable[ForeignSpan]:
        if self._drop(Holds.TABULAR, span.tabular):
            span = span._replace(tabular=False)
        if self._drop(Holds.VERSIONS, False):
            span = span._replace(version=None)
        pieces = [Piece(span.start, span.end, span.quote), *span.also]
        if span.also and self._drop(Holds.ALSO, True):
            if self._form.labels_are == "any":
                return  # as alternatives its pieces would say that each is enough
        elif span.also:
            yield self._piece(span, pieces[0])._replace(also=tuple(self._place(one) for one in span.also))
            return
        for piece in pieces:
            yield self._piece(span, piece)

    def _piece(self, span: ForeignSpan, piece: Piece) -> ForeignSpan:
        start, end, quote = self._place(piece)
        doc_id = None if self._drop(Holds.DOC_IDS, span.doc_id) else span.doc_id
        plain = Measure.CODE_POINTS
        return span._replace(doc_id=doc_id, start=start, end=end, quote=quote, also=(), measure=plain)

    def _place(self, piece: Piece) -> Piece:
        if self._drop(Holds.OFFSETS, piece.start is not None):
            piece = piece._replace(start=None, end=None)
        return piece if Holds.QUOTES in self._holds else piece._replace(quote="")

    def _said(self, question: JudgedQuestion, several: bool) -> JudgedQuestion:
        """What is said of the question itself."""
        plain = question.question
        answers = plain.reference_answers
        if self._drop(Holds.ANSWER, answers):
            answers = ()
        elif self._drop(Holds.ANSWERS, len(answers) > 1):
            answers = answers[:1]
        inner: dict[str, Any] = {"reference_answers": answers}
        inner |= {"text": ""} if self._drop(Holds.TEXT, plain.text) else {}
        inner |= {"tags": ()} if self._drop(Holds.TAGS, plain.tags) else {}
        inner |= {"filters": {}} if self._drop(Holds.FILTERS, plain.filters) else {}
        outer: dict[str, Any] = {"question": plain.model_copy(update=inner)}
        outer |= {"must_not_use": ()} if self._drop(Holds.MUST_NOT_USE, question.must_not_use) else {}
        outer |= {"acceptable_docs": ()} if self._drop(Holds.ACCEPTABLE, question.acceptable_docs) else {}
        outer |= {"no_answer": False} if self._drop(Holds.NO_ANSWER, question.no_answer) else {}
        return question.model_copy(update=outer | self._labels_are(question, bool(question.facts), several))

    def _labels_are(self, question: JudgedQuestion, facts: bool, several: bool) -> dict[str, Any]:
        said = question.labels_are
        if Holds.LABELS_ARE in self._holds:
            return {"labels_are": said if several and not facts else None}
        kept = self._form.labels_are if several and not facts else None
        self._lost[Holds.LABELS_ARE] += several and said != kept  # that nobody said it is lost as well
        return {"labels_are": kept}
