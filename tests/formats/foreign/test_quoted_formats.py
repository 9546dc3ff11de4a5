"""The traps of formats that have the words of passages only."""

from pathlib import Path
from typing import Any

import pytest

from .helpers import labels, put, read, refusal, spans


def test_lists_in_a_csv_of_ragas_are_spelled_as_python_does(tmp_path: Path) -> None:
    rows = """user_input,reference_contexts,reference\n?,"['It\\'s five.', 'Ask ""first"".']",Five\n"""
    found = read("ragas", put(tmp_path, "a.csv", rows))
    assert [span.quote for span in spans(found)] == ["It's five.", 'Ask "first".']
    assert found.questions[0].question.question.reference_answers == ("Five",)
    bad = "user_input,reference_contexts\n?,\"__import__('os')\"\n"
    assert "a list of texts is wanted" in refusal("ragas", put(tmp_path, "b.csv", bad))


def test_hop_marks_of_ragas_stand_in_no_document(tmp_path: Path) -> None:
    row = {"user_input": "?", "reference_contexts": ["<1-hop>\n\nFive.", "<2-hop>\n\nAsk.", "a <1-hop> b"]}
    found = read("ragas", put(tmp_path, "a.jsonl", [row]))
    assert [span.quote for span in spans(found)] == ["Five.", "Ask.", "a <1-hop> b"]


def test_ids_of_ragas_are_labels_where_no_words_are_given(tmp_path: Path) -> None:
    path = put(tmp_path, "a.jsonl", [{"user_input": "?", "reference_context_ids": ["c", 7, "c"]}])
    assert list(labels(read("ragas", path)).values()) == [[("c", 1), ("7", 1)]]
    both = {"user_input": "?", "reference_context_ids": ["c"], "reference_contexts": ["Five."]}
    found = read("ragas", put(tmp_path, "b.jsonl", [both]))
    assert list(labels(found).values()) == [[]]
    assert found.notes == ("reference_context_ids of 1 questions, whose contexts are given in words",)


def test_a_conversation_of_ragas_is_refused(tmp_path: Path) -> None:
    row = {"user_input": [{"content": "hi", "type": "human"}], "reference_contexts": []}
    assert "a conversation" in refusal("ragas", put(tmp_path, "a.jsonl", [row]))


GOLDEN = {"input": "?", "expected_output": "Five", "context": ["Five.", "Ask."], "source_file": "a.md"}
CAMEL = {"input": "?", "expectedOutput": "Five", "context": ["Five.", "Ask."], "sourceFile": "a.md"}


@pytest.mark.parametrize("row", [GOLDEN, CAMEL])
def test_goldens_of_deepeval_are_read_under_both_names(tmp_path: Path, row: dict[str, Any]) -> None:
    found = read("deepeval", put(tmp_path, "a.json", [row]))
    assert [(span.doc_id, span.quote) for span in spans(found)] == [("a.md", "Five."), ("a.md", "Ask.")]
    assert found.questions[0].question.question.reference_answers == ("Five",)


def test_the_delimiter_of_a_deepeval_csv_is_asked_for(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", "input,expected_output,context\n?,Five,Five; or so.|Ask.\n")
    assert "--list-delimiter" in refusal("deepeval", path)
    assert [span.quote for span in spans(read("deepeval", path, delimiter="|"))] == ["Five; or so.", "Ask."]


def test_all_facts_of_multihop_rag_are_needed(tmp_path: Path) -> None:
    rows = [
        {
            "query": "?",
            "answer": "Yes",
            "question_type": "comparison_query",
            "evidence_list": [{"fact": "a b"}, {"fact": "c d"}],
        },
        {"query": "!", "answer": "Insufficient information.", "question_type": "null_query", "evidence_list": []},
    ]
    one, two = read("multihop-rag", put(tmp_path, "a.json", rows)).questions
    assert (one.question.labels_are, [span.quote for span in one.spans]) == ("all", ["a b", "c d"])
    assert (two.question.no_answer, two.spans) == (True, ())
    assert {span.doc_id for span in one.spans} == {None}


def test_a_labelled_rag_dataset_has_contexts_and_one_answer(tmp_path: Path) -> None:
    example = {"query": "?", "reference_contexts": ["Five.", "Five.", " "], "reference_answer": "Five"}
    found = read("llamaindex-rag", put(tmp_path, "a.json", {"examples": [example]}))
    assert [span.quote for span in spans(found)] == ["Five."]
    assert 'has no "examples"' in refusal("llamaindex-rag", put(tmp_path, "b.json", {}))
