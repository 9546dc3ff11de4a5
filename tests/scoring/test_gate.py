"""Thresholds: PASS, FAIL, or INDETERMINATE where what waits decides."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.errors import BadInput
from evalspan.scoring.figures import Figure, mean
from evalspan.scoring.gate import (
    NO_BASELINE,
    Arm,
    Result,
    Rule,
    Verdict,
    judge_gate,
    overall,
    read_gate,
    render_markdown,
)

TAGS = {"a": ("family:returns",), "b": ("family:shipping",), "c": ()}


def arm(*values: float | Figure, **more: Any) -> Arm:
    """Of questions a, b, c."""
    figures = [one if isinstance(one, Figure) else Figure(one, one, one) for one in values]
    said = {"latencies": [], "tokens": [], "empty": None, **more}
    return Arm({"RR": dict(zip("abc", figures, strict=False))}, TAGS, **said)


def verdict(rule: Rule, mine: Arm, baseline: dict[str, Figure] | str = NO_BASELINE) -> str:
    return judge_gate([rule], mine, baseline)[0].verdict.value


def read(tmp_path: Path, text: str) -> list[Rule]:
    path = tmp_path / "gate.toml"
    path.write_text(text, "utf-8")
    return read_gate(path)


def test_every_kind_of_rule_is_read(tmp_path: Path) -> None:
    rules = read(
        tmp_path,
        'zero = ["Harmful@5"]\n[at_least]\n"R@10" = 0.8\n[at_most]\n"Harmful@5" = 1\n[drop_at_most]\nRR = 0.02\n'
        '[slices."family:returns"]\n"R@10" = 0.7\n[worst_slice]\nRR = 0.6\n[budgets]\np95_latency_ms = 800\n',
    )
    assert [(rule.name, rule.kind, rule.limit) for rule in rules] == [
        ("R@10", "at_least", 0.8),
        ("Harmful@5", "at_most", 1),
        ("RR", "drop_at_most", 0.02),
        ("Harmful@5", "zero", 0),
        ("R@10 [family:returns]", "at_least", 0.7),
        ("RR [worst slice]", "at_least", 0.6),
        ("p95_latency_ms", "at_most", 800),
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "holds no rule"),
        ("[atleast]\nRR = 1\n", "'atleast' is no rule"),
        ("[at_least]\nRR = 'high'\n", "'high' is no number"),
        ("[at_least]\nRR = true\n", "True is no number"),
        ("[at_least]\nRR = nan\n", "nan is no number"),
        ("[at_most]\nRR = inf\n", "inf is no number"),
        ("at_least = 3\n", "are wanted"),
        ("slices = 3\n", "are wanted"),
        ("slices.x = 3\n", "are wanted"),
        ("zero = 'RR'\n", "a list of measures"),
        ("zero = [1]\n", "a list of measures"),
        ("[budgets]\ncost = 3\n", "budgets.cost is none"),
        ("[at_least\n", "can't be read"),
        ("\udcff".encode("utf-8", "surrogateescape").decode("latin-1"), "can't be read"),
    ],
)
def test_a_rule_that_is_none_is_refused(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(BadInput, match=what):
        read(tmp_path, text)


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path, "zero = 1\n[at_least]\nRR = 'x'\n[budgets]\ny = 1\n")
    assert len(caught.value.problems) == 3


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        read_gate(tmp_path / "none.toml")
    with pytest.raises(BadInput, match="can't be read"):
        read_gate(tmp_path)


@law
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_verdict_is_what_every_value_of_the_interval_says(one: float, other: float, limit: float) -> None:
    low, high = sorted((one, other))
    mine = arm(Figure(None, low, high))
    at_least, at_most = Rule("RR", "at_least", limit, "RR"), Rule("RR", "at_most", limit, "RR")
    assert (verdict(at_least, mine) == "PASS") == (low >= limit)
    assert (verdict(at_least, mine) == "FAIL") == (high < limit)
    assert (verdict(at_most, mine) == "PASS") == (high <= limit)
    assert (verdict(at_most, mine) == "FAIL") == (low > limit)


def test_a_figure_exactly_at_its_limit_passes() -> None:
    assert verdict(Rule("RR", "at_least", 0.5, "RR"), arm(0.5)) == "PASS"
    assert verdict(Rule("RR", "at_most", 0.5, "RR"), arm(0.5)) == "PASS"


def test_a_drop_is_held_against_the_baseline() -> None:
    rule = Rule("RR", "drop_at_most", 0.1, "RR")
    assert verdict(rule, arm(0.5), {"RR": Figure(0.55, 0.55, 0.55)}) == "PASS"
    assert verdict(rule, arm(0.5), {"RR": Figure(0.7, 0.7, 0.7)}) == "FAIL"
    assert verdict(rule, arm(0.9), {"RR": Figure(0.7, 0.7, 0.7)}) == "PASS"
    assert verdict(rule, arm(0.5), {"RR": Figure(None, 0.5, 0.9)}) == "INDETERMINATE"
    assert verdict(rule, arm(0.5), {}) == "INDETERMINATE"
    assert verdict(rule, arm(0.5)) == "INDETERMINATE"


def test_zero_is_held_in_every_question() -> None:
    rule = Rule("RR", "zero", 0, "RR")
    assert verdict(rule, arm(0.0, 0.0)) == "PASS"
    assert verdict(rule, arm(0.0, 1.0, Figure(None, 0, 1))) == "FAIL"
    assert verdict(rule, arm(0.0, Figure(None, 0, 1))) == "INDETERMINATE"


def test_a_slice_has_only_its_questions_and_one_that_is_not_there_decides_nothing() -> None:
    assert verdict(Rule("x", "at_least", 0.9, "RR", "family:returns"), arm(1.0, 0.0)) == "PASS"
    assert verdict(Rule("x", "at_least", 0.9, "RR", "family:shipping"), arm(1.0, 0.0)) == "FAIL"
    assert verdict(Rule("x", "at_least", 0.9, "RR", "family:none"), arm(1.0, 0.0)) == "INDETERMINATE"


def test_the_worst_slice_decides() -> None:
    rule = Rule("x", "at_least", 0.5, "RR", "*")
    (found,) = judge_gate([rule], arm(1.0, 0.2))
    assert (found.verdict, found.said) == (Verdict.FAIL, "0.200 in family:shipping")
    assert verdict(rule, arm(1.0, Figure(None, 0.2, 0.8))) == "INDETERMINATE"
    assert verdict(rule, Arm({"RR": {"c": Figure(1, 1, 1)}}, TAGS, [], [], None)) == "INDETERMINATE"


def test_a_measure_that_was_not_taken_decides_nothing() -> None:
    assert verdict(Rule("AP", "at_least", 0.5, "AP"), arm(1.0)) == "INDETERMINATE"


def test_budgets_are_held_by_what_the_run_says() -> None:
    latency = Rule("p95_latency_ms", "at_most", 100, "p95_latency_ms")
    slow_tail = [10.0] * 95 + [500.0] * 5
    assert verdict(latency, arm(1.0, latencies=slow_tail[:-1])) == "PASS"
    assert verdict(latency, arm(1.0, latencies=[*slow_tail, 500.0])) == "FAIL"
    assert verdict(latency, arm(1.0, latencies=[7.0])) == "PASS"
    assert verdict(latency, arm(1.0)) == "INDETERMINATE"
    tokens = Rule("mean_tokens", "at_most", 100, "mean_tokens")
    assert [verdict(tokens, arm(1.0, tokens=[80, count])) for count in (120, 121)] == ["PASS", "FAIL"]
    empty = Rule("empty_results", "at_most", 0.0, "empty_results")
    assert [verdict(empty, arm(1.0, empty=share)) for share in (0.0, 0.1, None)] == ["PASS", "FAIL", "INDETERMINATE"]


def test_the_worst_verdict_is_that_of_the_gate_and_a_gate_without_rules_passes_nothing() -> None:
    rule = Rule("RR", "at_least", 0, "RR")
    results = {verdict: Result(rule, verdict, "") for verdict in Verdict}
    assert overall(results.values()) is Verdict.FAIL
    assert overall([results[Verdict.PASS], results[Verdict.INDETERMINATE]]) is Verdict.INDETERMINATE
    assert overall([results[Verdict.PASS]]) is Verdict.PASS
    assert overall([]) is Verdict.INDETERMINATE


def test_the_report_is_a_table_that_no_name_breaks() -> None:
    rule = Rule("RR [a|b\nc]", "at_least", 0.5, "RR")
    report = render_markdown([Result(rule, Verdict.FAIL, "0.2 | low")], "Gate", ["One line."])
    assert report.splitlines() == [
        "## Gate: FAIL",
        "",
        "One line.",
        "",
        "| verdict | rule | limit | found |",
        "|---|---|---|---|",
        "| FAIL | RR [a\\|b c] | at least 0.5 | 0.2 \\| low |",
    ]


def test_questions_that_may_fall_out_are_weighed_as_the_mean_weighs_them() -> None:
    mine = arm(0.5, Figure(None, 0, 0, True))
    assert mean(mine.questions["RR"]) == Figure(0.5, 0.25, 0.5)
    assert verdict(Rule("RR", "at_least", 0.5, "RR"), mine) == "INDETERMINATE"


def test_a_drop_of_nothing_has_no_negative_sign() -> None:
    rule = Rule("RR", "drop_at_most", 0.1, "RR")
    (found,) = judge_gate([rule], arm(0.1 + 0.2), {"RR": Figure(0.3, 0.3, 0.3)})
    assert found.said == "a drop of +0.000"


def test_a_measure_that_the_baseline_lacks_and_a_reason_against_it_are_said() -> None:
    rule = Rule("RR", "drop_at_most", 0.1, "RR")
    baselines: list[dict[str, Figure] | str] = [{}, "it is of another set"]
    said = [judge_gate([rule], arm(0.5), baseline)[0].said for baseline in baselines]
    assert said == ["RR was not measured for the baseline", "it is of another set"]
