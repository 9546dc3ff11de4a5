"""Evidence with structure on the command line: spans by hand, what labels are, rubrics out."""

import json
from pathlib import Path
from typing import Any

import pytest

from .helpers import SAMPLE, fine, refused, run

QUOTE = "Kayaks, roof boxes, bicycle trailers and tents for five or more people count as bulky goods."


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def fee(**said: Any) -> dict[str, Any]:
    facts = [{"fact_id": "fee", "text": "What it costs", "min_grade": "supporting"}, {"fact_id": "waiver"}]
    spans = [{"doc_id": "returns-policy", "quote": QUOTE, "fact": "fee", "grade": "supporting"}]
    return {"query_id": "fee", "text": "What does it cost?", "facts": facts, "spans": spans, **said}


@pytest.fixture
def spans(shop: Path) -> Path:
    """The set "hand", from spans, mapped on new; its labels may be either."""
    truth = [json.loads(line) for line in (SAMPLE / "truth.jsonl").read_text("utf-8").splitlines()]
    rows: dict[str, dict[str, Any]] = {}
    for one in truth:
        row = rows.setdefault(one["query_id"], {"query_id": one["query_id"], "text": "?", "spans": []})
        row["spans"].append({key: one[key] for key in ("doc_id", "start", "end", "quote", "grade")})
    fine("set", "import", "hand", "--spans", write(shop / "spans.jsonl", *rows.values()), "--snapshot", "v1")
    run("migrate", "hand", "--to", "new")
    return shop


def test_spans_are_imported_and_shown_with_what_was_said(shop: Path) -> None:
    said = {"must_not_use": ["gift-cards"], "acceptable_docs": ["warranty"], "filters": {"country": "BE"}}
    path = write(shop / "fee.jsonl", fee(**said), {"query_id": "none", "text": "?", "no_answer": True})
    imported = fine("set", "import", "fees", "--spans", path, "--labels-are", "all", "--min-overlap", "0.6")
    assert "fees@1" in imported.out
    assert "2 questions, 1 span" in imported.out
    assert "labels: all of a question's are needed" in fine("set", "show", "fees").out
    shown = fine("set", "show", "fees", "--question", "fee").out
    for words in (
        "filter  country = BE",
        "needs fee, from grade supporting (2)  What it costs",
        "needs waiver",
        "grade supporting (2) for fee  returns-policy 2280–2372",
        "must not use  gift-cards",
        "acceptable  warranty",
    ):
        assert words in shown
    assert "no answer: the corpus does not answer it" in fine("set", "show", "fees", "--question", "none").out
    assert fine("set", "show", "fees", "--json").json["terms"]["min_overlap"] == 0.6


