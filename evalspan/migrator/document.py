"""The labels of one document, from old chunks by way of spans to new chunks."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from evalspan.anchoring import Match
from evalspan.corpus import RawChunk, place_chunks
from evalspan.labels import Question
from evalspan.mapping import Label, Outcome, Piece, lay_over, pieces_of
from evalspan.migrator.narrow import Narrowing, Scorer, narrow_labels
from evalspan.migrator.narrowed import narrowed_label, wide_label


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
    narrowings: list[Narrowing | None]
    """The same; None where nothing is known of where in the old chunk the evidence stands."""


def migrate_document(
    doc_id: str,
    text: str,
    old_chunks: Sequence[RawChunk],
    new_chunks: Sequence[RawChunk],
    labels: Sequence[OldLabel],
    min_overlap: float,
    questions: Mapping[str, Question] = MappingProxyType({}),
    scorer: Scorer | None = None,
) -> DocumentMigration:
    """A pure function of one document, so that documents can be done in any order and anywhere.

    `questions`: by query_id, for the labels to be narrowed by; labels without one are taken as they are. `scorer` ranks
    sentences beside the questions' words.
    """
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
    recut = sorted(match.places for match in old) != sorted(match.places for match in new)
    wide = [wide_label(span) if recut else None for span in spans]  # to the same cut, a label goes to its own chunk
    narrowings = narrow_labels(text, wide, questions, scorer)
    narrowed = [narrowed_label(span, narrowing) for span, narrowing in zip(spans, narrowings, strict=True)]
    return DocumentMigration(old, new, lay_over(doc_id, text, narrowed, pieces, min_overlap), narrowings)
