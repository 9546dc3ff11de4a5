"""Where in an old chunk the evidence is said to stand, and how surely."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cuts_of, inked_texts, law, long_texts

from evalspan.labels import Question
from evalspan.migrator.narrow import Certainty, How, Narrowing, Scorer, WideLabel, narrow_labels
from evalspan.spans import Span

SENTENCES = (
    "The library opens at nine in the morning and closes at six.",
    "A fine of five pounds is due for every book that is late.",
    "Members may borrow as many as twelve books at one time.",
    "The garden behind the house belongs to the library as well.",
)
TEXT = " ".join(SENTENCES)
WHOLE = Span(0, len(TEXT))


ELSEWHERE = " ".join(f"Page {number} is about birds, trees and rivers of the county." for number in range(60))
"""The rest of the document, against which the words of the chunk are rare."""


def narrow(
    text: str, question: str, *answers: str, wide: Span | None = None, scorer: Scorer | None = None
) -> Narrowing | None:
    asked = {"q": Question(query_id="q", text=question, reference_answers=answers)}
    return narrow_labels(text, [WideLabel("q", wide or Span(0, len(text)))], asked, scorer)[0]


def found(text: str, question: str, *answers: str) -> tuple[Certainty, How, str]:
    narrowing = narrow(f"{text}\n{ELSEWHERE}", question, *answers, wide=Span(0, len(text)))
    assert narrowing is not None
    return narrowing.certainty, narrowing.how, narrowing.span.of(text)


@law
@given(st.data(), st.one_of(inked_texts, long_texts()))
def test_weights_sum_to_1_best_first_and_stay_inside_the_chunk(data: st.DataObject, text: str) -> None:
    labels = [WideLabel("q", span) for span in data.draw(cuts_of(text))]
    words = st.sampled_from(["fee", "Section 3", "ไทย", "e", "", text[:7]])
    asked = Question(
        query_id="q", text=data.draw(words), reference_answers=tuple(data.draw(st.lists(words, max_size=2)))
    )
    for label, narrowing in zip(labels, narrow_labels(text, labels, {"q": asked}), strict=True):
        if narrowing is not None:
            weights = [candidate.weight for candidate in narrowing.candidates]
            assert sum(weights) == pytest.approx(1)
            assert weights == sorted(weights, reverse=True)
            assert all(Span(start, end).inside(label.wide) for start, end, _ in narrowing.candidates)
            assert narrowing.wide == label.wide


def test_an_answer_that_stands_once_is_certain() -> None:
    assert found(TEXT, "?", "five pounds") == (Certainty.CERTAIN, How.VERBATIM, "five pounds")
    assert found(TEXT, "?", "Five  Pounds") == (Certainty.CERTAIN, How.REFORMATTED, "five pounds")


def test_several_places_of_an_answer_are_told_apart_by_the_questions_words() -> None:
    text = (
        "The castle was built in 1450 by the duke. " + "The rain fell. " * 9 + "The bridge burned down in 1450 as well."
    )
    narrowing = narrow(text, "When did the bridge burn?", "1450")
    assert narrowing is not None
    assert narrowing.span.start == text.rindex("1450")
    assert [text[start:end] for start, end, _ in narrowing.candidates] == ["1450", "1450"]


def test_several_places_that_nothing_tells_apart_are_not_certain() -> None:
    text = "It was red in the morning. It was red in the evening."
    assert found(text, "Which?", "red")[0] is not Certainty.CERTAIN


def test_a_word_that_stands_everywhere_is_no_certain_answer() -> None:
    text = "Yes, we may well go there on foot. " * 20
    narrowing = narrow(text, "?", "Yes", wide=Span(0, 34))
    assert narrowing is not None
    assert narrowing.certainty is not Certainty.CERTAIN


def test_a_freely_written_answer_points_to_the_sentence_that_carries_its_words_and_numbers() -> None:
    assert found(TEXT, "What if?", "You owe 5 pounds for each late book") == (
        Certainty.LIKELY,
        How.ANSWER_WORDS,
        SENTENCES[1],
    )


def test_without_answers_the_questions_words_rank_the_sentences_and_are_never_certain() -> None:
    assert found(TEXT, "How many books may a member borrow?") == (Certainty.LIKELY, How.QUESTION_WORDS, SENTENCES[2])


def test_a_question_none_of_whose_words_are_there_weighs_by_size() -> None:
    narrowing = narrow(TEXT, "Quid novi?")
    assert narrowing is not None
    assert narrowing.certainty is Certainty.NONE
    sizes = {Span(start, end).length: weight for start, end, weight in narrowing.candidates}
    assert sorted(sizes.values()) == [sizes[size] for size in sorted(sizes)]


def test_nothing_is_said_without_a_question_or_with_an_empty_one() -> None:
    label = WideLabel("q", WHOLE)
    assert narrow_labels(TEXT, [label, None], {}) == [None, None]
    assert narrow(TEXT, "") is None
    assert narrow("  \n ", "What?") is None


def test_where_two_labelled_chunks_overlap_comes_first() -> None:
    text = f"{ELSEWHERE} {TEXT} {ELSEWHERE}"
    first, second = Span(0, text.index("Members")), Span(text.index("A fine"), len(text))
    for narrowing in narrow_labels(text, [WideLabel("q", first), WideLabel("q", second)], {}):
        assert narrowing is not None
        assert (narrowing.how, narrowing.span.of(text), narrowing.decides) == (How.OVERLAP, SENTENCES[1], False)
    apart = [WideLabel("q", first), WideLabel("other", second), WideLabel("q", first)]
    assert narrow_labels(text, apart, {}) == [None, None, None]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_a_scorer_may_use_any_scale(scale: float) -> None:
    def last(_question: str, sentences: Sequence[str]) -> list[float]:
        return [scale * (sentence == SENTENCES[3]) - 7 * scale for sentence in sentences]

    narrowing, plain = narrow(TEXT, "Quid?", scorer=last), narrow(TEXT, "Quid?", scorer=lambda _, s: [scale] * len(s))
    assert narrowing is not None
    assert plain is not None
    assert (narrowing.how, narrowing.certainty, narrowing.span.of(TEXT)) == (
        How.SCORER,
        Certainty.LIKELY,
        SENTENCES[3],
    )
    assert narrowing.candidates[0].weight > 0.6
    assert plain.certainty is Certainty.NONE


def test_a_scorer_is_not_asked_where_an_answer_stands_alone() -> None:
    asked: list[str] = []

    def none(question: str, sentences: Sequence[str]) -> list[float]:
        asked.append(question)
        return [0.0] * len(sentences)

    assert narrow(TEXT, "How much?", "five pounds", scorer=none) == narrow(TEXT, "How much?", "five pounds")
    assert asked == []


def test_a_chunk_labelled_twice_says_the_same_as_alone() -> None:
    asked = {
        "a": Question(query_id="a", text="How many books may members borrow?"),
        "b": Question(query_id="b", text="When does the library open in the morning?"),
    }
    labels = [WideLabel("a", WHOLE), WideLabel("b", WHOLE)]
    assert narrow_labels(TEXT, labels, asked) == [narrow_labels(TEXT, [label], asked)[0] for label in labels]
