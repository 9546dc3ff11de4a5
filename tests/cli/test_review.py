"""Reviewing on the command line: what is asked, decided, brought from files, applied."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from .helpers import Ran, fine, on_terminal, refused, run
from .test_page import ESCAPE


@pytest.fixture
def asked(second_snapshot: Path) -> Path:
    """The set moved to v2: labels wait, and reference answers are stale."""
    run("migrate", "shop", "--to", "new")
    run("rebase", "shop", "--to", "v2")
    return second_snapshot


def listed(*options: object) -> dict[str, Any]:
    ran = run("review", "shop", "list", "--json", *options)
    assert ran.err == ""
    found: dict[str, Any] = ran.json
    return found


def the_item(reason: str) -> str:
    items = listed("--reason", reason)["items"]
    name: str = items[0]["item"]
    return name


def decide(item: str, *said: object) -> Ran:
    return fine("review", "shop", "decide", item, *said)


@pytest.mark.usefixtures("asked")
def test_the_head_counts_what_is_shown() -> None:
    everything = run("review", "shop", "list").out.splitlines()[0]
    counts = listed()["counts"]
    assert re.fullmatch(r"shop@3: 6 labels wait; 0 offers; 6 reference answers to confirm", everything)
    changed = run("review", "shop", "list", "--reason", "changed").out.splitlines()
    assert changed[0].startswith("shop@3: 4 labels wait; 0 offers")
    decide(the_item("changed"), "retire")
    first = run("review", "shop", "list").out.splitlines()[0]
    assert first.startswith("shop@3: 1 decided and not applied; 5 labels wait;")
    assert listed()["counts"] == {**counts, "decided": 1, "waiting": 5}


@pytest.mark.usefixtures("asked")
def test_json_has_counts_what_holds_and_candidates_always() -> None:
    found = listed()
    assert set(found) == {"set", "chunking", "counts", "items"}
    assert {type(item["candidates"]) for item in found["items"]} == {list}
    assert sum(item["holds"] for item in found["items"]) == found["counts"]["waiting"]
    assert [] in [item["candidates"] for item in found["items"]]
    shown = fine("review", "shop", "show", the_item("deleted"), "--json").json
    assert (shown[0]["candidates"], shown[0]["holds"]) == ([], True)


@pytest.mark.usefixtures("asked")
def test_a_reason_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    said = refused("review", "shop", "list", "--reason", "nosuch")
    assert "'nosuch' is none; there are cut, repeated," in said
    assert "stale_answer" in said
    assert "asks nothing for the reason blank" in run("review", "shop", "list", "--reason", "blank").out


@pytest.mark.usefixtures("asked")
def test_the_answer_is_no_until_what_is_decided_is_applied() -> None:
    for item in listed()["items"]:
        if item["holds"]:
            decide(item["item"], "retire")
    assert listed()["counts"]["waiting"] == 0
    assert run("review", "shop", "list").code == 1
    assert fine("review", "shop", "apply").code == 0
    # Its labels were mapped before, and those of this version are not.
    ran = run("review", "shop", "list")
    assert (ran.code, "shop@4 is not mapped yet" in ran.out) == (1, True)
    run("migrate", "shop", "--to", "new2")
    assert "not mapped" not in run("review", "shop", "list").out


@pytest.mark.usefixtures("asked")
def test_ids_are_whole_on_a_narrow_terminal() -> None:
    names = [item["item"] for item in listed()["items"]][:10]
    for columns in (40, 60, 80):
        _, drawn = on_terminal("review", "shop", "list", columns=columns)
        plain = ESCAPE.sub("", drawn)
        assert all(name in plain for name in names)
        assert all(len(line) <= columns for line in plain.splitlines() if line.startswith("  ") or line[:12] in names)
    _, drawn = on_terminal("set", "log", "shop", columns=80)
    plain = ESCAPE.sub("", drawn)
    for version in fine("set", "log", "shop", "--json").json["versions"]:
        assert f"{version['set']}@{version['version']}" in plain
        assert version["provenance"]["at"] in plain


@pytest.mark.usefixtures("asked")
def test_the_last_line_says_what_can_be_said_of_this_item() -> None:
    choices = {
        "changed": "accept, set --span START-END, or retire, abstain, defer",
        "deleted": "set --span START-END, or retire, abstain, defer",
        "stale_answer": "accept   (the answer still holds), or set --answer TEXT",
    }
    for reason, said in choices.items():
        item = the_item(reason)
        last = fine("review", "shop", "show", item).out.splitlines()[-1]
        assert last == f"Decide: evalspan review shop decide {item} {said}"


@pytest.mark.usefixtures("shop")
def test_the_last_line_says_what_can_be_said_of_an_offer() -> None:
    run("migrate", "shop", "--to", "new")
    for reason, said in (
        ("cut", r"accept( NUMBER)?, set\|narrow\|widen"),
        ("narrowing", "accept( NUMBER)?, narrow .* or reject"),
    ):
        last = fine("review", "shop", "show", the_item(reason)).out.splitlines()[-1]
        assert re.search(said, last), last
    Path("run.txt").write_text("q01 Q0 gift-cards:e4ecbff4 1 1 t\n")
    fine("relabel", "shop", "--run", "run.txt", "--chunking", "new")
    last = fine("review", "shop", "show", the_item("unjudged")).out.splitlines()[-1]
    assert "accept --grade direct|supporting|tangential, or reject" in last


@pytest.mark.usefixtures("asked")
def test_a_stale_answer_is_shown_with_what_changed_under_it() -> None:
    shown = fine("review", "shop", "show", the_item("stale_answer")).out
    assert "evidence that waits for a place ([-as it was-], {+as it is+}):" in shown
    assert "[-15-]{+20+}%" in shown


@pytest.mark.usefixtures("asked")
def test_a_decision_echoes_what_was_said_and_what_it_replaces() -> None:
    stale, changed = the_item("stale_answer"), the_item("changed")
    assert "set, answer '42 days', by Ada" in decide(stale, "set", "--answer", "42 days", "--by", "Ada").out
    assert "asks about a passage" in refused("review", "shop", "decide", changed, "retire", "--answer", "42")
    decide(changed, "retire", "--by", "Ada", "--note", "of no use\nany more")
    assert "replaces retire by Ada" in decide(changed, "accept", "1", "--by", "Ben").out
    assert "is decided so already" in decide(changed, "accept", "1", "--by", "Ada").out
    again = fine("review", "shop", "decide", changed, "accept", "1", "--json").json
    assert (again["new"], again["replaced"]) == (False, [])
    log = fine("set", "log", "shop").out
    assert log.splitlines()[0] == "shop: 3 versions, 1 mapping, 3 decisions"
    assert re.search(rf"{changed} .* retire +replaced .* of no use any more\n", log)
    standings = [one["standing"] for one in fine("set", "log", "shop", "--json").json["decisions"]]
    assert standings == ["waiting", "replaced", "waiting"]


@pytest.mark.usefixtures("asked")
def test_a_file_comes_and_goes_and_says_what_became_of_its_rows() -> None:
    assert fine("review", "shop", "export", "--out", "q.json", "--json").json["beside"] == ["q.xml"]
    fine("review", "shop", "export", "--out", "q.jsonl")
    rows = [json.loads(line) for line in Path("q.jsonl").read_text("utf-8").splitlines()]
    filled = [{**row, "decision": "retire"} for row in rows if row["asked"]["reason"] == "changed"][:2]
    bad = {"item": "feedfeedfeed", "decision": "retire"}
    Path("q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (*filled, bad)), "utf-8")
    assert "q.jsonl:3: item feedfeedfeed" in refused("review", "shop", "import", "q.jsonl")
    done = fine("review", "shop", "import", "q.jsonl", "--skip-bad", "--json").json
    assert {key: len(value) for key, value in done.items()} == {
        "recorded": 2,
        "repeated": 0,
        "replaced": 0,
        "skipped": 1,
    }
    run("review", "shop", "apply")
    said = fine("review", "shop", "import", "q.jsonl", "--skip-bad").out
    assert "0 decisions recorded" in said
    assert "2 rows passed over: recorded before" in said
    assert "Left out as bad: 1 row" in said


@pytest.mark.usefixtures("shop")
def test_after_an_undo_the_mapping_of_the_version_with_the_same_labels_is_asked_about() -> None:
    run("migrate", "shop", "--to", "new")
    before = listed()
    decide(the_item("cut"), "retire")
    run("review", "shop", "apply")
    undone = fine("set", "undo", "shop").out
    assert "Map it: evalspan migrate shop --to new" in undone
    after = listed()
    assert (after["set"], after["chunking"]) == ("shop@4", "new")
    assert [item["item"] for item in after["items"]] == [item["item"] for item in before["items"]]
    assert run("review", "shop", "list").code == 1


@pytest.mark.usefixtures("shop")
def test_a_set_that_was_never_mapped_asks_nothing() -> None:
    assert "shop@1 asks nothing." in fine("review", "shop", "list").out
    ran = run("review", "shop", "list", "--chunking", "new")
    assert (ran.code, "not mapped on new yet" in ran.out) == (0, True)


@pytest.mark.parametrize(
    "command",
    [
        ("rebase", "FILE"),
        ("review", "FILE", "list"),
        ("review", "FILE", "export", "--out", "x.jsonl"),
        ("set", "export", "FILE"),
        ("set", "amend", "FILE", "--labels-are", "any"),
        ("set", "twins", "FILE"),
        ("set", "log", "FILE"),
        ("set", "undo", "FILE"),
        ("relabel", "FILE", "--run", "run.txt"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_a_set_file_is_refused_where_a_set_of_the_store_is_wanted(command: tuple[str, ...]) -> None:
    fine("set", "export", "shop", "--out", "faq.jsonl")
    Path("run.txt").write_text("q01 Q0 c 1 1 t\n")
    said = refused(*("faq.jsonl" if word == "FILE" else word for word in command))
    assert "evalspan set import NAME --file faq.jsonl" in said
