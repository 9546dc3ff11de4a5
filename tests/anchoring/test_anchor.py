"""An anchor keeps enough to find its span again, whatever engine looks for it."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import inked, law, long_texts, places, spans_of, texts

from evalspan.anchoring import Anchor, make_anchor
from evalspan.anchoring.anchor import CONTEXT, CONTEXT_LIMIT, EDGE, EXACT_LIMIT
from evalspan.digests import text_digest
from evalspan.spans import Span


@law
@given(st.data(), st.one_of(texts.filter(bool), long_texts()))
def test_an_anchor_says_of_its_span_what_the_text_says(data: st.DataObject, text: str) -> None:
    span = data.draw(spans_of(text))
    anchor = make_anchor(text, span)
    quote = span.of(text)
    assert (anchor.length, anchor.digest) == (len(quote), text_digest(quote))
    assert anchor.exact == (quote if len(quote) <= EXACT_LIMIT else "")
    assert quote.startswith(anchor.head)
    assert quote.endswith(anchor.tail)
    assert text[: span.start].endswith(anchor.prefix)
    assert text[span.end :].startswith(anchor.suffix)


@law
@given(st.data(), st.one_of(texts.filter(bool), long_texts()))
def test_its_number_among_the_copies_leads_back_to_the_span(data: st.DataObject, text: str) -> None:
    span = data.draw(spans_of(text))
    anchor = make_anchor(text, span)
    copies = places(span.of(text), text)
    assert anchor.copies == len(copies)
    assert copies[anchor.nth] == span


@law
@given(st.data(), long_texts())
def test_context_grows_until_the_passage_is_the_only_one_or_the_limit_is_reached(
    data: st.DataObject, text: str
) -> None:
    span = data.draw(spans_of(text))
    anchor = make_anchor(text, span)
    around = anchor.prefix + span.of(text) + anchor.suffix
    if len(places(around, text)) > 1:
        whole = len(anchor.prefix) == span.start, len(anchor.suffix) == len(text) - span.end
        assert all(
            given_up or len(side) >= CONTEXT_LIMIT
            for given_up, side in zip(whole, (anchor.prefix, anchor.suffix), strict=True)
        )


def test_context_is_bounded_even_where_everything_repeats() -> None:
    text = "same words again " * 400
    anchor = make_anchor(text, Span(1700, 1716))
    assert CONTEXT_LIMIT <= len(anchor.prefix) <= 2 * CONTEXT_LIMIT
    assert CONTEXT_LIMIT <= len(anchor.suffix) <= 2 * CONTEXT_LIMIT


def test_context_ends_at_whole_words() -> None:
    text = "alpha beta gamma delta epsilon zeta HERE eta theta iota kappa lambda mu"
    at = text.index("HERE")
    anchor = make_anchor(text, Span(at, at + 4))
    assert set((anchor.prefix + anchor.suffix).split()) <= set(text.split())
    assert len(anchor.prefix) >= CONTEXT


def test_of_a_long_passage_two_ends_are_kept_cut_at_words() -> None:
    text = " ".join(f"word{number}" for number in range(200))
    anchor = make_anchor(text, Span(0, len(text)))
    assert anchor.exact == ""
    assert 0 < len(anchor.head) <= EDGE
    assert 0 < len(anchor.tail) <= EDGE
    assert set((anchor.head + " " + anchor.tail).split()) <= set(text.split())


def test_a_passage_without_a_blank_keeps_its_ends_all_the_same() -> None:
    text = "家" * 600
    anchor = make_anchor(text, Span(0, 600))
    assert (anchor.head, anchor.tail) == ("家" * EDGE, "家" * EDGE)


def test_the_longest_passage_that_is_quoted_whole() -> None:
    text = "x" * 500
    assert len(make_anchor(text, Span(0, EXACT_LIMIT)).exact) == EXACT_LIMIT
    assert make_anchor(text, Span(0, EXACT_LIMIT + 1)).exact == ""


@law
@given(st.data(), texts.filter(lambda text: bool(inked(text))))
def test_json_gives_it_back(data: st.DataObject, text: str) -> None:
    anchor = make_anchor(text, data.draw(spans_of(text)))
    assert Anchor.model_validate_json(anchor.model_dump_json()) == anchor
