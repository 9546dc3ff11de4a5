"""Snapshots: what goes in comes out, and a text is kept once."""

import pytest
from hypothesis import given

from evalspan.corpus import Document, Extractor, Snapshot, difference
from evalspan.errors import BadInput, Conflict, NotFound
from evalspan.store import Store
from evalspan.store import snapshots as reading
from evalspan.store.schema import REVISIONS

from . import strategies
from .helpers import TEXTS, documents, execute, in_one_store, put_snapshot, query
from .strategies import BY


@in_one_store
@given(strategies.documents(), strategies.extractors)
def test_a_snapshot_comes_out_as_it_went_in(store: Store, docs: list[Document], extractor: Extractor | None) -> None:
    with store.writing() as tx:
        record = tx.put_snapshot(docs, None, extractor, BY)
    expected = Snapshot.of(docs, extractor)
    assert store.snapshot(record) == expected
    assert (record.digest, record.documents, record.extractor) == (expected.digest, len(docs), extractor)
    in_order = sorted(docs, key=lambda document: document.doc_id)
    assert list(store.documents(record)) == in_order
    assert list(store.texts(record)) == [(document.doc_id, document.text) for document in in_order]
    assert all(store.text(record, document.doc_id) == document.text for document in docs)


@in_one_store
@given(strategies.documents(), strategies.documents())
def test_the_stores_difference_is_that_of_the_values(store: Store, old: list[Document], new: list[Document]) -> None:
    with store.writing() as tx:
        a = tx.put_snapshot(old, None, None, BY)
        b = tx.put_snapshot([*new, *old[len(new) :]] if _distinct(new, old) else new, None, None, BY)
    assert store.diff(a, b) == difference(store.snapshot(a), store.snapshot(b))
    assert store.diff(b, a) == difference(store.snapshot(b), store.snapshot(a))


def _distinct(new: list[Document], old: list[Document]) -> bool:
    return not {d.doc_id for d in new} & {d.doc_id for d in old[len(new) :]}


def test_the_difference_tells_every_kind_apart(store: Store) -> None:
    old = [Document("a", "1"), Document("b", "2", "v1"), Document("c", "3"), Document("d", "4")]
    new = [Document("a", "1"), Document("b", "2", "v2"), Document("c", "changed"), Document("e", "5")]
    with store.writing() as tx:
        a, b = tx.put_snapshot(old, None, None, BY), tx.put_snapshot(new, None, None, BY)
    diff = store.diff(a, b)
    assert (diff.added, diff.removed, diff.changed, diff.relabelled, diff.same) == (("e",), ("d",), ("c",), ("b",), 2)


def test_documents_come_in_code_point_order(store: Store) -> None:
    names = ["Z", "a", "é", "z", "Ａ", "𝒳", "a b", "a-b", "_", "10", "9", ""]
    with store.writing() as tx:
        record = tx.put_snapshot([Document(name, name) for name in names], None, None, BY)
    assert [doc_id for doc_id, _ in store.texts(record)] == sorted(names)


def test_reading_in_pages_leaves_nothing_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PAGE_OF_TEXTS", 2)
    names = [f"{number:02}" for number in range(7)]
    with store.writing() as tx:
        record = tx.put_snapshot([Document(name, name * 3) for name in names], None, None, BY)
    assert list(store.texts(record)) == [(name, name * 3) for name in names]
    chosen = ["05", "01", "unknown", "01", "03"]
    assert list(store.texts(record, chosen)) == [(name, name * 3) for name in ("01", "03", "05")]


def test_equal_texts_are_kept_once(store: Store) -> None:
    docs = [Document(f"{number:05}", f"text {number}") for number in range(10_000)]
    changed = list(docs)
    for place in (7, 4000, 9999):
        changed[place] = Document(docs[place].doc_id, "changed " + docs[place].text)
    with store.writing() as tx:
        tx.put_snapshot(docs, None, None, BY)
    before = store.info().texts
    with store.writing() as tx:
        tx.put_snapshot(changed, None, None, BY)
    assert (before, store.info().texts) == (10_000, 10_003)


def test_two_documents_with_one_text_share_it(store: Store) -> None:
    with store.writing() as tx:
        record = tx.put_snapshot([Document("a", "same"), Document("b", "same")], None, None, BY)
    assert store.info().texts == 1
    assert dict(store.texts(record)) == {"a": "same", "b": "same"}


