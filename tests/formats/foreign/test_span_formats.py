"""The traps of formats that say where a passage stands."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from evalspan.formats.foreign.canonical import Canonical, canonical
from evalspan.formats.foreign.form import ForeignSpan, Measure
from evalspan.formats.foreign.places import settle

from .helpers import put, read, refusal, spans

TEXT = "Ask first. 👩‍👩‍👧 pays.\r\nThe fee is five pounds. Ask first."


def test_relevant_spans_keep_the_version_of_their_document(tmp_path: Path) -> None:
    row = {
        "id": "q_014",
        "question": "how long",
        "relevant_spans": [{"doc": "p", "doc_version": "v3", "start": 4, "end": 9}],
    }
    found = read("relevant-spans", put(tmp_path, "a.jsonl", [row]))
    assert spans(found) == [ForeignSpan("p", 4, 9, version="v3")]
    assert [one.question.query_id for one in found.questions] == ["q_014"]


@pytest.mark.parametrize(
    ("span", "said"),
    [
        ({"doc": "p", "start": -1, "end": 9}, "no offset lies before the start"),
        ({"doc": "p", "end": 9}, '"start" is missing'),
        ({"doc": 7.5, "start": 1, "end": 2}, "an id is wanted"),
        ({"doc": "p", "start": "1", "end": 9}, "a whole number is wanted"),
        ({"doc": "p", "start": True, "end": 9}, "a whole number is wanted"),
        ("p", "no list of objects"),
    ],
)
def test_what_is_no_span_is_said_with_its_row(tmp_path: Path, span: Any, said: str) -> None:
    good = {"id": "a", "question": "?", "relevant_spans": []}
    message = refusal("relevant-spans", put(tmp_path, "a.jsonl", [good, {"id": "b", "relevant_spans": [span]}]))
    assert "a.jsonl:2:" in message
    assert said in message


def test_must_retrieve_is_facts_and_documents_without_passages(tmp_path: Path) -> None:
    row = {
        "queryId": "leave",
        "query": "How much?",
        "mustRetrieve": [{"factId": "duration", "minGrade": 2}],
        "acceptableDocs": ["a"],
        "mustNotUse": ["b"],
        "filters": {"country": "US"},
        "tags": ["policy"],
    }
    found = read("must-retrieve", put(tmp_path, "a.json", [row]))
    (one,) = found.questions
    assert [(fact.fact_id, fact.min_grade) for fact in one.question.facts] == [("duration", 2)]
    assert (one.question.acceptable_docs, one.question.must_not_use) == (("a",), ("b",))
    assert (one.question.question.filters, one.question.question.tags) == ({"country": "US"}, ("policy",))
    assert found.notes == (
        "facts without a passage, of 1 questions: their evidence is to be said in a spans file, or in review",
    )
    low = {**row, "mustRetrieve": [{"factId": "f", "minGrade": 0}]}
    assert "a grade from 1 is wanted" in refusal("must-retrieve", put(tmp_path, "b.json", [low]))


def test_chunking_evaluation_holds_its_references_as_a_json_text(tmp_path: Path) -> None:
    reference = json.dumps([{"content": "Ask first", "start_index": 0, "end_index": 9}]).replace('"', '""')
    rows = f'question,references,corpus_id\n"Who, then?","{reference}",doc\n'
    found = read("chunking-evaluation", put(tmp_path, "a.csv", rows))
    assert spans(found) == [ForeignSpan("doc", 0, 9, "Ask first")]
    assert "is not JSON" in refusal(
        "chunking-evaluation", put(tmp_path, "b.csv", "question,references,corpus_id\n?,[,d\n")
    )
    assert "has no column 'references'" in refusal(
        "chunking-evaluation", put(tmp_path, "c.csv", "question,corpus_id\n?,d\n")
    )


def test_questions_of_one_text_have_ids_of_their_own_that_do_not_depend_on_the_rest(tmp_path: Path) -> None:
    lines = ["question,references,corpus_id", "a,[],d", "b,[],d", "a,[],e"]
    ids = [
        one.question.query_id
        for one in read("chunking-evaluation", put(tmp_path, "a.csv", "\n".join(lines) + "\n")).questions
    ]
    alone = read("chunking-evaluation", put(tmp_path, "b.csv", f"{lines[0]}\n{lines[2]}\n")).questions
    assert len(set(ids)) == 3
    assert ids[2] == f"{ids[0]}-2"
    assert alone[0].question.query_id == ids[1]


def test_the_answer_of_legalbench_may_be_missing(tmp_path: Path) -> None:
    tests = [
        {"query": "?", "snippets": [{"file_path": "a/b.txt", "span": [3, 8], "answer": "words"}], "tags": ["t"]},
        {"query": "!", "snippets": [{"file_path": "a/b.txt", "span": [3, 8]}]},
    ]
    found = read("legalbench-rag", put(tmp_path, "a.json", {"tests": tests}))
    assert spans(found) == [ForeignSpan("a/b.txt", 3, 8, "words"), ForeignSpan("a/b.txt", 3, 8)]
    assert found.questions[0].question.question.tags == ("t",)
    bad = {"tests": [{"query": "?", "snippets": [{"file_path": "a", "span": [3]}]}]}
    assert "[start, end] is wanted" in refusal("legalbench-rag", put(tmp_path, "b.json", bad))


QA = {"id": "1", "question": "?", "answers": [{"text": "Ask", "answer_start": 0}, {"text": "first", "answer_start": 4}]}


def test_answers_of_squad_are_alternatives_and_annotators_who_agree_are_one(tmp_path: Path) -> None:
    qas = [
        QA,
        {"id": "2", "question": "!", "answers": [QA["answers"][0]] * 3},
        {"id": "3", "question": "-", "is_impossible": True, "answers": []},
    ]
    data = {"data": [{"title": "T", "paragraphs": [{"context": TEXT, "qas": qas}, {"context": "b", "qas": []}]}]}
    found = read("squad", put(tmp_path, "a.json", data))
    one, two, three = found.questions
    assert (one.question.labels_are, len(one.spans)) == ("any", 2)
    assert (two.question.labels_are, len(two.spans)) == (None, 1)
    assert (three.question.no_answer, three.spans) == (True, ())
    assert [(doc.doc_id, doc.text) for doc in found.documents] == [("T/0", TEXT), ("T/1", "b")]


def test_flat_squad_is_one_document_for_each_context(tmp_path: Path) -> None:
    def row(query_id: str, context: str) -> dict[str, Any]:
        answers = {"text": ["b"], "answer_start": [1]}
        return {"id": query_id, "title": "T", "context": context, "question": "?", "answers": answers}

    found = read("squad", put(tmp_path, "a.jsonl", [row("1", "ab"), row("2", "xb"), row("3", "ab")]))
    assert [span.doc_id for span in spans(found)] == ["T/0", "T/1", "T/0"]
    bad = {**row("1", "ab"), "answers": {"text": ["b"], "answer_start": []}}
    assert "of one length" in refusal("squad", put(tmp_path, "b.jsonl", [bad]))


def test_offsets_of_spanchor_count_the_canonical_text() -> None:
    source = "e\u0301té\r\nThe fee.\r"
    form = Canonical(source)
    assert form.text == canonical(source) == "été\nThe fee.\n"
    at = form.text.index("The")
    assert source[form.source_offset(at) :].startswith("The")
    assert form.offset(form.source_offset(at)) == at
    sha = hashlib.sha256(b"The fee").hexdigest()
    span = ForeignSpan("a", at, at + 7, measure=Measure.CANONICAL, sha256=sha)
    settled = settle(span, source)
    assert isinstance(settled, ForeignSpan)
    assert source[settled.start : settled.end] == "The fee"
    wrong = settle(span._replace(sha256="0" * 64), source)
    assert isinstance(wrong, str)
    assert "the hash is another one" in wrong


def test_spanchor_itself_reads_what_is_written_and_finds_it_sound(tmp_path: Path) -> None:
    spanchor_jsonl = pytest.importorskip("spanchor.storage.jsonl")
    from spanchor.models.document import Document as TheirDocument

    from evalspan.corpus import Document
    from evalspan.formats.foreign.form import ForeignQuestion, ForeignSet
    from evalspan.formats.foreign.registry import FORMATS
    from evalspan.formats.foreign.rows import asked

    from .helpers import write

    at = TEXT.index("The fee")
    span = ForeignSpan("a", at, at + 7, "The fee")
    ours = ForeignSet((ForeignQuestion(1, asked("q", "?"), (span,)),), documents=(Document("a", TEXT),))
    (query,) = spanchor_jsonl.read_gold_set(write(FORMATS["spanchor"], ours, tmp_path))
    (anchor,) = query.anchors
    anchor.validate(TheirDocument.from_text("a", TEXT))
    assert canonical(TEXT)[anchor.start : anchor.end] == "The fee"


def regions(*values: dict[str, Any], text: str = TEXT, **task: Any) -> dict[str, Any]:
    result = [{"from_name": "label", "to_name": "text", "type": "labels", "value": value} for value in values]
    return {"id": 1, "data": {"text": text, "question": "?"}, "annotations": [{"result": result}], **task}


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-32-le"])
def test_label_studio_counts_utf16_units_or_code_points_and_crlf_as_two(tmp_path: Path, codec: str) -> None:
    width = 2 if codec.startswith("utf-16") else 4
    at = TEXT.index("The fee")
    start = len(TEXT[:at].encode(codec)) // width
    value = {"start": start, "end": start + 7, "text": "The fee", "labels": ["direct"]}
    found = read("label-studio", put(tmp_path, "a.json", [regions(value)]))
    (span,) = spans(found)
    settled = settle(span, TEXT)
    assert isinstance(settled, ForeignSpan)
    assert (settled.start, settled.end, settled.grade) == (at, at + 7, 3)


def test_a_label_studio_region_must_hold_its_text(tmp_path: Path) -> None:
    value = {"start": 1, "end": 8, "text": "The fee", "labels": ["evidence"]}
    (span,) = spans(read("label-studio", put(tmp_path, "a.json", [regions(value)])))
    assert settle(span, TEXT) == "1..8 holds 'The fee' in none of its units"
    text = "𝒳aaaa"
    (both,) = spans(
        read(
            "label-studio", put(tmp_path, "b.json", [regions({**value, "start": 3, "end": 4, "text": "a"}, text=text)])
        )
    )
    assert settle(both, text) == "3..4 holds 'a' in two units, differently"


def test_label_studio_annotations_that_disagree_need_a_ground_truth(tmp_path: Path) -> None:
    one, two = (
        regions({"start": s, "end": s + 3, "text": TEXT[s : s + 3], "labels": ["evidence"]})["annotations"][0]
        for s in (0, 4)
    )
    task = regions(annotations=[one, two])
    assert "its annotations disagree" in refusal("label-studio", put(tmp_path, "a.json", [task]))
    task["annotations"][1]["ground_truth"] = True
    assert [span.start for span in spans(read("label-studio", put(tmp_path, "b.json", [task])))] == [4]
    strange = regions({"start": 0, "end": 3, "text": "Ask", "labels": ["PERSON"]})
    assert "labelled 'PERSON'" in refusal("label-studio", put(tmp_path, "c.json", [strange]))


def annotation(*selectors: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {"type": "TextualBody", "purpose": "questioning", "value": "?"}
    return {"type": "Annotation", "body": body, "target": {"source": "a", "selector": list(selectors)}, **more}


QUOTE = {"type": "TextQuoteSelector", "exact": "Ask first", "prefix": "pounds. ", "suffix": "."}
POSITION = {"type": "TextPositionSelector", "start": 0, "end": 9}


def test_a_web_annotation_is_a_quote_with_its_context_a_position_or_both(tmp_path: Path) -> None:
    ways: list[list[dict[str, Any]]] = [[QUOTE], [POSITION], [QUOTE, POSITION]]
    for number, selectors in enumerate(ways):
        page = {"@context": "", "type": "AnnotationPage", "items": [annotation(*selectors)]}
        (span,) = spans(read("w3c", put(tmp_path, f"{number}.json", page)))
        assert (span.start, span.end) == ((0, 9) if POSITION in selectors else (None, None))
        assert (span.quote, span.prefix) == (("Ask first", "pounds. ") if QUOTE in selectors else ("", ""))


def test_annotations_of_one_question_are_its_passages(tmp_path: Path) -> None:
    found = read("w3c", put(tmp_path, "a.jsonl", [annotation(QUOTE), annotation(POSITION)]))
    (one,) = found.questions
    assert len(one.spans) == 2


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (annotation({"type": "XPathSelector", "value": "/p"}), "there is XPathSelector"),
        (annotation({**QUOTE, "refinedBy": POSITION}), "not refined"),
        (annotation(QUOTE, body=None), 'no body of purpose "questioning"'),
        (annotation(QUOTE, target="http://a"), "no target with a selector"),
    ],
)
def test_annotations_that_name_no_question_or_place_are_refused(tmp_path: Path, row: Any, said: str) -> None:
    assert said in refusal("w3c", put(tmp_path, "a.jsonl", [row]))


def test_a_hub_folder_needs_its_queries_and_labels_of_known_questions(tmp_path: Path) -> None:
    put(tmp_path, "queries/queries.jsonl", [{"_id": "q", "text": "?"}])
    assert "with qrels or spans beside it" in refusal("hf-dataset", tmp_path)
    put(tmp_path, "qrels/qrels.jsonl", [{"query-id": "other", "corpus-id": "c", "score": 1}])
    assert "holds no question 'other'" in refusal("hf-dataset", tmp_path)
