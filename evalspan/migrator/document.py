"""The labels of one document, from old chunks by way of spans to new chunks."""

from collections.abc import Sequence
from typing import NamedTuple

from evalspan.anchoring import Match
from evalspan.corpus import RawChunk, place_chunks
from evalspan.mapping import Label, Outcome, Piece, lay_over, pieces_of


class OldLabel(NamedTuple):
    """A label that names an old chunk of this document."""

    query_id: str
    chunk_id: str
    grade: int


class DocumentMigration(NamedTuple):
    """What became of one document's labels."""

    old: list[Match]
    """The places of the old chunks, in the order given."""
    new: list[Match]
    outcomes: list[Outcome]
    """One per label, in the order given."""


def migrate_document(
    doc_id: str,
    text: str,
    old_chunks: Sequence[RawChunk],
    new_chunks: Sequence[RawChunk],
    labels: Sequence[OldLabel],
    min_overlap: float,
) -> DocumentMigration:
    """A pure function of one document, so that documents can be done in any order and anywhere."""
    old = place_chunks(old_chunks, text)
    new = place_chunks(new_chunks, text)
    places = {chunk.chunk_id: match for chunk, match in zip(old_chunks, old, strict=True)}
    pieces: list[Piece] = []
    for chunk, match in zip(new_chunks, new, strict=True):
        if match.sure and match.same and len(match.pieces) == 1:  # the usual case, kept short
            pieces.append(Piece(*match.pieces[0], chunk.chunk_id, True))
        else:
            pieces += pieces_of(chunk.chunk_id, match)
    spans = [
        Label(label.query_id, label.grade, places[label.chunk_id], label.chunk_id, coarse=True) for label in labels
    ]
    return DocumentMigration(old, new, lay_over(doc_id, text, spans, pieces, min_overlap))
