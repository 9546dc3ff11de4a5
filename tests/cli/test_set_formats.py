"""`set import FILES`, `set export --format` and `set unpack` at the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from .helpers import SAMPLE, fine, refused

pytestmark = pytest.mark.usefixtures("shop")


def put(name: str, value: Any) -> Path:
    path = Path(name)
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def first_document() -> dict[str, Any]:
    row: dict[str, Any] = json.loads((SAMPLE / "documents.jsonl").read_text("utf-8").splitlines()[0])
    return row


def squad() -> dict[str, Any]:
    document = first_document()
    qas = [{"id": "q", "question": "?", "answers": [{"text": document["text"][:60], "answer_start": 0}]}]
    return {"data": [{"title": document["doc_id"], "paragraphs": [{"context": document["text"], "qas": qas}]}]}


def test_an_import_says_what_it_guessed() -> None:
    ran = fine("set", "import", "faq", put("s.json", squad()))
    assert ran.out.splitlines()[:2] == ["Read as squad, a guess by what stands in it", "faq@1"]
    said = fine("set", "import", "faq", "s.json", "--format", "squad", "--json").json
    assert (said["format"], said["guessed"], said["new"], said["spans"]) == ("squad", False, False, 1)


def test_what_is_not_carried_is_said() -> None:
    row = {"queryId": "q", "query": "?", "mustRetrieve": [{"factId": "f"}]}
    ran = fine("set", "import", "faq", put("m.jsonl", json.dumps(row) + "\n"))
    assert "  Not carried, or taken otherwise: facts without a passage, of 1 questions" in ran.out


def test_a_file_in_no_format_is_refused_with_all_names() -> None:
    assert "is in no format that is known (relevant-spans, " in refused("set", "import", "faq", put("x.json", {"a": 1}))
    assert "'xml' is no format" in refused("set", "import", "faq", "x.json", "--format", "xml")


@pytest.mark.parametrize(
    "options",
    [
        ("--format", "squad"),
        ("--labels", "l.txt", "--one-dim", "and"),
        ("--labels", "l.txt", "s.json"),
        ("s.json", "--questions", "q.jsonl"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: tuple[str, ...]) -> None:
    put("s.json", squad())
    assert "FILES" in refused("set", "import", "faq", *options)


def test_qrels_come_in_by_the_same_door_with_their_threshold() -> None:
    fine("set", "import", "dl", SAMPLE / "qrels.txt", "--chunking", "old", "--rel-threshold", "2")
    assert "grades from 1 below 2 taken as not relevant" in fine("set", "show", "dl").out


def test_an_export_says_what_the_format_can_not_hold() -> None:
    fine("set", "import", "faq", put("s.json", squad()), "--labels-are", "all")
    ran = fine("set", "export", "faq", "--format", "legalbench-rag", "--out", "l.json")
    assert ran.out.splitlines() == [
        "Wrote l.json: 1 question as legalbench-rag",
        "  Not held by it: ids of questions (1)",
    ]
    said = fine("set", "export", "faq", "--format", "legalbench-rag", "--out", "l.json", "--json").json
    assert said["not_held"] == {"ids of questions": 1}
    assert fine("set", "import", "back", "l.json", "--json").json["format"] == "legalbench-rag"


def test_a_foreign_export_wants_a_place() -> None:
    fine("set", "import", "faq", put("s.json", squad()))
    assert "wants --out" in refused("set", "export", "faq", "--format", "squad")


def test_a_corpus_is_unpacked_added_and_its_set_imported(here: Path) -> None:
    put("s.json", squad())
    assert "1 document, 0 chunks" in fine("set", "unpack", "s.json", "--out", "corpus").out
    fine("init", "--store", "other.db")
    fine("snapshot", "add", here / "corpus" / "documents.jsonl", "--store", "other.db")
    fine("set", "import", "faq", "s.json", "--store", "other.db")
    said = fine("set", "unpack", "s.json", "--out", "again", "--json").json
    assert (said["format"], said["documents"], said["left_out"]) == ("squad", 1, [])


def test_the_formats_are_listed_with_what_they_hold() -> None:
    assert "chunking_evaluation's questions_df.csv" in fine("set", "formats").out
    rows = {row["name"]: row for row in fine("set", "formats", "--json").json}
    assert "grades" in rows["trec"]["holds"]
    assert "passages" not in rows["trec"]["holds"]
