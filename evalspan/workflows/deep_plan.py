"""What to read back out of an index, and what of its chunking must be known to judge that."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import islice

from evalspan.corpus import Chunk
from evalspan.digests import text_digest
from evalspan.errors import BadInput, Problem
from evalspan.guard.cover import Cover
from evalspan.indexes import Index, IndexChunk
from evalspan.store import ChunkingRecord, Store


@dataclass(slots=True)
class Plan:
    """`sample` None: everything is read."""

    sample: int | None
    first: list[IndexChunk]
    """The chunks that the index gives first: among them are those that no chunking knows."""
    asked: list[str] = field(default_factory=list)
    """Ids that the index is asked for; it should hold them."""
    cut: dict[str, Chunk] = field(default_factory=dict)
    """Chunks of the chunking that may be met, by id."""
    copies: Counter[str] = field(default_factory=Counter)
    """Text digest → how many chunks of the chunking have that text, of texts that may be met."""

    def rows(self, index: Index) -> Iterator[IndexChunk]:
        """Each chunk once, however it was come by; one that the index holds twice comes twice."""
        if self.sample is None:
            yield from index.chunks()
            return
        again = set(self.asked)
        yield from (chunk for chunk in self.first if chunk.chunk_id not in again)
        if self.asked:
            yield from index.chunks(self.asked)


def make_plan(
    store: Store, record: ChunkingRecord | None, index: Index, cover: Cover, labelled: set[str], sample: int | None
) -> Plan:
    """`record`: the chunking that the manifest names; `labelled`: chunk ids that labels of the set name.

    The chunking is told to `cover` on the way.
    """
    first = [] if sample is None else list(islice(index.chunks(), sample))
    plan = Plan(sample, first, sorted(labelled))
    if record is None:
        return plan
    named = {chunk.chunk_id for chunk in first} | labelled
    texts = {digest for chunk in first if (digest := digest_of(chunk.text))}
    asked = set(labelled)
    rest: list[Chunk] = []
    for _, chunks in store.chunks(record):
        for chunk in chunks:
            evidence = cover.add_cut(chunk)
            like_one = chunk.text_digest in texts
            if sample is None or like_one:
                plan.copies[chunk.text_digest] += 1
            if evidence or like_one:
                asked.add(chunk.chunk_id)
            if sample is None or evidence or like_one or chunk.chunk_id in named:
                plan.cut[chunk.chunk_id] = chunk
            else:
                rest.append(chunk)
        if sample is not None and len(rest) > 2 * sample:
            rest = nsmallest(sample, rest, key=_draw)
    drawn = nsmallest(sample or 0, rest, key=_draw)
    plan.cut.update((chunk.chunk_id, chunk) for chunk in drawn)
    plan.asked = sorted(asked.union(plan.cut if sample is None else (chunk.chunk_id for chunk in drawn)))
    return plan


def _draw(chunk: Chunk) -> str:
    """By chance, and the same each time."""
    return text_digest(chunk.chunk_id)


def digest_of(text: str | None) -> str:
    """Empty where there is no text, or one that no document can hold."""
    if text is None:
        return ""
    try:
        return text_digest(text)
    except UnicodeEncodeError:  # half a surrogate pair
        return ""


def parse_sample(sample: int | str) -> int | None:
    """None for all. Raises BadInput on what is neither a number from 1 nor "all"."""
    if sample == "all":
        return None
    if isinstance(sample, str) and sample.isascii() and sample.isdigit():
        sample = int(sample)
    if isinstance(sample, str) or sample < 1:
        raise BadInput([Problem("--sample", None, f"{sample!r} is neither a number from 1 nor all")])
    return sample
