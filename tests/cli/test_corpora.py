"""`evalspan snapshot`, `chunking`, `manifest`, `init` and `store`."""

import json
from pathlib import Path

import pytest

from .helpers import SAMPLE, fine, refused, run


def test_a_store_is_made_once(here: Path) -> None:
    assert "Made a store: evalspan.db" in fine("init").out
    before = (here / "evalspan.db").read_bytes()
    assert "There is a store already: evalspan.db" in fine("init").out
    assert (here / "evalspan.db").read_bytes() == before
    assert fine("init", "--json").json == {"store": "evalspan.db", "made": False}


@pytest.mark.usefixtures("here")
def test_the_store_is_found_by_option_environment_and_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("pyproject.toml").write_text('[tool.evalspan]\nstore = "team.db"\n')
    Path("sub").mkdir()
    fine("init")
    assert Path("team.db").exists()
    monkeypatch.chdir("sub")
    assert fine("store", "info", "--json").json["address"].endswith("team.db")
    monkeypatch.setenv("EVALSPAN_STORE", "env.db")
    assert refused("store", "info").endswith("evalspan init --store env.db\n")
    fine("init", "--store", "option.db")
    assert fine("store", "info", "--store", "option.db", "--json").json["address"] == "option.db"


def test_a_mistyped_store_leaves_no_file(here: Path) -> None:
    for arguments in (("snapshot", "list"), ("set", "list"), ("store", "upgrade"), ("snapshot", "add", SAMPLE / "v1")):
        assert "evalspan init" in refused(*arguments)
    assert list(here.iterdir()) == []


@pytest.mark.usefixtures("shop")
def test_an_upgrade_of_what_is_current_changes_nothing() -> None:
    answer = fine("store", "upgrade", "--json").json
    assert answer["from"] == answer["to"]
    assert "already" in fine("store", "upgrade").out


@pytest.mark.usefixtures("here")
def test_a_folder_and_a_file_of_the_same_documents_are_the_same_texts() -> None:
    fine("init")
    folder = fine("snapshot", "add", SAMPLE / "v1", "--name", "folder", "--json").json
    file = fine("snapshot", "add", SAMPLE / "documents.jsonl", "--name", "file", "--json").json
    assert (folder["new_texts"], file["new_texts"]) == (12, 0)
    assert folder["documents"] == file["documents"] == 12


@pytest.mark.usefixtures("shop")
def test_the_same_snapshot_twice_is_kept_once() -> None:
    again = fine("snapshot", "add", SAMPLE / "documents.jsonl", "--name", "v1", "--json").json
    assert again["new_texts"] == 0
    assert len(fine("snapshot", "list", "--json").json) == 1


@pytest.mark.usefixtures("shop")
def test_a_name_that_is_taken_is_refused() -> None:
    assert "There is a snapshot 'v1' already" in refused(
        "snapshot", "add", SAMPLE / "documents-v2.jsonl", "--name", "v1"
    )
    assert "There is a chunking 'new' already" in refused("chunking", "add", "new", SAMPLE / "chunks-old.jsonl")
    assert len(fine("snapshot", "list", "--json").json) == 1


@pytest.mark.usefixtures("shop")
def test_the_way_out_of_a_taken_name_can_be_typed() -> None:
    assert "--name" not in refused("chunking", "add", "new", SAMPLE / "chunks-old.jsonl")


