"""NUL and lone surrogates are named with their offset, and replaced one for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import law, texts

from evalspan.text import find_bad_character, replace_bad_characters

bad = st.sampled_from(["\0", "\ud800", "\udbff", "\udc00", "\udfff"])


@law
@given(texts)
def test_a_sound_text_holds_none_and_stays_as_it_is(text: str) -> None:
    assert find_bad_character(text) is None
    assert replace_bad_characters(text) == text


@law
@given(st.lists(st.one_of(texts, bad), max_size=6).map("".join))
def test_the_first_one_is_found_and_all_are_replaced_without_moving_an_offset(text: str) -> None:
    wrong = [at for at, character in enumerate(text) if character == "\0" or "\ud800" <= character <= "\udfff"]
    found = find_bad_character(text)
    assert (found[0] if found else None) == (wrong[0] if wrong else None)
    mended = replace_bad_characters(text)
    assert [at for at in range(len(text)) if mended[at] != text[at]] == wrong
    assert len(mended) == len(text)
    assert all(mended[at] == "\ufffd" for at in wrong)
    assert find_bad_character(mended) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ab\0", (2, "NUL")),
        ("👍\ud83d", (1, "a lone surrogate (U+D83D)")),
        ("\udc4d\0", (0, "a lone surrogate (U+DC4D)")),
        ("\ufffd\ufeff", None),
    ],
)
def test_it_is_named(text: str, found: tuple[int, str] | None) -> None:
    assert find_bad_character(text) == found
