"""`evalspan verify --deep`: chunks read back out of the index."""

from pathlib import Path

import duckdb
import pytest

from .helpers import SAMPLE, fine, refused, run


@pytest.fixture
def index(shop: Path) -> str:
    """Of the chunking old, with its manifest."""
    fill(shop, "chunks-old.jsonl")
    fine("manifest", "write", "old", "--index", "duckdb:rag.duckdb#docs")
    return "duckdb:rag.duckdb#docs"


def fill(folder: Path, chunks: str) -> None:
    with duckdb.connect(str(folder / "rag.duckdb")) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS docs (chunk_id text, doc_id text, text text)")
        connection.execute("DELETE FROM docs")
        connection.execute(f"INSERT INTO docs SELECT chunk_id, doc_id, text FROM read_json('{SAMPLE / chunks}')")


@pytest.mark.parametrize("sample", [(), ("--sample", 3), ("--sample", "all")])
def test_an_index_that_is_what_it_says_passes(index: str, sample: tuple[object, ...]) -> None:
    ran = fine("verify", "shop", "--index", index, "--deep", *sample)
    assert ran.out.startswith("Passed: shop@1 belongs to this index.\n")
    assert "read back" in ran.out


def test_a_table_that_was_filled_otherwise_is_refused_and_says_whose_chunks_it_holds(shop: Path, index: str) -> None:
    fill(shop, "chunks-new.jsonl")
    fine("verify", "shop", "--index", index)
    ran = run("verify", "shop", "--index", index, "--deep")
    assert ran.code == 1
    assert "are those of chunking new" in ran.out
    row = run("verify", "shop", "--index", index, "--deep", "--json").json
    assert {"index_count", "index_ids"} <= {one["kind"] for one in row["refusals"]}
    assert fine("verify", "shop", "--index", index, "--deep", "--override", "a dry run").out.startswith("Overridden")


def test_a_manifest_file_has_nothing_to_read_back(shop: Path) -> None:  # noqa: ARG001 — the working folder
    assert "Say where the index is" in refused("verify", "shop", "--index", "old.json", "--deep")


def test_sample_is_of_deep(index: str) -> None:
    assert "add --deep" in refused("verify", "shop", "--index", index, "--sample", 3)
    assert "'x' is neither a number from 1 nor all" in refused(
        "verify", "shop", "--index", index, "--deep", "--sample", "x"
    )
