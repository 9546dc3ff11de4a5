"""A set held against one index: what is asked, what is relevant, and everything that must not pass."""

import json
from pathlib import Path
from typing import Any

import pytest
from small_sets import FINE, LENDING, LOAN, OTHER, coarse, judgment, question

from evalspan.errors import BadInput, CannotTell, NotFound, Refused
from evalspan.integrations.case import open_case
from evalspan.labels import ChunkLabel
from evalspan.workflows.manifests import manifest
from evalspan.workflows.migrate_setfile import migrate_set_file
from evalspan.workflows.sets import export_set, write_lines

from .conftest import with_questions

FILES: dict[str, Any] = {"documents": "documents.jsonl", "chunks": "big-chunks.jsonl"}
SMALL: dict[str, Any] = {"documents": "documents.jsonl", "chunks": "small-chunks.jsonl"}


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("form", [("faq", {}), ("faq@1", {"chunking": "big"}), ("faq.jsonl", FILES)], ids=str)
def test_the_questions_are_those_that_are_asked_with_what_is_relevant_in_this_index(form: Any) -> None:
    found = open_case(form[0], "big.json", **form[1])
    assert [(one.query_id, one.text, one.relevant) for one in found.questions] == [
        ("bikes", "May I borrow a bicycle?", ()),
        ("fine", "What if I am late?", ("big-2",)),
        ("loan", "How long may I keep a book?", ("big-2",)),
    ]
    assert found.qrels.as_dict()["loan"] == {"big-2": 3} == found.questions[2].qrels
    assert len(found.eval_set.questions) == 5


@pytest.mark.usefixtures("library")
def test_a_file_and_a_store_give_the_same_facts_but_for_the_name() -> None:
    one, other = open_case("faq", "big.json").facts(), open_case("faq.jsonl", "big.json").facts()
    assert (one.pop("set"), other.pop("set")) == ("faq@1", "faq.jsonl")
    assert one == other
    assert json.loads(json.dumps(one)) == one
    assert one["min_overlap"] == 0.5


def test_a_file_is_laid_over_chunks_as_migrate_lays_it(library: Path) -> None:
    whole = f"{LOAN} {FINE}"
    answered = question(coarse("lending", LENDING, whole), query_id="answered", answers=["21 days"])
    asked = question(coarse("lending", LENDING, whole), query_id="asked", text="What is it about?")
    two = question(judgment("lending", LENDING, LOAN), judgment("other", OTHER, OTHER[:20]), query_id="two")
    with_questions(answered, asked, two)
    write_lines(export_set("more"), Path("more.jsonl"))
    for name, chunks in (("faq", "big"), ("faq", "small"), ("more", "big"), ("more", "small")):
        files: dict[str, Any] = {"documents": "documents.jsonl"}
        out = library / f"{name}-{chunks}"
        migrate_set_file(f"{name}.jsonl", new_chunks=f"{chunks}-chunks.jsonl", out=out, **files)
        files |= {"chunks": f"{chunks}-chunks.jsonl", "allow_waiting": True}
        laid = open_case(f"{name}.jsonl", f"{chunks}.json", **files).qrels
        written = [line.split() for line in (out / "qrels.txt").read_text().splitlines()]
        assert [(one.query_id, one.doc_id, str(one.relevance)) for one in laid.qrels] == [
            (query_id, chunk_id, grade) for query_id, _, chunk_id, grade in written
        ]
        waiting = [json.loads(line)["query_id"] for line in (out / "waiting.jsonl").read_text().splitlines()]
        assert sorted(set(waiting)) == list(laid.waiting)
        assert laid.qrels


@pytest.mark.usefixtures("library")
def test_questions_that_wait_are_refused_unless_they_may_be_left_out() -> None:
    with pytest.raises(Refused, match="1 question of faq@1 waits for review"):
        open_case("faq", "small.json")
    assert [one.query_id for one in open_case("faq", "small.json", allow_waiting=True).questions] == ["bikes", "loan"]
    with pytest.raises(Refused, match=r"not decided for question 'fine' of faq\.jsonl: cut"):
        _ = open_case("faq.jsonl", "small.json", **SMALL).qrels
    laid = open_case("faq.jsonl", "small.json", allow_waiting=True, **SMALL)
    assert [one.query_id for one in laid.questions] == ["bikes", "loan"]


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("eval_set", ["faq", "faq.jsonl"])
def test_another_corpus_is_refused(eval_set: str) -> None:
    with pytest.raises(Refused, match="built from another corpus"):
        open_case(eval_set, "later.json")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("eval_set", ["empty", "empty.jsonl"])
