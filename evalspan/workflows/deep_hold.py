"""Holds chunks that were read back against the chunking they should be of, and against their documents."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from evalspan.anchoring import Match, Status
from evalspan.corpus import Chunk, chunks_digest
from evalspan.guard.cover import Cover
from evalspan.guard.deep import DeepFacts, Likeness, Place, compare, find_place, named, quoted
from evalspan.indexes import IndexChunk
from evalspan.spans import Span
from evalspan.store import SnapshotRecord, Store
from evalspan.workflows.deep_plan import Plan, digest_of


class ReadChunk(NamedTuple):
    """A chunk read back."""

    chunk_id: str
    text: str
    """Empty where the index keeps none."""
    digest: str
    doc_id: str | None
    start: int | None


class Holder:
    """Fills `facts` and `cover`. `snapshot` None: the documents are not at hand."""

    def __init__(
        self, store: Store, snapshot: SnapshotRecord | None, plan: Plan, cover: Cover, facts: DeepFacts
    ) -> None:
        self._store, self._snapshot = store, snapshot
        self._plan, self._cover, self.facts = plan, cover, facts
        self._documents = {one.doc_id for one in store.snapshot(snapshot).entries} if snapshot else set()
        self.seen: Counter[str] = Counter()
        """chunk_id → how often it was read."""
        self._texts: Counter[tuple[str | None, str]] = Counter()
        """How often a text was read, of a document where the chunking does not tell how often it should be there."""
        self.strange: dict[str, str] = {}
        """chunk_id → text digest, of chunks that are not the chunking's."""
        self._placed: list[Chunk] = []

    def take(self, batch: Sequence[IndexChunk]) -> None:
        """Chunks as they come out of the index."""
        homes: dict[str, list[ReadChunk]] = defaultdict(list)
        for chunk in batch:
            one = ReadChunk(chunk.chunk_id, chunk.text or "", digest_of(chunk.text), chunk.doc_id, chunk.start)
            known = self._plan.cut.get(one.chunk_id)
            self._count(one, known, chunk.text is not None)
            if known is not None:
                self._compare_place(one, known)
            if known is not None and (chunk.text is None or one.digest == known.text_digest):
                self._cover.add_held(known.doc_id, known.match.places)
            elif chunk.text is not None:
                self._find_home(one, known, homes)
        if self._snapshot is not None and homes:
            for doc_id, text in self._store.texts(self._snapshot, homes):
                for one in homes[doc_id]:
                    self._hold(one, doc_id, text)

    def digest(self) -> str | None:
        """Over all that was read; None where a chunk has no certain place."""
        return chunks_digest(self._placed) if len(self._placed) == self.facts.read else None

    def _count(self, one: ReadChunk, known: Chunk | None, has_text: bool) -> None:
        facts, plan = self.facts, self._plan
        facts.read += 1
        self.seen[one.chunk_id] += 1
        again = self.seen[one.chunk_id] > 1
        if one.digest in plan.copies:
            self._texts[None, one.digest] += 1
            again = again or self._texts[None, one.digest] > plan.copies[one.digest]
        if again:
            facts.repeated.add(_example(one))
        if known is None and facts.chunking is not None:
            facts.unknown.add(named(one.chunk_id))
            self.strange[one.chunk_id] = one.digest
        if not has_text:
            facts.textless.add(named(one.chunk_id))
            return
        facts.lengths.add(one.text)
        facts.exact += known is not None and one.digest == known.text_digest

    def _compare_place(self, one: ReadChunk, known: Chunk) -> None:
        """Where the index says that the chunk is, against the chunking."""
        if one.doc_id is not None:
            self.facts.same_names |= one.doc_id in self._documents
            if one.doc_id != known.doc_id:
                line = f"{named(one.chunk_id)} of {named(known.doc_id)}; the index says {named(one.doc_id)}"
                self.facts.displaced.add(line)
        if one.start is not None and known.span is not None and known.match.sure:
            self.facts.moved += one.start != known.span.start

    def _find_home(self, one: ReadChunk, known: Chunk | None, homes: dict[str, list[ReadChunk]]) -> None:
        doc_id = known.doc_id if known else one.doc_id
        if self._snapshot is None:
            return
        if doc_id is None:
            self.facts.unplaced += 1
        elif doc_id not in self._documents:
            self.facts.foreign.add(f"{named(one.chunk_id)} of {named(doc_id)}")
        else:
            homes[doc_id].append(one)

    def _hold(self, one: ReadChunk, doc_id: str, text: str) -> None:
        """Against its document: its text is not what the chunking says, or no chunking is known."""
        known = self._plan.cut.get(one.chunk_id)
        place = find_place(one.text, text, one.start) if known is None else _place_of(known, one.text, text)
        if place.likeness is Likeness.OTHER:
            self.facts.other.add(_otherwise(one, doc_id, text, known))
            self.strange.setdefault(one.chunk_id, one.digest)
            return
        self.facts.exact += place.likeness is Likeness.EXACT
        self.facts.reformatted += place.likeness is Likeness.REFORMATTED
        self._cover.add_held(doc_id, place.spans)
        if self.facts.chunking is None:
            self._count_copies(one, doc_id, text)
            if place.sure and len(place.spans) == 1:
                self._placed.append(_as_chunk(one, doc_id, place.spans[0]))

    def _count_copies(self, one: ReadChunk, doc_id: str, text: str) -> None:
        """More chunks of one text than its document has places for them, each under an id of its own."""
        self._texts[doc_id, one.digest] += 1
        if self._texts[doc_id, one.digest] > max(1, text.count(one.text)) and self.seen[one.chunk_id] == 1:
            self.facts.repeated.add(_example(one))


def _place_of(known: Chunk, own: str, text: str) -> Place:
    """Of a chunk whose text is not the chunking's: at the chunking's range it may be another reading of the same."""
    if known.span is None:
        return Place(Likeness.OTHER, (), False)
    return Place(compare(own, known.span.of(text)), (known.span,), True)


def _otherwise(one: ReadChunk, doc_id: str, text: str, known: Chunk | None) -> str:
    if known is None or known.span is None:
        return f"{named(one.chunk_id)} (of {named(doc_id)}): {quoted(one.text)}"
    where = f"{named(doc_id)} {known.span.start}..{known.span.end}"
    return f"{named(one.chunk_id)}: {quoted(one.text)}; {where}: {quoted(known.span.of(text))}"


def _example(one: ReadChunk) -> str:
    return f"{named(one.chunk_id)}: {quoted(one.text)}" if one.text else named(one.chunk_id)


def _as_chunk(one: ReadChunk, doc_id: str, span: Span) -> Chunk:
    return Chunk(one.chunk_id, doc_id, Match(span, Status.EXACT, True), one.digest)
