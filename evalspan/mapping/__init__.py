"""Judgments over chunks: coverage, outcomes, and the qrels that follow."""

from evalspan.mapping.evidence import Evidence
from evalspan.mapping.outcome import Bucket, Cover, Fit, Outcome, Place, Reason, Tally, tally
from evalspan.mapping.overlay import Label, Piece, lay_over, pieces_of
from evalspan.mapping.qrels import Carried, Qrel, Qrels, QrelsBuilder, WaitingLabel, carried, derive_qrels, lost_labels

__all__ = [
    "Bucket",
    "Carried",
    "Cover",
    "Evidence",
    "Fit",
    "Label",
    "Outcome",
    "Piece",
    "Place",
    "Qrel",
    "Qrels",
    "QrelsBuilder",
    "Reason",
    "Tally",
    "WaitingLabel",
    "carried",
    "derive_qrels",
    "lay_over",
    "lost_labels",
    "pieces_of",
    "tally",
]
