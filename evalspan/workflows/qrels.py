"""The relevant chunks of an index, for a harness."""

from evalspan.errors import NotFound
from evalspan.mapping import Qrels, derive_qrels, lost_labels
from evalspan.store import MappingRecord, Store
from evalspan.workflows.stores import StoreOrAddress, opened


def qrels(eval_set: str, chunking: str, *, store: StoreOrAddress = None) -> Qrels:
    """Of the set's newest mapping on this chunking. Questions with a label that waits are left out, and named in
    `waiting`.

    Raises NotFound where the set was never migrated to it.
    """
    with opened(store) as opened_store:
        mapping = find_mapping(opened_store, eval_set, chunking)
        version = mapping.version
        lost = lost_labels(opened_store.eval_set(version).questions) if version.pending else ()
        return derive_qrels(opened_store.outcomes(mapping), mapping.min_overlap, lost)


def find_mapping(store: Store, eval_set: str, chunking: str) -> MappingRecord:
    """The set's newest mapping on this chunking. Raises NotFound."""
    version = store.find_version(eval_set)
    cut = store.find_chunking(chunking)
    mapping = store.newest_mapping(version, cut)
    if mapping is None:
        there = [f"{record.version.label} on {record.chunking.name}" for record in store.mappings()]
        hint = f"Map it: evalspan migrate {version.name} --to {cut.name}"
        raise NotFound("mapping", f"{version.label} on {cut.name}", there, hint)
    return mapping
