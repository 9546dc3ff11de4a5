"""`evalspan check`: how much of a set of chunk labels is alive. Needs no store and no text."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from evalspan.errors import BadInput, Problem, Problems
from evalspan.formats.chunks import read_chunk_ids
from evalspan.formats.trec import LabelRow, read_labels, read_run
from evalspan.scoring import RunScore, score_bounds

_Path = str | PathLike[str]


@dataclass(frozen=True, slots=True)
class Check:
    """How much of the labels is alive."""

    labels: int
    chunks: int
    questions: int
    dead: tuple[LabelRow, ...]
    """Labels that name a chunk which does not exist."""
    lost: tuple[str, ...]
    """Questions all of whose labels are dead."""
    hurt: tuple[str, ...]
    """Questions some of whose labels are dead."""
    score: RunScore | None
    """Of the run, where one was given."""
    run_unknown: int
    """Different chunk ids in the run that do not exist."""
    skipped: tuple[Problem, ...]

    @property
    def alive(self) -> int:
        return self.labels - len(self.dead)


def check(labels: _Path, chunks: _Path, run: _Path | None = None, *, k: int = 10, skip_bad: bool = False) -> Check:
    """Holds the labels against the chunks that there are now. Raises BadInput."""
    if k < 1:
        raise BadInput([Problem("--k", None, f"{k} is below 1")])
    problems = Problems(skip_bad)
    rows = read_labels(labels, problems)
    problems.raise_if_any()
    alive = read_chunk_ids(chunks, problems)
    problems.raise_if_any()
    ranked = read_run(run, problems) if run is not None else None
    problems.raise_if_any()
    by_question: dict[str, dict[str, int]] = {}
    for row in rows:
        by_question.setdefault(row.query_id, {})[row.chunk_id] = row.grade
    gone = {query: sum(chunk not in alive for chunk in grades) for query, grades in by_question.items()}
    if ranked is not None and not ranked.rankings.keys() & by_question.keys():
        what = f"ranks no question of {Path(labels).name}: is it the run of another set?"
        raise BadInput([Problem(str(run), None, what)])
    found = {hit.chunk_id for hits in ranked.rankings.values() for hit in hits} if ranked else set()
    return Check(
        labels=len(rows),
        chunks=len(alive),
        questions=len(by_question),
        dead=tuple(row for row in rows if row.chunk_id not in alive),
        lost=tuple(query for query, grades in by_question.items() if gone[query] == len(grades)),
        hurt=tuple(query for query, grades in by_question.items() if 0 < gone[query] < len(grades)),
        score=score_bounds(by_question, alive, ranked, k) if ranked is not None else None,
        run_unknown=len(found - alive),
        skipped=problems.skipped,
    )
