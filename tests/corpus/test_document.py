"""Documents and snapshots: the same content is the same snapshot, and a difference says what it takes."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import ids, law, texts

from evalspan.corpus import Document, Extractor, Snapshot, SnapshotEntry, difference
from evalspan.digests import fingerprint, snapshot_digest, text_digest

documents = st.builds(
    Document,
    doc_id=st.sampled_from(["a", "B", "c1", "c10", "é", "\U0001f600", "\uff21"]) | ids,
    text=st.sampled_from(["one", "two", ""]) | texts,
    version=st.sampled_from([None, "v1", "v2"]),
    metadata=st.sampled_from([{}, {"locale": "en"}, {"locale": "en", "tenant": 7}, {"tenant": 7, "locale": "en"}]),
)
corpora = st.lists(documents, max_size=6, unique_by=lambda document: document.doc_id)


@law
@given(documents)
def test_an_entry_holds_the_digests_of_its_document(document: Document) -> None:
    metadata = fingerprint(document.metadata) if document.metadata else None
    assert document.entry() == SnapshotEntry(document.doc_id, text_digest(document.text), document.version, metadata)


@law
@given(st.data(), corpora)
def test_a_snapshot_does_not_depend_on_the_order_of_its_documents(data: st.DataObject, corpus: list[Document]) -> None:
    snapshot = Snapshot.of(data.draw(st.permutations(corpus)))
    assert snapshot == Snapshot.of(corpus)
    assert [e.doc_id for e in snapshot.entries] == sorted(document.doc_id for document in corpus)
    assert snapshot.digest == snapshot_digest((d.doc_id, text_digest(d.text)) for d in corpus)


def test_labels_metadata_and_extractor_do_not_touch_the_digest_of_the_texts() -> None:
    bare = Snapshot.of([Document("a", "one")])
    dressed = Snapshot.of([Document("a", "one", "v3", {"locale": "en"})], Extractor(name="pdf", version="2"))
    assert bare.digest == dressed.digest
    assert bare.entries != dressed.entries


@law
@given(corpora, corpora)
def test_a_difference_names_every_document_once_and_rightly(one: list[Document], other: list[Document]) -> None:
    old, new = {d.doc_id: d for d in one}, {d.doc_id: d for d in other}
    diff = difference(Snapshot.of(one), Snapshot.of(other))
    both = sorted(set(old) & set(new))
    assert diff.added == tuple(sorted(set(new) - set(old)))
    assert diff.removed == tuple(sorted(set(old) - set(new)))
    assert diff.changed == tuple(d for d in both if old[d].text != new[d].text)
    assert diff.relabelled == tuple(d for d in both if old[d].text == new[d].text and old[d] != new[d])
    assert diff.same == sum(old[d].text == new[d].text for d in both)
    assert diff.equal == (Snapshot.of(one).digest == Snapshot.of(other).digest)


@law
@given(corpora, corpora)
def test_the_way_back_adds_what_was_removed(one: list[Document], other: list[Document]) -> None:
    there, back = difference(Snapshot.of(one), Snapshot.of(other)), difference(Snapshot.of(other), Snapshot.of(one))
    assert (there.added, there.removed) == (back.removed, back.added)
    assert (there.changed, there.relabelled, there.same) == (back.changed, back.relabelled, back.same)
