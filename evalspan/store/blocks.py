"""Parts of a chunking and of a mapping made ready to be written, without a connection, wherever the work is done."""

from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring
from typing import NamedTuple

from evalspan.corpus import Chunk, Placed, count_placed
from evalspan.mapping import Bucket, Outcome, Reason
from evalspan.store.codec import NOWHERE, chunks_body, outcome_body


class ChunkBlock(NamedTuple):
    """The chunks of one document."""

    doc_id: str
    ids: tuple[str, ...]
    placed: Placed
    body: bytes
    ranges: bytes
    """Their part of the array that `chunks_digest` is taken over."""
    named: bytes
    """The same with chunk ids."""


def chunk_block(doc_id: str, chunks: Sequence[Chunk]) -> ChunkBlock:
    """All chunks of one document, in their order. Raises ValueError where one belongs to another document."""
    if any(chunk.doc_id != doc_id for chunk in chunks):
        raise ValueError(f"a chunk of another document stands among those of {doc_id!r}")
    rows = sorted((*(chunk.span or NOWHERE), chunk.text_digest, chunk.chunk_id) for chunk in chunks)
    document = encode_basestring(doc_id)
    ranges, named = [], []
    for start, end, text, chunk_id in rows:
        item = f"[{document},{start},{end},{encode_basestring(text)}"
        ranges.append(f"{item}]")
        named.append(f"{item},{encode_basestring(chunk_id)}]")
    return ChunkBlock(
        doc_id,
        tuple(chunk.chunk_id for chunk in chunks),
        count_placed([chunk.match for chunk in chunks]),
        chunks_body(chunks),
        ",".join(ranges).encode("utf-8"),
        ",".join(named).encode("utf-8"),
    )


class OutcomeRow(NamedTuple):
    """One outcome."""

    query_id: str
    bucket: Bucket
    reason: Reason
    asks: bool
    body: str


def outcome_rows(outcomes: Iterable[Outcome]) -> list[OutcomeRow]:
    """In their order."""
    return [
        OutcomeRow(outcome.query_id, outcome.bucket, outcome.reason, outcome.asks, outcome_body(outcome))
        for outcome in outcomes
    ]
