"""Random documents are edited, cut anew and rebased through generations: a label may wait, but it is never surely
elsewhere than its answer.
"""

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_sets import judgment, put_set, put_snapshot, question, row

from evalspan.anchoring import Match, Status
from evalspan.corpus import Chunk, ChunkingConfig
from evalspan.digests import text_digest
from evalspan.formats.decisions import DecisionRow
from evalspan.labels import ChunkLabel, JudgedQuestion, Judgment
from evalspan.labels.stands import stands
from evalspan.migrator.review import ReviewItem
from evalspan.provenance import Provenance
from evalspan.spans import Span
from evalspan.store import ChunkingRecord, SnapshotRecord, Store, create_store
from evalspan.workflows.deciding import decide
from evalspan.workflows.migrate_set import migrate_set
from evalspan.workflows.qrels import qrels
from evalspan.workflows.rebase import rebase
from evalspan.workflows.rebase_moves import Renamed
from evalspan.workflows.review import apply_decisions, review_queue

GENERATIONS = 5

BY = Provenance(by="a tester", at="2026-03-01T09:30:00Z")

_WHO = ["miller", "baker", "smith", "weaver", "tanner", "cooper", "mason", "potter", "dyer", "fuller"]
_DID = ["sold", "lent", "gave", "sent", "owed", "promised", "brought", "returned"]
_WHAT = ["sacks of barley", "rolls of linen", "barrels of cider", "loads of timber", "baskets of eels", "jars of honey"]
_WHERE = ["Ashford", "Brindle", "Cawdor", "Dunmore", "Elsford", "Fenwick", "Garston", "Halewood"]
_WHEN = [
    "after the long winter",
    "before the harvest",
    "during the fair",
    "when the bridge was closed",
    "in the dry summer",
]
REFRAIN = "The clerk wrote this down and signed it in the presence of two witnesses."
"""Stands in many paragraphs."""

KINDS = [
    *("put in", "put in", "take out", "move", "write anew", "reword", "figure"),
    *("drop sentence", "swap", "delete", "rename"),
]
"""What people do to documents; most of it to one paragraph."""


@dataclass
class Sentence:
    """Known by itself, whatever becomes of its words."""

    words: str
    meaning: int = 0
    """Counts how often its figures changed."""


@dataclass
class Paragraph:
    sentences: list[Sentence]

    @property
    def text(self) -> str:
        return " ".join(sentence.words for sentence in self.sentences)


@dataclass
class Answer:
    """What a question's label is of."""

    sentence: Sentence
    meaning: int = 0
    """Of the sentence when a person last looked."""
    retired: bool = False


@dataclass
class World:
    """A corpus that people edit."""

    chance: random.Random
    documents: dict[str, list[Paragraph]] = field(default_factory=dict)
    touched: set[int] = field(default_factory=set)
    """ids of paragraphs that were edited, put in or moved, or whose neighbour was, since the last generation."""
    made: int = 0

    def sentence(self) -> Sentence:
        pick, self.made = self.chance.choice, self.made + 1
        year, many = 1500 + self.made, self.chance.randint(3, 95)
        words = f"In {year} the {pick(_WHO)} of {pick(_WHERE)} {pick(_DID)} {many} {pick(_WHAT)} {pick(_WHEN)}."
        return Sentence(words)

    def paragraph(self) -> Paragraph:
        sentences = [self.sentence() for _ in range(self.chance.randint(1, 4))]
        if self.chance.random() < 0.3:
            sentences.insert(self.chance.randint(0, len(sentences)), Sentence(REFRAIN))
        return Paragraph(sentences)

    def fill(self) -> None:
        for number in range(3):
            self.documents[f"d{number}"] = [self.paragraph() for _ in range(self.chance.randint(3, 6))]

    @property
    def texts(self) -> dict[str, str]:
        return {doc_id: "\n\n".join(one.text for one in mine) for doc_id, mine in self.documents.items()}

    def places(self) -> dict[int, tuple[str, Span]]:
        """id of each sentence → where it stands."""
        found: dict[int, tuple[str, Span]] = {}
        for doc_id, paragraphs in self.documents.items():
            at = 0
            for paragraph in paragraphs:
                for sentence in paragraph.sentences:
                    found[id(sentence)] = doc_id, Span(at, at + len(sentence.words))
                    at += len(sentence.words) + 1
                at += 1
        return found

    def _touch(self, doc_id: str, at: int) -> None:
        self.touched.update(id(one) for one in self.documents[doc_id][max(0, at - 1) : at + 2])

    def edit(self) -> None:
        """One thing that people do."""
        kind = self.chance.choice(KINDS)
        doc_id = self.chance.choice(sorted(self.documents))
        paragraphs = self.documents[doc_id]
        at = self.chance.randrange(len(paragraphs))
        paragraph = paragraphs[at]
        if kind in ("delete", "rename"):
            self._whole(doc_id, kind)
            return
        self._touch(doc_id, at)
        if kind == "put in":
            paragraphs.insert(at, self.paragraph())
        elif kind == "take out" and len(paragraphs) > 1:
            del paragraphs[at]
        elif kind == "move":
            paragraphs.insert(self.chance.randrange(len(paragraphs)), paragraphs.pop(at))
            self._touch(doc_id, paragraphs.index(paragraph))
        elif kind == "write anew":
            paragraphs[at] = self.paragraph()
        elif kind == "drop sentence" and len(paragraph.sentences) > 1:
            paragraph.sentences.pop(self.chance.randrange(len(paragraph.sentences)))
        elif kind == "swap":
            self.chance.shuffle(paragraph.sentences)
        else:
            self._change(self.chance.choice(paragraph.sentences), kind)
        self._touch(doc_id, min(at, len(paragraphs) - 1))

    def _change(self, sentence: Sentence, kind: str) -> None:
        if kind == "reword":
            sentence.words = sentence.words.replace(" the ", " the old and quiet ", 1)
        elif kind == "figure" and sentence.words != REFRAIN:
            year = sentence.words.split()[1]
            self.made += 1
            sentence.words = sentence.words.replace(year, str(1500 + self.made), 1)
            sentence.meaning += 1

    def _whole(self, doc_id: str, kind: str) -> None:
        if kind == "delete" and len(self.documents) > 2:
            del self.documents[doc_id]
        elif kind == "rename":
            self.made += 1
            self.documents[f"r{self.made}"] = self.documents.pop(doc_id)
            self.touched.update(id(one) for one in self.documents[f"r{self.made}"])

    def stayed(self, answer: Answer) -> bool:
        """Whether nothing near it was edited."""
        for paragraphs in self.documents.values():
            for paragraph in paragraphs:
                if any(one is answer.sentence for one in paragraph.sentences):
                    return id(paragraph) not in self.touched
        return False


