"""Old chunk ids become spans, and spans find their new chunks."""

from evalspan.migrator.document import DocumentMigration, OldLabel, migrate_document
from evalspan.migrator.findings import Cuts, Cutting, DocumentCuts, document_cuts, summarise_cuts
from evalspan.migrator.narrow import Certainty, How, Narrowing, Scorer, WideLabel, narrow_labels
from evalspan.migrator.narrowed import narrowed, narrowed_label, wide_label
from evalspan.migrator.queue import ProposedNarrowing, QueueItem, proposed_narrowing, queue_item
from evalspan.migrator.rebuild import chunk_judgment, label_judgments

__all__ = [
    "Certainty",
    "Cuts",
    "Cutting",
    "DocumentCuts",
    "DocumentMigration",
    "How",
    "Narrowing",
    "OldLabel",
    "ProposedNarrowing",
    "QueueItem",
    "Scorer",
    "WideLabel",
    "chunk_judgment",
    "document_cuts",
    "label_judgments",
    "migrate_document",
    "narrow_labels",
    "narrowed",
    "narrowed_label",
    "proposed_narrowing",
    "queue_item",
    "summarise_cuts",
    "wide_label",
]
