"""What several tests of the store do: small values, raw SQL past the store, other processes."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import text

from evalspan.anchoring import Match, Status, make_anchor
from evalspan.corpus import Chunk, ChunkingConfig, Document
from evalspan.digests import text_digest
from evalspan.labels import JudgedQuestion, Judgment, Question, SetTerms
from evalspan.mapping import Bucket, Cover, Fit, Outcome, Place, Reason
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, MappingRecord, SnapshotRecord, Store, VersionRecord, parse_address
from evalspan.store.engine import make_engine, writing

from .strategies import BY

in_one_store = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
"""Examples of a property go into one store: rows are only appended, so an earlier example can't spoil a later one."""

TEXTS = {"a.md": "Returns are free within 30 days.", "b.md": "Shipping takes two days.\n", "é.md": "Größe 𝒳"}


def documents(**changed: str) -> list[Document]:
    return [Document(doc_id, text) for doc_id, text in (TEXTS | changed).items()]


def put_snapshot(store: Store, name: str | None = None, **changed: str) -> SnapshotRecord:
    with store.writing() as tx:
        return tx.put_snapshot(documents(**changed), name, None, BY)


def whole(doc_id: str, size: int) -> Chunk:
    """The document as one chunk."""
    span = Span(0, size)
    return Chunk(f"{doc_id}#0", doc_id, Match(span, Status.EXACT, True, pieces=(span,)), text_digest(doc_id))


def put_chunking(store: Store, name: str, snapshot: SnapshotRecord) -> ChunkingRecord:
    with store.writing() as tx:
        writer = tx.add_chunking(name, snapshot, ChunkingConfig(splitter="whole"), BY)
        for doc_id, body in sorted(TEXTS.items()):
            writer.add(doc_id, [whole(doc_id, len(body))])
        return writer.finish()


def question(query_id: str = "q1", words: str = "free", doc_id: str = "a.md") -> JudgedQuestion:
    body = TEXTS[doc_id]
    span = Span(body.index(words), body.index(words) + len(words))
    judgment = Judgment(doc_id=doc_id, start=span.start, end=span.end, grade=1, anchor=make_anchor(body, span))
    return JudgedQuestion(question=Question(query_id=query_id, text="How?"), judgments=(judgment,))


def put_version(
    store: Store, name: str, parent: int | None, snapshot: SnapshotRecord, *questions: JudgedQuestion
) -> VersionRecord:
    terms = SetTerms(snapshot_digest=snapshot.digest)
    with store.writing() as tx:
        return tx.add_version(name, parent, terms, [one.body() for one in questions or [question()]], BY)


def outcome(query_id: str = "q1", bucket: Bucket = Bucket.CLEAN, reason: Reason = Reason.WHOLE) -> Outcome:
    span = Span(12, 16)
    match = Match(span, Status.EXACT, True, score=1.0, coverage=1.0, pieces=(span,))
    cover = Cover("a.md#0", 1.0, 0.125)
    return Outcome(
        query_id, None, 1, Place.CERTAIN, Fit.WHOLE, bucket, reason, "a.md", match, False, 0.5, (cover,), 1.0
    )


def put_mapping(store: Store, version: VersionRecord, chunking: ChunkingRecord, *outcomes: Outcome) -> MappingRecord:
    with store.writing() as tx:
        writer = tx.add_mapping(version, chunking, None, 0.5, BY)
        writer.add(outcomes)
        return writer.finish()


def fill(store: Store) -> tuple[SnapshotRecord, ChunkingRecord, VersionRecord, MappingRecord]:
    """One of everything."""
    snapshot = put_snapshot(store, "first")
    chunking = put_chunking(store, "whole", snapshot)
    version = put_version(store, "faq", None, snapshot)
    return snapshot, chunking, version, put_mapping(store, version, chunking, outcome())


def execute(address: str, *statements: str) -> None:
    """SQL past the store, committed."""
    engine = make_engine(parse_address(address))
    try:
        with writing(engine) as connection:
            for statement in statements:
                connection.execute(text(statement.replace(":", r"\:")))
    finally:
        engine.dispose()


def query(address: str, statement: str) -> list[tuple[Any, ...]]:
    engine = make_engine(parse_address(address))
    try:
        with engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(statement))]
    finally:
        engine.dispose()


def contents(folder: Path) -> dict[str, str]:
    """Every file's name and digest: what a refusal must leave as it is."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
    }


def start(script: str, *arguments: str) -> "subprocess.Popen[str]":
    """Python in another process."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(*processes: "subprocess.Popen[str]") -> list[str]:
    """What they printed. Fails if one of them did."""
    said = [process.communicate(timeout=120) for process in processes]
    for process, (_, err) in zip(processes, said, strict=True):
        assert process.returncode == 0, err
    return [out.strip() for out, _ in said]


@contextmanager
def without_rights() -> Iterator[None]:
    """Root may write anywhere, so it becomes nobody for a while."""
    if os.name != "posix":
        pytest.skip("file modes are those of POSIX here")
    if os.geteuid() != 0:
        yield
        return
    nobody = 65534
    os.seteuid(nobody)
    try:
        yield
    finally:
        os.seteuid(0)
