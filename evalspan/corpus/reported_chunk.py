"""A chunk with what its producer says of it, none of which is checked."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class ReportedChunk(NamedTuple):
    """As it came out of a splitter, a parser or a vector store."""

    chunk_id: str
    text: str
    doc_id: str | None = None
    start: int | None = None
    """As reported: the unit, and whether it counts from the document's start or a parent's, are unknown."""
    end: int | None = None
    """Behind the last one; a reader whose producer reports the last one itself has added 1."""
    unfound: bool = False
    """Whether the producer says that it did not find the text."""
    parent_id: str | None = None
    """The chunk that this one was cut from."""
    order: int | None = None
    """Its number among the chunks of its document, or of its parent."""
    after: str | None = None
    """The chunk before it, where its producer links them."""
    front: tuple[str, ...] = ()
    """Texts that its producer is known to put in front (headings, metadata); any of them may be there, or none."""
    named: bool = True
    """False where its producer gave it no id, and it was numbered: such a number says nothing of an order."""
    extra: Mapping[str, Any] = {}
    """What else it tells, as JSON values: headings, pages, overlaps."""
