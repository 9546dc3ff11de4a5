"""The spans of an old text in its new version."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import inked_texts, law, long_texts, places, spans_of

from evalspan.anchoring import Status, relocate
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


@pytest.mark.xfail(
    strict=True,
    reason="the only copy left in the new text is taken without looking at the context: wrong and sure",
)
def test_where_one_of_two_copies_was_deleted_its_span_is_not_surely_at_the_other() -> None:
    old = "Opening hours.\n" + FEE + "A middle part.\n" + FEE + "Closing hours."
    new = old.replace(FEE, "", 1)
    deleted, kept = relocate(places(FEE, old), old, new)
    assert (kept.span, kept.sure) == (places(FEE, new)[0], True)
    assert not deleted.sure
