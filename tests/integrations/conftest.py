"""A set in each of its forms, the index that it belongs to, and others that it does not."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from small_sets import (
    ASKED,
    CARD,
    FINE,
    HOURS,
    INTRO,
    LENDING,
    LOAN,
    OTHER,
    OUTRO,
    judgment,
    put_chunking,
    put_set,
    put_snapshot,
    question,
)

from evalspan.labels import JudgedQuestion
from evalspan.store import Store, create_store
from evalspan.workflows.manifests import manifest
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.sets import export_set, write_lines

CHUNKS = {"lending": (INTRO.strip(), f"{LOAN} {FINE}", CARD, f"{HOURS}{OUTRO}"), "other": (OTHER,)}
"""Their ids: big-1, …, big-5."""

SMALL = {"lending": (LOAN, FINE[:24], FINE[24:48], FINE[48:], CARD, HOURS)}
"""The fine is cut in three: no chunk holds half of it."""

QUESTIONS = (
    question(judgment("lending", LENDING, LOAN), query_id="loan", text=ASKED),
    question(judgment("lending", LENDING, FINE), query_id="fine", text="What if I am late?", answers=["30 pence"]),
    question(judgment("lending", LENDING, HOURS, grade=0), query_id="unsaid", text="?"),
    question(judgment("lending", LENDING, CARD), query_id="retired", text="??", retired=True),
    question(query_id="bikes", text="May I borrow a bicycle?", no_answer=True),
)


def fill(folder: Path) -> None:
    """evalspan.db: the snapshots now and later, the set faq mapped on big, on small (where a question waits), and not
    on later; their manifests as NAME.json; the set as faq.jsonl, and the documents and chunks of big as files."""
    address = str(folder / "evalspan.db")
    create_store(address)
    documents = {"lending": LENDING, "other": OTHER}
    with Store.open(address) as store:
        now = put_snapshot(store, "now", documents)
        later = put_snapshot(store, "later", {**documents, "lending": LENDING.replace("21 days", "28 days")})
        put_chunking(store, "big", now, CHUNKS)
        put_chunking(store, "small", now, SMALL)
        put_chunking(store, "later", later, {"other": (OTHER,)})
        put_chunking(store, "unmapped", now, {"other": (OTHER,)})
        put_set(store, now, *QUESTIONS)
        for name in ("small", "big"):
            migrate_set("faq", name, store=store)
        for name in ("big", "small", "later", "unmapped"):
            (folder / f"{name}.json").write_text(manifest(name, store=store).to_json())
        put_set(store, now, *(one for one in QUESTIONS if one.retired), name="empty")
        write_lines(export_set("faq", store=store), folder / "faq.jsonl")
        write_lines(export_set("empty", store=store), folder / "empty.jsonl")
    write_documents(folder, documents)


def write_documents(folder: Path, documents: dict[str, str]) -> None:
    rows = [{"doc_id": doc_id, "text": text} for doc_id, text in documents.items()]
    (folder / "documents.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, cut in (("big", CHUNKS), ("small", SMALL)):
        chunks = [(doc_id, text) for doc_id, texts in cut.items() for text in texts]
        rows = [
            {"chunk_id": f"{name}-{i}", "doc_id": doc_id, "text": text} for i, (doc_id, text) in enumerate(chunks, 1)
        ]
        (folder / f"{name}-chunks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture(scope="session")
def _library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    fill(folder)
    return folder


@pytest.fixture
def library(_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, filled as `fill` says."""
    folder = tmp_path / "library"
    shutil.copytree(_library, folder)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("EVALSPAN_STORE", raising=False)
    return folder


def with_questions(*questions: JudgedQuestion, name: str = "more", **terms: Any) -> None:
    """A set of these in the store here."""
    with Store.open("evalspan.db") as store:
        put_set(store, store.find_snapshot("now"), *questions, name=name, **terms)


@pytest.fixture
def project(library: Path) -> Path:
    """`library`, with the names that the pages use: a set in the store and as a file, which belongs to index.json."""
    with Store.open("evalspan.db") as store:
        put_set(store, store.find_snapshot("now"), *QUESTIONS, name="support-faq")
        migrate_set("support-faq", "big", store=store)
    (library / "index.json").write_text((library / "big.json").read_text())
    (library / "evals").mkdir()
    (library / "evals" / "support-faq.jsonl").write_text((library / "faq.jsonl").read_text())
    return library
