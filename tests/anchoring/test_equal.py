"""Passages that stand elsewhere too, equal up to white space."""

import csv
import json
import pickle

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shared_data import shared_data
from strategies import BLANKS, inked_texts, law, long_texts, spans_of, texts

from evalspan.anchoring.equal import TELLING, Equal, EqualPassages, is_telling
from evalspan.spans import Span
from evalspan.text.reading import squash

FEE = "The fee is five pounds a day."
HAN = "委员会批准了今年的预算计划。"
TABLE = "net revenue | 2007 | 231.0\nnet revenue | 2008 | 252.7"


def ranges(passage: str, text: str) -> list[Span]:
    return [found.span for found in EqualPassages([passage]).find(text)]


@st.composite
def respaced(draw: st.DrawFn, passage: str) -> str:
    """The passage with other white space, also within its words."""
    gaps = st.sampled_from(["", "", " ", "\n", "\r\n", "\u3000"]) | st.text(BLANKS, max_size=2)
    return "".join(character + draw(gaps) for character in squash(passage)).rstrip()


@law
@given(st.data(), st.sampled_from([FEE, HAN, TABLE, f"{FEE} {HAN} " * 5]), texts, texts)
def test_a_copy_with_other_white_space_is_found_at_its_range(
    data: st.DataObject, passage: str, before: str, behind: str
) -> None:
    copy = data.draw(respaced(passage))
    text = f"{before} * {copy} * {behind}"
    place = Span(len(before) + 3, len(before) + 3 + len(copy))
    assert EqualPassages([f" {passage}\n"]).find(text) == [Equal(0, place)]


@law
@given(st.data(), st.one_of(inked_texts, long_texts()), st.one_of(inked_texts, long_texts()))
def test_what_is_found_is_the_passage_in_every_character_that_is_not_blank(
    data: st.DataObject, one: str, other: str
) -> None:
    passages = [data.draw(spans_of(one)).of(one) for _ in range(4)] + [data.draw(spans_of(other)).of(other)]
    for number, span in EqualPassages(passages).find(other):
        there = span.of(other)
        assert squash(there) == squash(passages[number])
        assert there == there.strip() != ""


@law
@given(st.data(), st.sampled_from([FEE, HAN]), st.sampled_from("x9.家"))
def test_a_copy_that_differs_in_one_character_is_not_found(data: st.DataObject, passage: str, sign: str) -> None:
    at = data.draw(st.integers(1, len(passage) - 1))
    assume(passage[at] != sign)
    for changed in (passage[:at] + sign + passage[at:], passage[:at] + sign + passage[at + 1 :]):
        assume(squash(passage) not in squash(changed))
        assert ranges(passage, f"Before it. {changed} Behind it.") == []


@law
@given(st.data(), long_texts())
def test_a_passages_own_place_is_among_the_places_or_overlaps_one(data: st.DataObject, text: str) -> None:
    words = text.split(" ")
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    passage = " ".join(words[first : last + 1])
    start = len(" ".join([*words[:first], ""]))
    own = Span(start, start + len(passage))
    assume(is_telling(passage))
    assert any(place.shared(own) for place in ranges(passage, text))


@law
@given(st.data(), st.lists(st.sampled_from([FEE, HAN, TABLE, "aa", "no"]), min_size=1), st.sampled_from(["\n", " "]))
def test_each_passage_is_found_as_if_it_were_alone(data: st.DataObject, parts: list[str], between: str) -> None:
    text = between.join(parts)
    passages = [data.draw(spans_of(text)).of(text) for _ in range(5)]
    alone = [
        Equal(number, found.span)
        for number, passage in enumerate(passages)
        for found in EqualPassages([passage]).find(text)
    ]
    assert EqualPassages(passages).find(text) == alone


def test_every_place_is_given_and_equal_passages_are_each_answered() -> None:
    text = f"{FEE}\nAnother line.\n{FEE.replace(' ', '  ')}\n"
    first, second = Span(0, len(FEE)), Span(len(FEE) + 15, len(text) - 1)
    equal = EqualPassages([FEE, "Not in the text at all.", FEE])
    assert equal.find(text) == [(0, first), (0, second), (2, first), (2, second)]


