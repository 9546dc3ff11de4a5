"""Numbers that are not written in digits: signs with a numeric value, and number words.

The words are those of the languages that `negation` has words for, as far as blanks set them apart. A word that means
something else too, in its own language or in another, is left out: "one", "once", "first", "second", "third", French
"un" and "cent", German "ein" and "elf", Spanish "dos" (Portuguese "of the"), Italian "due" and "sei", Romanian "opt",
Swedish "sex", Turkish "on" and "bin", Hindi "दो" and the like. It is noticed all the same where it becomes, or takes
the place of, a word that is in the list. Left out are also inflections but for the commonest, most ordinals, and Korean
and Thai words, which nothing sets apart. What stands in no list is not noticed.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import product

_BY_VALUE = """
0 zero zéro cero noll ноль нуль sıfır صفر शून्य শূন্য nol
2 two deux zwei duas două twee två два две двух двум dwa dwie dwóch iki اثنان اثنين اثنتان اثنتين দুই hai dua
3 three trois tres drei tre três trei drie три трёх трех trzy trzech üç ثلاثة ثلاث तीन তিন tiga
4 four quatre cuatro vier quattro quatro patru fyra четыре четырёх четырех cztery czterech dört
4 أربعة أربع चार চার bốn empat fourth vierte vierten
5 five cinq cinco fünf cinque cinci vijf fem пять пяти pięć pięciu beş خمسة خمس पाँच पांच পাঁচ fifth
6 six seis sechs șase zes seks шесть шести sześć sześciu ستة छह छः ছয় sáu enam sixth
7 seven siete sieben sete sette șapte zeven sju syv семь семи siedem siedmiu سبعة सात সাত bảy tujuh seventh
8 eight huit ocho acht oito åtta åtte otte восемь восьми osiem ośmiu sekiz ثمانية ثماني आठ আট tám delapan eighth
9 nine neuf nueve neun negen nio девять девяти dziewięć dziewięciu dokuz تسعة تسع नौ chín sembilan ninth
10 ten dix diez zehn dez dieci zece tien tio десять десяти dziesięć dziesięciu عشرة عشر दस দশ mười sepuluh tenth
11 eleven onze undici unsprezece elva elleve одиннадцать jedenaście ग्यारह এগারো sebelas
12 twelve douze doce zwölf doze dodici doisprezece twaalf tolv двенадцать dwanaście बारह বারো
13 thirteen treize trece dreizehn treze tredici treisprezece dertien tretton tretten тринадцать trzynaście तेरह
14 fourteen quatorze catorce vierzehn catorze quattordici paisprezece veertien fjorton fjorten четырнадцать
14 czternaście चौदह
15 fifteen quinze quince fünfzehn quindici cincisprezece vijftien femton femten пятнадцать piętnaście पंद्रह পনেরো
16 sixteen dieciséis sechzehn dezesseis dezasseis sedici șaisprezece zestien sexton seksten шестнадцать szesnaście सोलह
17 seventeen diecisiete siebzehn dezessete dezassete diciassette șaptesprezece zeventien sjutton sytten
17 семнадцать siedemnaście सत्रह
18 eighteen dieciocho achtzehn dezoito diciotto optsprezece achttien arton восемнадцать osiemnaście अठारह
19 nineteen diecinueve neunzehn dezenove dezanove diciannove nouăsprezece negentien nitton nitten девятнадцать
19 dziewiętnaście उन्नीस
20 twenty vingt vingts veinte zwanzig vinte venti douăzeci twintig tjugo tyve tjue двадцать двадцати
20 dwadzieścia dwudziestu yirmi عشرون عشرين बीस বিশ
30 thirty trente treinta dreißig trinta trenta treizeci dertig trettio tredive tretti тридцать тридцати
30 trzydzieści trzydziestu otuz ثلاثون ثلاثين तीस ত্রিশ
40 forty quarante cuarenta vierzig quarenta quaranta patruzeci veertig fyrtio fyrre førti сорок сорока
40 czterdzieści czterdziestu kırk أربعون أربعين चालीस চল্লিশ
50 fifty cinquante cincuenta fünfzig cinquenta cinquanta cincizeci vijftig femtio halvtreds femti
50 пятьдесят пятидесяти pięćdziesiąt pięćdziesięciu elli خمسون خمسين पचास পঞ্চাশ
60 sixty soixante sesenta sechzig sessenta sessanta șaizeci zestig sextio seksti шестьдесят шестидесяти
60 sześćdziesiąt sześćdziesięciu altmış ستون ستين साठ ষাট
70 seventy septante setenta siebzig settanta șaptezeci zeventig sjuttio halvfjerds sytti семьдесят семидесяти
70 siedemdziesiąt yetmiş سبعون سبعين सत्तर সত্তর
80 eighty octante ochenta achtzig oitenta ottanta optzeci tachtig åttio firs åtti восемьдесят восьмидесяти
80 osiemdziesiąt seksen ثمانون ثمانين अस्सी আশি
90 ninety nonante noventa neunzig novanta nouăzeci negentig nittio halvfems nitti девяносто dziewięćdziesiąt
90 doksan تسعون تسعين नब्बे নব্বই
100 hundred hundreds cien ciento cientos hundert cem cento sută honderd hundra hundrede hundre сто ста
100 yüz مئة مائة सौ শত trăm seratus ratus
200 doscientos duzentos zweihundert duecento tweehonderd двести مئتان مئتين
1000 thousand thousands mille mil tausend mila mie mii duizend tusen tusind тысяча тысячи тысяч tysiąc tysiące tysięcy
1000 ألف آلاف हज़ार हजार হাজার nghìn ngàn seribu ribu
100000 लाख লক্ষ lakh
1000000 million millions millón millones millionen milhão milhões milione milioni milion milioane miljoen miljon
1000000 миллион миллиона миллионов milyon مليون triệu juta
1000000000 billion milliard milliarde milliarden miliardo miliardi miljard миллиард миллиарда миллиардов milyar مليار
12/1 dozen douzaine docena dutzend dúzia dozzina дюжина
1/2 half halves demi moitié mitad metade halb halbe halben halber halbes hälfte metà jumătate helft halve halv hälften
1/2 половина половину половины połowa połowę yarım yarısı نصف आधा অর্ধেক nửa setengah
*2 twice double doubled doble doppelt doppelte doppelten dobro doppio dublu dubbel dobbelt вдвое дважды
*2 ضعف ضعفي दोगुना zweimal
*3 thrice triple tripled dreimal dreifach dreifache triplo втрое трижды
"""
"""A value and its words. The value serves to tell the words apart only, and "thirty" from nothing but "30"."""

_UNITS = {
    "de": "ein zwei drei vier fünf sechs sieben acht neun",
    "nl": "een twee drie vier vijf zes zeven acht negen",
    "it": "uno due tre quattro cinque sei sette otto nove",
}
_TENS = {
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
}

_ARABIC_PREFIXES = ("و", "ب", "ل", "ال")
"""And, with, for, the: written in one with the word behind."""

_ALONE = frozenset("一什伍参參陆陸拾肆漆零幺")
"""Signs that are numbers beside others (二十一) and by themselves mostly part of a word (一些, 什么, 参加, 大陆)."""

_ALSO = "两"
"""Two, and of no numeric value in Unicode's tables before 15.1."""

