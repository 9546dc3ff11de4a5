"""`evalspan verify`: every verdict and every exit code."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import evalspan

from .helpers import SAMPLE, fine, process, refused, run


@pytest.fixture
def mapped(shop: Path) -> Path:
    """shop@2, on spans, mapped on new: some questions wait."""
    assert run("migrate", "shop", "--to", "new").code == 1
    return shop


@pytest.mark.usefixtures("shop")
def test_chunk_labels_fit_the_index_of_their_own_chunking() -> None:
    assert fine("verify", "shop", "--index", "old.json").out == "Passed: shop@1 belongs to this index.\n"


@pytest.mark.usefixtures("shop")
def test_chunk_labels_of_another_chunking_are_refused_with_the_command_that_helps() -> None:
    ran = run("verify", "shop", "--index", "new.json")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("Refused: shop@1 ")
    assert "44 labels of shop@1 name chunks of another chunking" in ran.out
    assert "evalspan migrate shop --to CHUNKING" in ran.out
    found = run("verify", "shop", "--index", "new.json", "--json")
    assert found.code == 1
    assert [refusal["kind"] for refusal in found.json["refusals"]] == ["chunk_labels"]
    assert found.json["passed"] is False


@pytest.mark.usefixtures("mapped")
def test_questions_that_wait_are_refused_unless_they_are_allowed_to() -> None:
    waiting = json.loads(run("verify", "shop", "--index", "new.json", "--json").out)
    assert [refusal["kind"] for refusal in waiting["refusals"]] == ["waiting"]
    assert "--allow-waiting" in waiting["refusals"][0]["text"]
    assert "wait for review" in fine("verify", "shop", "--index", "new.json", "--allow-waiting").out
    assert run("verify", "shop@1", "--index", "new.json", "--allow-waiting").code == 1


@pytest.mark.usefixtures("mapped")
def test_of_a_version_that_was_followed_the_newest_is_advised() -> None:
    out = run("verify", "shop@1", "--index", "new.json").out
    assert "shop@1 has been followed by shop@2. Judge that: evalspan verify shop@2 --index INDEX" in out
    assert "evalspan migrate" not in out
    assert "has been followed" not in run("verify", "shop@2", "--index", "new.json").out


@pytest.mark.usefixtures("mapped")
def test_a_set_that_only_waits_is_not_said_to_belong_elsewhere() -> None:
    assert "does not belong" not in run("verify", "shop", "--index", "new.json").out


@pytest.mark.usefixtures("mapped")
def test_another_chunking_or_embedding_of_the_same_corpus_is_a_break_and_no_refusal() -> None:
    out = fine("verify", "shop", "--index", "old.json").out
    assert "Break: the index is chunked otherwise than new" in out


def test_another_corpus_is_refused_naming_what_differs(second_snapshot: Path) -> None:
    ran = run("verify", "shop", "--index", "new2.json")
    assert ran.code == 1
    for line in ("  added    gear-rental", "  removed  price-promise", "  changed  "):
        assert f"\n{line}" in ran.out
    assert "1 added, 1 removed, 4 changed, 7 the same" in ran.out
    run("migrate", "shop", "--to", "new")
    found = run("verify", "shop", "--index", "new2.json", "--json").json
    assert found["documents"]["added"] == ["gear-rental"]
    assert found["documents"]["removed"] == ["price-promise"]
    assert len(found["documents"]["changed"]) == 4
    assert found["set_corpus_digest"] != found["index_corpus_digest"]
    truth = [json.loads(line) for line in (SAMPLE / "truth.jsonl").read_text("utf-8").splitlines()]
    evidence = {row["doc_id"] for row in truth}
    untouched = evidence - {*found["documents"]["changed"], "price-promise"}
    assert (found["documents"]["evidence"], found["documents"]["evidence_same"]) == (len(evidence), len(untouched))
    assert (
        f"{len(untouched)} of {len(evidence)} evidence documents" in run("verify", "shop", "--index", "new2.json").out
    )
    assert (second_snapshot / "evalspan.db").exists()


def test_an_index_of_a_corpus_that_nobody_knows_is_refused_with_both_digests(shop: Path) -> None:
    manifest = json.loads((shop / "new.json").read_text())
    manifest["corpus_digest"] = "f" * 32
    (shop / "other.json").write_text(json.dumps(manifest))
    ran = run("verify", "shop", "--index", "other.json")
    assert ran.code == 1
    assert "f" * 32 in ran.out
    assert "evalspan snapshot add" in ran.out


@pytest.mark.usefixtures("second_snapshot")
def test_an_override_needs_a_reason_and_is_recorded() -> None:
    verify = ("verify", "shop", "--index", "new2.json")
    for empty in ("", "  "):
        assert "an override needs a reason" in refused(*verify, "--override", empty)
    assert fine("store", "info", "--json").json["overrides"] == 0
    out = fine(*verify, "--override", "we compare on purpose").out
    assert out.startswith("Overridden by tester: shop@1 does not belong to this index.")
    assert "we compare on purpose" in out
    assert fine("store", "info", "--json").json["overrides"] == 1
    found = fine(*verify, "--override", "again", "--json").json
    assert found["passed"] is True
    assert found["override"]["why"] == "again"
    assert found["refusals"]
    assert run(*verify).code == 1


@pytest.mark.usefixtures("shop")
def test_an_override_that_is_not_needed_is_not_recorded() -> None:
    fine("verify", "shop", "--index", "old.json", "--override", "just in case")
    assert fine("store", "info", "--json").json["overrides"] == 0


def damage(store: Path) -> None:
    """Changes the content of one question behind the store's back."""
    with closing(sqlite3.connect(store)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = next(name for name in tables if name.endswith("question") and "set" not in name)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = next(name for name in columns if name in ("body", "content", "json"))
        changed = connection.execute(
            f"UPDATE {table} SET {column} = replace({column}, '\"grade\":2', '\"grade\":1') "
            f"WHERE rowid = (SELECT rowid FROM {table} WHERE {column} LIKE '%\"grade\":2%' LIMIT 1)"
        )
        assert changed.rowcount == 1
        connection.commit()


def test_a_damaged_set_is_refused_and_no_override_covers_it(shop: Path) -> None:
    damage(shop / "evalspan.db")
    verify = ("verify", "shop", "--index", "old.json")
    ran = run(*verify)
    assert ran.code == 1
    assert "is not what its digest says" in ran.out
    over = run(*verify, "--override", "it is fine")
    assert over.code == 1
    assert "An override does not cover a damaged set." in over.out
    assert fine("store", "info", "--json").json["overrides"] == 0
    with pytest.raises(evalspan.Refused):
        evalspan.require("shop", shop / "old.json", override="it is fine")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (None, "no such manifest"),
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "not a manifest"),
        ("{}", "not a manifest"),
        ('{"evalspan_manifest": "1"}', "not a manifest"),
        ('{"evalspan_manifest": 2}', "manifest version 2, and this evalspan reads up to 1"),
        ('{"evalspan_manifest": 1}', "corpus_digest"),
        ("\ufeff{}", "not JSON"),
    ],
)
def test_a_manifest_that_can_not_be_judged_by_is_exit_2(shop: Path, content: str | None, what: str) -> None:
    if content is not None:
        (shop / "m.json").write_text(content, "utf-8")
    message = refused("verify", "shop", "--index", "m.json")
    assert message.startswith("m.json: ")
    assert what in message


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x00" * 100])
def test_a_manifest_of_bytes_is_exit_2(shop: Path, data: bytes) -> None:
    (shop / "m.json").write_bytes(data)
    assert refused("verify", "shop", "--index", "m.json").startswith("m.json: ")


