"""`evalspan gate`: a recorded score held against thresholds."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from evalspan.errors import Incomparable
from evalspan.scoring.gate import Arm, Result, Verdict, judge_gate, overall, read_gate, render_markdown
from evalspan.store import ScoreRecord
from evalspan.workflows.history import find_score, names_of, setting_of
from evalspan.workflows.stores import StoreOrAddress, opened


@dataclass(frozen=True, slots=True)
class Gate:
    """What became of every rule."""

    score: ScoreRecord
    baseline: ScoreRecord | None
    results: tuple[Result, ...]

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
            lines.append(f"{self.score.waiting:,} labels wait for a person: figures are intervals.")
        if self.baseline is not None:
            lines.append(f"Baseline: score {self.baseline.id} of {self.baseline.provenance.at}.")
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

    Raises BadInput for the file, NotFound, Incomparable where the baseline stands across a break.
    """
    found = read_gate(Path(rules))
    with opened(store) as opened_store:
        record = find_score(opened_store, eval_set, score)
        before = find_score(opened_store, eval_set, baseline) if baseline is not None else None
        if before is not None:
            _require_comparable(before, record)
        run = opened_store.run(record.run_digest)
        questions = opened_store.question_figures(record)
        asked = {query_id for figures in questions.values() for query_id in figures}
        tags = {q.query_id: q.question.tags for q in opened_store.eval_set(record.mapping.version).questions}
        empty = sum(not run.rankings.get(query_id) for query_id in asked) / len(asked) if asked else None
        arm = Arm(questions, tags, list(run.latency_ms.values()), list(run.tokens.values()), empty)
        results = judge_gate(found, arm, before.figures if before is not None else None)
        return Gate(record, before, tuple(results))


def _require_comparable(baseline: ScoreRecord, score: ScoreRecord) -> None:
    names = names_of((baseline, score))
    differences = setting_of(baseline, names).differences(setting_of(score, names))
    if differences:
        raise Incomparable(
            f"The baseline, score {baseline.id}, stands across a break: {'; '.join(differences)}. "
            "Score the baseline's pipeline in this setting first"
        )
