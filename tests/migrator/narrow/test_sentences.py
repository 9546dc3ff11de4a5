"""Where a sentence ends."""

from itertools import pairwise

import pytest
from hypothesis import given
from strategies import inked, law, long_texts, texts

from evalspan.migrator.narrow.sentences import LONG, sentences
from evalspan.spans import Span


@pytest.mark.parametrize(
    "parts",
    [
        ["The fee is five pounds a day.", "It is waived for members?", 'He said: "It never is!"'],
        ["费用是每天五英镑，会员免收，其余的人在到达之后付款。", "他说这从来都不是真的，而且没有一个人相信他的话！"],
        ["हर दिन का शुल्क पाँच पाउंड है।", "सदस्यों के लिए यह माफ़ कर दिया जाता है।"],
        ["A heading that is long enough", "A line of a table | 1 | 2 | 3 | 4", "Another line | 5 | 6 | 7 | 8"],
    ],
)
def test_each_sentence_and_each_line_is_one(parts: list[str]) -> None:
    for between in ("\n", "\n\n  "):
        text = between.join(parts)
        assert [span.of(text) for span in sentences(text, 0, len(text))] == parts


def test_a_short_piece_joins_what_follows() -> None:
    text = "1. Mr. A. Smith pays five pounds a day. He is not a member of any club."
    assert [span.of(text) for span in sentences(text, 0, len(text))] == [
        "1. Mr. A. Smith pays five pounds a day.",
        "He is not a member of any club.",
    ]


def test_a_stretch_without_an_end_is_cut_at_blanks() -> None:
    text = "word " * LONG
    found = sentences(text, 0, len(text))
    assert len(found) > 2
    assert all(span.length <= 2 * LONG and not span.of(text).startswith("ord") for span in found)


def test_a_stretch_without_a_blank_is_cut_all_the_same() -> None:
    text = "x" * 5 * LONG
    assert all(span.length <= 2 * LONG for span in sentences(text, 0, len(text)))


@law
@given(texts)
def test_only_white_space_is_left_out(text: str) -> None:
    found = sentences(text, 0, len(text))
    held = {offset for span in found for offset in range(*span)}
    assert inked(text, Span(0, len(text))) <= held
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(span.of(text) == span.of(text).strip() != "" for span in found)


@law
@given(long_texts())
def test_the_sentences_of_a_part_stay_inside_it(text: str) -> None:
    start, end = len(text) // 4, len(text) // 2
    assert all(span.inside(Span(start, end)) for span in sentences(text, start, end))
