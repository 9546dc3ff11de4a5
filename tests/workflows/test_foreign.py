"""Eval sets of other tools, proven against the corpus on the way in and told what is lost on the way out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from shared_data import shared_data

from evalspan.corpus import Document
from evalspan.errors import BadInput, CannotTell
from evalspan.formats.foreign.registry import FORMATS
from evalspan.formats.foreign.tracing import tracing_metadata
from evalspan.labels import JudgedQuestion
from evalspan.provenance import Provenance
from evalspan.store import Store, create_store
from evalspan.workflows.foreign import import_foreign
from evalspan.workflows.foreign_export import export_foreign
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.snapshots import add_snapshot
from evalspan.workflows.unpack import unpack_corpus

from .helpers import read_rows, write_rows
from .small_store import TABLE, TEXTS, ask, put_set, small_store, span

FIRST = "Returns are accepted within thirty days of delivery."
SECOND = "Shipping takes two working days."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small_store(tmp_path) as opened:
        yield opened


def put(folder: Path, name: str, value: Any) -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def imported(store: Store, *files: Path, **options: Any) -> list[JudgedQuestion]:
    done = import_foreign("other", files, store=store, **options)
    return list(store.eval_set(done.imported.version).questions)


def refusal(store: Store, *files: Path, **options: Any) -> str:
    before = store.sets()
    with pytest.raises(BadInput) as caught:
        imported(store, *files, **options)
    assert store.sets() == before
    return str(caught.value)


def words(question: JudgedQuestion) -> list[str]:
    return [one.of(TEXTS[judgment.doc_id]) for judgment in question.judgments for one in judgment.spans]


def seed(folder: Path, *spans: dict[str, Any]) -> Path:
    return write_rows(folder / "seed.jsonl", [{"id": "q", "question": "?", "relevant_spans": list(spans)}])


def place(doc_id: str, passage: str, **more: Any) -> dict[str, Any]:
    at = TEXTS[doc_id].index(passage)
    return {"doc": doc_id, "start": at, "end": at + len(passage), **more}


def test_a_guess_is_said_and_a_named_format_is_none(store: Store, tmp_path: Path) -> None:
    path = seed(tmp_path, place("a", FIRST))
    guessed = import_foreign("x", [path], store=store)
    named = import_foreign("x", [path], kind="relevant-spans", store=store)
    assert (guessed.format, guessed.guessed, named.guessed) == ("relevant-spans", True, False)
    assert guessed.imported.new
    assert not named.imported.new


def test_a_span_of_another_version_of_its_document_is_refused(tmp_path: Path) -> None:
    address = str(tmp_path / "v.db")
    create_store(address)
    with Store.open(address) as store:
        with store.writing() as tx:
            tx.put_snapshot([Document("a", TEXTS["a"], "v2"), Document("b", TEXTS["b"])], "s", None, Provenance.now())
        assert "is of version 'v1' of 'a', and the snapshot holds 'v2'" in refusal(
            store, seed(tmp_path, place("a", FIRST, doc_version="v1"))
        )
        (one,) = imported(store, seed(tmp_path, place("a", FIRST, doc_version="v2"), place("b", SECOND)))
        assert words(one) == [FIRST, SECOND]


def test_a_file_that_is_not_there_is_one_error(store: Store, tmp_path: Path) -> None:
    assert refusal(store, tmp_path / "none.json") == f"{tmp_path / 'none.json'}: no such file"
    assert "no file is named" in refusal(store)


def test_all_problems_are_told_and_skip_bad_leaves_questions_out_whole(store: Store, tmp_path: Path) -> None:
    good = {"id": "good", "question": "?", "relevant_spans": [place("b", SECOND)]}
    far = {"doc": "a", "start": 5, "end": 9999}
    bad = {"id": "bad", "question": "?", "relevant_spans": [place("a", FIRST), far, {"doc": "z", "start": 0, "end": 2}]}
    path = write_rows(tmp_path / "a.jsonl", [bad, good])
    message = refusal(store, path)
    assert "a.jsonl:1: question 'bad': spans[2]: document 'z' is not in snapshot v1" in message
    assert [one.query_id for one in imported(store, path, skip_bad=True)] == ["good"]


def test_a_file_all_of_whose_questions_are_bad_is_refused_with_what_it_was_held_against(
    store: Store, tmp_path: Path
) -> None:
    bad = {"id": "bad", "question": "?", "relevant_spans": [{"doc": "z", "start": 0, "end": 2}]}
    message = refusal(store, write_rows(tmp_path / "a.jsonl", [bad]), skip_bad=True)
    assert "nothing is left to import; held against snapshot v1\n" in message
    assert "a.jsonl:1: question 'bad'" in message
    assert message.endswith("If it is about another one, say which: --snapshot NAME")
    message = refusal(store, put(tmp_path, "q.txt", "q 0 strange 1\n"), skip_bad=True)
    assert "held against chunking 'chunks' of snapshot v1" in message
    assert message.endswith("--chunking NAME")


def squad(doc_id: str, text: str, start: int, query_id: str = "q") -> dict[str, Any]:
    qas = [{"id": query_id, "question": "?", "answers": [{"text": text, "answer_start": start}]}]
    return {"data": [{"title": doc_id, "paragraphs": [{"context": TEXTS[doc_id], "qas": qas}]}]}


def test_offsets_of_a_stripped_context_are_refused_with_the_true_place_and_taken_there_on_demand(
    store: Store, tmp_path: Path
) -> None:
    path = put(tmp_path, "a.json", squad("b", SECOND, 3))
    assert f"the quote stands at 0..{len(SECOND)}" in refusal(store, path)
    done = import_foreign("other", [path], relocate=True, store=store)
    assert done.notes == ("1 passages stand in another place than their offsets say, and were taken there",)
    (one,) = store.eval_set(done.imported.version).questions
    assert words(one) == [SECOND]


def test_relocating_takes_no_place_that_is_not_sure(store: Store, tmp_path: Path) -> None:
    path = put(tmp_path, "a.json", squad("b", "the", 0))
    assert "spans[0]" in refusal(store, path, relocate=True)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-8"])
def test_offsets_in_another_unit_are_converted_where_the_words_prove_it(tmp_path: Path, codec: str) -> None:
    text = "👩‍👩‍👧 𝒳: the fee is five pounds."
    at = len(text[: text.index("five")].encode(codec)) // (2 if codec == "utf-16-le" else 1)
    address = str(tmp_path / "units.db")
    create_store(address)
    with Store.open(address) as store:
        with store.writing() as tx:
            tx.put_snapshot([Document("a", text)], "s", None, Provenance.now())
        done = import_foreign("x", [csv(tmp_path, "a", "five pounds", at)], store=store)
        (one,) = store.eval_set(done.imported.version).questions
    assert [judgment.span.of(text) for judgment in one.judgments] == ["five pounds"]
    assert done.notes == ("1 passages have their offsets in UTF-16 code units or bytes, which were converted",)


def test_offsets_that_nothing_proves_are_taken_and_counted(store: Store, tmp_path: Path) -> None:
    done = import_foreign("x", [seed(tmp_path, place("a", FIRST))], store=store)
    assert done.notes == ("1 passages have no words in the file that would prove their offsets",)


def csv(folder: Path, doc_id: str, passage: str, at: int) -> Path:
    references = json.dumps([{"content": passage, "start_index": at, "end_index": at + len(passage)}])
    quoted = references.replace('"', '""')
    return put(folder, "q.csv", f'question,references,corpus_id\n?,"{quoted}",{doc_id}\n')


def test_a_document_named_without_its_ending_is_taken_only_where_words_prove_it(tmp_path: Path) -> None:
    address = str(tmp_path / "named.db")
    create_store(address)
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "speech.md").write_text(TEXTS["b"], "utf-8")
    with Store.open(address) as store:
        add_snapshot(folder, store=store)
        done = import_foreign("x", [csv(tmp_path, "speech", SECOND, 0)], store=store)
        assert done.notes == ("'speech' was taken to be document 'speech.md'",)
        blind = seed(tmp_path, {"doc": "speech", "start": 0, "end": 8})
        assert "document 'speech' is not in snapshot" in refusal(store, blind)
        (folder / "speech.txt").write_text(TEXTS["a"], "utf-8")
        add_snapshot(folder, store=store)
        assert "document 'speech' is not in snapshot" in refusal(store, csv(tmp_path, "speech", SECOND, 0))


def test_the_first_place_of_a_repeated_passage_is_counted(store: Store, tmp_path: Path) -> None:
    text = TEXTS["a"]
    assert text.count("the") > 1
    done = import_foreign("x", [csv(tmp_path, "a", "the", text.index("the"))], store=store)
    assert done.notes == ("1 passages stand in several places of their document; their offsets were taken",)


def ragas(folder: Path, *contexts: str) -> Path:
    return write_rows(folder / "r.jsonl", [{"user_input": "?", "reference_contexts": list(contexts)}])


def test_words_without_a_document_are_looked_for_in_all(store: Store, tmp_path: Path) -> None:
    (one,) = imported(store, ragas(tmp_path, FIRST, SECOND))
    assert words(one) == [FIRST, SECOND]
    assert "stands in no document" in refusal(store, ragas(tmp_path, "Nobody ever wrote this sentence."))


def test_words_that_stand_in_several_documents_are_ambiguous_and_never_the_first(tmp_path: Path) -> None:
    address = str(tmp_path / "twice.db")
    create_store(address)
    with Store.open(address) as store:
        with store.writing() as tx:
            tx.put_snapshot([Document(one, TEXTS["b"]) for one in "xy"], "s", None, Provenance.now())
        assert "stands in 2 documents: 'x', 'y'" in refusal(store, ragas(tmp_path, SECOND))


def test_a_web_annotation_is_told_apart_by_what_stands_around_it(tmp_path: Path) -> None:
    text = "Ask the shop before noon. Ring twice at the door. Then leave. Ring twice at the door. Walk in."
    address = str(tmp_path / "w3c.db")
    create_store(address)
    quote = {
        "type": "TextQuoteSelector",
        "exact": "Ring twice at the door.",
        "prefix": "Then leave. ",
        "suffix": " Walk in.",
    }
    body = {"type": "TextualBody", "purpose": "questioning", "value": "?"}
    row = {"type": "Annotation", "body": body, "target": {"source": "a", "selector": quote}}
    with Store.open(address) as store:
        with store.writing() as tx:
            tx.put_snapshot([Document("a", text)], "s", None, Provenance.now())
        (one,) = imported(store, put(tmp_path, "a.json", [row]))
        assert [judgment.start for judgment in one.judgments] == [text.rindex("Ring")]
        bare = {**row, "target": {"source": "a", "selector": {**quote, "prefix": "", "suffix": ""}}}
        assert "stands in several places" in refusal(store, put(tmp_path, "b.json", [bare]))


def test_labels_must_name_chunks_of_the_chunking_with_the_same_texts(store: Store, tmp_path: Path) -> None:
    qrels = put(tmp_path, "q.txt", "q 0 a0 1\nq 0 nowhere 1\n")
    assert "chunk 'nowhere' is not in chunking 'chunks'" in refusal(store, qrels)
    value = {"queries": {"q": "?"}, "corpus": {"a0": "Another text."}, "relevant_docs": {"q": ["a0"]}}
    said = refusal(store, put(tmp_path, "l.json", value))
    assert "chunk 'a0' has another text in chunking 'chunks' than in the file" in said
    value["corpus"] = {"a0": TEXTS["a"][:40]}
    (one,) = imported(store, put(tmp_path, "l.json", value))
    assert [label.chunk_id for label in one.chunk_labels] == ["a0"]


def test_the_threshold_is_kept_with_the_version(store: Store, tmp_path: Path) -> None:
    qrels = put(tmp_path, "q.txt", "q 0 a0 1\nq 0 a1 2\n")
    done = import_foreign("x", [qrels], rel_threshold=2, store=store)
    (one,) = store.eval_set(done.imported.version).questions
    assert [label.grade for label in one.chunk_labels] == [0, 2]
    assert "grades from 1 below 2 taken as not relevant" in done.imported.version.provenance.why


def test_an_option_that_says_nothing_of_a_file_is_refused(store: Store, tmp_path: Path) -> None:
    path = seed(tmp_path, place("a", FIRST))
    assert refusal(store, path, one_dim="and") == "--one-dim: says nothing of relevant-spans"
    assert "says nothing of seed.jsonl, which names no chunks" in refusal(store, path, chunking="chunks")


def test_characters_that_no_text_may_hold_are_refused_wherever_they_stand(store: Store, tmp_path: Path) -> None:
    for bad in ("\\ud800", "\\u0000"):
        row = '{"queryId": "q", "query": "?", "mustRetrieve": [], "filters": {"in": ["BAD"]}}\n'.replace("BAD", bad)
        assert "NUL or a lone surrogate" in refusal(store, put(tmp_path, "m.jsonl", row))


EVERYTHING = (
    ask(
        "q1",
        span("a", FIRST, grade="direct"),
        span("b", SECOND),
        labels_are="any",
        tags=["t"],
        reference_answers=["30", "31"],
    ),
    ask(
        "q2",
        span("a", TABLE, fact="f", tabular=True),
        span("b", "An order by noon", fact="g"),
        facts=[{"fact_id": "f"}, {"fact_id": "g"}],
    ),
    ask("q3", no_answer=True),
    ask("q4", span("b", "leaves the same day", grade="harmful"), span("b", SECOND)),
)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "must-retrieve"])
def test_every_format_takes_a_set_out_of_a_store_and_back(store: Store, tmp_path: Path, name: str) -> None:
    put_set(store, tmp_path, *EVERYTHING, labels_are="all")
    form = FORMATS[name]
    chunking = None if "passages" in set(form.holds) else "chunks"
    out = tmp_path / f"out{form.suffixes[0]}"
    exported = export_foreign("faq", name, out, chunking=chunking, store=store)
    assert exported.questions > 0
    done = import_foreign("back", [out], kind=name, twins="ignore", store=store)
    assert import_foreign("back", [out], twins="ignore", store=store).format == name
    again = export_again(store, name, tmp_path, chunking)
    if out.is_file():
        assert again.read_text("utf-8") == out.read_text("utf-8")
    assert done.imported.version.questions == exported.questions


def export_again(store: Store, name: str, folder: Path, chunking: str | None) -> Path:
    if chunking is not None:
        migrate_set("back", chunking, store=store)
    out = folder / f"again{FORMATS[name].suffixes[0]}"
    export_foreign("back", name, out, chunking=chunking, store=store)
    return out


def test_what_a_format_can_not_hold_is_said(store: Store, tmp_path: Path) -> None:
    put_set(store, tmp_path, *EVERYTHING, labels_are="all")
    lost = export_foreign("faq", "relevant-spans", tmp_path / "o.jsonl", store=store).lost
    assert lost == {
        "grades": 2,
        "facts": 1,
        "tags": 1,
        "reference answers": 1,
        "that a question has no answer": 1,
        "whether labels are alternatives or all needed": 2,
        "that a passage counts only where it is whole": 1,
    }


def test_a_format_that_takes_labels_for_alternatives_says_so_of_a_set_that_leaves_it_open(
    store: Store, tmp_path: Path
) -> None:
    put_set(store, tmp_path, ask("q1", span("b", SECOND), span("b", "An order by noon")), ask("q2", span("b", SECOND)))
    lost = export_foreign("faq", "squad", tmp_path / "o.json", store=store).lost
    assert lost == {"whether labels are alternatives or all needed": 1}
    put_set(store, tmp_path, ask("q1", span("b", SECOND), span("b", "An order by noon"), labels_are="any"))
    assert export_foreign("faq", "squad", tmp_path / "o.json", store=store).lost == {}


def test_a_format_that_names_chunks_wants_a_chunking_and_another_wants_none(store: Store, tmp_path: Path) -> None:
    put_set(store, tmp_path, *EVERYTHING, labels_are="all")
    with pytest.raises(BadInput, match="--chunking: is wanted: autorag names chunks"):
        export_foreign("faq", "autorag", tmp_path / "o", store=store)
    with pytest.raises(BadInput, match="can't go with squad"):
        export_foreign("faq", "squad", tmp_path / "o", chunking="chunks", store=store)
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("name", "ending", "said"),
    [
        ("squad", ".csv", ".json or .jsonl"),
        ("squad", ".parquet", ".json or .jsonl"),
        ("relevant-spans", ".md", ".jsonl or .json"),
        ("w3c", ".jsonl", ".json or .jsonld"),
    ],
)
def test_a_file_is_not_named_as_what_it_is_not(store: Store, tmp_path: Path, name: str, ending: str, said: str) -> None:
    put_set(store, tmp_path, *EVERYTHING, labels_are="all")
    with pytest.raises(BadInput, match=f"{name} is not written as {ending}; name a file that ends in {said}$"):
        export_foreign("faq", name, tmp_path / f"out{ending}", store=store)
    assert not (tmp_path / f"out{ending}").exists()


@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if not form.many and name != "must-retrieve"])
def test_what_is_written_under_each_ending_of_a_format_is_read_back(store: Store, tmp_path: Path, name: str) -> None:
    put_set(store, tmp_path, *EVERYTHING, labels_are="all")
    chunking = None if "passages" in set(FORMATS[name].holds) else "chunks"
    for ending in FORMATS[name].endings:
        out = tmp_path / f"out{ending}"
        exported = export_foreign("faq", name, out, chunking=chunking, store=store)
        done = import_foreign("back", [out], kind=name, twins="ignore", store=store)
        assert done.imported.version.questions == exported.questions


def test_nothing_is_exported_over_a_folder_that_holds_something(store: Store, tmp_path: Path) -> None:
    put_set(store, tmp_path, *EVERYTHING, labels_are="all")
    with pytest.raises(BadInput, match="is not empty"):
        export_foreign("faq", "hf-dataset", tmp_path, store=store)


def test_autorag_is_not_written_while_nobody_said_what_labels_are(store: Store, tmp_path: Path) -> None:
    put_set(store, tmp_path, ask("q", span("a", FIRST), span("b", SECOND)))
    with pytest.raises(CannotTell, match="--labels-are"):
        export_foreign("faq", "autorag", tmp_path / "o", chunking="chunks", store=store)


def test_the_corpus_of_a_data_set_is_unpacked_for_the_store(tmp_path: Path) -> None:
    done = unpack_corpus([put(tmp_path, "a.json", squad("b", SECOND, 0))], tmp_path / "out")
    assert (done.format, done.documents, done.chunks) == ("squad", 1, 0)
    assert read_rows(tmp_path / "out" / "documents.jsonl") == [{"doc_id": "b", "text": TEXTS["b"]}]


def test_passages_without_a_document_are_documents_or_chunks_of_a_snapshot(store: Store, tmp_path: Path) -> None:
    value = {
        "queries": {"q": "?"},
        "corpus": {"n1": SECOND, "n2": "Nobody wrote this."},
        "relevant_docs": {"q": ["n1"]},
    }
    path = put(tmp_path, "l.json", value)
    alone = unpack_corpus([path], tmp_path / "alone")
    assert (alone.documents, alone.chunks) == (2, 2)
    placed = unpack_corpus([path], tmp_path / "placed", snapshot="v1", store=store)
    assert placed.left_out == ("chunk 'n2' stands in no document of v1",)
    assert read_rows(tmp_path / "placed" / "chunks.jsonl") == [{"chunk_id": "n1", "doc_id": "b", "text": SECOND}]
    with pytest.raises(BadInput, match="carries no corpus"):
        unpack_corpus([seed(tmp_path)], tmp_path / "none")


def test_metadata_for_tracing_platforms_holds_the_set_and_its_spans(store: Store, tmp_path: Path) -> None:
    table = {key: value for key, value in span("a", TABLE).items() if key != "doc_id"}
    put_set(store, tmp_path, ask("q", span("a", FIRST, also=[table])))
    version = store.find_version("faq@1")
    eval_set = store.eval_set(version)
    said = tracing_metadata(eval_set, eval_set.questions[0], {"chunking_fingerprint": "c0ffee"})
    at = TEXTS["a"].index(TABLE)
    place = {"doc_id": "a", "start": 0, "end": len(FIRST), "grade": 1, "also": [[at, at + len(TABLE)]]}
    assert said == {
        "evalspan": {
            "eval_set": "faq",
            "eval_version": 1,
            "eval_digest": eval_set.digest,
            "query_id": "q",
            "corpus_digest": eval_set.terms.snapshot_digest,
            "chunk_config_digest": "c0ffee",
            "spans": [place],
        }
    }
    assert json.loads(json.dumps(said)) == said
    assert "chunk_config_digest" not in tracing_metadata(eval_set, eval_set.questions[0])["evalspan"]


def test_every_reference_of_chunking_evaluation_is_proven(tmp_path: Path) -> None:
    data = shared_data("chunking_evaluation")
    address = str(tmp_path / "ce.db")
    create_store(address)
    with Store.open(address) as store:
        add_snapshot(data / "corpora", store=store)
        done = import_foreign("ce", [data / "questions_df.csv"], twins="ignore", store=store)
        version = done.imported.version
        assert (version.questions, version.judgments) == (472, 790)
        assert any(note.startswith("97 passages stand in several places") for note in done.notes)
        out = tmp_path / "out.csv"
        export_foreign("ce", "chunking-evaluation", out, store=store)
        again = import_foreign("ce", [out], twins="ignore", store=store)
        assert not again.imported.new


@pytest.mark.parametrize("language", ["en", "zh", "ar", "ro"])
def test_every_answer_of_xquad_is_proven(tmp_path: Path, language: str) -> None:
    import gzip

    data = shared_data("xquad") / f"xquad.{language}.json.gz"
    path = tmp_path / "x.json"
    path.write_bytes(gzip.decompress(data.read_bytes()))
    unpack_corpus([path], tmp_path / "corpus")
    address = str(tmp_path / "x.db")
    create_store(address)
    with Store.open(address) as store:
        add_snapshot(tmp_path / "corpus" / "documents.jsonl", store=store)
        done = import_foreign("x", [path], twins="ignore", store=store)
        assert (done.imported.version.questions, done.imported.version.judgments) == (1190, 1190)
