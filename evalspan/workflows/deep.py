"""Reads chunks back out of an index and holds them against the snapshot, the chunking and the set's labels.

A manifest can lie: a table is overwritten and keeps its tag, a chunk size is changed and nothing is ingested anew.
"""

from collections.abc import Iterator
from itertools import islice

from evalspan.corpus import Manifest
from evalspan.errors import CannotTell
from evalspan.guard import Verdict
from evalspan.guard.cover import Cover, Passage, passages_of
from evalspan.guard.deep import DeepCheck, DeepFacts, judge_deep, named, quoted
from evalspan.guard.lengths import Lengths
from evalspan.indexes import Index, is_index, open_index, parse_address
from evalspan.labels import EvalSet
from evalspan.store import ChunkingRecord, SnapshotRecord, Store
from evalspan.workflows.deep_hold import Holder
from evalspan.workflows.deep_plan import make_plan, parse_sample
from evalspan.workflows.verify import Sample

BATCH = 500
"""Chunks held against their documents at a time."""


TABLES = frozenset({"duckdb", "postgres", "lancedb"})
"""Kinds of index whose texts are a column: NULL there is a loss. In others texts may well be kept elsewhere."""


def deep_check(
    store: Store, eval_set: EvalSet, manifest: Manifest, index: Index, sample: Sample, *, wants_texts: bool
) -> DeepCheck:
    """`sample`: so many of the chunks that the index should hold, drawn by chance and the same each time, and so many
    that it gives first; "all" reads all. Chunks that hold labelled passages are read in any case. `wants_texts`: that
    it keeps none is a finding.

    Raises CannotTell where the index gives no chunks back, or its documents are not in the store.
    """
    size = parse_sample(sample)
    snapshot, record = _snapshot(store, eval_set, manifest), _chunking(store, manifest)
    # Passages are ranges of the set's own corpus, and tell nothing of another one.
    known = eval_set.terms.snapshot_digest == manifest.corpus_digest
    cover = Cover(passages_of(eval_set) if known else [])
    plan = make_plan(store, record, index, cover, _labelled(eval_set), size)
    facts = DeepFacts(
        held=index.count(),
        whole=size is None,
        chunking=record.name if record else None,
        lengths=Lengths.of(manifest.chunking),
        texts=snapshot is not None,
        same_corpus=known,
        wants_texts=wants_texts,
        covers=record is not None or size is None,
    )
    holder = Holder(store, snapshot, plan, cover, facts)
    rows = plan.rows(index)
    while batch := list(islice(rows, BATCH)):
        holder.take(batch)
    if facts.whole and facts.read != facts.held:
        raise CannotTell(
            f"The index says that it holds {facts.held:,} chunks, and gives {facts.read:,}: it is being written, or "
            "its store is damaged. Try again when nothing writes it"
        )
    for chunk_id in plan.asked:
        if chunk_id not in holder.seen:
            facts.missing.add(named(chunk_id))
    if snapshot is not None:
        if facts.covers:
            for line in _uncovered(store, snapshot, cover, record is not None):
                facts.uncovered.add(line)
        facts.others = _other_chunkings(store, snapshot, record, holder.strange)
    if size is None and record is None:
        digest = holder.digest()
        facts.digest_holds = None if digest is None else digest == manifest.chunks_digest
    return judge_deep(facts, manifest)


def deepen(
    verdict: Verdict, store: Store, eval_set: EvalSet, manifest: Manifest, index: object, sample: Sample
) -> Verdict:
    """`verdict` with what reading the index back says. `index`: its address.

    Raises CannotTell where that is a manifest alone, or the path of one: it holds no chunks.
    """
    if not isinstance(index, str) or not is_index(index):
        raise CannotTell(
            "A manifest holds no chunks to read back. Say where the index is: --index chroma:PATH#COLLECTION"
        )
    with open_index(index) as opened_index:
        wants_texts = parse_address(index).kind in TABLES
        check = deep_check(store, eval_set, manifest, opened_index, sample, wants_texts=wants_texts)
    return verdict.deepened(check.findings, check.notes)


def _snapshot(store: Store, eval_set: EvalSet, manifest: Manifest) -> SnapshotRecord | None:
    """None where the index was built from another corpus than the set's, and the store does not know it."""
    found = store.snapshot_by_digest(manifest.corpus_digest)
    if found is None and eval_set.terms.snapshot_digest == manifest.corpus_digest:
        raise CannotTell(
            f"The documents of corpus {manifest.corpus_digest[:12]} are not in the store {store.address}, and the "
            "chunks of an index are held against them. Add them: evalspan snapshot add DOCUMENTS"
        )
    return found


def _chunking(store: Store, manifest: Manifest) -> ChunkingRecord | None:
    """The newest that is what the manifest says."""
    for record in reversed(store.chunkings()):
        if record.snapshot.digest == manifest.corpus_digest and record.digest == manifest.chunks_digest:
            ids = manifest.chunks_identity
            if ids is None or ids == record.identity:
                return record
    return None


def _labelled(eval_set: EvalSet) -> set[str]:
    """Chunk ids that relevant labels name."""
    questions = (question for question in eval_set.questions if not question.retired)
    return {label.chunk_id for question in questions for label in question.chunk_labels if label.grade > 0}


def _uncovered(store: Store, snapshot: SnapshotRecord, cover: Cover, cut: bool) -> Iterator[str]:
    for doc_id, text in store.texts(snapshot, cover.documents):
        for passage in cover.uncovered(doc_id, text, cut):
            yield _shown(passage, text)


def _shown(passage: Passage, text: str) -> str:
    first = passage.spans[0]
    where = f"{named(passage.doc_id)} {first.start}..{first.end}"
    return f"question {named(passage.query_id)}, {where}: {quoted(first.of(text))}"


def _other_chunkings(
    store: Store, snapshot: SnapshotRecord, record: ChunkingRecord | None, strange: dict[str, str]
) -> tuple[tuple[str, int], ...]:
    """Chunkings of the snapshot that hold the strange chunks, by id and text, and how many of them."""
    out = []
    for other in store.chunkings() if strange else ():
        if other.snapshot.digest != snapshot.digest or other == record:
            continue
        held = store.chunk_index(other, strange)
        count = sum(chunk.text_digest == strange[chunk_id] for chunk_id, chunk in held.items())
        if count:
            out.append((other.name, count))
    return tuple(sorted(out, key=lambda one: -one[1]))
