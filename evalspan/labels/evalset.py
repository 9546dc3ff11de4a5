"""An eval set at one version: questions and judgments, and the corpus they are about."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from pydantic import Field

from evalspan.digests import ArrayDigest
from evalspan.labels.question import JudgedQuestion, LabelsAre
from evalspan.value import Value

LABEL_SCHEMA = 2
"""The version of what a label can say: 2 brought rubrics, pieces, and labels that wait or are retired. A set of a later
one is refused: reading half of it would be a guess.
"""

_FIRST = frozenset({"snapshot_digest", "min_overlap", "label_schema", "chunking_identity", "guard_scope"})

DEFAULT_MIN_OVERLAP = 0.5
"""Half of an answer's span is enough for prose; half a table row is no answer, so a `tabular` span needs all of it."""


class SetTerms(Value):
    """What a version pins beside its questions."""

    snapshot_digest: str
    min_overlap: float = Field(default=DEFAULT_MIN_OVERLAP, gt=0, le=1)
    """|chunk ∩ span| / |span| in non-blank characters from which a chunk counts as relevant."""
    label_schema: int = LABEL_SCHEMA
    chunking_identity: str | None = None
    """Of the chunking that chunk labels name, over its ranges, texts and chunk ids; None where there are none."""
    guard_scope: Literal["corpus", "evidence"] = "corpus"
    """What must agree with an index: the whole corpus, or only the documents that hold evidence."""
    labels_are: LabelsAre | None = None
    """Whether labels that name no fact are alternatives (any) or all needed. None: nobody said."""

    def to_digest(self) -> dict[str, Any]:
        """What a set's digest takes of them: the fields above always, one that comes later only where it says
        something, so that the digests of older sets stay what they are.
        """
        said = self.model_dump(mode="json", exclude_defaults=True)
        return {
            field: value for field, value in self.model_dump(mode="json").items() if field in _FIRST or field in said
        }


@dataclass(frozen=True)
class EvalSet:
    """A version of an eval set. Versions are appended, never changed."""

    name: str
    version: int
    """From 1."""
    terms: SetTerms
    questions: tuple[JudgedQuestion, ...]
    """In code-point order of query_id."""

    @cached_property
    def digest(self) -> str:
        return set_digest(self.terms, ((q.query_id, q.digest) for q in self.questions))

    @property
    def label(self) -> str:
        """How the command line names it."""
        return f"{self.name}@{self.version}"


def set_digest(terms: SetTerms, questions: Iterable[tuple[str, str]]) -> str:
    """Over the JSON array `[terms, [query_id, digest of its question], …]`, ascending by query_id.

    A set without its name, number or history: equal contents have equal digests.
    """
    digest = ArrayDigest()
    digest.add(terms.to_digest())
    for query_id, question in questions:
        digest.add([query_id, question])
    return digest.hexdigest()


def in_order(questions: Iterable[JudgedQuestion]) -> tuple[JudgedQuestion, ...]:
    """Ascending by query_id, as versions hold them."""
    return tuple(sorted(questions, key=lambda question: question.query_id))
