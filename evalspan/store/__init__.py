"""What is kept: texts once, snapshots, chunkings, eval sets and their versions, mappings. Append only."""

from evalspan.store.address import DEFAULT_ADDRESS, Address, parse_address
from evalspan.store.blocks import ChunkBlock, OutcomeRow, chunk_block, outcome_rows
from evalspan.store.chunking_writer import ChunkingWriter
from evalspan.store.mappings import MappingWriter
from evalspan.store.records import (
    BridgeRecord,
    ChunkingRecord,
    DecisionRecord,
    MappingRecord,
    OverrideRecord,
    ScoreRecord,
    SnapshotRecord,
    StoreInfo,
    VersionRecord,
)
from evalspan.store.snapshot_writer import SnapshotWriter
from evalspan.store.store import Store
from evalspan.store.transaction import Transaction
from evalspan.store.upgrade import create_store, upgrade_store

__all__ = [
    "DEFAULT_ADDRESS",
    "Address",
    "BridgeRecord",
    "ChunkBlock",
    "ChunkingRecord",
    "ChunkingWriter",
    "DecisionRecord",
    "MappingRecord",
    "MappingWriter",
    "OutcomeRow",
    "OverrideRecord",
    "ScoreRecord",
    "SnapshotRecord",
    "SnapshotWriter",
    "Store",
    "StoreInfo",
    "Transaction",
    "VersionRecord",
    "chunk_block",
    "create_store",
    "outcome_rows",
    "parse_address",
    "upgrade_store",
]
