"""Which versions count: the chain back from the newest, past what was undone; and what became of decisions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law

from evalspan.labels import Action, Decision, SetTerms
from evalspan.store import DecisionRecord, VersionRecord
from evalspan.store.lineage import Standing, living, standing

from .strategies import BY


def version(number: int, restores: int | None = None, name: str = "faq") -> VersionRecord:
    terms = SetTerms(snapshot_digest="0" * 32)
    parent = number - 1 if number > 1 else None
    return VersionRecord(number, name, number, parent, terms, "", 0, 0, 0, BY, restores=restores)


def history(*restores: int | None) -> list[VersionRecord]:
    """Versions from 1; each restores that one, or none."""
    return [version(number, restored) for number, restored in enumerate(restores, 1)]


def numbers(versions: list[VersionRecord]) -> list[int]:
    return [one.number for one in living(versions)]


def decided(*versions: int) -> DecisionRecord:
    decision = Decision(
        item="i",
        query_id="q",
        doc_id="d",
        reason="cut",
        asked="0" * 32,
        action=Action.DEFER,
        snapshot_digest="0" * 32,
        provenance=BY,
    )
    return DecisionRecord(1, "faq", decision, versions)


@pytest.mark.parametrize(
    ("restores", "expected"),
    [
        ((), []),
        ((None,), [1]),
        ((None, None, None), [3, 2, 1]),
        ((None, None, None, 1), [4, 1]),
        ((None, None, None, 2), [4, 2, 1]),
        ((None, None, None, 1, None), [5, 4, 1]),
        ((None, None, None, 1, 3), [5, 3, 2, 1]),
        ((None, None, 1, None, 3), [5, 3, 1]),
        ((None, None, 1, None, 2, 4), [6, 4, 3, 1]),
    ],
    ids=["no version", "one", "a line", "to the first", "to the second", "going on", "undone undo", "of undo", "redo"],
)
def test_what_was_undone_is_not_on_the_chain(restores: tuple[int | None, ...], expected: list[int]) -> None:
    assert numbers(history(*restores)) == expected


@st.composite
def histories(draw: st.DrawFn) -> list[VersionRecord]:
    count = draw(st.integers(1, 8))
    return history(None, *(draw(st.none() | st.integers(1, number - 1)) for number in range(2, count + 1)))


@law
@given(st.data(), histories())
def test_the_chain_leads_from_the_newest_to_the_first_whatever_order_they_come_in(
    data: st.DataObject, versions: list[VersionRecord]
) -> None:
    chain = numbers(data.draw(st.permutations(versions)))
    assert (chain[0], chain[-1]) == (len(versions), 1)
    assert chain == sorted(set(chain), reverse=True)


@law
@given(st.data(), histories())
def test_after_an_undo_the_chain_is_the_one_of_the_version_gone_back_to(
    data: st.DataObject, versions: list[VersionRecord]
) -> None:
    to = data.draw(st.integers(1, len(versions)))
    undone = [*versions, version(len(versions) + 1, restores=to)]
    assert numbers(undone)[1:] == numbers(versions[:to])


@pytest.mark.parametrize(
    ("applied", "expected"),
    [
        ((), Standing.WAITING),
        ((1,), Standing.APPLIED),
        ((2,), Standing.SET_ASIDE),
        ((2, 3), Standing.SET_ASIDE),
        ((2, 5), Standing.APPLIED),
    ],
)
def test_a_decision_lives_while_a_version_made_with_it_does(applied: tuple[int, ...], expected: Standing) -> None:
    assert standing(decided(*applied), living(history(None, None, None, 1, None))) is expected


def test_versions_of_two_sets_have_no_chain() -> None:
    with pytest.raises(ValueError, match="several sets"):
        living([version(1), version(2, name="other")])


def test_a_chain_with_a_hole_is_refused() -> None:
    with pytest.raises(ValueError, match="version 1 is missing"):
        living([version(2)])
