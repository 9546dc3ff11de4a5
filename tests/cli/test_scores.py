"""`evalspan score`, `history`, `bridge`, `compare` and `gate`: the sample's runs on both its indexes."""

from pathlib import Path

import pytest

from .helpers import SAMPLE, fine, refused, run

OLD = ("--run", SAMPLE / "run-old.txt")
NEW = ("--run", SAMPLE / "run.txt")

pytestmark = pytest.mark.usefixtures("mapped")


@pytest.fixture
def mapped(shop: Path) -> Path:
    """The set as spans, mapped on both chunkings: shop@2, whose labels are tied and narrowed."""
    for name in ("new", "old"):
        run("migrate", "shop", "--to", name, "--twins", "ignore")
    return shop


def test_a_score_names_its_setting_and_is_kept() -> None:
    said = fine("score", "shop", *OLD, "--index", "old.json", "--measure", "R@10", "--code-version", "abc123")
    assert "shop@2 on old, min_overlap 0.5" in said.out
    assert "Kept as score 1" in said.out
    row = fine("score", "shop", *OLD, "--index", "old.json", "--measure", "R@10", "--dry-run", "--json").json
    assert row["score"] is None
    assert (row["set"], row["chunking"], row["min_overlap"], row["run"]) == ("shop@2", "old", 0.5, "run-old")
    assert 0 <= row["figures"]["R@10"]["low"] <= row["figures"]["R@10"]["high"] <= 1
    assert fine("store", "info", "--json").json["scores"] == 1


def test_the_guard_is_asked_before_anything_is_scored() -> None:
    fine("snapshot", "add", SAMPLE / "documents-v2.jsonl", "--name", "v2")
    fine("chunking", "add", "new2", SAMPLE / "chunks-v2.jsonl", "--snapshot", "v2")
    fine("manifest", "write", "new2", "--out", "new2.json")
    ran = run("score", "shop", *NEW, "--index", "new2.json")
    assert ran.code == 1
    assert "does not belong to this index" in ran.err
    assert fine("store", "info", "--json").json["scores"] == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((*NEW, "--index", "old.json"), "another chunking"),
        (("--run", "gone.txt", "--index", "old.json"), "no such file"),
        ((*OLD, "--index", "old.json", "--measure", "R@0"), "R@0"),
        ((*OLD, "--index", "old.json", "--measure", "wisdom"), "wisdom"),
        ((*OLD, "--index", "old.json", "--measure", "CharRecall"), "cut-off"),
        ((*OLD, "--index", "old.json", "--measure", "Sufficient@5"), "--labels-are any|all"),
        (OLD, "--chunking"),
        ((*OLD, "--chunking", "nowhere"), "No chunking 'nowhere'"),
    ],
)
def test_what_can_not_be_scored_is_one_clear_error_and_keeps_nothing(options: tuple[object, ...], said: str) -> None:
    assert said in refused("score", "shop", *options)
    assert fine("store", "info", "--json").json["scores"] == 0


def test_figures_over_min_overlap_are_shown_and_not_kept() -> None:
    rows = fine("score", "shop", *OLD, "--index", "old.json", "--measure", "R@10", "--sensitivity", "--json").json
    assert [row["min_overlap"] for row in rows] == [round(0.1 * step, 1) for step in range(1, 11)]
    assert fine("store", "info", "--json").json["scores"] == 0


def bridged() -> None:
    fine("score", "shop", *OLD, "--index", "old.json", "--measure", "R@10")
    fine("score", "shop", *NEW, "--index", "new.json", "--measure", "R@10")
    fine("bridge", "shop", *OLD, "--index", "old.json", *NEW, "--index", "new.json", "--measure", "R@10")


def test_history_shows_the_break_and_only_the_bridge_links_across_it() -> None:
    bridged()
    said = fine("history", "shop", "--html", "history.html").out
    assert "── break (bridged)" in said
    assert "chunking: old" in said
    assert "bridge: score 3" in said
    row = fine("history", "shop", "--json").json
    assert [len(series["points"]) for series in row["series"]] == [1, 1, 1, 1]
    assert row["bridges"] == [[3, 4]]
    page = Path("history.html").read_text("utf-8")
    assert page.count("<polyline") == 4  # the old index was scored again in between: no line crosses
    assert "break: chunking (bridged)" in page
    assert "http" not in page


def test_a_history_of_nothing_says_what_to_type() -> None:
    assert "evalspan score shop" in refused("history", "shop")
    bridged()
    assert "There is: R@10" in refused("history", "shop", "--measure", "AP")


def test_two_figures_across_a_break_are_never_subtracted() -> None:
    bridged()
    ran = run("compare", "shop", "1", "2")
    assert ran.code == 1
    assert "chunking: old" in ran.err
    assert "evalspan bridge shop" in ran.err
    assert "by the bridge between them" in fine("compare", "shop", "3", "4").out


def test_a_comparison_names_the_stages_that_differ_and_says_when_it_is_confounded() -> None:
    Path("one.json").write_text('{"retriever": {"k1": 1.2}, "reranker": null}')
    Path("two.json").write_text('{"retriever": {"k1": 0.9}, "reranker": {"model": "m"}}')
    for name in ("one.json", "two.json"):
        fine("score", "shop", *OLD, "--index", "old.json", "--measure", "R@10", "--pipeline", name)
    said = fine("compare", "shop", "1", "2").out
    assert "reranker, retriever" in said
    assert "Confounded" in said
    row = fine("compare", "shop", "1", "2", "--json").json
    assert (row["confounded"], row["slices"][0]["name"]) == (True, "all")
    assert not row["slices"][0]["fixes"] + row["slices"][0]["regressions"]


@pytest.mark.parametrize(
    ("rules", "code", "verdict"),
    [
        ('[at_least]\n"R@10" = 0.1\n', 0, "PASS"),
        ('[at_most]\n"R@10" = 0.1\n', 1, "FAIL"),
        ("[budgets]\np95_latency_ms = 800\n", 2, "INDETERMINATE"),
    ],
)
def test_a_gate_is_pass_fail_or_indeterminate(rules: str, code: int, verdict: str) -> None:
    fine("score", "shop", *OLD, "--index", "old.json", "--measure", "R@10")
    Path("gate.toml").write_text(rules)
    ran = run("gate", "shop", "--rules", "gate.toml", "--markdown", "report.md")
    assert ran.code == code
    assert ran.out.startswith(verdict)
    assert f": {verdict}" in Path("report.md").read_text("utf-8").splitlines()[0]


def test_a_gate_that_is_no_toml_or_names_no_rule_is_refused() -> None:
    fine("score", "shop", *OLD, "--index", "old.json", "--measure", "R@10")
    Path("gate.toml").write_text("[at_leest]\n")
    assert "at_least" in refused("gate", "shop", "--rules", "gate.toml")
    assert "no such file" in refused("gate", "shop", "--rules", "gone.toml")