def test_a_set_without_a_question_to_ask_is_no_pass(eval_set: str) -> None:
    with pytest.raises(CannotTell, match=r"of 1, 1 are retired, 0 have no label, 0 wait"):
        open_case(eval_set, "big.json")


@pytest.mark.usefixtures("library")
def test_a_set_of_which_every_question_waits_is_no_pass() -> None:
    asked = open_case("faq.jsonl", "small.json", allow_waiting=True, **SMALL)
    fine = next(one for one in asked.eval_set.questions if one.query_id == "fine")
    with_questions(fine)
    write_lines(export_set("more"), Path("more.jsonl"))
    with pytest.raises(CannotTell, match="1 wait for review"):
        _ = open_case("more.jsonl", "small.json", allow_waiting=True, **SMALL).questions


@pytest.mark.usefixtures("library")
def test_chunks_that_are_not_those_of_the_index_are_refused() -> None:
    for index, chunks in (("big.json", "small-chunks.jsonl"), ("small.json", "big-chunks.jsonl")):
        found = open_case("faq.jsonl", index, allow_waiting=True, documents="documents.jsonl", chunks=chunks)
        with pytest.raises(BadInput, match=f"{chunks}: these are not the chunks of the index"):
            _ = found.qrels


@pytest.mark.usefixtures("library")
def test_without_chunk_ids_in_the_manifest_ranges_and_texts_tell() -> None:
    nameless = manifest("big").model_copy(update={"chunks_identity": None})
    assert open_case("faq.jsonl", nameless, **FILES).qrels == open_case("faq", nameless).qrels
    with pytest.raises(BadInput, match="not the chunks"):
        _ = open_case("faq.jsonl", nameless, **SMALL).qrels


@pytest.mark.usefixtures("library")
def test_a_file_of_passages_says_what_it_needs() -> None:
    with pytest.raises(CannotTell, match=r"documents=, chunks="):
        _ = open_case("faq.jsonl", "big.json").questions


@pytest.mark.usefixtures("library")
def test_a_chunking_that_the_set_is_not_mapped_on_is_not_guessed() -> None:
    with pytest.raises(NotFound, match=r"faq@1 on the index's chunks.*faq@1 on small, faq@1 on big.*evalspan migrate"):
        _ = open_case("faq", "unmapped.json").qrels
    with pytest.raises(CannotTell, match="does not hold the chunks of chunking 'small'"):
        _ = open_case("faq", "big.json", chunking="small").qrels


@pytest.mark.usefixtures("library")
def test_what_would_go_unheard_is_refused() -> None:
    with pytest.raises(BadInput, match="faq@1 is in a store"):
        open_case("faq", "big.json", **FILES)
    with pytest.raises(BadInput, match=r"faq\.jsonl is a file"):
        open_case("faq.jsonl", "big.json", chunking="big")


@pytest.mark.usefixtures("library")
def test_labels_that_name_the_indexs_own_chunks_are_its_qrels() -> None:
    labels = [ChunkLabel(chunk_id="big-2", grade=2), ChunkLabel(chunk_id="big-4", grade=-1)]
    with_questions(question(*labels), name="named", chunking_identity=manifest("big").chunks_identity)
    write_lines(export_set("named"), Path("named.jsonl"))
    for name in ("named", "named.jsonl"):
        (asked,) = open_case(name, "big.json").questions
        assert (asked.qrels, asked.relevant) == ({"big-2": 2, "big-4": -1}, ("big-2",))
        with pytest.raises(Refused, match="name chunks of another chunking"):
            open_case(name, "small.json")


@pytest.mark.usefixtures("library")
def test_a_file_that_mixes_passages_with_chunk_ids_is_taken_into_a_store() -> None:
    mixed = question(judgment("lending", LENDING, LOAN), ChunkLabel(chunk_id="big-2", grade=2))
    with_questions(mixed, chunking_identity=manifest("big").chunks_identity)
    write_lines(export_set("more"), Path("more.jsonl"))
    with pytest.raises(Refused, match="1 label of"):
        open_case("more.jsonl", "big.json", **FILES)
    with pytest.raises(CannotTell, match="evalspan set import NAME --file"):
        _ = open_case("more.jsonl", "big.json", allow_waiting=True, **FILES).qrels


@pytest.mark.usefixtures("library")
def test_a_set_or_an_index_that_is_not_there_is_said() -> None:
    with pytest.raises(NotFound, match="fqa"):
        open_case("fqa", "big.json")
    with pytest.raises(BadInput, match=r"fqa\.jsonl: no such file"):
        open_case("fqa.jsonl", "big.json")
    with pytest.raises(CannotTell, match=r"bag\.json: no such manifest"):
        open_case("faq", "bag.json")
    with pytest.raises(BadInput, match="no kind of index"):
        open_case("faq", "chrome:there#docs")
