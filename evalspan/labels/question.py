"""A question, and all that was said about it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self

from pydantic import Field, JsonValue, model_validator

from evalspan.digests import canonical_json, text_digest
from evalspan.labels.judgment import ChunkLabel, Judgment, PendingLabel, RetiredLabel
from evalspan.value import Value

LabelsAre = Literal["any", "all"]
"""Whether a question's labels that name no fact are alternatives (any) or all needed."""


class Question(Value):
    """What is asked of the index."""

    query_id: str = Field(min_length=1)
    text: str = ""
    tags: tuple[str, ...] = ()
    """As "family:returns"."""
    reference_answers: tuple[str, ...] = ()
    filters: dict[str, JsonValue] = Field(default_factory=dict)
    """What the search is restricted to: `{"country": "US", "effectiveOn": "2026-05-01"}`."""


class Fact(Value):
    """Something an answer needs: one member of the rubric `all_of[any_of[passage…]]`."""

    fact_id: str = Field(min_length=1)
    text: str = ""
    """In words."""
    min_grade: int = 1
    """A passage counts for it from this grade."""


class AnswerSource(Value):
    """A document that the reference answers were written against, once it is another one than the set's snapshot
    holds.
    """

    doc_id: str
    text_digest: str
    """Of the version that they were written against, or last confirmed against."""
    stale: str = ""
    """What became of the evidence in it since then, where that may change the answer."""


class JudgedQuestion(Value):
    """A question with all that was said about it: one line of a set's file, one row of a version."""

    question: Question
    judgments: tuple[Judgment, ...] = ()
    chunk_labels: tuple[ChunkLabel, ...] = ()
    """Those that could not be tied to text yet: nothing that was said is dropped."""
    pending: tuple[PendingLabel, ...] = ()
    """Those that lost their place when the corpus changed."""
    retired_labels: tuple[RetiredLabel, ...] = ()
    """Those that are no longer held against anything."""
    facts: tuple[Fact, ...] = ()
    """All are needed. Judgments that name none of them say how relevant a passage is, and are not needed."""
    labels_are: LabelsAre | None = None
    """Where no facts are named. None: as the set says."""
    must_not_use: tuple[str, ...] = ()
    """doc_ids of documents that must not be used; passages are judgments of grade harmful."""
    acceptable_docs: tuple[str, ...] = ()
    """doc_ids of documents from which an answer is right, whatever passage of them."""
    no_answer: bool = False
    """An abstention case: the corpus does not answer it, and the system should say so."""
    retired: bool = False
    """No longer asked."""
    answer_sources: tuple[AnswerSource, ...] = ()
    """A source that is not named is as the set's snapshot holds it."""

    @property
    def query_id(self) -> str:
        return self.question.query_id

    @property
    def stale(self) -> tuple[AnswerSource, ...]:
        """Sources whose change may have made the reference answers wrong; none where no answer is wanted."""
        if self.retired or self.no_answer:
            return ()
        return tuple(source for source in self.answer_sources if source.stale)

    @property
    def unmet(self) -> tuple[str, ...]:
        """fact_ids of facts that no label can meet, waiting ones among them: no result can be enough."""
        if self.no_answer:
            return ()
        labels = (*self.judgments, *self.chunk_labels, *(waiting.label for waiting in self.pending))
        met = {(label.fact, label.grade) for label in labels}
        return tuple(
            fact.fact_id
            for fact in self.facts
            if not any(of == fact.fact_id and grade >= fact.min_grade for of, grade in met)
        )

    @property
    def bereft(self) -> bool:
        """Whether its last relevant label was retired, and nobody said that it has no answer: whatever a run returns
        for it, nothing counts.
        """
        labels = (*self.judgments, *self.chunk_labels, *(waiting.label for waiting in self.pending))
        if self.no_answer or any(label.grade > 0 for label in labels):
            return False
        return any(retired.label.grade > 0 for retired in self.retired_labels)

    @model_validator(mode="after")
    def _check(self) -> Self:
        known = [fact.fact_id for fact in self.facts]
        twice = next((name for name, count in Counter(known).items() if count > 1), None)
        if twice is not None:
            raise ValueError(f"fact {twice!r} is named twice")
        labels: list[Judgment | ChunkLabel] = [*self.judgments, *self.chunk_labels]
        named = [*(label.fact for label in labels), *(waiting.label.fact for waiting in self.pending)]
        unknown = next((fact for fact in named if fact and fact not in known), None)
        if unknown is not None:
            raise ValueError(
                f"fact {unknown!r} of a label is none of the question's: {', '.join(known) or 'it has none'}"
            )
        if self.no_answer and any(label.grade > 0 for label in labels):
            raise ValueError("a question without an answer has a relevant label")
        return self

    def body(self) -> "QuestionBody":
        """As it is stored, and stands in a set file."""
        return question_body(
            self.question,
            [canonical_json(judgment.model_dump(mode="json", exclude_defaults=True)) for judgment in self.judgments],
            [canonical_json(label.model_dump(mode="json", exclude_defaults=True)) for label in self.chunk_labels],
            self.model_dump(mode="json", exclude_defaults=True, exclude={"question", "judgments", "chunk_labels"}),
        )

    @property
    def digest(self) -> str:
        return text_digest(self.body().text)


class QuestionBody(NamedTuple):
    """A judged question as canonical JSON: what the digest of a version is taken over."""

    query_id: str
    text: str
    judgments: int
    chunk_labels: int
    pending: int = 0


def question_body(
    question: Question,
    judgments: Sequence[str],
    chunk_labels: Sequence[str],
    more: Mapping[str, Any] | None = None,
) -> QuestionBody:
    """Of labels that are canonical JSON already, and the other fields as JSON values; defaults are left out."""
    more = more or {}
    parts = {key: canonical_json(value) for key, value in more.items()}
    if chunk_labels:
        parts["chunk_labels"] = f"[{','.join(chunk_labels)}]"
    if judgments:
        parts["judgments"] = f"[{','.join(judgments)}]"
    parts["question"] = canonical_json(question.model_dump(mode="json", exclude_defaults=True))
    text = ",".join(f'"{key}":{value}' for key, value in sorted(parts.items()))
    waiting = len(more.get("pending", ()))
    return QuestionBody(question.query_id, "{" + text + "}", len(judgments), len(chunk_labels), waiting)
