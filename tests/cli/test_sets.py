"""`evalspan set`."""

import json
from pathlib import Path
from typing import Any

import pytest

import evalspan

from .helpers import SAMPLE, fine, refused, run


@pytest.fixture
def spans(shop: Path) -> Path:
    """shop@2 on spans, and its set file set.jsonl."""
    run("migrate", "shop", "--to", "new")
    fine("set", "export", "shop", "--out", "set.jsonl")
    return shop


def test_what_is_exported_and_imported_again_is_the_same_set(spans: Path) -> None:
    text = (spans / "set.jsonl").read_text("utf-8")
    assert fine("set", "export", "shop").out == text
    assert "shop@2 holds this already: nothing was written" in fine("set", "import", "shop", "--file", "set.jsonl").out
    again = fine("set", "import", "copy", "--file", "set.jsonl", "--json").json
    assert again["new"] is True
    assert again["digest"] == fine("set", "show", "shop", "--json").json["digest"]
    header, *questions = fine("set", "export", "copy").out.splitlines()
    assert json.loads(header)["name"] == "copy"
    assert questions == text.splitlines()[1:]


def test_an_older_version_is_exported_too(spans: Path) -> None:
    assert fine("set", "export", "shop@2").out == (spans / "set.jsonl").read_text("utf-8")
    assert "chunk_labels" in fine("set", "export", "shop@1").out


@pytest.mark.usefixtures("shop")
def test_the_same_labels_twice_are_one_version() -> None:
    labels = ("--labels", SAMPLE / "qrels.txt", "--questions", SAMPLE / "questions.jsonl", "--chunking", "old")
    again = fine("set", "import", "shop", *labels, "--json").json
    assert (again["new"], again["version"]) == (False, 1)


def test_labels_of_unknown_chunks_are_all_named_and_nothing_is_written(shop: Path) -> None:
    (shop / "labels").write_text("q1 0 nowhere 1\nq1 0 nothing 1\n")
    message = refused("set", "import", "faq", "--labels", "labels", "--chunking", "old")
    assert message.startswith("labels:1: chunk 'nowhere' is not in chunking 'old'\nlabels:2: ")
    assert [row["set"] for row in fine("set", "list", "--json").json] == ["shop"]


@pytest.mark.parametrize("value", ["0", "1.5", "nan"])
@pytest.mark.usefixtures("shop")
def test_min_overlap_is_above_0_and_up_to_1(value: str) -> None:
    labels = ("--labels", SAMPLE / "qrels.txt", "--chunking", "old")
    assert "--min-overlap" in refused("set", "import", "faq", *labels, "--min-overlap", value)


@pytest.mark.parametrize("value", [0.0, 1.5, float("nan")])
@pytest.mark.usefixtures("shop")
def test_min_overlap_is_checked_by_the_python_call_too(value: float) -> None:
    with pytest.raises(evalspan.BadInput, match=r"^--min-overlap: "):
        evalspan.import_labels("faq", SAMPLE / "qrels.txt", chunking="old", min_overlap=value)


@pytest.mark.parametrize(
    "option",
    [("--min-overlap", "0.9"), ("--guard-scope", "evidence"), ("--chunking", "old"), ("--questions", "set.jsonl")],
    ids=" ".join,
)
@pytest.mark.usefixtures("spans")
def test_options_that_mean_nothing_for_a_set_file_are_refused(option: tuple[str, str]) -> None:
    assert option[0] in refused("set", "import", "copy", "--file", "set.jsonl", *option)


@pytest.mark.parametrize("name", ["a@1", "latest", " ", "", "a\nb", " a"])
@pytest.mark.usefixtures("shop")
def test_a_name_that_can_not_be_typed_back_is_refused(name: str) -> None:
    assert "name" in refused("set", "import", name, "--labels", SAMPLE / "qrels.txt", "--chunking", "old")


def move_a_span(folder: Path) -> None:
    """The last question's line is moved to the top, behind a blank line, and one of its spans by one character."""
    header, *lines = (folder / "set.jsonl").read_text("utf-8").splitlines()
    at = next(i for i in reversed(range(len(lines))) if json.loads(lines[i]).get("judgments"))
    row = json.loads(lines.pop(at))
    for end in ("start", "end"):
        row["judgments"][0][end] += 1
    (folder / "moved.jsonl").write_text("\n".join([header, "", json.dumps(row), *lines, ""]), "utf-8")


def test_a_span_whose_text_is_another_is_refused(spans: Path) -> None:
    move_a_span(spans)
    assert "stands another text" in refused("set", "import", "copy", "--file", "moved.jsonl")
    assert len(fine("set", "list", "--json").json) == 1


