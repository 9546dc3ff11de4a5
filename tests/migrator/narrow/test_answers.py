"""An answer is found where it stands as a passage of its own, and said to be by chance where it stands all over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import inked_texts, law

from evalspan.migrator.narrow.answers import Found, find_answers
from evalspan.migrator.narrow.page import Page
from evalspan.spans import Span


def find(text: str, *answers: str, wide: Span | None = None) -> Found | None:
    return find_answers(Page(text), wide or Span(0, len(text)), answers)


def passages(text: str, *answers: str) -> list[str]:
    found = find(text, *answers)
    return [span.of(text) for span in found.spans] if found else []


@law
@given(st.data(), inked_texts)
def test_an_answer_that_is_found_verbatim_is_itself(data: st.DataObject, text: str) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    answer = text[start : data.draw(st.integers(start + 1, len(text)))]
    found = find(text, answer)
    if found is not None and found.verbatim:
        assert {span.of(text) for span in found.spans} == {answer.strip()}


@pytest.mark.parametrize(
    ("text", "answer", "passage"),
    [
        ("It was “Denver\n Broncos” then.", '"denver broncos"', "Denver\n Broncos"),
        ("The eﬃcient one.", "EFFICIENT", "eﬃcient"),
        ("She pays 5 000 — a lot.", "5,000", "5 000"),
    ],
)
def test_another_form_of_it_is_found_as_reformatted(text: str, answer: str, passage: str) -> None:
    found = find(text, answer)
    assert found is not None
    assert not found.verbatim
    assert [span.of(text) for span in found.spans] == [passage]


@pytest.mark.parametrize(
    ("text", "answer"), [("In 1948 it was so.", "4"), ("Nothing is there.", "Rome"), ("x", " "), ("x", "--")]
)
def test_a_part_of_a_number_another_word_and_no_letters_are_not_found(text: str, answer: str) -> None:
    assert find(text, answer) is None


def test_a_whole_word_goes_before_a_part_of_one() -> None:
    assert passages("nowhere is no", "no") == ["no"]
    found = find("nowhere is no", "no")
    assert found is not None
    assert found.spans == (Span(11, 13),)


def test_what_a_language_joins_to_a_word_does_not_hide_it() -> None:
    assert passages("ذهب والقاهرة بعيدة", "القاهرة") == ["القاهرة"]


def test_of_nested_answers_the_longest_counts() -> None:
    assert passages("the Denver Broncos won", "Broncos", "Denver Broncos") == ["Denver Broncos"]


def test_every_place_is_found() -> None:
    assert passages("two and two", "two") == ["two", "two"]


def test_an_answer_that_stands_all_over_the_document_says_little() -> None:
    text = "Yes. " * 20
    often = find(text, "Yes", wide=Span(0, 5))
    once = find("Yes. " + "Who? " * 19, "Yes", wide=Span(0, 5))
    assert often is not None
    assert once is not None
    assert (once.chance, often.chance) == (0.0, 1.0)
