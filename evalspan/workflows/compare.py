"""`evalspan compare`: two scores of a set, question by question."""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from evalspan.errors import BadInput, Incomparable, NotFound, Problem
from evalspan.scoring.figures import Figure
from evalspan.scoring.paired import Slice, compare_paired, pipeline_differences
from evalspan.store import ScoreRecord, Store
from evalspan.workflows.history import find_score, names_of, setting_of
from evalspan.workflows.stores import StoreOrAddress, opened

NAMED = 5
"""Questions that a refusal names; the rest are counted."""

CONFOUNDING = 1
"""Stages that may differ: with more, nothing tells which of them moved the figure."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two scores of one setting."""

    measure: str
    old: ScoreRecord
    new: ScoreRecord
    slices: tuple[Slice, ...]
    """All questions first, then by tag, the worst first."""
    stages: tuple[str, ...]
    """Stages of the pipeline that differ."""
    left_out: int
    """Questions with a label that waits in either."""
    bridged: bool
    """Their settings differ, and a bridge stands between them."""

    @property
    def confounded(self) -> bool:
        return len(self.stages) > CONFOUNDING


def compare(
    eval_set: str, old: str, new: str = "latest", *, measure: str = "R@10", store: StoreOrAddress = None
) -> Comparison:
    """Paired, over the questions that are decided in both. `old`, `new`: numbers of scores, or "latest".

    Raises Incomparable where their settings differ, unless the two are a bridge: two figures across a break are never
    subtracted. Raises NotFound, also for a measure that one of them lacks; BadInput where the arms did not run the
    same questions.
    """
    with opened(store) as opened_store:
        before, after = find_score(opened_store, eval_set, old), find_score(opened_store, eval_set, new)
        bridged = _require_comparable(opened_store, before, after)
        one, other = (_measured(opened_store, record, measure) for record in (before, after))
        _require_same_questions(opened_store, (before, after), one.keys() | other.keys())
        decided, left_out = _decided(one, other)
        tags = {q.query_id: q.question.tags for q in opened_store.eval_set(after.mapping.version).questions}
        slices = compare_paired(decided[0], decided[1], tags)
        stages = pipeline_differences(before.pipeline, after.pipeline)
        return Comparison(measure, before, after, tuple(slices), tuple(stages), left_out, bridged)


def _require_comparable(store: Store, old: ScoreRecord, new: ScoreRecord) -> bool:
    """Whether a bridge stands between two settings; False where they are of one."""
    names = names_of((old, new))
    differences = setting_of(old, names).differences(setting_of(new, names))
    if not differences:
        return False
    pairs = {(one.old, one.new) for one in store.bridges()}
    only_index = {change.partition(":")[0] for change in differences} <= {"chunking", "embedding"}
    if only_index and not pairs.isdisjoint([(old.id, new.id), (new.id, old.id)]):
        return True
    name = new.mapping.version.name
    raise Incomparable(
        f"Scores {old.id} and {new.id} are not to be compared: {'; '.join(differences)}.\n"
        "Run both configurations once on the same set version, and compare these two: evalspan bridge "
        f"{name} --run OLD_RUN --index OLD_INDEX --run NEW_RUN --index NEW_INDEX"
    )


def _measured(store: Store, record: ScoreRecord, measure: str) -> Mapping[str, Figure]:
    """query_id → figure. Raises NotFound."""
    figures = store.question_figures(record)
    if measure not in figures:
        hint = f"That is what score {record.id} measured: score its run again with --measure {measure}"
        raise NotFound("measure", measure, sorted(figures), hint)
    return figures[measure]


def _require_same_questions(store: Store, records: tuple[ScoreRecord, ScoreRecord], asked: Set[str]) -> None:
    """Raises BadInput. A question with an empty result was run; one that a run lacks counts 0 in its score, and is
    neither a tie nor a regression.
    """
    run = [asked & store.run(record.run_digest).rankings.keys() for record in records]
    problems = [
        Problem(f"score {record.id} ({record.run or 'a run'})", None, f"its run lacks {_named(missing)}")
        for record, missing in zip(records, (run[1] - run[0], run[0] - run[1]), strict=True)
        if missing
    ]
    if problems:
        hint = (
            "Run both over the same questions; one that was asked and found nothing stands in JSON lines as "
            '{"query_id": …, "hits": []}'
        )
        raise BadInput(problems, hint=hint)


def _named(missing: Set[str]) -> str:
    more = f" and {len(missing) - NAMED:,} more" if len(missing) > NAMED else ""
    questions = "question" if len(missing) == 1 else f"{len(missing):,} questions of the other:"
    return f"{questions} {', '.join(sorted(missing)[:NAMED])}{more}"


def _decided(
    one: Mapping[str, Figure], other: Mapping[str, Figure]
) -> tuple[tuple[dict[str, float], dict[str, float]], int]:
    """The values of both, without questions of which a label waits in either."""
    waiting = {q for figures in (one, other) for q, figure in figures.items() if figure.value is None}
    values = tuple(
        {q: figure.value for q, figure in figures.items() if q not in waiting and figure.value is not None}
        for figures in (one, other)
    )
    return (values[0], values[1]), len(waiting)