def test_a_bad_span_is_named_with_the_line_of_the_file(spans: Path) -> None:
    move_a_span(spans)
    assert refused("set", "import", "copy", "--file", "moved.jsonl").startswith("moved.jsonl:3: ")


def test_a_bad_span_that_is_skipped_is_not_kept(spans: Path) -> None:
    move_a_span(spans)
    imported = fine("set", "import", "copy", "--file", "moved.jsonl", "--skip-bad", "--json").json
    assert len(imported["skipped"]) == 1
    assert imported["spans"] < fine("set", "show", "shop", "--json").json["spans"]


def test_a_set_file_of_an_unknown_snapshot_is_refused_with_what_to_do(spans: Path) -> None:
    text = (spans / "set.jsonl").read_text("utf-8")
    digest = json.loads(text.splitlines()[0])["terms"]["snapshot_digest"]
    (spans / "other.jsonl").write_text(text.replace(digest, "0" * 32), "utf-8")
    message = refused("set", "import", "copy", "--file", "other.jsonl")
    assert "There is: v1." in message
    assert "evalspan snapshot add" in message


@pytest.mark.usefixtures("spans")
def test_the_log_says_who_when_and_why() -> None:
    log = fine("set", "log", "shop", "--json").json
    assert [(v["version"], v["parent"]) for v in log["versions"]] == [(1, None), (2, 1)]
    assert all(v["provenance"]["by"] == "tester" and v["provenance"]["why"] for v in log["versions"])
    text = fine("set", "log", "shop").out
    assert "imported qrels.txt" in text
    assert "tester" in text


@pytest.mark.usefixtures("spans")
def test_a_question_is_shown_with_its_passages() -> None:
    out = fine("set", "show", "shop", "--question", "q01").out
    assert "How many days do I have to send it back?" in out
    assert "answer  30 days" in out
    assert "returns-policy" in out
    assert "q99" in refused("set", "show", "shop", "--question", "q99")


@pytest.mark.usefixtures("shop")
def test_a_long_set_is_listed_in_part_and_says_so() -> None:
    assert "… and 16 more: --all" in fine("set", "show", "shop").out
    assert "more: --all" not in fine("set", "show", "shop", "--all").out
    assert len(fine("set", "show", "shop", "--json").json["questions_shown"]) == 36


@pytest.mark.usefixtures("spans")
def test_qrels_come_in_both_forms() -> None:
    trec = [
        line.split() for line in fine("set", "export", "shop", "--format", "trec", "--chunking", "new").out.splitlines()
    ]
    beir = [
        line.split("\t")
        for line in fine("set", "export", "shop", "--format", "beir", "--chunking", "new").out.splitlines()
    ]
    assert beir[0] == ["query-id", "corpus-id", "score"]
    assert beir[1:] == [[query, chunk, grade] for query, _, chunk, grade in trec]


@pytest.mark.usefixtures("shop")
def test_qrels_of_a_chunking_it_was_never_mapped_on_are_refused_with_the_command() -> None:
    message = refused("set", "export", "shop", "--format", "trec", "--chunking", "new")
    assert "evalspan migrate shop --to new" in message


def test_a_file_that_can_not_be_written_is_one_clear_error(shop: Path) -> None:
    assert "can't be written" in refused("set", "export", "shop", "--out", "no/such/folder/x")
    assert "can't be written" in refused("set", "export", "shop", "--out", shop)


@pytest.mark.usefixtures("shop")
def test_a_version_that_is_appended_meanwhile_is_a_conflict_and_nothing_is_written() -> None:
    def interfering(items: Any, what: str, total: int) -> Any:  # noqa: ARG001 - the shape of Progress
        yield from items
        Path("labels").write_text("q99 0 returns-policy:2826fbdb 1\n")
        fine("set", "import", "shop", "--labels", "labels", "--chunking", "old", "--why", "I was faster")

    with pytest.raises(evalspan.Conflict, match="shop"):
        evalspan.migrate_set("shop", "new", out="out", progress=interfering)
    log = fine("set", "log", "shop", "--json").json
    assert [version["provenance"]["why"] for version in log["versions"]][1:] == ["I was faster"]
    assert log["mappings"] == []
    assert not Path("out").exists()


@pytest.mark.usefixtures("spans")
def test_an_older_version_can_be_mapped_or_the_refusal_says_how() -> None:
    ran = run("migrate", "shop@1", "--to", "old")
    assert ran.code in (0, 1) or "evalspan migrate shop --to old" in ran.err
