"""Spans that a person wrote down: proven against the documents, or refused with all that is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalspan.corpus import Document
from evalspan.errors import BadInput, NotFound
from evalspan.labels import JudgedQuestion
from evalspan.provenance import Provenance
from evalspan.spans import Span
from evalspan.store import Store, create_store
from evalspan.workflows.import_spans import import_spans

from .helpers import SAMPLE, read_rows, write_rows

TEXT = (
    "Returns are accepted within thirty days of delivery. Ask us first.\n\n"
    "| Country | Days | Fee |\n| Spain | 14 | free |\n\n"
    "Ask us first. Ask us first whether the shop takes it back.\n   \nÉté: 𝒳 days.\n"
)
DOCUMENTS = [Document("a", TEXT), Document("b", "Shipping takes two working days.\n")]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    address = str(tmp_path / "evalspan.db")
    create_store(address)
    with Store.open(address) as opened:
        with opened.writing() as tx:
            tx.put_snapshot(DOCUMENTS, "v1", None, Provenance.now())
        yield opened


def row(*spans: dict[str, Any], **said: Any) -> dict[str, Any]:
    return {"query_id": "q", "text": "?", "spans": [{"doc_id": "a", **span} for span in spans], **said}


def of(quote: str) -> dict[str, Any]:
    at = TEXT.index(quote)
    return {"start": at, "end": at + len(quote)}


def imported(store: Store, path: Path, *rows: dict[str, Any], **options: Any) -> list[JudgedQuestion]:
    done = import_spans("faq", write_rows(path / "spans.jsonl", rows), store=store, **options)
    return list(store.eval_set(done.version).questions)


def refusal(store: Store, path: Path, *rows: dict[str, Any]) -> list[str]:
    with pytest.raises(BadInput) as caught:
        imported(store, path, *rows)
    assert store.sets() == []
    return [f"{problem.line}: {problem.what}" for problem in caught.value.problems]


def test_a_span_by_offsets_by_quote_or_by_both_is_the_same(store: Store, tmp_path: Path) -> None:
    quote = "Returns are accepted within thirty days of delivery."
    ways = [of(quote), {"quote": quote}, {**of(quote), "quote": quote}]
    for number, span in enumerate(ways):
        (question,) = imported(store, tmp_path, row(span))
        assert [(j.doc_id, j.span.of(TEXT), j.grade) for j in question.judgments] == [("a", quote, 1)]
        assert store.sets()[0].number == 1, f"way {number} made another version"


def test_all_that_is_said_is_kept(store: Store, tmp_path: Path) -> None:
    facts = [{"fact_id": "f", "min_grade": "supporting"}]
    span = {**of("| Spain | 14 | free |"), "fact": "f", "grade": "direct", "tabular": True}
    spans = [{**span, "also": [of("| Country | Days | Fee |")]}]
    blocked = ["b", {"doc_id": "a", **of("Été: 𝒳 days.")}]
    (question,) = imported(
        store,
        tmp_path,
        row(*spans, facts=facts, must_not_use=blocked, acceptable_docs=["a"], filters={"x": 1}),
        labels_are="any",
        min_overlap=0.7,
        guard_scope="evidence",
    )
    table, harmful = question.judgments
    assert [one.of(TEXT) for one in table.spans] == ["| Country | Days | Fee |", "| Spain | 14 | free |"]
    assert (table.grade, table.fact, table.tabular) == (3, "f", True)
    assert (harmful.grade, harmful.span.of(TEXT)) == (-1, "Été: 𝒳 days.")
    assert (question.must_not_use, question.acceptable_docs, question.question.filters) == (("b",), ("a",), {"x": 1})
    terms = store.sets()[0].terms
    assert (terms.labels_are, terms.min_overlap, terms.guard_scope) == ("any", 0.7, "evidence")


@pytest.mark.parametrize(
    ("span", "what"),
    [
        ({"start": 0, "end": 999}, "spans[0]: 0..999 lies outside the document, which has "),
        ({"start": 0, "end": 7, "quote": "Return"}, "spans[0]: at 0..7 stands 'Returns', not the quote 'Return'"),
        (
            {"start": 3, "end": 9, "quote": "accepted within thirty days"},
            "spans[0]: at 3..9 stands 'urns a', not the quote 'accepted within thirty days'; the quote stands at 12..",
        ),
        ({"start": 66, "end": 68}, "spans[0]: 66..68 holds white space only"),
        ({"quote": "Ask us first."}, "spans[0]: the quote 'Ask us first.' stands in several places (53..66, "),
        (
            {"quote": "Nothing of the kind is said in here."},
            "spans[0]: the quote 'Nothing of the kind is said in here.' is",
        ),
        ({"quote": "thirty days"}, "spans[0]: the quote 'thirty days' may stand at 28..39 (too short to be sure"),
        ({"quote": "  "}, "spans[0]: the quote '  ' is not in the document"),
        (
            {"quote": "Returns are accepted within ninety days of delivery."},
            "spans[0]: the quote 'Returns are accepted within ninety days of delivery.' is not in the document",
        ),
        ({"doc_id": "c", "start": 0, "end": 1}, "spans[0]: document 'c' is not in snapshot v1"),
        ({"start": 0, "end": 20, "also": [{"start": 10, "end": 30}]}, "spans[0]: its ranges overlap each other"),
        ({"start": 0, "end": 7, "also": [{"start": 9, "end": 999}]}, "spans[0]: also[0]: 9..999 lies outside"),
    ],
)
def test_what_is_not_so_is_refused_with_the_reason_and_nothing_is_written(
    store: Store, tmp_path: Path, span: dict[str, Any], what: str
) -> None:
    (problem,) = refusal(store, tmp_path, row(span))
    assert problem.startswith(f"1: question 'q': {what}")


def test_every_problem_of_every_question_is_told_with_its_line(store: Store, tmp_path: Path) -> None:
    bad = {"start": 0, "end": 999}
    first = {**row(bad, {"doc_id": "c", "quote": "x"}), "query_id": "q1", "acceptable_docs": ["z"]}
    second = {**row(of("Returns"), bad), "query_id": "q2"}
    assert refusal(store, tmp_path, first, second) == [
        "1: question 'q1': \"acceptable_docs\" names 'z', which is no document of the corpus",
        f"1: question 'q1': spans[0]: 0..999 lies outside the document, which has {len(TEXT)} code points",
        "1: question 'q1': spans[1]: document 'c' is not in snapshot v1",
        f"2: question 'q2': spans[1]: 0..999 lies outside the document, which has {len(TEXT)} code points",
    ]


def test_the_same_passage_twice_for_one_fact_is_refused(store: Store, tmp_path: Path) -> None:
    span = of("Returns are accepted within thirty days")
    (problem,) = refusal(store, tmp_path, row(span, {**span, "grade": 2}))
    assert problem == "1: question 'q': spans[1]: is the same passage as spans[0]"
    facts = [{"fact_id": "f"}, {"fact_id": "g"}]
    (question,) = imported(store, tmp_path, row({**span, "fact": "f"}, {**span, "fact": "g"}, facts=facts))
    assert len(question.judgments) == 2


def test_a_bad_question_that_is_skipped_is_left_out_whole(store: Store, tmp_path: Path) -> None:
    good = {**row(of("Returns")), "query_id": "good"}
    rows = [row(of("Returns"), {"start": 0, "end": 999}), good]
    done = import_spans("faq", write_rows(tmp_path / "s.jsonl", rows), store=store, skip_bad=True)
    assert [question.query_id for question in store.eval_set(done.version).questions] == ["good"]
    assert [problem.line for problem in done.skipped] == [1]


def test_the_snapshot_must_be_there(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is: v1"):
        imported(store, tmp_path, row(of("Returns")), snapshot="v9")


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_any_range_with_its_own_words_is_taken_and_with_other_words_is_not(data: st.DataObject) -> None:
    from tempfile import TemporaryDirectory

    start = data.draw(st.integers(0, len(TEXT) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(TEXT))))
    quote = span.of(TEXT)
    with TemporaryDirectory() as folder:
        address = f"{folder}/evalspan.db"
        create_store(address)
        with Store.open(address) as opened:
            with opened.writing() as tx:
                tx.put_snapshot(DOCUMENTS, "v1", None, Provenance.now())
            other = {"start": span.start, "end": span.end, "quote": quote + "!"}
            assert "not the quote" in refusal(opened, Path(folder), row(other))[0]
            whole = {"start": span.start, "end": span.end, "quote": quote}
            if quote.strip():
                (question,) = imported(opened, Path(folder), row(whole))
                assert question.judgments[0].span == span
            else:
                assert "white space only" in refusal(opened, Path(folder), row(whole))[0]


def test_the_sample_corpus_is_found_by_its_quotes(tmp_path: Path) -> None:
    address = str(tmp_path / "evalspan.db")
    create_store(address)
    truth: dict[str, list[dict[str, Any]]] = {}
    for one in read_rows(SAMPLE / "truth.jsonl"):
        truth.setdefault(one["query_id"], []).append({key: one[key] for key in ("doc_id", "quote", "start", "end")})
    documents = [Document(one["doc_id"], one["text"]) for one in read_rows(SAMPLE / "documents.jsonl")]
    with Store.open(address) as opened:
        with opened.writing() as tx:
            tx.put_snapshot(documents, "v1", None, Provenance.now())
        for query_id, spans in truth.items():
            quotes = [{"doc_id": span["doc_id"], "quote": span["quote"]} for span in spans]
            path = write_rows(tmp_path / "one.jsonl", [{"query_id": query_id, "text": "?", "spans": quotes}])
            try:
                done = import_spans("s" + query_id, path, store=opened)
            except BadInput as error:
                assert "several places" in str(error)  # noqa: PT017 - the only other way it may end
                continue
            (question,) = opened.eval_set(done.version).questions
            assert [list(j.span) for j in question.judgments] == [[span["start"], span["end"]] for span in spans]


def test_the_file_is_json_lines(store: Store, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(json.dumps([row()]))
    with pytest.raises(BadInput, match="not a JSON object"):
        import_spans("faq", tmp_path / "s.jsonl", store=store)
