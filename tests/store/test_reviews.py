"""Proposals and decisions: appended, and read as they were."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from label_strategies import BY, judgments

from evalspan.labels import Action, Candidate, DecidedSpan, Decision, Proposal
from evalspan.store import DecisionRecord, Store, VersionRecord

from .helpers import in_one_store, put_snapshot, put_version, question
from .strategies import ids


def proposal(query_id: str = "q1", digest: str = "d", **more: Any) -> Proposal:
    place = Candidate(doc_id="a.md", start=0, end=7)
    values = {"query_id": query_id, "reason": "unjudged", "candidates": (place,), "digest": digest, **more}
    return Proposal.model_validate(values)


@st.composite
def decisions(draw: st.DrawFn) -> Decision:
    spans = []
    for one in draw(st.lists(judgments(), max_size=2)):
        spans.append(DecidedSpan(doc_id=one.doc_id, start=one.start, end=one.end, anchor=one.anchor))
    return Decision(
        item=draw(ids),
        query_id=draw(ids),
        fact=draw(st.just("") | ids),
        doc_id=draw(ids),
        reason=draw(st.sampled_from(["cut", "changed", "stale_answer"])),
        asked="0a",
        action=draw(st.sampled_from(Action)),
        spans=tuple(spans),
        either=draw(st.booleans()),
        grade=draw(st.none() | st.integers(-1, 3)),
        answer=draw(st.none() | st.just("") | ids),
        snapshot_digest="0b",
        provenance=BY,
    )


def decided(**more: Any) -> Decision:
    values = {"item": "i", "query_id": "q1", "doc_id": "a.md", "reason": "cut", "asked": "0a", "action": "retire"}
    return Decision.model_validate({**values, "snapshot_digest": "0b", "provenance": BY, **more})


def add(store: Store, version: VersionRecord, *made: Decision) -> list[DecisionRecord]:
    with store.writing() as tx:
        return tx.add_decisions(version, made)


def two_versions(store: Store, name: str = "faq") -> tuple[VersionRecord, VersionRecord]:
    snapshot = put_snapshot(store, "first")
    return put_version(store, name, None, snapshot), put_version(store, name, 1, snapshot, question("q2"))


@in_one_store
@given(made=st.lists(decisions(), max_size=3))
def test_decisions_are_read_as_they_were_added_oldest_first(store: Store, made: list[Decision]) -> None:
    names = {one.name for one in store.sets()}
    version = store.find_version("faq") if "faq" in names else two_versions(store)[1]
    before = store.decisions("faq")
    records = add(store, version, *made)
    assert [record.decision for record in records] == made
    assert store.decisions("faq") == before + records


def test_a_decision_that_is_not_applied_knows_no_version_and_an_applied_one_all_of_its_own(store: Store) -> None:
    first, second = two_versions(store)
    one, other = add(store, first, decided(item="one"), decided(item="other"))
    with store.writing() as tx:
        tx.apply([one], second)
    with store.writing() as tx:
        tx.apply([one], first)
    assert [record.versions for record in store.decisions("faq")] == [(1, 2), ()]
    assert store.decisions("faq")[1] == other


def test_a_set_has_its_own_decisions(store: Store) -> None:
    first, _ = two_versions(store)
    two_versions(store, "other")
    add(store, first, decided())
    assert store.decisions("other") == []
    assert store.decisions("nothing") == []


def test_nothing_is_kept_of_a_transaction_that_failed(store: Store) -> None:
    first, _ = two_versions(store)
    try:
        with store.writing() as tx:
            tx.add_proposals(first, [proposal()])
            tx.add_decisions(first, [decided()])
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert (store.decisions("faq"), store.proposals([first])) == ([], [])


def test_a_decision_keeps_names_with_every_character(store: Store) -> None:
    first, _ = two_versions(store)
    made = decided(query_id="𝒳\n'\"", answer="", provenance=BY.model_copy(update={"why": "é\u2028—"}))
    add(store, first, made)
    assert [one.decision for one in store.decisions("faq")] == [made]


def test_proposals_are_of_the_versions_that_are_asked_for_oldest_first(store: Store) -> None:
    first, second = two_versions(store)
    with store.writing() as tx:
        tx.add_proposals(first, [proposal("q1"), proposal("q2")])
        tx.add_proposals(second, [proposal("q3")])
        tx.add_proposals(second, [])
    assert store.proposals([]) == []
    assert [one.query_id for one in store.proposals([first])] == ["q1", "q2"]
    assert [one.query_id for one in store.proposals([second, first])] == ["q1", "q2", "q3"]


def test_a_proposal_that_is_made_again_counts_once_as_it_was_made_last(store: Store) -> None:
    first, second = two_versions(store)
    about = question().judgments[0]
    with store.writing() as tx:
        tx.add_proposals(first, [proposal(weight=0.1, note="run a"), proposal(digest="other")])
        tx.add_proposals(second, [proposal(weight=0.9, note="run a, run b", about=about)])
    assert [(one.digest, one.weight, one.about) for one in store.proposals([first, second])] == [
        ("d", 0.9, about),
        ("other", 0.0, None),
    ]