def test_a_folder_is_no_manifest(shop: Path) -> None:
    assert "can't be read" in refused("verify", "shop", "--index", shop)


def test_a_manifest_that_is_nested_too_deeply_is_exit_2(shop: Path) -> None:
    (shop / "m.json").write_text("[" * 100_000)
    assert "m.json" in refused("verify", "shop", "--index", "m.json")


@pytest.mark.parametrize("field", ["chunking", "embedding"])
def test_a_manifest_that_was_edited_by_hand_is_exit_2(shop: Path, field: str) -> None:
    fine("manifest", "write", "new", "--out", "m.json", "--embedding", "model-a", "--dimensions", 3)
    manifest = json.loads((shop / "m.json").read_text())
    manifest[field]["version"] = "other"
    (shop / "m.json").write_text(json.dumps(manifest))
    assert "changed by hand" in refused("verify", "shop", "--index", "m.json")


def test_fields_that_we_do_not_know_are_no_hindrance(shop: Path) -> None:
    manifest = json.loads((shop / "old.json").read_text())
    (shop / "old.json").write_text(json.dumps({**manifest, "comment": "nightly"}))
    fine("verify", "shop", "--index", "old.json")


def test_labels_of_a_later_schema_are_exit_2(shop: Path) -> None:
    with closing(sqlite3.connect(shop / "evalspan.db")) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            if "label_schema" in [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]:
                connection.execute(f"UPDATE {table} SET label_schema = 9")
        connection.commit()
    assert "label schema 9" in refused("verify", "shop", "--index", "old.json")


@pytest.mark.usefixtures("shop")
def test_wrong_names_list_what_there_is() -> None:
    assert refused("verify", "nope", "--index", "old.json") == "No eval set 'nope' in this store. There is: shop.\n"
    assert "shop@1" in refused("verify", "shop@2", "--index", "old.json")


def test_the_guarded_scope_can_be_the_evidence_alone(shop: Path) -> None:
    (shop / "labels").write_text("q 0 summit-club:unknown 1\n")
    chunk = next(
        row["chunk_id"]
        for row in map(json.loads, (SAMPLE / "chunks-old.jsonl").read_text("utf-8").splitlines())
        if row["doc_id"] == "summit-club"
    )
    (shop / "labels").write_text(f"q 0 {chunk} 1\n")
    fine("set", "import", "narrow", "--labels", "labels", "--chunking", "old", "--guard-scope", "evidence")
    run("migrate", "narrow", "--to", "old")
    fine("snapshot", "add", SAMPLE / "documents-v2.jsonl", "--name", "v2")
    fine("chunking", "add", "new2", SAMPLE / "chunks-v2.jsonl", "--snapshot", "v2")
    fine("manifest", "write", "new2", "--out", "new2.json")
    assert "Break: the corpus differs" in fine("verify", "narrow", "--index", "new2.json").out


def test_the_python_call_says_the_same(mapped: Path) -> None:
    verdict = evalspan.verify("shop", mapped / "new.json", store=str(mapped / "evalspan.db"))
    assert not verdict.passed
    assert verdict.text + "\n" == run("verify", "shop", "--index", "new.json").out
    with pytest.raises(evalspan.Refused) as caught:
        evalspan.require("shop", mapped / "new.json")
    assert caught.value.verdict == verdict
    assert evalspan.require("shop", evalspan.read_manifest(mapped / "new.json"), allow_waiting=True).passed


def test_the_guard_writes_nothing(mapped: Path) -> None:
    before = (mapped / "evalspan.db").read_bytes()
    ran = process("verify", "shop", "--index", "new.json", cwd=mapped)
    assert ran.returncode == 1
    assert (mapped / "evalspan.db").read_bytes() == before
    assert sorted(path.name for path in mapped.iterdir()) == ["evalspan.db", "new.json", "old.json"]