_WITHOUT = re.compile("[\x00-\xb1\xb4-\xb8\xba\xbb\xbf-\u065f\u2010-\u206f]*")
"""The letters and signs of Latin, Greek and Cyrillic text: no numerals are among them, and a look at each is spared."""


def _words() -> Iterator[tuple[str, str]]:
    for line in _BY_VALUE.split("\n"):
        value, *words = line.split() or [""]
        for word in words:
            yield word, value
            if "\u0620" <= word[0] <= "\u064a":
                yield from ((prefix + word, value) for prefix in _ARABIC_PREFIXES)
    for language, joint in (("de", "und"), ("nl", "en"), ("nl", "ën")):
        for ten, unit in _pairs(language):
            yield f"{unit[1]}{joint}{ten[1]}", str(ten[0] * 10 + unit[0])
    for ten, unit in _pairs("it"):
        stem = ten[1][:-1] if unit[1][0] in "uo" else ten[1]
        yield stem + unit[1], str(ten[0] * 10 + unit[0])


def _pairs(language: str) -> Iterator[tuple[tuple[int, str], tuple[int, str]]]:
    return product(enumerate(_TENS[language].split(), 2), enumerate(_UNITS[language].split(), 1))


NUMBER_WORDS: dict[str, str] = {unicodedata.normalize("NFC", word).casefold(): value for word, value in _words()}
"""Word (case-folded, NFC) → its value as digits."""


def numerals(text: str) -> list[str]:
    """The numbers of a text in signs that are no decimal digits, in their order: a run (三十) is one number as it
    stands, a single sign is what it says in digits ("3", "1/2")."""
    if text.isascii() or _WITHOUT.fullmatch(text):
        return []
    signs = [sign for sign in filter(str.isnumeric, set(text)) if not sign.isdecimal()]
    if _ALSO in text:
        signs.append(_ALSO)
    if not signs:
        return []
    runs: list[str] = re.findall(f"[{re.escape(''.join(sorted(signs)))}]+", text)
    return [_said(run) for run in runs if run not in _ALONE]


def _said(run: str) -> str:
    if len(run) > 1:
        return run
    if run == _ALSO:
        return "2"
    fraction = unicodedata.normalize("NFKC", run)
    return fraction.replace("⁄", "/") if "⁄" in fraction else f"{unicodedata.numeric(run):.12g}"


def as_digits(number: str) -> str:
    """With the digits and the minus of ASCII."""
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in number).replace("−", "-")
