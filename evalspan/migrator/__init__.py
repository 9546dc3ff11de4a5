"""Old chunk ids become spans, and spans find their new chunks."""

from evalspan.migrator.document import DocumentMigration, OldLabel, migrate_document
from evalspan.migrator.findings import Cuts, Cutting, DocumentCuts, document_cuts, summarise_cuts
from evalspan.migrator.queue import QueueItem, queue_item
from evalspan.migrator.rebuild import chunk_judgment, rebuild

__all__ = [
    "Cuts",
    "Cutting",
    "DocumentCuts",
    "DocumentMigration",
    "OldLabel",
    "QueueItem",
    "chunk_judgment",
    "document_cuts",
    "migrate_document",
    "queue_item",
    "rebuild",
    "summarise_cuts",
]