@pytest.mark.usefixtures("second_snapshot")
def test_a_difference_names_every_document() -> None:
    found = fine("snapshot", "diff", "v1", "v2", "--json").json
    assert found["added"] == ["gear-rental"]
    assert found["removed"] == ["price-promise"]
    assert found["changed"] == ["repair-service", "returns-policy", "shipping-rates", "warranty"]
    assert found["same"] == 7
    back = fine("snapshot", "diff", "v2", "v1", "--json").json
    assert (back["added"], back["removed"]) == (found["removed"], found["added"])
    assert fine("snapshot", "diff", "v1", "v1", "--json").json["same"] == 12
    text = fine("snapshot", "diff", "v1", "latest").out
    assert text.startswith("1 added, 1 removed, 4 changed, 0 relabelled, 7 with the same text\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("snapshot", "show", "nope"),
        ("snapshot", "diff", "v1", "nope"),
        ("chunking", "show", "nope"),
        ("set", "log", "nope"),
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("shop")
def test_a_wrong_name_lists_what_there_is(arguments: tuple[str, ...]) -> None:
    message = refused(*arguments)
    assert "'nope'" in message
    assert "There is: " in message


@pytest.mark.usefixtures("shop")
def test_a_digest_or_its_beginning_stands_for_a_name() -> None:
    (record,) = fine("snapshot", "list", "--json").json
    for reference in (record["digest"], record["digest"][:12], "latest", "v1"):
        assert fine("snapshot", "show", reference, "--json").json["digest"] == record["digest"]


def test_bad_documents_are_all_named_and_nothing_is_kept(here: Path) -> None:
    fine("init")
    (here / "docs").write_text('{"doc_id": "a", "text": ""}\n{"doc_id": "b"}\n{"doc_id": "c", "text": "fine"}\n')
    message = refused("snapshot", "add", "docs")
    assert message.startswith("docs:1: document 'a' is empty\ndocs:2: \"text\" is missing")
    assert fine("store", "info", "--json").json["texts"] == 0
    out = fine("snapshot", "add", "docs", "--skip-bad").out
    assert "1 document, 1 new text" in out
    assert "Left out as bad: 2 rows" in out


def test_chunks_of_a_document_that_the_snapshot_lacks_are_refused(shop: Path) -> None:
    row = {"chunk_id": "x", "doc_id": "nowhere", "text": "x"}
    (shop / "chunks").write_text(json.dumps(row) + "\n")
    message = refused("chunking", "add", "bad", "chunks")
    assert message.startswith("chunks:1: chunk 'x' belongs to document 'nowhere', which snapshot v1 does not hold")


@pytest.mark.usefixtures("shop")
def test_a_chunking_shows_its_configuration_and_its_places() -> None:
    found = fine("chunking", "show", "new", "--document", "warranty", "--json").json
    assert found["config"] == {"splitter": "md", "version": "", "parameters": {"size": 320}}
    assert sum(found["placed"].values()) == found["chunks"] == 213
    expected = [
        (row["chunk_id"], row["start"], row["end"])
        for row in map(json.loads, (SAMPLE / "chunks-new.jsonl").read_text("utf-8").splitlines())
        if row["doc_id"] == "warranty"
    ]
    assert [(row["chunk_id"], row["start"], row["end"]) for row in found["chunks_shown"]] == expected
    assert "md (size=320)" in fine("chunking", "list").out


def test_a_place_that_is_unknown_is_null_in_json(here: Path) -> None:
    (here / "docs").write_text('{"doc_id": "d", "text": "Some words."}\n')
    (here / "chunks").write_text('{"chunk_id": "c", "doc_id": "d", "text": "Other words."}\n')
    fine("init")
    fine("snapshot", "add", "docs")
    fine("chunking", "add", "c", "chunks")
    (row,) = fine("chunking", "show", "c", "--document", "d", "--json").json["chunks_shown"]
    assert row["start"] is row["end"] is None


def test_a_manifest_is_one_ascii_line_that_reads_back(shop: Path) -> None:
    told = ("--embedding", "modèle", "--embedding-version", "2", "--dimensions", "3", "--normalised")
    out = fine("manifest", "write", "new", *told, "--prefix", "query=Frage: ").out
    assert out.count("\n") == 1
    assert out.isascii()
    (shop / "m.json").write_text(out)
    shown = fine("manifest", "show", "m.json", "--json").json
    assert shown == json.loads(out)
    assert shown["embedding"] == {
        "model": "modèle",
        "version": "2",
        "dimensions": 3,
        "normalised": True,
        "prefixes": {"query": "Frage: "},
    }
    assert shown["chunks"] == 213
    assert shown["documents"] == 12
    assert "modèle" in fine("manifest", "show", "m.json").out


def test_a_manifest_that_no_index_could_keep_is_not_written(shop: Path) -> None:
    message = refused("manifest", "write", "new", "--embedding", "m" * 3000, "--out", "m.json")
    assert "2048" in message
    assert not (shop / "m.json").exists()


@pytest.mark.usefixtures("shop")
def test_embedding_details_need_the_models_name() -> None:
    assert "--embedding" in run("manifest", "write", "new", "--normalised").err


@pytest.mark.parametrize("value", ["NaN", "Infinity"])
@pytest.mark.usefixtures("shop")
def test_a_parameter_that_is_no_json_is_text(value: str) -> None:
    added = ("chunking", "add", "p", SAMPLE / "chunks-old.jsonl", "--param", f"size={value}", "--json")
    assert fine(*added).json["config"]["parameters"] == {"size": value}


TWINS = "Item a ok.\n" * 24


def dumped(shop: Path, rows: object) -> None:
    (shop / "twins").write_text(json.dumps({"doc_id": "twins", "text": TWINS}) + "\n")
    (shop / "dump.json").write_text(json.dumps(rows))
    fine("snapshot", "add", "twins", "--name", "twins")


def langchain_rows(source: str = "twins") -> list[dict[str, object]]:
    """As its recursive splitter gives them with an overlap that it can't use: every start is the first line's."""
    return [{"page_content": "Item a ok.", "metadata": {"source": source, "start_index": 0}} for _ in range(24)]


def test_what_langchain_reports_is_checked_and_told(shop: Path) -> None:
    dumped(shop, langchain_rows())
    out = fine("chunking", "add", "lc", "dump.json", "--from", "auto", "--in-order").out
    assert "reported  by langchain (guessed: they have page_content and metadata)" in out
    assert "1 of 24 reported starts are right as they are" in out
    assert "23 point at another copy of the text" in out
    assert "24 chunks came without an id" in out
    assert "24 exact" in out


def test_copies_of_a_dump_in_no_known_order_are_given_no_place(shop: Path) -> None:
    dumped(shop, langchain_rows())
    shown = fine("chunking", "add", "lc", "dump.json", "--from", "langchain", "--json").json
    assert (shown["producer"], shown["guessed"]) == ("langchain", "")
    assert shown["placed"] == {"exact": 0, "reformatted": 0, "repeated": 24, "missing": 0}
    assert shown["reported"]["offsets"] == {"open": 24}
    assert "facts" not in shown


def test_facts_are_told_of_each_chunk(shop: Path) -> None:
    dumped(shop, langchain_rows())
    facts = fine("chunking", "add", "lc", "dump.json", "--from", "auto", "--in-order", "--json", "--facts").json[
        "facts"
    ]
    assert [(fact["start"], fact["reported_start"], fact["off_by"]) for fact in facts[:2]] == [(0, 0, 0), (11, 0, 11)]
    assert facts[1]["offset"] == "twin"
    assert (facts[1]["slice_equal"], facts[1]["occurrences"], facts[1]["wording"]) == (True, 24, "verbatim")


def test_a_dump_none_of_whose_chunks_stands_in_its_document_is_refused(shop: Path) -> None:
    rows = [{**row, "page_content": "Nowhere said."} for row in langchain_rows()]
    dumped(shop, rows)
    add = ("chunking", "add", "lc", "dump.json", "--from", "langchain")
    message = refused(*add)
    assert "not one of its 24 chunks stands in its document of snapshot twins" in message
    assert "--document-key" in message
    assert "--snapshot" in message
    assert "lc" not in [row["name"] for row in fine("chunking", "list", "--json").json]
    dumped(shop, [*rows, *langchain_rows()])
    assert fine(*add, "--json").json["placed"]["missing"] == 24


def test_chunks_of_a_library_that_name_no_document_of_the_snapshot_are_refused(shop: Path) -> None:
    dumped(shop, langchain_rows("elsewhere.txt"))
    add = ("chunking", "add", "lc", "dump.json", "--from", "auto")
    assert "belongs to document 'elsewhere.txt', which snapshot twins does not hold" in refused(*add)
    assert fine(*add, "--document", "twins", "--json").json["chunks"] == 24
    dumped(shop, [["Item a ok."], [[0, 10]]])
    assert "--document ID" in refused("chunking", "add", "sem", "dump.json", "--from", "auto", "--skip-bad")
    assert fine("chunking", "list", "--json").json[-1]["name"] == "lc"


def test_an_unknown_dump_lists_the_producers_there_are(shop: Path) -> None:
    dumped(shop, {"what": 1})
    assert "There is: langchain, llamaindex" in refused("chunking", "add", "x", "dump.json", "--from", "auto")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--in-order",), "go with --from"),
        (("--facts",), "go with --from"),
        (("--from", "auto", "--facts"), "--facts goes with --json"),
        (("--from", "auto", "--document", "d", "--document-key", "k"), "exclude each other"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_options_that_do_not_go_together_are_said(options: tuple[str, ...], what: str) -> None:
    assert what in refused("chunking", "add", "x", "dump.json", *options)
