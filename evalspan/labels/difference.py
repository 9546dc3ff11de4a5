"""What differs between two versions of an eval set."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from evalspan.digests import canonical_json
from evalspan.labels.evalset import EvalSet, SetTerms
from evalspan.labels.pairing import LabelChange, label_changes
from evalspan.labels.question import JudgedQuestion
from evalspan.provenance import Provenance

_LABELS = {"judgments", "chunk_labels", "pending", "retired_labels"}
"""Fields of a question that hold labels; those are told one by one."""


class FieldChange(NamedTuple):
    """A field that holds something else."""

    name: str
    old: Any
    """JSON values."""
    new: Any

    @property
    def words(self) -> str:
        """As "min_overlap: 0.5 → 0.6"."""
        return f"{self.name}: {canonical_json(self.old)} → {canonical_json(self.new)}"


@dataclass(frozen=True, slots=True)
class QuestionDifference:
    """A question that both have, and what differs."""

    old: JudgedQuestion
    new: JudgedQuestion
    fields: tuple[FieldChange, ...]
    """Its text, tags, filters, reference answers, facts, and whatever else is no label."""
    labels: tuple[LabelChange, ...]
    reordered: bool = False
    """Nothing else: its labels stand in another order."""

    @property
    def query_id(self) -> str:
        return self.new.query_id

    @property
    def words(self) -> str:
        """In short, as "text; 2 labels added, 1 re-graded"."""
        counts = Counter(change for label in self.labels for change in label.changes)
        parts = [field.name.replace("_", " ") for field in self.fields]
        told = [f"{count} {change}" for change, count in counts.items()]
        if told:
            head, *rest = told
            count, _, what = head.partition(" ")
            parts.append(", ".join([f"{count} {'label' if count == '1' else 'labels'} {what}", *rest]))
        return "; ".join(parts) or "its labels stand in another order"

    @property
    def last_said(self) -> Provenance | None:
        """Who made the last of the new labels that differ, as far as the labels say."""
        said = [label.new.provenance for label in self.labels if label.new is not None]
        return max((one for one in said if one is not None), key=lambda one: one.at, default=None)

    def to_row(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "query_id": self.query_id,
            "fields": [field._asdict() for field in self.fields],
            "labels": [label.to_row() for label in self.labels],
            "reordered": self.reordered,
        }


@dataclass(frozen=True, slots=True)
class SetDifference:
    """From an old version to a new one; what is the same in both is counted."""

    terms: tuple[FieldChange, ...]
    added: tuple[JudgedQuestion, ...]
    removed: tuple[JudgedQuestion, ...]
    changed: tuple[QuestionDifference, ...]
    same: int
    """Questions."""

    @property
    def equal(self) -> bool:
        """Whether both have the same content, and so the same digest."""
        return not (self.terms or self.added or self.removed or self.changed)

    def to_row(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "equal": self.equal,
            "terms": [field._asdict() for field in self.terms],
            "added": [question.model_dump(mode="json", exclude_defaults=True) for question in self.added],
            "removed": [question.model_dump(mode="json", exclude_defaults=True) for question in self.removed],
            "changed": [question.to_row() for question in self.changed],
            "same": self.same,
        }


def set_difference(old: EvalSet, new: EvalSet) -> SetDifference:
    """Questions ascending by query_id. Names and numbers of the versions do not matter."""
    before = {question.query_id: question for question in old.questions}
    after = {question.query_id: question for question in new.questions}
    same_corpus = old.terms.snapshot_digest == new.terms.snapshot_digest
    both = [query_id for query_id in before if query_id in after]
    differing = [query_id for query_id in both if not same_question(before[query_id], after[query_id])]
    return SetDifference(
        terms=terms_difference(old.terms, new.terms),
        added=tuple(question for query_id, question in after.items() if query_id not in before),
        removed=tuple(question for query_id, question in before.items() if query_id not in after),
        changed=tuple(question_difference(before[one], after[one], same_corpus) for one in differing),
        same=len(both) - len(differing),
    )


def same_question(one: JudgedQuestion, other: JudgedQuestion) -> bool:
    """By digest: values that are equal in Python, as 1 and true, need not be equal in JSON."""
    return one is other or one.digest == other.digest


def terms_difference(old: SetTerms, new: SetTerms) -> tuple[FieldChange, ...]:
    """What the versions pin otherwise."""
    return tuple(_field_changes(old.model_dump(mode="json"), new.model_dump(mode="json")))


def question_difference(old: JudgedQuestion, new: JudgedQuestion, same_corpus: bool) -> QuestionDifference:
    """Of two that are not the same. `same_corpus`: whether ranges are of the same texts."""
    said = [one.model_dump(mode="json", exclude={*_LABELS, "question"}) for one in (old, new)]
    asked = [one.question.model_dump(mode="json") for one in (old, new)]
    fields = (*_field_changes(*asked), *_field_changes(*said))
    labels = label_changes(old, new, same_corpus)
    return QuestionDifference(old, new, fields, labels, reordered=not fields and not labels)


def _field_changes(old: dict[str, Any], new: dict[str, Any]) -> Iterator[FieldChange]:
    for name, value in new.items():
        if canonical_json(old[name]) != canonical_json(value):
            yield FieldChange(name, old[name], value)
