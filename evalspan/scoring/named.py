"""Our own measures by name, beside those of ir_measures."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from evalspan.errors import BadInput, CannotTell, Problem
from evalspan.labels import ChunkLabel, JudgedQuestion, Judgment, LabelsAre, rubric
from evalspan.scoring.evidence import Counter, Place, harmful, relevant_places, suffices
from evalspan.scoring.figures import Figure
from evalspan.scoring.standard import DEFAULT

OWN = ("CharRecall", "CharPrecision", "CharIoU", "Sufficient", "Harmful", "Stale")
"""At a cut-off, as CharRecall@5. CharRecall, CharPrecision and CharIoU count non-blank characters; Sufficient is 1
where the top k together hold the question's rubric; Harmful counts hits that must not be used, Stale those in documents
that another document of the corpus supersedes.
"""

DEFAULT_MEASURES = (*DEFAULT, "CharRecall@5", "Harmful@5")

_OWN = re.compile(rf"({'|'.join(OWN)})@([1-9][0-9]{{0,8}})")


class OwnMeasure(NamedTuple):
    name: str
    kind: str
    cutoff: int


def split_measures(names: Sequence[str]) -> tuple[list[str], list[OwnMeasure]]:
    """Those of ir_measures, and ours. Raises BadInput for one of ours without a cut-off of 1 or more."""
    standard: list[str] = []
    own: list[OwnMeasure] = []
    for name in dict.fromkeys(names):
        found = _OWN.fullmatch(name)
        if found is not None:
            own.append(OwnMeasure(name, found[1], int(found[2])))
        elif name.partition("@")[0] in OWN:
            raise BadInput([Problem("--measure", None, f"{name}: a cut-off of 1 or more is wanted, as {OWN[0]}@5")])
        else:
            standard.append(name)
    return standard, own


def own_figures(
    measures: Sequence[OwnMeasure],
    questions: Mapping[str, JudgedQuestion],
    places: Mapping[str, Sequence[Place]],
    texts: Mapping[str, str],
    min_overlap: float,
    labels_are: LabelsAre | None,
    superseded: Collection[str] = (),
) -> dict[str, dict[str, Figure]]:
    """measure → query_id → figure. `places`: query_id → where its hits stand, best first; `texts`: of the documents;
    `superseded`: doc_ids, for Stale.

    They hold passages against text, so that a passage is no interval while its chunks wait; a label that is not tied to
    text, or lost its place, makes one: 0 to 1, and for Harmful up to every hit. Raises CannotTell where Sufficient
    can't tell whether labels are alternatives.
    """
    counter = Counter(texts)
    out: dict[str, dict[str, Figure]] = {measure.name: {} for measure in measures}
    for query_id, question in questions.items():
        loose = {label.grade > 0 for label in _without_passage(question) if label.grade}
        optional = not any(judgment.grade > 0 for judgment in question.judgments)
        for name, kind, cutoff in measures:
            retrieved = places.get(query_id, ())[:cutoff]
            if kind == "Stale":
                stale = float(sum(doc_id in superseded for doc_id, _ in retrieved))
                out[name][query_id] = Figure(stale, stale, stale)
            elif (kind != "Harmful") not in loose:
                try:
                    value = _value(kind, question, retrieved, counter, min_overlap, labels_are)
                except CannotTell as error:
                    raise CannotTell(f"{name}: {error} (evalspan set amend SET --labels-are any|all)") from None
                out[name][query_id] = Figure(value, value, value)
            elif kind == "Harmful":
                out[name][query_id] = Figure(None, float(harmful(question, retrieved)), float(len(retrieved)))
            else:
                out[name][query_id] = Figure(None, 0.0, 1.0, optional)
    return out


def _without_passage(question: JudgedQuestion) -> list[Judgment | ChunkLabel]:
    """Labels of which nobody knows where in a text they stand."""
    return [*question.chunk_labels, *(pending.label for pending in question.pending)]


def _value(
    kind: str,
    question: JudgedQuestion,
    retrieved: Sequence[Place],
    counter: Counter,
    min_overlap: float,
    labels_are: LabelsAre | None,
) -> float:
    if kind == "Harmful":
        return float(harmful(question, retrieved))
    if kind == "Sufficient":
        return float(suffices(rubric(question, labels_are), retrieved, counter, min_overlap))
    overlap = counter.overlap(relevant_places(question), retrieved)
    return {"CharRecall": overlap.recall, "CharPrecision": overlap.precision, "CharIoU": overlap.iou}[kind]
