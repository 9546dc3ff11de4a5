"""The labels of a document, from its old chunks to its new ones."""

from hypothesis import assume, given
from hypothesis import strategies as st
from shared_data import rows_of, shared_data
from strategies import cuts_of, inked, inked_texts, law, long_texts, places, raw_chunks

from evalspan.corpus import RawChunk, place_chunks
from evalspan.labels import Question
from evalspan.mapping import Bucket, Fit, Outcome, Place, Reason, derive_qrels, tally
from evalspan.migrator import OldLabel, migrate_document
from evalspan.spans import Span

any_text = st.one_of(inked_texts, long_texts())


@law
@given(st.data(), any_text)
def test_migrating_to_the_same_chunking_changes_nothing(data: st.DataObject, text: str) -> None:
    cut = data.draw(cuts_of(text, overlapping=False))
    once = {f"c{i}" for i, span in enumerate(cut) if inked(text, span) and places(span.of(text), text) == [span]}
    assume(once)
    chunks = raw_chunks(text, cut)
    labels = [OldLabel(f"q{chunk_id}", chunk_id, 2) for chunk_id in sorted(once)]
    done = migrate_document("d", text, chunks, chunks, labels, 0.5)
    for label, outcome in zip(labels, done.outcomes, strict=True):
        assert (outcome.place, outcome.fit, outcome.bucket) == (Place.CERTAIN, Fit.WHOLE, Bucket.CLEAN)
        assert (outcome.reason, outcome.query_id, outcome.chunk_id) == (Reason.WHOLE, label.query_id, label.chunk_id)
        assert [cover.chunk_id for cover in outcome.chosen] == [label.chunk_id]
        assert outcome.match.span == cut[int(label.chunk_id[1:])]
    assert derive_qrels(done.outcomes, 0.5).as_dict() == {f"q{chunk_id}": {chunk_id: 2} for chunk_id in once}


@law
@given(st.data(), any_text, st.sampled_from([0.3, 0.5, 1.0]))
def test_to_the_same_overlapping_chunking_every_chunk_that_stands_once_keeps_its_label_whole(
    data: st.DataObject, text: str, min_overlap: float
) -> None:
    cut = data.draw(cuts_of(text))
    chunks = raw_chunks(text, cut)
    labels = [OldLabel("q", chunk.chunk_id, 1) for chunk in chunks]
    done = migrate_document("d", text, chunks, chunks, labels, min_overlap)
    assert done.old == done.new
    for span, outcome in zip(cut, done.outcomes, strict=True):
        if inked(text, span) and places(span.of(text), text) == [span]:
            assert (outcome.bucket, outcome.fit) == (Bucket.CLEAN, Fit.WHOLE)
            assert outcome.chunk_id in {cover.chunk_id for cover in outcome.chosen if cover.coverage == 1}


@law
@given(st.data(), any_text)
def test_every_label_becomes_one_outcome_in_its_order_and_buckets_partition_them(
    data: st.DataObject, text: str
) -> None:
    old, new = raw_chunks(text, data.draw(cuts_of(text)), "old"), raw_chunks(text, data.draw(cuts_of(text)), "new")
    old.append(RawChunk("foreign", "¤ not of this text ¤"))
    names = st.sampled_from([chunk.chunk_id for chunk in old])
    labels = data.draw(st.lists(st.builds(OldLabel, st.sampled_from(["q1", "q2"]), names, st.integers(-1, 2))))
    done = migrate_document("d", text, old, new, labels, 0.5)
    assert [(o.query_id, o.chunk_id, o.grade) for o in done.outcomes] == [tuple(label) for label in labels]
    assert all(outcome.coarse and outcome.doc_id == "d" for outcome in done.outcomes)
    counts = tally((outcome.bucket, outcome.reason) for outcome in done.outcomes)
    assert counts.clean + counts.ambiguous + counts.unmapped == len(labels)
    assert (done.old, done.new) == (place_chunks(old, text), place_chunks(new, text))


@law
@given(st.data(), any_text)
def test_the_answer_for_a_label_does_not_depend_on_the_other_labels(data: st.DataObject, text: str) -> None:
    old, new = raw_chunks(text, data.draw(cuts_of(text)), "old"), raw_chunks(text, data.draw(cuts_of(text)), "new")
    labels = [OldLabel(f"q{chunk.chunk_id}", chunk.chunk_id, 1) for chunk in old]
    together = migrate_document("d", text, old, new, labels, 0.5).outcomes
    assert together == [migrate_document("d", text, old, new, [label], 0.5).outcomes[0] for label in labels]


