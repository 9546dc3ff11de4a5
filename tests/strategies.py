"""Texts, places in them, and cuts of them, for the laws of every room; and the naive readings they are held against."""

import itertools
from collections.abc import Sequence

from hypothesis import settings
from hypothesis import strategies as st

from evalspan.anchoring import Match, Status
from evalspan.corpus import RawChunk
from evalspan.spans import Span

law = settings(deadline=None, max_examples=60)
"""Of every property: machines are shared, so that a time limit for one example would fail by chance."""

BLANKS = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000"
"""White space as Unicode has it, far beyond ASCII's."""

ODD = "\u200b\ufeff\u00ad\u0301\u200d\ufffd"
"""Invisible or combining, and not white space."""

sound = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
ids = st.text(sound, min_size=1, max_size=8)
digests = st.text("0123456789abcdef", min_size=32, max_size=32)

_words = st.sampled_from(
    ["fee", "Fees", "a", "aa", "not", "2023", "é", "e\u0301", "家", "ไทย", "👩‍👩‍👧", "🇬🇧", "𝔘", "ß", "."]
)
_pieces = st.one_of(
    _words, st.text(BLANKS, min_size=1, max_size=3), st.text(ODD, max_size=1), st.text(sound, max_size=3)
)


@st.composite
def _prose(draw: st.DrawFn) -> str:
    return "".join(draw(st.lists(_pieces, max_size=25)))


@st.composite
def _repeating(draw: st.DrawFn) -> str:
    """Lines from a handful, so that most stand several times."""
    lines = draw(st.lists(st.sampled_from(["same line", "a", "", "x y", "same line too"]), max_size=12))
    return draw(st.sampled_from(["\n", "\r\n", " "])).join(lines)


texts = st.one_of(_prose(), _repeating(), st.text(sound, max_size=30))
inked_texts = texts.filter(lambda text: bool(text.strip()))
"""With at least one character that is not blank."""


@st.composite
def long_texts(draw: st.DrawFn) -> str:
    """Paragraphs, some of which come again, between lines that come once."""
    refrain = draw(st.sampled_from(["The fee is five pounds a day.\n", "See the annex.\n\n", "* * *\n"]))
    parts = [
        refrain if draw(st.booleans()) else f"Section {number} is about {draw(_words)} and {draw(_words)}.\n"
        for number in range(draw(st.integers(1, 12)))
    ]
    return "".join(parts)


@st.composite
def repeats(draw: st.DrawFn) -> tuple[str, str]:
    """A passage with some ink, and a text in which it stands at least twice."""
    passage = draw(st.sampled_from(["the fee is five pounds.", "aa", "家", "a b"]) | inked_texts)
    between = draw(st.lists(st.sampled_from(["", "\n", "for adults: ", "é "]) | texts, min_size=2, max_size=5))
    return passage, passage.join(["", *between])


@st.composite
def spans_of(draw: st.DrawFn, text: str) -> Span:
    """A range of the text, not empty; the text must not be either."""
    start = draw(st.integers(0, len(text) - 1))
    return Span(start, draw(st.integers(start + 1, len(text))))


@st.composite
def cuts_of(draw: st.DrawFn, text: str, overlapping: bool = True) -> list[Span]:
    """A full cut of the text at random points, ascending; each chunk may reach back into the one before it."""
    if not text:
        return []
    inner = draw(st.sets(st.integers(1, len(text) - 1), max_size=8)) if len(text) > 1 else set()
    points = [0, *sorted(inner), len(text)]
    spans: list[Span] = []
    for start, end in itertools.pairwise(points):
        furthest = spans[-1].start + 1 if spans else 0
        back = draw(st.integers(0, start - furthest)) if overlapping and spans else 0
        spans.append(Span(start - back, end))
    return spans


@st.composite
def pieces_over(draw: st.DrawFn, text: str) -> list[Span]:
    """Any ranges of the text: with gaps, nested, equal."""
    return draw(st.lists(spans_of(text), max_size=8)) if text else []


def raw_chunks(text: str, spans: Sequence[Span], name: str = "c") -> list[RawChunk]:
    """Slices of the text, numbered in the order given."""
    return [RawChunk(f"{name}{number}", span.of(text)) for number, span in enumerate(spans)]


def sure(*pieces: Span, status: Status = Status.EXACT) -> Match:
    """A match whose place is certain."""
    return Match(Span(pieces[0].start, pieces[-1].end), status, True, score=1.0, coverage=1.0, pieces=pieces)


def one_of(*rivals: Span) -> Match:
    """A match that may be at any of these places."""
    return Match(None, Status.AMBIGUOUS, False, score=1 / len(rivals), coverage=1.0, rivals=rivals, reason="repeated")


def missing(reason: str = "not found") -> Match:
    return Match(None, Status.MISSING, False, reason=reason)


def inked(text: str, span: Span | None = None) -> set[int]:
    """The offsets of the non-blank characters, one by one."""
    start, end = span or (0, len(text))
    return {at for at in range(start, end) if not text[at].isspace()}


def places(needle: str, text: str) -> list[Span]:
    """Every place of a text in another, overlapping ones too, tried one by one."""
    size = len(needle)
    return [Span(at, at + size) for at in range(len(text) - size + 1) if text[at : at + size] == needle]
