"""`evalspan gate`: a recorded score held against thresholds."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from evalspan.errors import BadInput, Problem
from evalspan.scoring.gate import NO_BASELINE, Arm, Result, Verdict, judge_gate, overall, read_gate, render_markdown
from evalspan.store import ScoreRecord
from evalspan.workflows.history import find_score, names_of, setting_of
from evalspan.workflows.stores import StoreOrAddress, opened


@dataclass(frozen=True, slots=True)
class Gate:
    """What became of every rule."""

    score: ScoreRecord
    baseline: ScoreRecord | None
    results: tuple[Result, ...]
    apart: str
    """Why no drop from the baseline was judged: the break that stands between. "" where none does."""

    @property
    def verdict(self) -> Verdict:
        return overall(self.results)

    def markdown(self) -> str:
        """The report for a pull request."""
        setting = setting_of(self.score, names_of([self.score]))
        lines = [
            f"Score {self.score.id} of {self.score.run or 'a run'}, {self.score.provenance.at}; "
            f"{setting.set_version} on corpus {setting.corpus}, chunking {setting.chunking}, "
            f"embedding {setting.embedding}, min_overlap {setting.min_overlap}."
        ]
        if self.score.code_version:
            lines.append(f"Code {self.score.code_version}.")
        if self.score.waiting:
            wait = "label waits" if self.score.waiting == 1 else "labels wait"
            lines.append(f"{self.score.waiting:,} {wait} for a person: figures are intervals.")
        if self.baseline is not None:
            lines.append(f"Baseline: score {self.baseline.id} of {self.baseline.provenance.at}.")
            if self.apart:
                lines.append(f"No drop was judged: {self.apart}.")
        return render_markdown(self.results, f"Retrieval gate, {self.score.mapping.version.name}", lines)


def gate(
    eval_set: str,
    rules: str | PathLike[str],
    *,
    score: str = "latest",
    baseline: str | None = None,
    store: StoreOrAddress = None,
) -> Gate:
    """Holds a recorded score against the rules of a TOML file; `baseline`: the score that drops are measured from.

    Where the baseline stands across a break, drops are indeterminate, and all other rules are judged. Raises BadInput
    for the file, and for a score that is its own baseline; NotFound.
    """
    found = read_gate(Path(rules))
    with opened(store) as opened_store:
        record = find_score(opened_store, eval_set, score)
        before = find_score(opened_store, eval_set, baseline) if baseline is not None else None
        if before is not None and before.id == record.id:
            what = f"is score {record.id} itself, from which nothing drops: name an earlier one of evalspan history"
            raise BadInput([Problem("--baseline", None, what)])
        apart = _break(before, record) if before is not None else ""
        run = opened_store.run(record.run_digest)
        questions = opened_store.question_figures(record)
        asked = {query_id for figures in questions.values() for query_id in figures}
        tags = {q.query_id: q.question.tags for q in opened_store.eval_set(record.mapping.version).questions}
        empty = sum(not run.rankings.get(query_id) for query_id in asked) / len(asked) if asked else None
        arm = Arm(questions, tags, list(run.latency_ms.values()), list(run.tokens.values()), empty)
        results = judge_gate(found, arm, apart or (NO_BASELINE if before is None else before.figures))
        return Gate(record, before, tuple(results), apart)


def _break(baseline: ScoreRecord, score: ScoreRecord) -> str:
    """What stands between the two, in words; "" where they are of one setting."""
    names = names_of((baseline, score))
    differences = setting_of(baseline, names).differences(setting_of(score, names))
    if not differences:
        return ""
    return (
        f"the baseline, score {baseline.id}, stands across a break ({'; '.join(differences)}); score its pipeline in "
        "this setting first"
    )