def test_spans_that_do_not_hold_are_refused_with_file_and_line(shop: Path) -> None:
    wrong = fee(spans=[{"doc_id": "returns-policy", "start": 0, "end": 5, "quote": "Nope!"}])
    path = write(shop / "fee.jsonl", {"query_id": "q", "text": "?"}, wrong)
    message = refused("set", "import", "fees", "--spans", path)
    assert message.startswith(f"{path}:2: question 'fee': spans[0]: at 0..5 stands '")
    assert [row["set"] for row in fine("set", "list", "--json").json] == ["shop"]
    assert fine("set", "import", "fees", "--spans", path, "--skip-bad", "--json").json["questions"] == 1


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--spans", "x", "--labels", "y"),
        ("--spans", "x", "--chunking", "new"),
        ("--spans", "x", "--questions", "y"),
        ("--labels", "x", "--snapshot", "v1"),
        ("--file", "x", "--min-overlap", "0.5"),
        ("--file", "x", "--snapshot", "v1"),
        ("--spans", "x", "--labels-are", "some"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_options_that_do_not_go_together_are_refused(options: tuple[str, ...]) -> None:
    assert "Usage:" in refused("set", "import", "fees", *options)


@pytest.mark.usefixtures("spans")
def test_what_labels_are_is_unknown_until_somebody_says_so() -> None:
    assert "labels: nobody said" in fine("set", "show", "hand").out
    message = refused("set", "export", "hand", "--format", "rubric", "--chunking", "new")
    assert "'q02' has 2 labels" in message
    assert "evalspan set amend hand --labels-are any|all" in message
    assert "hand@2" in fine("set", "amend", "hand", "--labels-are", "all", "--why", "asked").out
    assert "says all of this already" in fine("set", "amend", "hand", "--labels-are", "all").out
    run("migrate", "hand", "--to", "new")
    rows = [
        json.loads(line)
        for line in fine("set", "export", "hand", "--format", "rubric", "--chunking", "new").out.splitlines()
    ]
    by_query = {row["query_id"]: row["all_of"] for row in rows}
    assert len(by_query["q02"]) == 2
    together = [chunks for all_of in by_query.values() for one in all_of for chunks in one["any_of"] if len(chunks) > 1]
    assert len(together) == 3  # the passages that the new chunking cuts


def test_a_rubric_is_written_and_what_is_left_out_is_counted(spans: Path) -> None:
    fine("set", "amend", "hand", "--labels-are", "any")
    run("migrate", "hand", "--to", "new")
    out = ("--format", "rubric", "--chunking", "new", "--out", "rubric.jsonl")
    assert "Wrote rubric.jsonl: " in fine("set", "export", "hand", *out).out
    assert len((spans / "rubric.jsonl").read_text("utf-8").splitlines()) > 20
    counts = fine("set", "export", "hand", *out, "--json").json
    assert (counts["waiting"], counts["unlabelled"]) == (0, 0)


@pytest.mark.usefixtures("spans")
def test_tables_are_found_by_the_rule() -> None:
    amended = fine("set", "amend", "hand", "--tabular-by-rule", "--json").json
    assert (amended["version"], amended["questions_changed"], amended["spans_changed"]) == (2, 4, 4)
    shown = fine("set", "show", "hand", "--json").json["questions_shown"]
    tables = [one["anchor"] for question in shown for one in question["judgments"] if one["tabular"]]
    assert all("|" in (anchor["exact"] or anchor["head"]) for anchor in tables)
    assert "hand@3" in fine("set", "amend", "hand", "--no-tabular").out


@pytest.mark.usefixtures("spans")
def test_a_question_is_retired_or_has_no_answer() -> None:
    fine("set", "amend", "hand", "--question", "q01", "--retire")
    assert "retired: no longer asked" in fine("set", "show", "hand", "--question", "q01").out
    fine("set", "amend", "hand", "--question", "q02", "--question", "q03", "--no-answer")
    shown = fine("set", "show", "hand", "--question", "q02").out
    assert "no answer" in shown
    assert "retired  returns-policy 2280–2479" in shown


@pytest.mark.usefixtures("spans")
def test_a_question_that_is_not_there_is_named_and_nothing_is_written() -> None:
    assert "hand@1: has no question 'q99'" in refused("set", "amend", "hand", "--question", "q99", "--retire")
    assert fine("set", "show", "hand", "--json").json["version"] == 1


FILES = ("documents", "old-chunks", "new-chunks")
SOURCES = ("documents.jsonl", "chunks-old.jsonl", "chunks-new.jsonl")


def migration() -> list[object]:
    pairs = zip(FILES, SOURCES, strict=True)
    files = [word for name, source in pairs for word in (f"--{name}", SAMPLE / source)]
    return ["migrate", *files, "--labels", SAMPLE / "qrels.txt"]


def test_a_migration_of_files_records_what_labels_are(here: Path) -> None:
    fine("init")
    ran = run(*migration(), "--store", here / "evalspan.db", "--set", "faq", "--labels-are", "all")
    assert ran.code in (0, 1), ran
    assert fine("set", "show", "faq", "--json").json["terms"]["labels_are"] == "all"


@pytest.mark.usefixtures("here")
def test_a_migration_that_keeps_nothing_is_told_nothing_of_labels() -> None:
    assert "--labels-are" in refused(*migration(), "--out", "out", "--labels-are", "all")


@pytest.mark.usefixtures("shop")
def test_a_migration_of_a_set_has_it_from_the_set() -> None:
    assert "--labels-are" in refused("migrate", "shop", "--to", "new", "--labels-are", "all")
