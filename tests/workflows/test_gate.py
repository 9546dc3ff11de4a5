"""A recorded score against thresholds and a baseline."""

from pathlib import Path

import pytest

from evalspan.errors import BadInput
from evalspan.scoring.gate import Verdict
from evalspan.store import Store
from evalspan.workflows.gate import gate
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.score import score

from .scored import NOON, a_run, put_two_questions
from .small_store import ask, put_chunking, small_store, span

RULES = "[at_least]\nRR = 0.5\n[drop_at_most]\nRR = 0.1\n"


def put_score(store: Store, chunking: str = "chunks") -> str:
    record = score("faq", a_run({"q1": "a0", "q2": "b0"}), chunking=chunking, measures=["RR"], store=store).record
    assert record is not None
    return str(record.id)


def put_rules(folder: Path) -> Path:
    path = folder / "gate.toml"
    path.write_text(RULES, "utf-8")
    return path


def test_across_a_break_no_drop_is_judged_and_all_other_rules_are(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        old = put_score(store)
        put_chunking(store, "large", 200)
        migrate_set("faq", "large", store=store)
        new = put_score(store, "large")
        found = gate("faq", put_rules(tmp_path), score=new, baseline=old, store=store)
    assert [result.verdict for result in found.results] == [Verdict.PASS, Verdict.INDETERMINATE]
    assert "across a break (chunking: chunks" in found.results[1].said
    assert f"No drop was judged: the baseline, score {old}, stands across a break" in found.markdown()


def test_a_drop_is_judged_against_a_baseline_of_the_same_setting(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        old, new = put_score(store), put_score(store)
        assert gate("faq", put_rules(tmp_path), score=new, baseline=old, store=store).verdict == Verdict.PASS


def test_a_score_is_no_baseline_of_itself(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path)
        put_score(store)
        with pytest.raises(BadInput, match="itself"):
            gate("faq", put_rules(tmp_path), baseline="latest", store=store)


def test_the_report_counts_one_label_as_one(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_two_questions(store, tmp_path, ask("q3", span("b", NOON, tabular=True)))
        put_score(store)
        assert "1 label waits for a person" in gate("faq", put_rules(tmp_path), store=store).markdown()