@law
@given(st.data(), any_text)
def test_labels_of_one_question_that_overlap_change_the_order_of_candidates_and_nothing_else(
    data: st.DataObject, text: str
) -> None:
    old, new = raw_chunks(text, data.draw(cuts_of(text)), "old"), raw_chunks(text, data.draw(cuts_of(text)), "new")
    together = migrate_document("d", text, old, new, [OldLabel("q", chunk.chunk_id, 1) for chunk in old], 0.5)
    for chunk, outcome in zip(old, together.outcomes, strict=True):
        alone = migrate_document("d", text, old, new, [OldLabel("q", chunk.chunk_id, 1)], 0.5).outcomes[0]
        bare = [cover._replace(evidence=None) for cover in outcome.covers]
        assert sorted(bare) == sorted(alone.covers)
        assert outcome._replace(covers=()) == alone._replace(covers=())


def test_a_question_narrows_its_label_to_the_answer_and_takes_the_chunk_that_holds_it() -> None:
    text = "The library opens at nine. " * 5 + "A fine of five pounds is due. " + "The garden is open on Sundays. " * 5
    half = text.index("A fine")
    new = [RawChunk("n0", text[:half].strip()), RawChunk("n1", text[half:].strip())]
    asked = {"q": Question(query_id="q", text="How high is the fine?", reference_answers=("five pounds",))}
    old, label = [RawChunk("c0", text)], [OldLabel("q", "c0", 1)]
    done = migrate_document("d", text, old, new, label, 0.5, asked)
    outcome = done.outcomes[0]
    assert outcome.span is not None
    assert (outcome.span.of(text), outcome.wide, outcome.coarse) == ("five pounds", Span(0, len(text)), False)
    assert [cover.chunk_id for cover in outcome.chosen] == ["n1"]
    assert done.narrowings[0] is not None
    same = migrate_document("d", text, old, old, label, 0.5, asked)
    assert (same.outcomes[0].wide, same.narrowings) == (None, [None])


def test_a_foreign_chunks_label_is_unmapped_and_waits() -> None:
    old = [RawChunk("c0", "Not of this text at all.")]
    outcome = migrate_document("d", "The text.", old, [RawChunk("n0", "The text.")], [OldLabel("q", "c0", 1)], 0.5)
    assert [(o.bucket, o.reason) for o in outcome.outcomes] == [(Bucket.UNMAPPED, Reason.NOT_FOUND)]
    assert list(derive_qrels(outcome.outcomes, 0.5).waiting) == ["q"]


def test_a_document_without_new_chunks_leaves_its_labels_uncovered() -> None:
    done = migrate_document("d", "The text.", [RawChunk("c0", "The text.")], [], [OldLabel("q", "c0", 1)], 0.5)
    assert [(o.bucket, o.reason) for o in done.outcomes] == [(Bucket.UNMAPPED, Reason.UNCOVERED)]


def test_every_label_of_a_real_set_becomes_one_outcome() -> None:
    folder = shared_data("cookbook_code")
    texts = {row["doc_id"]: row["text"] for row in rows_of(folder / "documents.jsonl")}
    chunks: dict[str, list[RawChunk]] = {doc_id: [] for doc_id in texts}
    home = {}
    for row in rows_of(folder / "chunks.jsonl"):
        chunks[row["doc_id"]].append(RawChunk(row["chunk_id"], row["text"]))
        home[row["chunk_id"]] = row["doc_id"]
    labels: dict[str, list[OldLabel]] = {doc_id: [] for doc_id in texts}
    for line in (folder / "qrels.txt").read_text(encoding="utf-8").splitlines():
        query_id, _, chunk_id, grade = line.split()
        labels[home[chunk_id]].append(OldLabel(query_id, chunk_id, int(grade)))
    same: list[Outcome] = []
    recut: list[Outcome] = []
    for doc_id, text in texts.items():
        new = [RawChunk(f"{doc_id}-{at}", text[at : at + 600].strip()) for at in range(0, len(text), 500)]
        same += migrate_document(doc_id, text, chunks[doc_id], chunks[doc_id], labels[doc_id], 0.5).outcomes
        recut += migrate_document(doc_id, text, chunks[doc_id], new, labels[doc_id], 0.5).outcomes
    asked = sorted(label for of_document in labels.values() for label in of_document)
    for outcomes in (same, recut):
        assert sorted((o.query_id, o.chunk_id, o.grade) for o in outcomes) == asked
        assert tally((o.bucket, o.reason) for o in outcomes).total == 306
    assert all(o.bucket is Bucket.CLEAN and o.fit is Fit.WHOLE for o in same)
    assert all(o.place is Place.CERTAIN for o in recut)
    qrels = derive_qrels(same, 0.5).as_dict()
    assert {(q, c, g) for q, grades in qrels.items() for c, g in grades.items()} >= {tuple(label) for label in asked}
