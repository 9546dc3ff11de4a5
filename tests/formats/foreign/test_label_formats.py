"""The traps of formats whose labels name chunks."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from shared_data import shared_data

from evalspan.errors import BadInput, CannotTell
from evalspan.formats.foreign.autorag import FORMAT as AUTORAG
from evalspan.formats.foreign.form import ForeignChunk, ForeignQuestion, ForeignSet, with_threshold
from evalspan.formats.foreign.parquet import render_rows
from evalspan.formats.foreign.qrels import from_qrels, to_qrels
from evalspan.formats.foreign.retrieval_dicts import from_dicts, to_dicts
from evalspan.formats.foreign.rows import asked
from evalspan.labels import ChunkLabel

from .helpers import labels, put, read, refusal

QA_TYPES = {"qid": "string", "query": "string", "retrieval_gt": "lists of strings", "generation_gt": "strings"}


def qa(folder: Path, *groups: Any, kind: str = "lists of strings") -> Path:
    columns = {
        "qid": [f"q{at}" for at in range(len(groups))],
        "query": ["?"] * len(groups),
        "retrieval_gt": list(groups),
        "generation_gt": [["an answer"]] * len(groups),
    }
    return put(folder, "qa.parquet", render_rows(columns, {**QA_TYPES, "retrieval_gt": kind}))


def corpus(folder: Path, *rows: tuple[str, str, str | None, list[int] | None]) -> Path:
    columns = dict(
        zip(("doc_id", "contents", "path", "start_end_idx"), map(list, zip(*rows, strict=True)), strict=True)
    )
    types = {"doc_id": "string", "contents": "string", "path": "string", "start_end_idx": "ints"}
    return put(folder, "corpus.parquet", render_rows(columns, types))


def test_the_outer_list_of_autorag_is_and_the_inner_one_or(tmp_path: Path) -> None:
    found = read("autorag", qa(tmp_path, [["a", "b"], ["c"]], [["a", "b"]], [["a"], ["b"]], [["a"]]))
    both, any_of, all_of, one = (asked.question for asked in found.questions)
    assert [(label.chunk_id, label.fact) for label in both.chunk_labels] == [("a", "1"), ("b", "1"), ("c", "2")]
    assert (any_of.labels_are, any_of.facts) == ("any", ())
    assert (all_of.labels_are, all_of.facts) == ("all", ())
    assert (one.labels_are, one.question.reference_answers) == (None, ("an answer",))


def test_a_flat_list_of_autorag_is_asked_about_and_never_guessed(tmp_path: Path) -> None:
    path = qa(tmp_path, ["a", "b"], ["c"], kind="strings")
    assert "--one-dim and|or" in refusal("autorag", path)
    assert [one.question.labels_are for one in read("autorag", path, one_dim="and").questions] == ["all", None]
    assert [one.question.labels_are for one in read("autorag", path, one_dim="or").questions] == ["any", None]


def test_a_flat_list_of_one_means_the_same_either_way(tmp_path: Path) -> None:
    assert labels(read("autorag", qa(tmp_path, ["c"], kind="strings"))) == {"q0": [("c", 1)]}


def test_the_same_chunk_twice_in_a_group_of_autorag_is_there_once(tmp_path: Path) -> None:
    assert labels(read("autorag", qa(tmp_path, [["a", "b", "b"], []]))) == {"q0": [("a", 1), ("b", 1)]}


def test_zero_zero_is_not_found_in_autorag_and_ends_are_inclusive(tmp_path: Path) -> None:
    files = (
        qa(tmp_path, [["a"]]),
        corpus(tmp_path, ("a", "Ask first", "p", [4, 12]), ("b", "Ask", "p", [0, 0]), ("c", "A", "p", [0, 0])),
    )
    found = read("autorag", *files)
    assert [chunk.start for chunk in found.chunks] == [4, None, 0]
    assert found.notes == ("offsets of 1 passages: they are counted from a page, or say 0..0 for not found",)
    assert [chunk.start for chunk in read("autorag", tmp_path).chunks] == [4, None, 0]


def test_the_inclusive_end_is_written_as_one(tmp_path: Path) -> None:
    chunk = ForeignChunk("a", "Ask first", "p", 4)
    files = AUTORAG.write(ForeignSet((), chunks=(chunk,)))
    from evalspan.formats.foreign.parquet import read_rows

    path = put(tmp_path, "corpus.parquet", files["corpus.parquet"])
    assert read_rows(path, ("start_end_idx",)) == [{"start_end_idx": [4, 12]}]


def test_wrong_columns_are_one_clear_error(tmp_path: Path) -> None:
    path = put(tmp_path, "qa.parquet", render_rows({"qid": ["q"], "query": ["?"]}, QA_TYPES))
    assert refusal("autorag", path) == f"{path}: has no column 'retrieval_gt'; it has qid, query"
    broken = put(tmp_path, "broken.parquet", b"PAR1 and nothing else")
    assert "is no parquet file that can be read" in refusal("autorag", broken)


def test_autorag_can_not_be_written_while_nobody_said_what_labels_are() -> None:
    question = asked("q", "?").model_copy(update={"chunk_labels": tuple(ChunkLabel(chunk_id=c, grade=1) for c in "ab")})
    with pytest.raises(CannotTell, match="--labels-are any"):
        AUTORAG.write(ForeignSet((ForeignQuestion(1, question),)))


def test_beir_keeps_titles_out_of_the_texts(tmp_path: Path) -> None:
    put(tmp_path, "corpus.jsonl", [{"_id": "c", "title": "Fees", "text": "Five pounds."}])
    put(tmp_path, "queries.jsonl", [{"_id": "q", "text": "How much?"}, {"_id": "r", "text": "Who?"}])
    put(tmp_path, "qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tc\t2\n")
    found = read("beir-folder", tmp_path)
    assert found.chunks == (ForeignChunk("c", "Five pounds.", title="Fees"),)
    assert labels(found) == {"q": [("c", 2)]}
    assert found.questions[0].question.question.text == "How much?"
    assert found.notes == (
        "titles of 1 passages: they are no part of their texts",
        "1 questions of queries.jsonl without a label in test.tsv",
    )
    put(tmp_path, "qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq\tc\t2\n")
    assert "one file of qrels is wanted, and there is dev.tsv, test.tsv" in refusal("beir-folder", tmp_path)


def test_trec_and_beir_qrels_are_the_same_labels(tmp_path: Path) -> None:
    trec = read("trec", put(tmp_path, "a.txt", "q 0 c 3\nq 0 d 0\n"))
    beir = read("beir", put(tmp_path, "a.tsv", "query-id\tcorpus-id\tscore\nq\tc\t3\nq\td\t0\n"))
    assert labels(trec) == labels(beir) == {"q": [("c", 3), ("d", 0)]}


def test_below_the_threshold_of_trec_dl_nothing_is_relevant(tmp_path: Path) -> None:
    foreign = read("trec", put(tmp_path, "a.txt", "q 0 a 1\nq 0 b 2\nq 0 c 0\nq 0 d -1\n"))
    assert labels(with_threshold(foreign, 2)) == {"q": [("a", 0), ("b", 2), ("c", 0), ("d", -1)]}
    assert with_threshold(foreign, None) == foreign


def test_ranx_holds_whole_grades_and_a_run_is_none(tmp_path: Path) -> None:
    assert labels(read("ranx", put(tmp_path, "a.json", {"q": {"c": 2, "d": 0}}))) == {"q": [("c", 2), ("d", 0)]}
    assert "is this a run?" in refusal("ranx", put(tmp_path, "b.json", {"q": {"c": 0.731}}))
    rows = render_rows(
        {"q_id": ["q"], "doc_id": ["c"], "score": [2]}, {"q_id": "string", "doc_id": "string", "score": "int"}
    )
    assert labels(read("ranx", put(tmp_path, "a.parquet", rows))) == {"q": [("c", 2)]}


def test_values_of_ir_measures_come_in_and_go_out() -> None:
    ir_measures = pytest.importorskip("ir_measures")
    given = [ir_measures.Qrel("q", "c", 2), ir_measures.Qrel("q", "d", 0)]
    foreign = from_qrels(given)
    assert labels(foreign) == {"q": [("c", 2), ("d", 0)]}
    run = [ir_measures.ScoredDoc("q", "c", 1.0)]
    assert ir_measures.calc_aggregate([ir_measures.R @ 1], to_qrels(foreign), run) == {ir_measures.R @ 1: 1.0}


def test_dicts_of_sentence_transformers_come_in_and_go_out() -> None:
    given = ({"q": "How much?", "r": "Who?"}, {"c": "Five.", "d": "Ask."}, {"q": {"d", "c"}})
    foreign = from_dicts(*given)
    assert to_dicts(foreign) == given
    assert labels(foreign) == {"q": [("c", 1), ("d", 1)], "r": []}


def test_a_relevant_document_of_llamaindex_must_be_in_its_corpus(tmp_path: Path) -> None:
    value = {"queries": {"q": "?"}, "corpus": {"n": "Five."}, "relevant_docs": {"q": ["n", "gone"]}, "mode": "text"}
    assert "'gone' is not in the corpus" in refusal("llamaindex-qa", put(tmp_path, "a.json", value))
    value["relevant_docs"] = {"q": ["n"]}
    assert labels(read("llamaindex-qa", put(tmp_path, "b.json", value))) == {"q": [("n", 1)]}


def test_every_chunk_of_the_cookbook_comes_in() -> None:
    found = read("correct-chunks", shared_data("cookbook_docs") / "docs_evaluation_dataset.json")
    assert (len(found.questions), sum(len(one) for one in labels(found).values())) == (100, 192)
    assert all(one.question.question.reference_answers for one in found.questions)


def test_a_correct_chunk_is_an_id(tmp_path: Path) -> None:
    rows = [{"id": 7, "question": "?", "correct_chunks": ["c", "c", 3], "correct_answer": "Five"}]
    assert labels(read("correct-chunks", put(tmp_path, "a.json", rows))) == {"7": [("c", 1), ("3", 1)]}
    rows[0]["correct_chunks"] = [["c"]]
    assert "an id is wanted" in refusal("correct-chunks", put(tmp_path, "b.json", rows))


def judgment(**said: Any) -> dict[str, Any]:
    return {"query_id": "q", "query": "?", "doc_uri": "d", "chunk_id": "c", "relevance": 2, **said}


def judged(folder: Path, *rows: dict[str, Any]) -> tuple[Path, Path]:
    chunks = [{"chunk_id": "c", "doc_uri": "d", "text": "The fee\r\nis five. "}]
    return put(folder, "judgments.jsonl", list(rows)), put(folder, "corpus.json", {"chunks": chunks})


def test_an_id_of_retrieval_eval_that_exists_proves_nothing_where_the_text_changed(tmp_path: Path) -> None:
    message = refusal("retrieval-eval", *judged(tmp_path, judgment(chunk_text="The fee is six.")))
    assert "chunk 'c' has another text in the corpus file than when it was judged" in message
    sha = "t1:" + hashlib.sha256(b"another text").hexdigest()
    assert "another text" in refusal("retrieval-eval", *judged(tmp_path, judgment(text_sha=sha)))
    assert "is not in the corpus file" in refusal("retrieval-eval", *judged(tmp_path, judgment(chunk_id="x")))


def test_texts_of_retrieval_eval_are_compared_as_it_compares_them(tmp_path: Path) -> None:
    text = "The fee\nis five."
    sha = "t1:" + hashlib.sha256(text.encode()).hexdigest()[:32]
    found = read("retrieval-eval", *judged(tmp_path, judgment(chunk_text=text, text_sha=sha, stratum="fees")))
    assert labels(found) == {"q": [("c", 2)]}
    assert found.questions[0].question.question.tags == ("stratum:fees",)


def test_who_judged_is_kept_and_a_judgment_without_a_chunk_is_a_passage(tmp_path: Path) -> None:
    said = {"labeled_by": "human:ann", "labeled_at": "2026-01-01T00:00:00Z", "notes": "sure"}
    path = put(tmp_path, "j.jsonl", [judgment(**said), judgment(chunk_id=None, chunk_text="The fee", relevance=1)])
    (one,) = read("retrieval-eval", path).questions
    provenance = one.question.chunk_labels[0].provenance
    assert provenance is not None
    assert (provenance.by, provenance.why) == ("human:ann", "sure")
    assert [(span.doc_id, span.quote) for span in one.spans] == [("d", "The fee")]


def test_without_pyarrow_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = qa(tmp_path, [["a"]])
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    from evalspan.errors import EvalspanError

    with pytest.raises(EvalspanError, match=r"pip install 'evalspan\[parquet\]'") as caught:
        read("autorag", path)
    assert not isinstance(caught.value, BadInput)
