"""What chunks reported of themselves, shown."""

from typing import Any

from evalspan.cli.page import line, plural
from evalspan.corpus.reported import ChunkFacts
from evalspan.workflows.chunkings import AddedReported


def show_reported(found: AddedReported) -> None:
    """The summary, a sentence a line."""
    how = f" (guessed: they have {found.guessed})" if found.guessed else ""
    line(f"  reported  by {found.producer}{how}")
    for sentence in found.summary.sentences():
        line(f"    {sentence}")
    if found.numbered:
        line(
            f"    {plural(found.numbered, 'chunk')} came without an id, and was numbered within its document", "yellow"
        )


def reported_row(found: AddedReported) -> dict[str, Any]:
    """The same for --json."""
    row: dict[str, Any] = {
        "producer": found.producer,
        "guessed": found.guessed,
        "numbered": found.numbered,
        "reported": found.summary.as_json(),
    }
    if found.facts:
        row["facts"] = [fact_row(one, doc_id) for doc_id, facts in found.facts.items() for one in facts]
    return row


def fact_row(one: ChunkFacts, doc_id: str) -> dict[str, Any]:
    """A chunk's facts; `start` and `end` are null where its place is not certain."""
    chunk, match = one.chunk, one.match
    start, end = match.span if match.sure and match.span else (None, None)
    return {
        "chunk_id": chunk.chunk_id,
        "doc_id": doc_id,
        "start": start,
        "end": end,
        "reported_start": chunk.start,
        "reported_end": chunk.end,
        "offset": one.offset.value,
        "unit": None if one.unit is None else one.unit.value,
        "off_by": one.off_by,
        "slice_equal": one.slice_equal,
        "occurrences": one.occurrences,
        "wording": one.wording.value,
        "front": one.front,
        "behind": one.behind,
        "status": match.status.value,
        "reason": match.reason,
        "extra": dict(chunk.extra),
    }
