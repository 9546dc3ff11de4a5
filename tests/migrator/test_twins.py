"""The same passage elsewhere answers as well."""

from hypothesis import given
from hypothesis import strategies as st
from small_sets import BY, CARD, FINE, LENDING, LOAN, OTHER, judgment, narrow, question, span_of
from strategies import law

from evalspan.labels import Fact, JudgedQuestion, Judgment
from evalspan.migrator.twins import MOST, Twins, find_twins, tied, twin_judgment, twin_proposal, with_judgments


def found(asked: JudgedQuestion, **texts: str) -> list[Twins]:
    """By document."""
    passages = [(asked.query_id, one, one.span.of(texts[one.doc_id])) for one in asked.judgments]
    return find_twins([asked], passages, sorted(texts.items()))


def test_a_passage_that_stands_once_has_no_twin() -> None:
    assert found(question(judgment("a", LENDING, LOAN)), a=LENDING, b=OTHER) == []


def test_copies_are_found_in_all_documents_up_to_white_space() -> None:
    wrapped = LOAN.replace(" ", "\n  ")
    asked = question(judgment("a", LENDING, LOAN))
    twins = found(asked, a=f"{LENDING}\n{LOAN}", b=f"{OTHER}{wrapped}\n", c=f"Un{LOAN}")
    assert [
        (one.doc_id, [span.of(t) for span in one.spans])
        for one, t in zip(twins, (f"{LENDING}\n{LOAN}", f"{OTHER}{wrapped}\n"), strict=True)
    ] == [("a", [LOAN]), ("b", [wrapped])]


def test_what_is_judged_already_is_no_twin_be_it_as_harmful_but_for_another_fact_it_is() -> None:
    texts = {"a": LENDING, "b": f"{OTHER}{LOAN}"}
    label = judgment("a", LENDING, LOAN, fact="loan")
    facts = (Fact(fact_id="loan"), Fact(fact_id="fine"))
    harmful = judgment("b", texts["b"], LOAN[:30], grade=-1, fact="loan")
    assert found(question(label, harmful, facts=facts), **texts) == []
    other = harmful.model_copy(update={"fact": "fine"})
    twins = found(question(label, other, facts=facts), **texts)
    assert [(one.about.fact, one.doc_id) for one in twins] == [("loan", "b")]


def test_what_stands_all_over_the_corpus_is_a_footer_and_not_offered() -> None:
    asked = question(judgment("a", LENDING, LOAN))
    assert len(found(asked, a=LENDING, b=f"{LOAN}\n" * MOST)[0].spans) == MOST
    assert found(asked, a=LENDING, b=f"{LOAN}\n" * MOST, c=LOAN) == []


def test_a_twin_of_two_labels_of_the_same_words_is_offered_once() -> None:
    texts = {"a": LENDING, "b": f"{OTHER}{LOAN}", "c": f"{LOAN}\n"}
    asked = question(judgment("a", LENDING, LOAN), judgment("b", texts["b"], LOAN))
    twins = found(asked, **texts)
    assert {one.doc_id for one in twins} == {"c"}
    assert len({twin_proposal(one).key for one in twins}) == 1


def test_an_offer_names_the_label_and_its_copies() -> None:
    text = f"{LOAN}\n{LOAN}"
    (twins,) = found(question(judgment("a", LENDING, LOAN, grade=2)), a=LENDING, b=text)
    offer = twin_proposal(twins)
    assert (offer.reason, offer.doc_id, offer.about) == ("twin", "b", twins.about)
    assert [one.span.of(text) for one in offer.candidates] == [LOAN, LOAN]
    assert offer.digest == twins.about.anchor.digest


def test_a_copy_is_said_of_its_own_text() -> None:
    text = f"{OTHER}{LOAN}"
    about = tied(narrow("a", LENDING, LOAN, f"{LOAN} {FINE}", grade=-1, tabular=True))
    copy = twin_judgment(about, "b", span_of(text, LOAN), text, BY)
    assert (copy.grade, copy.tabular, copy.alternative, copy.provenance) == (-1, True, about.alternative, BY)
    assert (copy.origin, copy.chunk_id, copy.wide, copy.doc_id) == ("span", None, None, "b")
    assert copy.span.of(text) == LOAN
    assert copy.anchor.prefix == text[copy.start - len(copy.anchor.prefix) : copy.start]


def test_a_label_that_is_an_alternative_by_its_fact_or_name_needs_no_other() -> None:
    assert tied(judgment("a", LENDING, LOAN)).alternative
    for label in (judgment("a", LENDING, LOAN, fact="f"), judgment("a", LENDING, LOAN, alternative="*")):
        assert tied(label) == label
    assert tied(tied(judgment("a", LENDING, LOAN))) == tied(judgment("a", LENDING, LOAN))


@law
@given(st.lists(st.sampled_from([LOAN, FINE, CARD]), max_size=3))
def test_taking_copies_twice_is_taking_them_once_and_no_label_is_lost(passages: list[str]) -> None:
    about = judgment("a", LENDING, LOAN)
    asked = question(judgment("a", LENDING, FINE), about)
    copies: list[Judgment] = [judgment("b", LENDING, passage, alternative="x") for passage in dict.fromkeys(passages)]
    once = with_judgments(asked, about, tied(about), copies)
    assert with_judgments(once, tied(about), tied(about), copies) == once
    assert once.judgments[:2] == (asked.judgments[0], tied(about))
    assert set(copies) <= set(once.judgments)
