"""`verify` with `deep`: a manifest can lie, and reading the index back tells."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import lancedb
import pyarrow as pa
import pytest

from evalspan.corpus import ChunkingConfig, Manifest
from evalspan.errors import BadInput, CannotTell
from evalspan.guard import Kind, Verdict
from evalspan.store import Store
from evalspan.workflows.manifests import IndexedChunk, build_manifest, manifest, write_manifest
from evalspan.workflows.sets import export_set
from evalspan.workflows.verify import verify

from .small_store import TEXTS, ask, put_chunking, put_set, small_store, span

Row = dict[str, Any]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small_store(tmp_path) as opened:
        put_set(opened, tmp_path, ask("q1", span("b", "Shipping takes two working days")))
        yield opened


def cut(size: int) -> list[Row]:
    """As `put_chunking` cuts and names them."""
    return [
        {"chunk_id": f"{doc_id}{i}", "text": text[at : at + size], "doc_id": doc_id, "start": at}
        for doc_id, text in TEXTS.items()
        for i, at in enumerate(range(0, len(text), size))
    ]


def in_duckdb(folder: Path, rows: Sequence[Row]) -> str:
    """Replaces the table that was; a manifest beside it stays."""
    with duckdb.connect(str(folder / "rag.duckdb")) as connection:
        connection.execute("CREATE OR REPLACE TABLE chunks (chunk_id text, text text, doc_id text, start int)")
        connection.execute("COMMENT ON TABLE chunks IS 'the shop''s chunks'")
        for row in rows:
            connection.execute("INSERT INTO chunks VALUES (?, ?, ?, ?)", list(row.values()))
    return f"duckdb:{folder / 'rag.duckdb'}#chunks"


def in_lancedb(folder: Path, rows: Sequence[Row]) -> str:
    """Replaces the table that was, as a careful job does: with the schema it had, and so with the manifest."""
    database = lancedb.connect(str(folder / "lance"))
    schema = pa.schema(
        [("chunk_id", pa.string()), ("text", pa.string()), ("doc_id", pa.string()), ("start", pa.int64())]
    )
    if (folder / "lance" / "chunks.lance").exists():
        schema = database.open_table("chunks").schema
    database.create_table("chunks", pa.Table.from_pylist(list(rows), schema=schema), mode="overwrite")
    return f"lancedb:{folder / 'lance'}#chunks"


Put = Callable[[Path, Sequence[Row]], str]


@pytest.fixture(params=[in_duckdb, in_lancedb], ids=["duckdb", "lancedb"])
def put(request: pytest.FixtureRequest) -> Put:
    chosen: Put = request.param
    return chosen


@pytest.fixture
def index(put: Put, store: Store, tmp_path: Path) -> str:
    """The address of an index that is what its manifest says."""
    address = put(tmp_path, cut(40))
    write_manifest(manifest("chunks", store=store), address)
    return address


def kinds(verdict: Verdict) -> list[Kind]:
    return [finding.kind for finding in verdict.refusals]


def deep(store: Store, index: str, sample: int | str = 200, **more: Any) -> Verdict:
    return verify("faq", index, deep=True, sample=sample, store=store, **more)


@pytest.mark.parametrize("sample", [1, 200, "all", "3"])
def test_an_index_that_is_what_it_says_passes(store: Store, index: str, sample: int | str) -> None:
    verdict = deep(store, index, sample)
    assert verdict.passed, verdict.text
    assert any(note.startswith("read back") for note in verdict.notes)
    assert verify("faq", index, store=store).notes == ()


def test_an_overwritten_table_that_keeps_its_manifest_is_found_out(
    put: Put, store: Store, index: str, tmp_path: Path
) -> None:
    put_chunking(store, "small", 25)
    put(tmp_path, cut(25))
    assert verify("faq", index, store=store).passed
    verdict = deep(store, index)
    assert {Kind.INDEX_COUNT, Kind.INDEX_TEXTS, Kind.INDEX_IDS} <= set(kinds(verdict))
    assert "of the strange chunks are those of chunking small" in verdict.text
    assert "which is not what its manifest says" in verdict.text.partition("\n")[0]


def test_a_new_chunk_size_that_was_never_ingested_is_found_out(store: Store, index: str) -> None:
    put_chunking(store, "small", 25)
    write_manifest(manifest("small", store=store), index)
    verdict = deep(store, index, 2)
    assert {Kind.INDEX_COUNT, Kind.INDEX_TEXTS} <= set(kinds(verdict))
    assert "of the strange chunks are those of chunking chunks" in verdict.text


def unknown_to_the_store(rows: Sequence[Row], **parameters: Any) -> Manifest:
    """As an indexing job makes it that knows no store."""
    chunks = [IndexedChunk(row["chunk_id"], row["doc_id"], row["text"], row["start"]) for row in rows]
    return build_manifest(TEXTS, chunks, chunking=ChunkingConfig(splitter="own", parameters=parameters))


def test_old_chunks_under_a_new_setting_are_too_long_for_it(store: Store, index: str) -> None:
    write_manifest(unknown_to_the_store(cut(25), chunk_size=25, unit="characters"), index)
    assert Kind.INDEX_LENGTHS in kinds(deep(store, index))
    said = unknown_to_the_store(cut(40), chunk_size=25)
    write_manifest(said, index)
    verdict = deep(store, index)
    assert verdict.passed
    assert any('put "unit"' in note for note in verdict.notes)


def test_of_a_chunking_that_the_store_does_not_know_the_digest_tells(store: Store, index: str) -> None:
    write_manifest(unknown_to_the_store(cut(40)), index)
    assert deep(store, index, "all").passed
    rows = cut(40)
    rows[0]["text"], rows[1]["text"] = TEXTS["a"][:39], TEXTS["a"][39:80]
    rows[1]["start"] = 39
    write_manifest(unknown_to_the_store(rows), index)
    assert kinds(deep(store, index, "all")) == [Kind.INDEX_DIGEST]


def test_documents_ingested_twice_are_found_out(put: Put, store: Store, index: str, tmp_path: Path) -> None:
    rows = cut(40)
    put(tmp_path, [*rows, *({**row, "chunk_id": f"{i:032x}"} for i, row in enumerate(rows))])
    for sample in (1, 3, "all"):
        verdict = deep(store, index, sample)
        assert "2 times as many, as after a second ingest" in verdict.text
    assert {Kind.INDEX_COUNT, Kind.INDEX_IDS, Kind.INDEX_DUPLICATES} == set(kinds(verdict))
    assert f"{len(rows)} chunks are there more often than they were cut" in verdict.text
    put(tmp_path, [*rows, *rows])
    assert kinds(deep(store, index, "all")) == [Kind.INDEX_COUNT, Kind.INDEX_DUPLICATES]


def test_a_second_ingest_is_found_without_knowing_the_chunking(
    put: Put, store: Store, index: str, tmp_path: Path
) -> None:
    rows = cut(40)
    put(tmp_path, [*rows, *({**row, "chunk_id": f"{i:032x}"} for i, row in enumerate(rows))])
    said = unknown_to_the_store(rows).model_copy(update={"chunks": 2 * len(rows)})
    write_manifest(said, index)
    assert Kind.INDEX_DUPLICATES in kinds(deep(store, index))


def test_ids_of_another_kind_are_said_and_are_no_duplicates(put: Put, store: Store, index: str, tmp_path: Path) -> None:
    put(tmp_path, [{**row, "chunk_id": f"{i:032x}"} for i, row in enumerate(cut(40))])
    for sample in (200, "all"):
        verdict = deep(store, index, sample)
        assert Kind.INDEX_DUPLICATES not in kinds(verdict)
    assert "None of the ids read back is known to chunking chunks" in verdict.text


@pytest.mark.parametrize("sample", [1, "all"])
def test_a_labelled_passage_that_is_not_in_the_index_is_named(
    put: Put, store: Store, index: str, tmp_path: Path, sample: int | str
) -> None:
    put(tmp_path, [row for row in cut(40) if row["chunk_id"] != "b0"])
    verdict = deep(store, index, sample)
    assert {Kind.UNCOVERED, Kind.INDEX_COUNT, Kind.INDEX_IDS} == set(kinds(verdict))
    assert "question q1, b 0..31: 'Shipping takes two working days'" in verdict.text


def test_without_the_chunking_coverage_takes_all_chunks(put: Put, store: Store, index: str, tmp_path: Path) -> None:
    rows = [row for row in cut(40) if row["chunk_id"] != "b0"]
    put(tmp_path, rows)
    write_manifest(unknown_to_the_store(rows), index)
    verdict = deep(store, index)
    assert verdict.passed
    assert any("--sample all" in note for note in verdict.notes)
    assert kinds(deep(store, index, "all")) == [Kind.UNCOVERED]


def test_a_passage_that_the_chunking_itself_leaves_out_is_no_finding_here(
    put: Put, store: Store, tmp_path: Path
) -> None:
    put_set(store, tmp_path, ask("q1", span("b", "An order by noon")), ask("q2", span("a", "thirty days")))
    address = put(tmp_path, cut(40))
    write_manifest(manifest("chunks", store=store), address)
    assert deep(store, address, "all").passed


def test_a_changed_text_is_shown_beside_what_the_document_says(
    put: Put, store: Store, index: str, tmp_path: Path
) -> None:
    rows = cut(40)
    rows[0]["text"] = rows[0]["text"].replace("thirty", "ninety")
    put(tmp_path, rows)
    verdict = deep(store, index)
    assert kinds(verdict) == [Kind.INDEX_TEXTS]
    assert "a0: 'Returns are accepted within ninety days'; a 0..40: 'Returns are accepted within thirty days'" in (
        verdict.text
    )


@pytest.mark.parametrize("sample", [1, 200, "all"])
def test_texts_that_are_null_are_found_out(
    put: Put, store: Store, index: str, tmp_path: Path, sample: int | str
) -> None:
    rows = cut(40)
    rows[0]["text"] = None
    put(tmp_path, rows)
    verdict = deep(store, index, sample)
    assert kinds(verdict) == [Kind.INDEX_TEXTS]
    assert "1 chunk has no text in the index:\n  a0" in verdict.text
    put(tmp_path, [{**row, "text": None} for row in cut(40)])
    assert kinds(deep(store, index, sample)) == [Kind.INDEX_TEXTS]


def test_a_chunk_under_another_document_is_found_out(put: Put, store: Store, index: str, tmp_path: Path) -> None:
    rows = cut(40)
    rows[0]["doc_id"] = "b"
    put(tmp_path, rows)
    verdict = deep(store, index)
    assert kinds(verdict) == [Kind.INDEX_DOCUMENTS]
    assert "a0 of a; the index says b" in verdict.text


def test_documents_under_other_names_and_offsets_in_other_units_are_notes(
    put: Put, store: Store, index: str, tmp_path: Path
) -> None:
    put(tmp_path, [{**row, "doc_id": f"/data/{row['doc_id']}.md", "start": row["start"] * 2} for row in cut(40)])
    verdict = deep(store, index, "all")
    assert verdict.passed
    assert any("names its documents otherwise" in note for note in verdict.notes)
    assert any("begin elsewhere in their documents" in note for note in verdict.notes)


def test_a_text_in_other_white_space_passes_and_is_counted(put: Put, store: Store, index: str, tmp_path: Path) -> None:
    rows = cut(40)
    rows[0]["text"] = "\n ".join(rows[0]["text"].split())
    put(tmp_path, rows)
    verdict = deep(store, index)
    assert verdict.passed
    assert any("1 reformatted" in note for note in verdict.notes)


def test_chunks_of_a_document_that_was_removed_are_found(put: Put, store: Store, index: str, tmp_path: Path) -> None:
    put(tmp_path, [*cut(40), {"chunk_id": "z0", "text": "Old news.", "doc_id": "z", "start": 0}])
    verdict = deep(store, index)
    assert {Kind.INDEX_COUNT, Kind.INDEX_IDS, Kind.INDEX_DOCUMENTS} == set(kinds(verdict))
    assert "z0 of z" in verdict.text


def test_long_and_strange_ids_are_cut_short_in_what_is_said(put: Put, store: Store, index: str, tmp_path: Path) -> None:
    odd = ["x" * 10_000, "a b", "😀", "line\nbreak", ""]
    put(tmp_path, [*cut(40), *({"chunk_id": one, "text": one or " ", "doc_id": "a", "start": None} for one in odd)])
    verdict = deep(store, index, "all")
    assert Kind.INDEX_IDS in kinds(verdict)
    assert "  a b\n" in verdict.text
    assert max(map(len, verdict.text.split("\n"))) < 400


def test_an_empty_index_is_no_index(put: Put, store: Store, index: str, tmp_path: Path) -> None:
    put(tmp_path, [])
    assert {Kind.INDEX_COUNT, Kind.INDEX_IDS, Kind.UNCOVERED} == set(kinds(deep(store, index)))


def test_an_override_lets_it_pass_and_is_recorded(put: Put, store: Store, index: str, tmp_path: Path) -> None:
    put(tmp_path, [*cut(40), *cut(40)])
    verdict = deep(store, index, override="the copies are harmless here")
    assert verdict.passed
    assert verdict.text.startswith("Overridden by")
    [record] = store.overrides(store.find_version("faq"))
    assert "second ingest" in record.refusal


def test_reading_back_writes_nothing(store: Store, index: str) -> None:
    folder = Path(index.partition(":")[2].partition("#")[0])
    files = [folder] if folder.is_file() else sorted(one for one in folder.rglob("*") if one.is_file())
    before = {one: one.read_bytes() for one in files}
    deep(store, index, "all")
    assert {one: one.read_bytes() for one in before} == before


def test_a_set_file_is_read_with_a_store_that_has_its_documents(
    store: Store, index: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "set.jsonl").write_text("\n".join(export_set("faq", store=store)), "utf-8")
    assert verify(tmp_path / "set.jsonl", index, deep=True, store=store).passed
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(CannotTell, match="--store"):
        verify(tmp_path / "set.jsonl", index, deep=True)


def test_a_manifest_alone_has_nothing_to_read_back(store: Store, tmp_path: Path) -> None:
    said = manifest("chunks", store=store)
    (tmp_path / "m.json").write_text(said.to_json())
    for one in (said, tmp_path / "m.json", str(tmp_path / "m.json")):
        with pytest.raises(CannotTell, match="Say where the index is"):
            verify("faq", one, deep=True, store=store)


@pytest.mark.parametrize("sample", [0, -1, "none", "", "1.5", "²"])
def test_a_sample_is_a_number_or_all(store: Store, index: str, sample: int | str) -> None:
    with pytest.raises(BadInput, match="--sample"):
        deep(store, index, sample)


def test_an_index_of_another_corpus_is_refused_for_that_and_its_count_is_checked(store: Store, index: str) -> None:
    said = manifest("chunks", store=store).model_copy(update={"corpus_digest": "f" * 32, "chunks": 7})
    write_manifest(said, index)
    verdict = deep(store, index)
    assert kinds(verdict) == [Kind.CORPUS, Kind.INDEX_COUNT]
    assert any("no text was checked" in note for note in verdict.notes)


def test_of_an_index_without_texts_the_ids_are_checked(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "storage"
    folder.mkdir()
    vectors = {row["chunk_id"]: [0.0] for row in cut(40)}
    (folder / "default__vector_store.json").write_text(json.dumps({"embedding_dict": vectors}))
    write_manifest(manifest("chunks", store=store), f"llamaindex:{folder}")
    verdict = deep(store, f"llamaindex:{folder}")
    assert verdict.passed
    assert any("keeps no text" in note for note in verdict.notes)
    vectors["z0"] = vectors.pop("b0")
    (folder / "default__vector_store.json").write_text(json.dumps({"embedding_dict": vectors}))
    write_manifest(manifest("chunks", store=store), f"llamaindex:{folder}")
    assert {Kind.INDEX_IDS, Kind.UNCOVERED} == set(kinds(deep(store, f"llamaindex:{folder}")))