def test_an_identical_snapshot_is_not_stored_twice(store: Store) -> None:
    first = put_snapshot(store, "one")
    with store.writing() as tx:
        again = tx.put_snapshot(reversed(documents()), "one", None, BY)
    assert again == first
    assert store.snapshots() == [first]


def test_other_labels_make_another_snapshot_of_the_same_digest(store: Store) -> None:
    with store.writing() as tx:
        one = tx.put_snapshot([Document("a", "1")], None, None, BY)
        two = tx.put_snapshot([Document("a", "1", "v2")], None, None, BY)
        three = tx.put_snapshot([Document("a", "1")], None, Extractor(name="pdf"), BY)
    assert len({one.id, two.id, three.id}) == 3
    assert one.digest == two.digest == three.digest
    assert store.snapshot_by_digest(one.digest) == three


def test_a_nameless_snapshot_takes_a_name_and_a_named_one_keeps_its_own(store: Store) -> None:
    nameless = put_snapshot(store)
    named = put_snapshot(store, "spring")
    assert (nameless.id, nameless.name, named.name) == (named.id, None, "spring")
    assert put_snapshot(store, "summer") == named
    assert put_snapshot(store) == named


def test_a_name_belongs_to_one_snapshot(store: Store) -> None:
    put_snapshot(store, "spring")
    with pytest.raises(Conflict, match="'spring' already"):
        put_snapshot(store, "spring", **{"a.md": "changed"})
    assert (len(store.snapshots()), store.info().texts) == (1, len(TEXTS))


def test_an_id_comes_once(store: Store) -> None:
    with pytest.raises(BadInput, match="two documents have the id 'a'"), store.writing() as tx:
        tx.put_snapshot([Document("a", "1"), Document("a", "2")], None, None, BY)
    assert store.info().texts == 0


@pytest.mark.parametrize("bad", ["nul \0", "half \ud800"])
def test_what_no_database_keeps_is_refused(store: Store, bad: str) -> None:
    with pytest.raises(BadInput), store.writing() as tx:
        tx.put_snapshot([Document(bad, "text")], None, None, BY)
    with pytest.raises(BadInput), store.writing() as tx:
        tx.put_snapshot([Document("id", bad)], None, None, BY)
    assert store.snapshots() == []


@pytest.mark.parametrize("name", ["", " ", "latest", "a@1", "a\nb", " a"])
def test_a_name_can_be_typed_back(store: Store, name: str) -> None:
    with pytest.raises(BadInput):
        put_snapshot(store, name)


def test_a_snapshot_is_found_by_name_digest_prefix_and_latest(store: Store) -> None:
    first = put_snapshot(store, "spring")
    second = put_snapshot(store, None, **{"a.md": "changed"})
    assert store.find_snapshot("spring") == first
    assert store.find_snapshot("latest") == second
    assert store.find_snapshot(first.digest) == first
    assert store.find_snapshot(second.digest[:6]) == second
    assert store.snapshot_by_digest(first.digest) == first
    assert store.snapshot_by_digest("0" * 32) is None


def test_a_snapshot_that_is_not_there_is_answered_with_those_that_are(store: Store) -> None:
    with pytest.raises(NotFound, match="no snapshot yet"):
        store.find_snapshot("latest")
    record = put_snapshot(store, "spring")
    for reference in ("summer", record.digest[:5], record.digest + "0"):
        with pytest.raises(NotFound, match="There is: spring"):
            store.find_snapshot(reference)


def test_a_prefix_of_several_digests_is_refused(store: Store, address: str) -> None:

    put_snapshot(store, None)
    put_snapshot(store, None, **{"a.md": "changed"})
    execute(address, "UPDATE evalspan_snapshot SET digest = 'abcdef' || substr(digest, 7)")
    with pytest.raises(NotFound, match="Type more of the digest"):
        store.find_snapshot("abcdef")


def test_a_text_that_is_not_there_is_answered_with_its_neighbours(store: Store) -> None:
    record = put_snapshot(store)
    with pytest.raises(NotFound, match=r"There is: a\.md, b\.md"):
        store.text(record, "b.m")


def test_info_counts_and_measures(store: Store, address: str) -> None:
    put_snapshot(store)
    info = store.info()
    size = sum(len(text.encode()) for text in TEXTS.values())
    assert (info.snapshots, info.texts, info.text_bytes, info.revision) == (1, 3, size, REVISIONS[-1])
    assert info.stored_bytes == query(address, "SELECT sum(length(body)) FROM evalspan_text")[0][0]
