"""What makes two words the same, and what does not."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law, sound

from evalspan.migrator.narrow.words import BREAK, FEW, STEM, FoldedText, count_terms, is_unspaced, terms, terms_in


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Discussed", "discussion"),
        ("CAFÉ", "cafe"),
        ("1,577", "1577.00"),
        ("2.5", "2.50"[:3]),
        ("١٩٩٩", "١٩٩٩"),
        ("القاهرة", "القَاهِرة"),
    ],
)
def test_forms_of_one_word_are_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other) != []


@pytest.mark.parametrize(("one", "other"), [("15", "1.5"), ("1234567", "1234568"), ("share", "shape")])
def test_other_words_are_other_terms(one: str, other: str) -> None:
    assert terms(one) != terms(other)


def test_unspaced_scripts_are_compared_by_pairs_of_characters() -> None:
    assert terms("東京都 NBA ไทย") == ["東京", "京都", "nba", "ไท", "ทย"]
    assert terms("人") == ["人"]


def test_a_run_of_an_unspaced_script_ends_where_another_begins() -> None:
    assert terms("第50届") == ["第", "50", "届"]
    assert is_unspaced("東")
    assert not is_unspaced("k")


@law
@given(st.text(sound))
def test_terms_are_short_and_do_not_depend_on_case(text: str) -> None:
    found = terms(text)
    assert all(found)
    assert all(len(term) <= STEM or term[0].isdecimal() for term in found)
    assert terms_in([text]) == list(dict.fromkeys(found))
    assert count_terms(text) == Counter(found)
    if text.isascii():
        assert terms(text.upper()) == terms(text.lower()) == found


@law
@given(st.lists(st.sampled_from(["fee", "Été", "12,000", "東京", "no."]), max_size=8))
def test_a_text_has_the_terms_of_its_parts(parts: list[str]) -> None:
    assert terms(" ".join(parts)) == [term for part in parts for term in terms(part)]


pieces = st.lists(
    st.sampled_from(["fee", "Été", "1.577,00", "2.5.0", "東京", "β-½", "ﬁ™", BREAK, "٢٫٥", "“x_y”"]), max_size=8
)


@law
@given(st.lists(pieces.map(" ".join), min_size=1, max_size=4))
def test_several_texts_read_in_one_go_have_the_terms_of_each(texts: list[str]) -> None:
    folded = FoldedText(texts)
    assert folded.terms() == [term for text in texts for term in [*terms(text), BREAK]]
    assert all(folded.may_have(term) for text in texts for term in terms(text))


def test_a_term_that_is_not_there_is_mostly_known_before_the_terms_are() -> None:
    assert not FoldedText(["The fee is 5 pounds."]).may_have("museum")


@law
@given(pieces.map(" ".join))
def test_many_different_characters_change_no_term(text: str) -> None:
    many = " ".join(chr(ord("а") + number) for number in range(FEW + 1))
    assert terms(f"{text} {many}")[: -FEW - 1] == terms(text)
