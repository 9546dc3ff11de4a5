"""What a result must hold, in chunk ids."""

import json
from pathlib import Path

import pytest

from evalspan.errors import CannotTell, NotFound
from evalspan.workflows.amend import amend_set
from evalspan.workflows.import_spans import import_spans
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.qrels import qrels
from evalspan.workflows.rubrics import ChunkRubrics, chunk_rubrics, render_rubrics
from evalspan.workflows.sets import import_labels

from .helpers import write_rows
from .small_store import TABLE, ask, put_chunking, put_set, small_store, span

WHOLE = "Shipping takes two working days."
CUT = "within thirty days of delivery."
"""It stands over the edge between two chunks."""


def needed(found: ChunkRubrics) -> dict[str, list[list[list[str]]]]:
    return {
        rubric.query_id: [[list(chunks) for chunks in any_of] for _, any_of in rubric.all_of]
        for rubric in found.rubrics
    }


def test_facts_alternatives_and_pieces_become_chunks(tmp_path: Path) -> None:
    facts = [{"fact_id": "how long"}, {"fact_id": "where", "min_grade": "supporting"}, {"fact_id": "unknown"}]
    first = ask(
        "q1",
        span("a", "Returns are accepted within thirty days of delivery.", fact="how long", tabular=True),
        span("b", WHOLE, fact="how long"),
        span("a", TABLE, fact="where", grade="supporting", tabular=True),
        span("b", "An order by noon", fact="where", grade="tangential"),
        facts=facts,
    )
    with small_store(tmp_path) as store:
        put_set(store, tmp_path, first, ask("q2", no_answer=True))
        found = chunk_rubrics("faq", "chunks", store=store)
        assert needed(found) == {"q1": [[["a0", "a1"], ["b0"]], [["a1", "a2"]], []], "q2": []}
        assert found.waiting == {}
        rows = [json.loads(line) for line in render_rubrics(found.rubrics)]
        assert [fact["fact"] for fact in rows[0]["all_of"]] == ["how long", "where", "unknown"]
        assert rows[1] == {"query_id": "q2", "all_of": [], "min_overlap": 0.5, "no_answer": True}
        assert "q1" in qrels("faq", "chunks", store=store).waiting  # a cut passage has no qrel of its own


def test_a_cut_passage_is_needed_with_all_its_pieces_never_with_one(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        put_set(store, tmp_path, ask("q", span("a", CUT, tabular=True)))
        assert needed(chunk_rubrics("faq", "chunks", store=store)) == {"q": [[["a0", "a1"]]]}


def test_labels_without_facts_are_refused_until_somebody_says_what_they_are(tmp_path: Path) -> None:
    two = span("b", WHOLE), span("b", "leaves the same day.")
    with small_store(tmp_path) as store:
        put_set(store, tmp_path, ask("q1", *two), ask("q2", two[0]), ask("q3", *two), ask("q4", *two))
        with pytest.raises(CannotTell) as caught:
            chunk_rubrics("faq", "chunks", store=store)
        lines = str(caught.value).splitlines()
        assert lines[0].startswith("question 'q1' has 2 labels, and nothing says")
        assert lines[1] == "The same of q3, q4"
        assert "evalspan set amend faq --labels-are any|all" in lines[2]
        amend_set("faq", labels_are="any", store=store)
        amend_set("faq", labels_are="all", questions=["q4"], store=store)
        migrate_set("faq", "chunks", store=store)
        both = [[["b0"], ["b1"]]]
        assert needed(chunk_rubrics("faq", "chunks", store=store)) == {
            "q1": both,
            "q2": [[["b0"]]],
            "q3": both,
            "q4": [[["b0"]], [["b1"]]],
        }


def test_questions_that_wait_are_left_out_and_named(tmp_path: Path) -> None:
    labels = tmp_path / "qrels.txt"
    labels.write_text("q1 0 a0 1\nq2 0 b0 1\n")
    with small_store(tmp_path) as store:
        import_labels("faq", labels, chunking="chunks", store=store)
        put_chunking(store, "small", 10)
        migrate_set("faq", "small", store=store)
        found = chunk_rubrics("faq", "small", store=store)
    assert set(found.waiting) == {"q1", "q2"}
    assert {label.old_chunk_id for labels in found.waiting.values() for label in labels} == {"a0", "b0"}
    assert found.rubrics == ()


def test_questions_that_are_retired_or_say_nothing_are_left_out(tmp_path: Path) -> None:
    rows = ask("q1", span("b", WHOLE)), ask("q2"), ask("q3", span("b", WHOLE, grade="irrelevant"))
    with small_store(tmp_path) as store:
        put_set(store, tmp_path, *rows)
        amend_set("faq", questions=["q1"], retire=True, store=store)
        migrate_set("faq", "chunks", store=store)
        found = chunk_rubrics("faq", "chunks", store=store)
    assert (found.rubrics, found.unlabelled) == ((), ("q2", "q3"))


def test_a_chunking_it_was_never_mapped_on_is_refused_with_the_command(tmp_path: Path) -> None:
    with small_store(tmp_path) as store:
        import_spans("faq", write_rows(tmp_path / "s.jsonl", [ask("q")]), store=store)
        with pytest.raises(NotFound, match="evalspan migrate faq --to chunks"):
            chunk_rubrics("faq", "chunks", store=store)
