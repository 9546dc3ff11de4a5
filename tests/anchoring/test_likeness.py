"""How much of two texts is the same, and the sketch that finds those worth comparing."""

import pytest
from hypothesis import given
from strategies import law, long_texts, texts

from evalspan.anchoring.likeness import SKETCH, likeness, sketch

FEE = "The fee is five pounds a day."


@law
@given(texts, texts)
def test_a_likeness_is_a_share_and_one_for_equal_texts(one: str, other: str) -> None:
    assert 0 <= likeness(one, other) <= 1
    assert likeness(one, one) == 1


@law
@given(long_texts(), long_texts())
def test_a_text_put_behind_another_leaves_the_others_share(one: str, other: str) -> None:
    ink = [len("".join(text.split())) for text in (one, other)]
    assert likeness(one, one + other) >= 2 * ink[0] / (2 * ink[0] + ink[1]) - 1e-9


def test_texts_that_have_nothing_in_common_are_not_alike() -> None:
    assert likeness(FEE, "Zimmer ohne Frühstück") == 0
    assert likeness(FEE, "") == 0
    assert likeness(" ", "\n") == 1


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [("one two three four", "one two three five", 11 / 15), ("费用是每天五英镑", "费用是每天六英镑", 0.875)],
)
def test_one_word_of_some_costs_its_letters(one: str, other: str, share: float) -> None:
    assert likeness(one, other) == pytest.approx(share, abs=1e-9)


@law
@given(texts)
def test_a_sketch_is_ascending_small_and_empty_for_blank_texts_only(text: str) -> None:
    numbers = sketch(text)
    assert list(numbers) == sorted(set(numbers))
    assert len(numbers) <= SKETCH
    assert bool(numbers) == bool(text.strip())


def test_a_sketch_is_the_same_on_every_machine_and_knows_no_case_blanks_or_punctuation() -> None:
    assert sketch("A fee") == sketch("a\nFEE!") == (4892820058762874386,)
    assert sketch(FEE) == sketch(FEE.upper().replace(" ", "  "))


def test_the_share_of_two_sketches_is_about_that_of_their_texts() -> None:
    words = [f"word{number * 7919 % 9973}" for number in range(4000)]
    one, other = set(sketch(" ".join(words[:3000]))), set(sketch(" ".join(words[1000:])))
    smallest = sorted(one | other)[:SKETCH]
    assert sum(number in one and number in other for number in smallest) / SKETCH == pytest.approx(0.5, abs=0.15)
