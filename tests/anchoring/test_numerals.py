"""Numbers that are not written in digits."""

import unicodedata

import pytest
from strategies import places

from evalspan.anchoring import locate_chunks, relocate
from evalspan.anchoring.alignment.same import says_the_same
from evalspan.anchoring.negation import NEGATIONS
from evalspan.anchoring.numerals import NUMBER_WORDS, as_digits, numerals
from evalspan.anchoring.placement.meaning import same_meaning

OTHER_NUMBERS = [
    ("Refunds are paid within thirty days of delivery.", "Refunds are paid within ninety days of delivery."),
    ("您可以在收到商品后三十天内退货，但必须保留收据。", "您可以在收到商品后六十天内退货，但必须保留收据。"),
    ("家里的暖气必须每两年检修一次。", "家里的暖气必须每三年检修一次。"),
    ("返品は三十日以内に可能ですが、領収書が必要です。", "返品は六十日以内に可能ですが、領収書が必要です。"),
    ("يمكنك إرجاع المنتج خلال ٣٠ يوماً من تاريخ الاستلام", "يمكنك إرجاع المنتج خلال ٦٠ يوماً من تاريخ الاستلام"),
    ("يمكنك إرجاع المنتج خلال ثلاثين يوماً من تاريخ الاستلام", "يمكنك إرجاع المنتج خلال ستين يوماً من تاريخ الاستلام"),
    ("في المدينة خمسة وثلاثين بيتاً كبيراً", "في المدينة خمسة وستين بيتاً كبيراً"),
    ("Rückgabe ist innerhalb von dreißig Tagen möglich.", "Rückgabe ist innerhalb von sechzig Tagen möglich."),
    ("Dort stehen fünfunddreißig Bäume im Garten.", "Dort stehen fünfundsechzig Bäume im Garten."),
    ("Le retour est possible sous trente jours au plus.", "Le retour est possible sous quarante jours au plus."),
    ("La devolución es posible en treinta días hábiles.", "La devolución es posible en sesenta días hábiles."),
    ("Il reso è possibile entro trentacinque giorni.", "Il reso è possibile entro trentasei giorni."),
    ("Zwrot jest możliwy w ciągu trzydziestu dni roboczych.", "Zwrot jest możliwy w ciągu czterdziestu dni roboczych."),
    ("Возврат возможен в течение тридцати дней от покупки.", "Возврат возможен в течение сорока дней от покупки."),
    ("आप तीस दिनों के भीतर सामान वापस कर सकते हैं।", "आप साठ दिनों के भीतर सामान वापस कर सकते हैं।"),
    ("Use ½ cup of sugar and a pinch of salt for it.", "Use ¾ cup of sugar and a pinch of salt for it."),
    ("Chapter Ⅳ applies to the members and their guests.", "Chapter Ⅵ applies to the members and their guests."),
    ("The fee is half of what the guests pay at the door.", "The fee is double of what the guests pay at the door."),
    ("The board meets twice in the year at the old mill.", "The board meets in the year at the old mill."),
]  # fmt: skip


@pytest.mark.parametrize(("was", "now"), OTHER_NUMBERS)
def test_another_number_in_words_or_other_signs_is_another_meaning(was: str, now: str) -> None:
    for one, other in ((was, now), (now, was)):
        assert not says_the_same(one, other)
        assert not same_meaning(one, other)
        old, new = (f"Head line stands.\n\n{text}\n\nA tail stands here too." for text in (one, other))
        match = relocate(places(one, old), old, new)[0]
        assert (match.sure, match.same) == (True, False)
        decomposed = unicodedata.normalize("NFD", one), unicodedata.normalize("NFD", other)
        assert not says_the_same(*decomposed)


def test_a_chunk_that_says_another_number_in_words_is_not_what_the_document_holds() -> None:
    parts = [f"{number}. This clause says one more thing about number {number * 7}.\n" for number in range(12)]
    rule = "The fee is due within thirty days of the first day of the month.\n"
    text = "".join([*parts[:6], rule, *parts[6:]])
    match = locate_chunks([*parts[:6], rule.replace("thirty", "ninety"), *parts[6:]], text)[6]
    assert not match.same


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("It takes thirty days for a refund.", "For a refund it takes thirty days."),
        ("It takes thirty days for a refund.", "It takes 30 days for a refund."),
        ("It holds ３０ litres of oil.", "It holds 30 litres of oil."),
        ("يستغرق ٣٠ يوماً", "يستغرق 30 يوماً"),
        ("Take ½ of a cup.", "Take half of a cup."),
        ("他买了三本书", "他买了 3 本书"),
        ("One of them is a friend.", "A friend is among them."),
        ("Once you have it, first open the box.", "When you have it, open the box."),
        ("Er hat ein Haus.", "Er hat das Haus."),
        ("C'est un chat.", "C'est le chat."),
        ("我们有一些什么东西参加", "我们有东西"),
    ],
)
def test_another_order_or_notation_of_a_number_is_none_and_articles_are_no_numbers(was: str, now: str) -> None:
    assert says_the_same(was, now)
    assert says_the_same(now, was)


def test_the_negations_of_scripts_with_vowel_signs_are_words() -> None:
    assert not says_the_same("सामान वापस करना संभव है", "सामान वापस करना संभव नहीं है")
    assert not same_meaning("सामान वापस करना संभव है", "सामान वापस करना संभव नहीं है")
    assert not says_the_same("ফেরত সম্ভব", "ফেরত সম্ভব নয়")
    assert says_the_same("नमक और पानी", "पानी और नमक")


def test_no_word_is_both_a_number_and_a_negation_and_all_are_folded() -> None:
    assert not NUMBER_WORDS.keys() & NEGATIONS
    assert all(word == unicodedata.normalize("NFC", word).casefold() for word in NUMBER_WORDS)
    assert {word: NUMBER_WORDS[word] for word in ("dreissig", "vijfentwintig", "ventotto", "والثلاثين"[1:])} == {
        "dreissig": "30",
        "vijfentwintig": "25",
        "ventotto": "28",
        "الثلاثين": "30",
    }


def test_a_run_of_numerals_is_one_number_and_a_single_sign_is_what_it_says() -> None:
    assert numerals("三十 and 五, ½ of ², and 一 or 什么, not 30") == ["三十", "5", "1/2", "2"]
    assert numerals("only 30 in ASCII") == []
    assert as_digits("−１２.5") == "-12.5"
