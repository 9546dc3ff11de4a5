"""Documents that came back under another id."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ids, law, long_texts

from evalspan.corpus.renames import ALIKE, COMMON, OFFERED, Rename, find_renames
from evalspan.digests import text_digest

RETURNS = """Returns are free within 30 days of delivery.
Write the order number on the parcel and hand it in at any post office.
Refunds take ten working days and go back to the card that was charged.
Sale items are exchanged, and never refunded.
"""
REPAIRS = """The workshop mends what was bought here, and charges for parts only.
Bring the receipt; without one a deposit of 20 euros is taken.
Tents and sleeping bags are sent to the maker, which takes six weeks.
"""
HAN = "本店商品自收货之日起三十天内可免费退货。\n请将订单号写在包裹上,并交到任何邮局。\n退款需要十个工作日。\n"
HAN_TOO = "维修部修理在本店购买的物品,只收零件费。\n请带上收据,没有收据须付押金二十欧元。\n帐篷要寄给厂家。\n"


def renames(old: dict[str, str], new: dict[str, str]) -> list[Rename]:
    def digests(texts: dict[str, str]) -> dict[str, str]:
        return {doc_id: text_digest(text) for doc_id, text in texts.items()}

    return find_renames(digests(old), digests(new), old.__getitem__, new.__getitem__)


def pairs(found: list[Rename]) -> list[tuple[str, str, int]]:
    return [(rename.old_id, rename.new_id, rename.rivals) for rename in found]


def prose(seed: int, size: int = 400) -> str:
    """Words of its own, so that two of them have hardly a shingle in common."""
    rng = random.Random(seed)
    return " ".join(f"w{rng.randrange(5000)}" + (".\n" if n % 12 == 11 else "") for n in range(size))


def test_a_text_under_another_id_is_told_by_its_digest_and_not_read() -> None:
    def unread(doc_id: str) -> str:
        raise AssertionError(doc_id)

    found = find_renames({"a": "1" * 32, "b": "2" * 32}, {"c": "2" * 32, "d": "1" * 32}, unread, unread)
    assert found == [Rename("a", "d", 1.0, True, 0), Rename("b", "c", 1.0, True, 0)]


@pytest.mark.parametrize(
    ("one", "other", "was", "now"),
    [(RETURNS, REPAIRS, "30 days", "14 days"), (HAN, HAN_TOO, "三十天", "十四天")],
)
def test_nearly_the_same_text_is_found_and_another_text_is_not(one: str, other: str, was: str, now: str) -> None:
    (found,) = renames({"old": one}, {"new": one.replace(was, now), "other": other})
    assert (found.old_id, found.new_id, found.same, found.rivals) == ("old", "new", False, 0)
    assert 0.9 < found.likeness < 1
    assert renames({"old": one}, {"other": other}) == []


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("Returns are free within 30 days.", "Returns are free within 14 days."),
        ("费用是每天五英镑。", "费用是每天六英镑。"),
        ("Closed.", "closed"),
    ],
)
def test_short_documents_are_found_too(was: str, now: str) -> None:
    assert pairs(renames({"old": was}, {"new": now, "other": "Zimmer ohne Frühstück"})) == [("old", "new", 0)]


def test_where_two_fit_equally_well_both_are_offered() -> None:
    new = {"one": RETURNS.replace("30", "14"), "two": RETURNS.replace("30", "60"), "other": REPAIRS}
    assert pairs(renames({"old": RETURNS}, new)) == [("old", "one", 1), ("old", "two", 1)]
    assert pairs(renames(new, {"old": RETURNS})) == [("one", "old", 1), ("two", "old", 1)]


def test_equal_texts_under_several_ids_are_offered_each() -> None:
    found = renames({"a": RETURNS, "b": REPAIRS}, {"c": RETURNS, "d": RETURNS, "e": REPAIRS})
    assert pairs(found) == [("a", "c", 1), ("a", "d", 1), ("b", "e", 0)]
    assert all(rename.same for rename in found)
    many = {f"n{number:02}": RETURNS for number in range(OFFERED + 5)}
    assert [rename.rivals for rename in renames({"a": RETURNS}, many)] == [OFFERED + 4] * OFFERED


def test_a_document_that_one_fits_clearly_better_is_not_offered_to_another() -> None:
    old = {"a": prose(1), "b": f"{prose(1)} {prose(2)}"}
    assert pairs(renames({"b": old["b"]}, {"c": prose(1) + "."})) == [("b", "c", 0)]
    assert pairs(renames(old, {"c": prose(1) + "."})) == [("a", "c", 0)]
    assert pairs(renames(old, {"c": prose(1) + ".", "d": prose(2)})) == [("a", "c", 0), ("b", "d", 0)]


def test_an_equal_text_is_no_one_elses() -> None:
    found = renames({"a": RETURNS, "b": RETURNS.replace("30", "31")}, {"c": RETURNS})
    assert pairs(found) == [("a", "c", 0)]


def test_of_a_text_of_which_less_than_half_was_kept_nothing_is_said() -> None:
    words = prose(1).split(" ")
    kept, lost = " ".join(words[:220]), " ".join(words[:100])
    rest = prose(2)
    (found,) = renames({"old": prose(1)}, {"new": f"{kept} {rest[: len(prose(1)) - len(kept)]}"})
    assert ALIKE <= found.likeness < 0.7
    assert renames({"old": prose(1)}, {"new": f"{lost} {rest}"}) == []


def test_every_document_of_a_corpus_that_moved_and_was_edited_is_found() -> None:
    old = {f"old/{number}": prose(number) for number in range(60)}
    new = {f"new/{number}": "A header.\n" + prose(number).replace("w1", "W1x", 9) for number in range(10, 70)}
    found = renames(old, new)
    assert sorted(pairs(found)) == sorted((f"old/{n}", f"new/{n}", 0) for n in range(10, 60))


def test_what_stands_in_very_many_documents_pairs_none_of_them() -> None:
    form = "This form is filled in by hand and kept for ten years in the archive.\n"
    old = {f"o{number}": f"{form}{number}" for number in range(COMMON + 1)}
    new = {f"n{number}": f"{form}{number + 1000}" for number in range(COMMON + 1)}
    assert all(rename.rivals for rename in renames(old, new))


@law
@given(
    st.dictionaries(ids, long_texts() | st.sampled_from([RETURNS, REPAIRS, HAN, "", " "]), max_size=4),
    st.dictionaries(ids, long_texts() | st.sampled_from([RETURNS, REPAIRS, HAN, "", " "]), max_size=4),
)
def test_every_offer_is_a_removed_and_an_added_document_and_rivals_are_told(
    old: dict[str, str], new: dict[str, str]
) -> None:
    found = renames(old, new)
    assert len({(rename.old_id, rename.new_id) for rename in found}) == len(found)
    assert found == sorted(found, key=lambda rename: (rename.old_id, -rename.likeness, rename.new_id))
    for rename in found:
        assert ALIKE <= rename.likeness <= 1
        assert rename.same == (old[rename.old_id] == new[rename.new_id])
        others = [one for one in found if (one.old_id == rename.old_id) != (one.new_id == rename.new_id)]
        assert rename.rivals == len(others)
    for doc_id, text in old.items():
        if text in new.values():
            assert any(rename.old_id == doc_id and rename.same for rename in found)
    assert found == renames(dict(reversed(old.items())), dict(reversed(new.items())))


@pytest.mark.parametrize(
    ("old", "new"), [({}, {}), ({"a": RETURNS}, {}), ({}, {"a": RETURNS}), ({"a": ""}, {"b": " "})]
)
def test_without_documents_or_words_nothing_is_offered(old: dict[str, str], new: dict[str, str]) -> None:
    assert renames(old, new) == []