def cut(store: Store, name: str, snapshot: SnapshotRecord, world: World, by_paragraph: bool) -> ChunkingRecord:
    """By paragraphs, or into stretches of some length."""
    with store.writing() as tx:
        writer = tx.add_chunking(name, snapshot, ChunkingConfig(), BY)
        for doc_id, text in sorted(world.texts.items()):
            spans = _paragraphs(world.documents[doc_id]) if by_paragraph else _stretches(text, world.chance)
            writer.add(doc_id, [_chunk(doc_id, number, span, text) for number, span in enumerate(spans)])
        return writer.finish()


def _paragraphs(paragraphs: list[Paragraph]) -> list[Span]:
    spans = []
    at = 0
    for paragraph in paragraphs:
        spans.append(Span(at, at + len(paragraph.text)))
        at = spans[-1].end + 2
    return spans


def _stretches(text: str, chance: random.Random) -> list[Span]:
    size = chance.randint(60, 400)
    return [Span(at, min(len(text), at + size)) for at in range(0, len(text), size)]


def _chunk(doc_id: str, number: int, span: Span, text: str) -> Chunk:
    match = Match(span, Status.EXACT, True, True, 1.0, 1.0, (span,))
    return Chunk(f"{doc_id}#{number}", doc_id, match, text_digest(span.of(text)))


def labelled(world: World, chunking: ChunkingRecord, store: Store) -> tuple[list[JudgedQuestion], dict[str, Answer]]:
    """Questions about sentences: by spans, by whole chunks, and by chunks with an answer that stands in them."""
    chunks = dict(store.chunks(chunking))
    places, texts = world.places(), world.texts
    questions, answers = [], {}
    asked = [s for mine in world.documents.values() for p in mine for s in p.sentences if s.words != REFRAIN]
    for number, sentence in enumerate(world.chance.sample(asked, min(9, len(asked)))):
        doc_id, span = places[id(sentence)]
        query_id = f"q{number}"
        answers[query_id] = Answer(sentence)
        if number % 3 == 0:
            questions.append(question(judgment(doc_id, texts[doc_id], sentence.words), query_id=query_id, text=""))
            continue
        around = next(one for one in chunks[doc_id] if one.span and span.inside(one.span))
        label = ChunkLabel(chunk_id=around.chunk_id, grade=2)
        told = [sentence.words] if number % 3 == 1 else []
        questions.append(question(label, query_id=query_id, text="", answers=told))
    return questions, answers