def test_of_places_that_overlap_the_first_is_given() -> None:
    clause = "again and again "
    places = ranges(clause * 2, clause * 5)
    assert places == [Span(0, 31), Span(32, 63)]


def test_passages_that_begin_or_end_alike_are_each_found_to_their_own_ends() -> None:
    clauses = [f"{FEE} {number} of {FEE}" for number in range(8, 12)] + [FEE, f"{FEE} 9 of {FEE} {HAN}"]
    for number, clause in enumerate(clauses):
        assert (number, Span(0, len(clause))) in EqualPassages(clauses).find(clause)
        assert max(found.span.end for found in EqualPassages(clauses).find(clause)) == len(clause)


@pytest.mark.parametrize(
    ("passage", "text"),
    [
        ("able to pay the fee in time", "Whoever is unable to pay the fee in time."),
        ("the guests pay for breakfast", "the guests pay for breakfasts"),
        ("the guests pay a fee of 5", "the guests pay a fee of 50"),
        ("the guests pay a fee of 5", "the guests pay a fee of 5.50"),
        ("5 euros are paid by each guest", "1.5 euros are paid by each guest"),
        ("the guests pay at the cafe", "the guests pay at the cafe\u0301"),
    ],
)
def test_what_begins_or_ends_within_a_word_or_a_number_says_something_else(passage: str, text: str) -> None:
    assert ranges(passage, text) == []
    assert ranges(passage, f"({passage})") == [Span(1, 1 + len(passage))]


def test_where_words_are_not_set_apart_a_copy_may_stand_between_any_two_characters() -> None:
    assert ranges(HAN[:-1], f"据报道{HAN[:5]}\n{HAN[5:-1]}和安排。") == [Span(3, 3 + len(HAN))]


@pytest.mark.parametrize("passage", ["", " \n ", "1963", "Barack Obama", "- - - - - - - - - - - - -", "北京市"])
def test_what_is_no_evidence_by_itself_is_never_found(passage: str) -> None:
    assert not is_telling(passage)
    assert ranges(passage, f"{passage} {FEE} {passage}") == []


def test_letters_and_digits_make_a_passage_telling_and_wide_ones_count_twice() -> None:
    assert is_telling("a" * TELLING)
    assert not is_telling("a" * (TELLING - 1) + "." * TELLING)
    assert is_telling("家" * (TELLING // 2))
    assert not is_telling("家" * (TELLING // 2 - 1))


def test_without_passages_nothing_is_found() -> None:
    assert EqualPassages([]).find(FEE) == []
    assert EqualPassages([FEE]).find("") == []


def test_it_can_be_handed_to_another_process() -> None:
    equal = pickle.loads(pickle.dumps(EqualPassages([FEE, HAN])))
    assert [found.number for found in equal.find(f"{HAN} {FEE}")] == [0, 1]


def test_the_references_of_a_real_set_that_stand_more_than_once_are_found_each_time() -> None:
    folder = shared_data("chunking_evaluation")
    docs = {path.stem: path.read_bytes().decode() for path in sorted((folder / "corpora").glob("*.md"))}
    with (folder / "questions_df.csv").open(encoding="utf-8", newline="") as lines:
        asked = [
            (row["corpus_id"], Span(reference["start_index"], reference["end_index"]))
            for row in csv.DictReader(lines)
            for reference in json.loads(row["references"])
        ]
    passages = [span.of(docs[doc_id]) for doc_id, span in asked]
    equal = EqualPassages(passages)
    places: dict[int, list[tuple[str, Span]]] = {}
    for doc_id, text in docs.items():
        for number, span in equal.find(text):
            places.setdefault(number, []).append((doc_id, span))
    assert len(passages) == 790
    assert sum(len(found) > 1 for found in places.values()) == 97
    for number, found in places.items():
        assert any(doc_id == asked[number][0] and span.inside(asked[number][1]) for doc_id, span in found)
