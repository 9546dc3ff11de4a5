"""A store with two documents, a chunking of them, and sets whose spans a test writes down."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalspan.anchoring import Match, Status
from evalspan.corpus import Chunk, ChunkingConfig, Document
from evalspan.digests import text_digest
from evalspan.provenance import Provenance
from evalspan.spans import Span
from evalspan.store import Store, create_store
from evalspan.workflows.import_spans import import_spans
from evalspan.workflows.migrate_set import migrate_set

from .helpers import write_rows

TABLE = "| Spain | 14 | free |\n| Italy | 14 | €3.90 |"
TEXTS = {
    "a": f"Returns are accepted within thirty days of delivery.\n\n{TABLE}\n\nAsk us first whether the shop takes it.",
    "b": "Shipping takes two working days. An order by noon leaves the same day.",
}


@contextmanager
def small_store(folder: Path) -> Iterator[Store]:
    """With the snapshot v1 and its chunking "chunks", of 40 code points each."""
    address = str(folder / "evalspan.db")
    create_store(address)
    with Store.open(address) as store:
        with store.writing() as tx:
            documents = [Document(doc_id, text) for doc_id, text in TEXTS.items()]
            tx.put_snapshot(documents, "v1", None, Provenance.now())
        put_chunking(store, "chunks", 40)
        yield store


def put_chunking(store: Store, name: str, size: int) -> None:
    """Chunks of so many code points, named a0, a1, …, b0, …"""
    with store.writing() as tx:
        config = ChunkingConfig(splitter="plain", parameters={"size": size})
        writer = tx.add_chunking(name, store.find_snapshot("v1"), config, Provenance.now())
        for doc_id, text in TEXTS.items():
            places = [Span(at, min(at + size, len(text))) for at in range(0, len(text), size)]
            writer.add(doc_id, [_chunk(f"{doc_id}{i}", doc_id, place, text) for i, place in enumerate(places)])
        writer.finish()


def _chunk(chunk_id: str, doc_id: str, place: Span, text: str) -> Chunk:
    found = Match(place, Status.EXACT, True, True, 1.0, 1.0, (place,))
    return Chunk(chunk_id, doc_id, found, text_digest(place.of(text)))


def span(doc_id: str, words: str, **said: Any) -> dict[str, Any]:
    at = TEXTS[doc_id].index(words)
    return {"doc_id": doc_id, "start": at, "end": at + len(words), "quote": words, **said}


def ask(query_id: str, *spans: dict[str, Any], **said: Any) -> dict[str, Any]:
    return {"query_id": query_id, "text": "?", "spans": list(spans), **said}


def put_set(store: Store, folder: Path, *questions: dict[str, Any], **terms: Any) -> None:
    """As faq, mapped on the chunking."""
    import_spans("faq", write_rows(folder / "faq.jsonl", questions), store=store, **terms)
    migrate_set("faq", "chunks", store=store)
