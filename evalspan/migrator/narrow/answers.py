"""A reference answer inside an old chunk, and how much it says that it stands there."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evalspan.migrator.narrow.page import Page
from evalspan.migrator.narrow.words import is_unspaced
from evalspan.spans import Span
from evalspan.text.readings import LETTERS, Folded, letters


class Found(NamedTuple):
    """The places of answers in an old chunk."""

    spans: tuple[Span, ...]
    """Different ones, ascending; of nested ones the longest."""
    chance: float
    """How many more of such places would be expected in a chunk of this size that does not answer at all, from how
    often the answers stand elsewhere in the document."""
    verbatim: bool

    @property
    def alone(self) -> bool:
        """Whether there is one place, and nothing that speaks against it."""
        return len(self.spans) == 1 and not self.chance


def find_answers(page: Page, wide: Span, answers: Sequence[str]) -> Found | None:
    """Each answer to the letter, else in its letters and digits; None where none of them is there."""
    spans: set[Span] = set()
    chance = 0.0
    verbatim = True
    for answer in answers:
        found, elsewhere, exact = _places(page, wide, answer.strip())
        if found:
            spans.update(found)
            chance = max(chance, elsewhere * wide.length / max(1, len(page.text) - wide.length))
            verbatim = verbatim and exact
    if not spans:
        return None
    return Found(_longest(spans), chance, verbatim)


def _places(page: Page, wide: Span, answer: str) -> tuple[list[Span], int, bool]:
    """Its places in the chunk, how often it stands in the rest of the document, and whether they are exact."""
    text = page.text
    if not answer:
        return [], 0, True
    for separate in (_is_separate, _is_in_a_word):
        places = [span for span in _occurrences(text, answer, *wide) if separate(text, span)]
        if places:
            everywhere = sum(separate(text, span) for span in _occurrences(text, answer, 0, len(text)))
            return places, everywhere - len(places), True
    form = letters(answer)
    if not form:
        return [], 0, True
    piece = wide.of(text)
    folded = Folded(piece, LETTERS)
    found = []
    for begin, end in _occurrences(folded.squashed, form, 0, len(folded.squashed)):
        start, stop = folded.raw(begin, end)
        if _is_separate(piece, Span(start, stop)):
            found.append(Span(wide.start + start, wide.start + stop))
    elsewhere = letters(text).count(form) - len(found) if found else 0
    return found, max(0, elsewhere), False


def _occurrences(text: str, passage: str, start: int, end: int) -> Iterator[Span]:
    at = text.find(passage, start, end)
    while at >= 0:
        yield Span(at, at + len(passage))
        at = text.find(passage, at + 1, end)


def _is_separate(text: str, span: Span) -> bool:
    """Whether it neither begins nor ends inside a word or a number."""
    return not any(_joins(text, edge, True) for edge in span)


def _is_in_a_word(text: str, span: Span) -> bool:
    """Whether it may be a word with what its language joins to it, as Arabic does with "and" and "the"."""
    return not any(_joins(text, edge, False) for edge in span)


def _joins(text: str, edge: int, words: bool) -> bool:
    if not 0 < edge < len(text):
        return False
    before, behind = text[edge - 1], text[edge]
    if before.isdecimal() and behind.isdecimal():
        return True
    return words and before.isalnum() and behind.isalnum() and not (is_unspaced(before) or is_unspaced(behind))


def _longest(spans: set[Span]) -> tuple[Span, ...]:
    out: list[Span] = []
    for span in sorted(spans, key=_by_start_and_length):
        if not out or not span.inside(out[-1]):
            out.append(span)
    return tuple(out)


def _by_start_and_length(span: Span) -> tuple[int, int]:
    return span.start, -span.end
