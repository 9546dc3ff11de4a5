"""The spans of an old text in its new version."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import inked_texts, law, long_texts, places, spans_of

from evalspan.anchoring import Status, relocate
from evalspan.anchoring.alignment.letters import letters
from evalspan.errors import BadInput
from evalspan.spans import Span
from evalspan.text.reading import squash

FEE = "The fee is five pounds a day.\n"
any_text = st.one_of(inked_texts, long_texts())


@law
@given(st.data(), any_text)
def test_found_again_in_an_unchanged_text_is_itself(data: st.DataObject, text: str) -> None:
    spans = data.draw(st.lists(spans_of(text), max_size=5))
    for span, match in zip(spans, relocate(spans, text, text), strict=True):
        assert (match.span, match.status, match.sure, match.same) == (span, Status.EXACT, True, True)
        assert (match.score, match.coverage, match.pieces, match.rivals) == (1.0, 1.0, (span,), ())


@law
@given(st.data(), long_texts(), long_texts())
def test_pairs_are_as_good_as_spans_and_each_is_answered_by_itself_in_the_order_given(
    data: st.DataObject, old: str, new: str
) -> None:
    spans = data.draw(st.lists(spans_of(old), min_size=1, max_size=4))
    together = relocate(spans, old, new)
    assert relocate([(span.start, span.end) for span in spans], old, new) == together
    assert relocate(iter(reversed(spans)), old, new) == together[::-1]
    assert [relocate([span], old, new)[0] for span in spans] == together


@law
@given(st.data(), long_texts(), st.sampled_from(["", "A new preface.\n", "👩‍👩‍👧 Вступление.\n"]))
def test_text_put_in_front_moves_a_passage_that_stands_once_along_with_both_ends(
    data: st.DataObject, old: str, front: str
) -> None:
    span = data.draw(spans_of(old))
    new = front + old + "A new last line."
    assume(len(squash(span.of(old))) >= 12 and len(places(span.of(old), new)) == 1)
    match = relocate([span], old, new)[0]
    assert (match.sure, match.same) == (True, True)
    assert match.span == Span(span.start + len(front), span.end + len(front))


@law
@given(st.data(), long_texts(), st.sampled_from(["A new preface.\n", "Section 3 is not about a.\n"]))
def test_a_passage_that_repeats_is_never_surely_at_another_copy(data: st.DataObject, old: str, front: str) -> None:
    span = data.draw(spans_of(old))
    match = relocate([span], old, front + old)[0]
    if match.sure:
        assert match.span == Span(span.start + len(front), span.end + len(front))


def test_a_passage_that_is_gone_is_not_found() -> None:
    old = "Opening hours.\n" + FEE + "Closing hours."
    match = relocate([(15, 15 + len(FEE))], old, old.replace(FEE, ""))[0]
    assert (match.status, match.sure) == (Status.MISSING, False)


def test_where_one_of_two_copies_was_deleted_its_span_is_not_surely_at_the_other() -> None:
    old = "Opening hours.\n" + FEE + "A middle part.\n" + FEE + "Closing hours."
    new = old.replace(FEE, "", 1)
    deleted, kept = relocate(places(FEE, old), old, new)
    assert (kept.span, kept.sure) == (places(FEE, new)[0], True)
    assert not deleted.sure


@law
@given(st.data(), any_text, any_text)
def test_every_answer_lies_in_the_new_text_and_holds_what_it_says(data: st.DataObject, old: str, new: str) -> None:
    for span in data.draw(st.lists(spans_of(old), min_size=1, max_size=4)):
        match = relocate([span], old, new)[0]
        assert 0 <= match.score <= 1
        assert 0 <= match.coverage <= 1
        assert bool(match.reason) != match.sure
        for place in (*match.pieces, *match.rivals, *([match.span] if match.span else [])):
            assert 0 <= place.start < place.end <= len(new)
        if match.sure:
            assert match.span
            assert match.pieces
            assert match.pieces[0].start == match.span.start
            assert match.pieces[-1].end == match.span.end
            assert match.status not in (Status.AMBIGUOUS, Status.MISSING)
        if match.status is Status.EXACT:
            assert match.span
            assert match.span.of(new) == span.of(old)
        if match.status is Status.REFORMATTED:
            assert match.span
            assert letters(match.span.of(new)) == letters(span.of(old))
        if match.status is Status.MISSING:
            assert not match.sure


@law
@given(st.data(), long_texts(), st.sampled_from(["Wholly new words were put here.\n", "\n", "é 👩‍👩‍👧 x "]))
def test_an_insertion_elsewhere_moves_an_exact_passage_by_its_length(
    data: st.DataObject, old: str, put_in: str
) -> None:
    at = data.draw(st.integers(0, len(old)))
    span = data.draw(spans_of(old))
    assume(not span.start < at < span.end)
    assume("\u200d" not in old[max(0, at - 1) : at + 1])  # not into the middle of a joined sign
    new = old[:at] + put_in + old[at:]
    assume(len(squash(span.of(old))) >= 12 and len(places(span.of(old), new)) == 1)
    match = relocate([span], old, new)[0]
    shift = len(put_in) if at <= span.start else 0
    assert match.span == Span(span.start + shift, span.end + shift)
    assert match.sure


@law
@given(st.lists(st.integers(0, 40), unique=True, min_size=4, max_size=10), st.data())
def test_of_like_sentences_the_one_that_was_deleted_is_not_surely_at_another(
    numbers: list[int], data: st.DataObject
) -> None:
    names = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ironwood", "Juniper"]
    sentences = [f"Team {names[k]} keeps the ledger of district {n}." for k, n in enumerate(numbers)]
    gone = data.draw(st.integers(0, len(sentences) - 1))
    between = data.draw(st.sampled_from([" ", "\n", "\n\n"]))
    old = between.join(sentences)
    new = between.join(sentences[:gone] + sentences[gone + 1 :])
    spans = [places(sentence, old)[0] for sentence in sentences]
    matches = relocate(spans, old, new)
    assert not matches[gone].sure
    for sentence, match in zip(
        sentences[:gone] + sentences[gone + 1 :], matches[:gone] + matches[gone + 1 :], strict=True
    ):
        assert (match.span, match.sure, match.same) == (places(sentence, new)[0], True, True)


@pytest.mark.parametrize("span", [(0, 1000), (5, 2), (-3, 2)])
@pytest.mark.parametrize("new", ["The quick brown fox", "The slow brown fox jumps"])
def test_a_span_outside_the_old_text_is_refused(span: tuple[int, int], new: str) -> None:
    with pytest.raises(BadInput, match="no range of a text of 19 code points"):
        relocate([span], "The quick brown fox", new)
