"""A question, and what people said about text with it."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from evalspan.anchoring import Anchor
from evalspan.digests import canonical_json, text_digest
from evalspan.provenance import Provenance
from evalspan.spans import Span
from evalspan.value import Value


class Question(Value):
    """What is asked of the index."""

    query_id: str = Field(min_length=1)
    text: str = ""
    tags: tuple[str, ...] = ()
    """As "family:returns"."""
    reference_answers: tuple[str, ...] = ()


class Judgment(Value):
    """A statement about text: this range of this document answers the question so well."""

    doc_id: str
    start: int = Field(ge=0)
    end: int
    """Code points, half-open."""
    grade: int
    """1 and up is relevant, 0 and below is not."""
    anchor: Anchor
    origin: Literal["span", "chunk"] = "span"
    """"chunk": the range is a whole old chunk and says little about where in it the answer stands (it is coarse)."""
    chunk_id: str | None = None
    """The old chunk it was taken from."""
    tabular: bool = False
    """Half a table row is no answer: the span counts only where it is whole."""
    provenance: Provenance | None = None
    """None: as the version that brought it."""

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.end <= self.start:
            raise ValueError(f"the span {self.start}..{self.end} is empty")
        return self


class ChunkLabel(Value):
    """A label as it came: it names a chunk, whose place in a document is not known for certain."""

    chunk_id: str = Field(min_length=1)
    grade: int
    provenance: Provenance | None = None


class JudgedQuestion(Value):
    """A question with all that was said about it: one line of a set's file, one row of a version."""

    question: Question
    judgments: tuple[Judgment, ...] = ()
    chunk_labels: tuple[ChunkLabel, ...] = ()
    """Those that could not be tied to text yet: nothing that was said is dropped."""

    @property
    def query_id(self) -> str:
        return self.question.query_id

    def body(self) -> "QuestionBody":
        """As it is stored, and stands in a set file."""
        return question_body(
            self.question,
            [canonical_json(judgment.model_dump(mode="json", exclude_defaults=True)) for judgment in self.judgments],
            [canonical_json(label.model_dump(mode="json", exclude_defaults=True)) for label in self.chunk_labels],
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


def question_body(question: Question, judgments: Sequence[str], chunk_labels: Sequence[str]) -> QuestionBody:
    """Of parts that are canonical JSON already; defaults are left out of them."""
    parts = []
    if chunk_labels:
        parts.append(f'"chunk_labels":[{",".join(chunk_labels)}]')
    if judgments:
        parts.append(f'"judgments":[{",".join(judgments)}]')
    parts.append(f'"question":{canonical_json(question.model_dump(mode="json", exclude_defaults=True))}')
    return QuestionBody(question.query_id, "{" + ",".join(parts) + "}", len(judgments), len(chunk_labels))
