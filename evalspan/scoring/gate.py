"""Thresholds that a score must hold: PASS, FAIL, or INDETERMINATE where what waits decides."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from math import isfinite
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

from evalspan.errors import BadInput, Problem
from evalspan.scoring.figures import Figure, mean


class Verdict(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"
    INDETERMINATE = "INDETERMINATE"
    """The threshold lies inside the interval: labels that wait decide."""


_WORST_FIRST = (Verdict.FAIL, Verdict.INDETERMINATE, Verdict.PASS)


class Rule(NamedTuple):
    """One line of a gate."""

    name: str
    """As it is written: "R@10", "R@10 [family:returns]", "p95_latency_ms"."""
    kind: str
    """at_least, at_most, drop_at_most, or zero."""
    limit: float
    measure: str
    tag: str | None = None
    """Only questions with it; "*": of every tag, the worst."""


class Result(NamedTuple):
    """What became of a rule."""

    rule: Rule
    verdict: Verdict
    said: str
    """The figure that was held against the limit, in words."""


BUDGETS = ("p95_latency_ms", "mean_tokens", "empty_results")
"""What a run may cost: the 95th percentile of its latencies, the mean tokens of its contexts, and the share of
questions that it returns nothing for.
"""

_KEYS = {"at_least", "at_most", "drop_at_most", "zero", "slices", "worst_slice", "budgets"}


def read_gate(path: str | Path) -> list[Rule]:
    """A TOML file:

        [at_least]                 # of the mean
        "R@10" = 0.8
        [drop_at_most]             # against the baseline
        "R@10" = 0.02
        zero = ["Harmful@5"]       # in every question (at the top of the file)
        [slices."family:returns"]
        "R@10" = 0.7
        [worst_slice]
        "R@10" = 0.6
        [budgets]
        p95_latency_ms = 800

    Raises BadInput with everything that is wrong.
    """
    source = Path(path)
    try:
        data = tomllib.loads(source.read_text("utf-8"))
    except FileNotFoundError:
        raise BadInput([Problem(str(source), None, "no such file")]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput([Problem(str(source), None, f"can't be read ({error})")]) from None
    problems: list[Problem] = []
    rules = list(_rules(data, source, problems))
    if not rules and not problems:
        problems.append(Problem(str(source), None, f"holds no rule; there are {', '.join(sorted(_KEYS))}"))
    if problems:
        raise BadInput(problems)
    return rules


def _rules(data: Mapping[str, Any], source: Path, problems: list[Problem]) -> Iterable[Rule]:
    for key in data.keys() - _KEYS:
        problems.append(Problem(str(source), None, f"{key!r} is no rule; there are {', '.join(sorted(_KEYS))}"))
    for kind in ("at_least", "at_most", "drop_at_most"):
        for measure, limit in _numbers(data.get(kind), kind, source, problems):
            yield Rule(measure, kind, limit, measure)
    zero = data.get("zero", [])
    if isinstance(zero, list) and all(isinstance(measure, str) for measure in zero):
        yield from (Rule(measure, "zero", 0.0, measure) for measure in zero)
    else:
        problems.append(Problem(str(source), None, 'zero: a list of measures is wanted, as ["Harmful@5"]'))
    slices = data.get("slices", {})
    if not isinstance(slices, dict):
        problems.append(Problem(str(source), None, 'slices: tables of the form [slices."family:returns"] are wanted'))
        slices = {}
    for tag, rows in slices.items():
        for measure, limit in _numbers(rows, f"slices.{tag}", source, problems):
            yield Rule(f"{measure} [{tag}]", "at_least", limit, measure, tag)
    for measure, limit in _numbers(data.get("worst_slice"), "worst_slice", source, problems):
        yield Rule(f"{measure} [worst slice]", "at_least", limit, measure, "*")
    for budget, limit in _numbers(data.get("budgets"), "budgets", source, problems):
        if budget in BUDGETS:
            yield Rule(budget, "at_most", limit, budget)
        else:
            what = f"budgets.{budget} is none; there are {', '.join(BUDGETS)}"
            problems.append(Problem(str(source), None, what))


def _numbers(rows: Any, where: str, source: Path, problems: list[Problem]) -> Iterable[tuple[str, float]]:
    if rows is None:
        return
    if not isinstance(rows, dict):
        problems.append(Problem(str(source), None, f'[{where}]: lines of the form "R@10" = 0.8 are wanted'))
        return
    for name, limit in rows.items():
        if isinstance(limit, bool) or not isinstance(limit, int | float) or not isfinite(limit):
            problems.append(Problem(str(source), None, f"[{where}] {name}: {limit!r} is no number"))
        else:
            yield name, float(limit)


class Arm(NamedTuple):
    """A scored run, as far as a gate asks."""

    questions: Mapping[str, Mapping[str, Figure]]
    """measure → query_id → figure."""
    tags: Mapping[str, Sequence[str]]
    """query_id → its tags."""
    latencies: Sequence[float]
    tokens: Sequence[int]
    empty: float | None
    """Share of the questions that the run returns nothing for."""


NO_BASELINE = "there is no baseline to hold it against"


def judge_gate(rules: Iterable[Rule], arm: Arm, baseline: Mapping[str, Figure] | str = NO_BASELINE) -> list[Result]:
    """`baseline`: measure → mean, of a score that may be compared; else why there is none, in words: rules that are
    held against it are indeterminate then, and all others are judged.
    """
    return [_judge(rule, arm, baseline) for rule in rules]


def overall(results: Iterable[Result]) -> Verdict:
    """The worst; a gate without a rule that could be judged passes nothing."""
    verdicts = {result.verdict for result in results}
    return next((verdict for verdict in _WORST_FIRST if verdict in verdicts), Verdict.INDETERMINATE)


def _judge(rule: Rule, arm: Arm, baseline: Mapping[str, Figure] | str) -> Result:
    if rule.measure in BUDGETS:
        return _judge_budget(rule, arm)
    figures = arm.questions.get(rule.measure)
    if not figures:
        return Result(rule, Verdict.INDETERMINATE, f"{rule.measure} was not measured")
    if rule.kind == "zero":
        bad = sorted(query_id for query_id, figure in figures.items() if figure.low > 0)
        open_ = sorted(query_id for query_id, figure in figures.items() if figure.high > 0 >= figure.low)
        if bad:
            return Result(rule, Verdict.FAIL, f"in {len(bad)} questions: {', '.join(bad[:5])}")
        verdict = Verdict.INDETERMINATE if open_ else Verdict.PASS
        return Result(rule, verdict, f"may be in {len(open_)} questions that wait" if open_ else "in no question")
    if rule.tag == "*":
        return _judge_worst(rule, figures, arm.tags)
    mine = figures if rule.tag is None else {q: f for q, f in figures.items() if rule.tag in arm.tags.get(q, ())}
    found = mean(mine)
    if found is None:
        return Result(rule, Verdict.INDETERMINATE, f"no question has the tag {rule.tag!r}")
    if rule.kind == "drop_at_most":
        if isinstance(baseline, str):
            return Result(rule, Verdict.INDETERMINATE, baseline)
        before = baseline.get(rule.measure)
        if before is None:
            return Result(rule, Verdict.INDETERMINATE, f"{rule.measure} was not measured for the baseline")
        drop = Figure(None, before.low - found.high, before.high - found.low)
        return Result(rule, _at_most(drop, rule.limit), f"a drop of {_shown(drop, signed=True)}")
    verdict = _at_most(found, rule.limit) if rule.kind == "at_most" else _at_least(found, rule.limit)
    return Result(rule, verdict, _shown(found))


def _judge_worst(rule: Rule, figures: Mapping[str, Figure], tags: Mapping[str, Sequence[str]]) -> Result:
    slices: dict[str, dict[str, Figure]] = {}
    for query_id, figure in figures.items():
        for tag in tags.get(query_id, ()):
            slices.setdefault(tag, {})[query_id] = figure
    means = {tag: found for tag, mine in slices.items() if (found := mean(mine)) is not None}
    if not means:
        return Result(rule, Verdict.INDETERMINATE, "no question has a tag")
    tag = min(means, key=lambda one: (means[one].low, one))
    verdicts = [_at_least(found, rule.limit) for found in means.values()]
    verdict = next(one for one in _WORST_FIRST if one in verdicts)
    return Result(rule, verdict, f"{_shown(means[tag])} in {tag}")


def _judge_budget(rule: Rule, arm: Arm) -> Result:
    value: float | None = None
    if rule.measure == "p95_latency_ms" and arm.latencies:
        known = list(arm.latencies)
        value = quantiles(known, n=20, method="inclusive")[-1] if len(known) > 1 else known[0]
    elif rule.measure == "mean_tokens" and arm.tokens:
        value = sum(arm.tokens) / len(arm.tokens)
    elif rule.measure == "empty_results":
        value = arm.empty
    if value is None:
        return Result(rule, Verdict.INDETERMINATE, "the run does not say")
    return Result(rule, Verdict.PASS if value <= rule.limit else Verdict.FAIL, f"{value:g}")


def _at_least(figure: Figure, limit: float) -> Verdict:
    if figure.low >= limit:
        return Verdict.PASS
    return Verdict.FAIL if figure.high < limit else Verdict.INDETERMINATE


def _at_most(figure: Figure, limit: float) -> Verdict:
    if figure.high <= limit:
        return Verdict.PASS
    return Verdict.FAIL if figure.low > limit else Verdict.INDETERMINATE


def _shown(figure: Figure, signed: bool = False) -> str:
    form = "+.3f" if signed else ".3f"
    low, high = (format(round(end, 3) + 0.0, form) for end in (figure.low, figure.high))  # -0.0 + 0.0 is 0.0
    return low if figure.low == figure.high else f"{low} to {high}"


def render_markdown(results: Sequence[Result], title: str, lines: Sequence[str]) -> str:
    """A report for a pull request; `lines`: what stands above the table."""
    verdict = overall(results)
    rows = [
        f"| {result.verdict} | {_cell(result.rule.name)} | {_limit(result.rule)} | {_cell(result.said)} |"
        for result in results
    ]
    head = ["| verdict | rule | limit | found |", "|---|---|---|---|"]
    return "\n".join([f"## {_cell(title)}: {verdict}", "", *lines, *([""] if lines else []), *head, *rows]) + "\n"


def _limit(rule: Rule) -> str:
    words = {"at_least": "at least", "at_most": "at most", "drop_at_most": "drop at most", "zero": "none"}
    return words[rule.kind] if rule.kind == "zero" else f"{words[rule.kind]} {rule.limit:g}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
