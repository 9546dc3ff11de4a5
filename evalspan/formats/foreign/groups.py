"""Evidence as AND over groups of alternatives, without names, and the same as facts."""

from collections.abc import Sequence
from typing import NamedTuple

from evalspan.labels import ChunkLabel, Fact, LabelsAre


class Grouped(NamedTuple):
    """Labels of a question as they stand here."""

    labels: tuple[ChunkLabel, ...]
    facts: tuple[Fact, ...]
    labels_are: LabelsAre | None


def from_groups(groups: Sequence[Sequence[ChunkLabel]]) -> Grouped:
    """One group of several is alternatives, groups of one each are all needed; else each is a fact, "1", "2", …"""
    each = list(dict.fromkeys(tuple(dict.fromkeys(plain(label) for label in group)) for group in groups if group))
    labels = tuple(label for group in each for label in group)
    if len(each) == 1:
        return Grouped(labels, (), "any" if len(labels) > 1 else None)
    if all(len(group) == 1 for group in each):
        return Grouped(labels, (), "all" if labels else None)
    facts = tuple(Fact(fact_id=str(at)) for at in range(1, len(each) + 1))
    named = (
        label.model_copy(update={"fact": fact.fact_id})
        for fact, group in zip(facts, each, strict=True)
        for label in group
    )
    return Grouped(tuple(named), facts, None)


def to_groups(
    labels: Sequence[ChunkLabel], facts: Sequence[Fact], labels_are: LabelsAre | None
) -> list[list[ChunkLabel]] | None:
    """None: there are several labels, and nobody said what they are to each other."""
    if facts:
        return [[plain(label) for label in labels if label.fact == fact.fact_id] for fact in facts]
    if len(labels) < 2:
        return [list(labels)] if labels else []
    if labels_are is None:
        return None
    return [list(labels)] if labels_are == "any" else [[label] for label in labels]


def plain(label: ChunkLabel) -> ChunkLabel:
    """Without its fact."""
    return label.model_copy(update={"fact": ""}) if label.fact else label