def check(store: Store, snapshot: SnapshotRecord, world: World, answers: dict[str, Answer]) -> set[str]:
    """The law. Returns the questions whose label is sure."""
    places, texts = world.places(), world.texts
    version = store.find_version("faq")
    assert version.terms.snapshot_digest == snapshot.digest
    sure = set()
    for asked in store.eval_set(version).questions:
        answer = answers[asked.query_id]
        labels = len(asked.judgments) + len(asked.pending) + len(asked.chunk_labels) + len(asked.retired_labels)
        assert labels == 1, f"{asked.query_id}: {labels} labels"
        for label in asked.judgments:
            sure.add(asked.query_id)
            assert stands(label, texts[label.doc_id])
            assert id(answer.sentence) in places, f"{asked.query_id} is sure, and its answer is deleted"
            assert answer.meaning == answer.sentence.meaning, f"{asked.query_id} is sure, and its figures changed"
            doc_id, span = places[id(answer.sentence)]
            assert label.doc_id == doc_id
            assert _covers(label, span, texts[doc_id]), f"{asked.query_id}: {label.spans} is not {span}"
    return sure


def _covers(label: Judgment, span: Span, text: str) -> bool:
    """All of its letters: what was put in at an edge of a sentence may be left out."""
    letters = {at for at in range(*span) if text[at].isalnum()}
    return letters <= {at for one in label.spans for at in range(*one)} | _put_in(span, text)


def _put_in(span: Span, text: str) -> set[int]:
    """What `reword` puts in."""
    at = text.find("old and quiet", *span)
    return set(range(at, at + len("old and quiet"))) if at >= 0 else set()


def look(store: Store, world: World, answers: dict[str, Answer]) -> None:
    """A person who knows the corpus decides some of what is asked."""
    places = world.places()
    held = [item for item in review_queue("faq", store=store).open if item.holds]
    some = [item for item in held if world.chance.random() < 0.5]
    if not some:
        return
    decide("faq", [_decided(item, answers[item.query_id], places) for item in some], store=store)
    apply_decisions("faq", store=store)


def _decided(item: ReviewItem, answer: Answer, places: dict[int, tuple[str, Span]]) -> DecisionRow:
    where = places.get(id(answer.sentence))
    if where is None:
        return row(item, "retire")
    answer.meaning = answer.sentence.meaning
    return row(item, "set", at=[where[1]], doc_id=where[0])


def check_qrels(store: Store, chunking: ChunkingRecord, world: World, answers: dict[str, Answer]) -> None:
    """Each relevant chunk holds letters of its answer, unless the label is of a whole chunk."""
    places = world.places()
    chunks = {one.chunk_id: one for _, mine in store.chunks(chunking) for one in mine}
    precise = {
        one.query_id
        for one in store.eval_set(store.find_version("faq")).questions
        if one.judgments and not one.judgments[0].coarse
    }
    for query_id, found in qrels("faq", chunking.name, store=store).as_dict().items():
        for chunk_id in found if query_id in precise else ():
            doc_id, span = places[id(answers[query_id].sentence)]
            there = chunks[chunk_id]
            assert there.doc_id == doc_id
            assert there.span is not None
            assert there.span.shared(span) is not None


@contextmanager
def new_store() -> Iterator[Store]:
    """One for each example."""
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder, "evalspan.db"))
        create_store(address)
        with Store.open(address) as store:
            yield store


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32 - 1), renamed=st.sampled_from(["ask", "accept"]), looks=st.booleans())
def test_a_sure_label_covers_its_answer_through_all_generations(seed: int, renamed: Renamed, looks: bool) -> None:
    with new_store() as store:
        world = World(random.Random(seed))
        world.fill()
        snapshot = put_snapshot(store, "s0", world.texts)
        old = cut(store, "c0", snapshot, world, by_paragraph=True)
        questions, answers = labelled(world, old, store)
        put_set(store, snapshot, *questions, chunking_identity=old.identity)
        migrate_set("faq", "c0", twins="ignore", store=store)
        sure = check(store, snapshot, world, answers)
        assert len(sure) == len(questions)
        for generation in range(1, GENERATIONS + 1):
            world.touched.clear()
            for _ in range(world.chance.randint(1, 4)):
                world.edit()
            snapshot = put_snapshot(store, f"s{generation}", world.texts)
            rebase("faq", snapshot.label, renamed=renamed, store=store)
            now = check(store, snapshot, world, answers)
            waits = {query_id for query_id in sure - now if world.stayed(answers[query_id])}
            assert not waits, f"{waits} wait, and nothing near them was edited"
            chunking = cut(store, f"c{generation}", snapshot, world, by_paragraph=False)
            migrate_set("faq", chunking.name, twins="ignore", store=store)
            if looks:
                look(store, world, answers)
            sure = check(store, snapshot, world, answers)
            check_qrels(store, chunking, world, answers)
