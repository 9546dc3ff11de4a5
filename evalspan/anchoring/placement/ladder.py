"""The places of a passage in one document: by widening readings while they find any, then by likeness."""

import re
from functools import cached_property

from evalspan.anchoring.placement.edges import NEAR, common_signs, sign_runs, to_words, with_markup, with_signs
from evalspan.anchoring.placement.similar import Likeness, Seeds, follow
from evalspan.anchoring.placement.site import SHORT, WHOLE, Site
from evalspan.anchoring.search import occurrences
from evalspan.spans import Span
from evalspan.text.reading import squash
from evalspan.text.readings import LETTERS, MARKUP, TARGET, Folded, Readings, folded, letters, plain, unlinked

DENSE = 0.6
"""Share of equal letters, of equal and differing ones, from which a stretch is the passage altered: other text of the
language comes to a quarter."""

_LINK = "]("

ADDRESS = 500
"""Characters of the longest link target looked through, as in the readings."""

FEW = 8
"""Signs at an end that are compared one by one; a longer row (the dots to a page number) is aligned."""

PLAUSIBLE = 0.5
"""Share of the best place's gain in equal letters that another place must have to be weighed beside it: order or
context outweigh a passage half rewritten, no more."""

LONGEST = 1000
"""Letters of a quote that seeds are sized for."""


class Document:
    """A text in which passages are looked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.readings = Readings(text)
        self._markup: dict[re.Pattern[str], bool] = {}

    @cached_property
    def _seeds(self) -> Seeds:
        return Seeds(self.readings.letters.squashed, LONGEST)

    @cached_property
    def _signed_seeds(self) -> Seeds:
        return Seeds(self.readings.folded.squashed, LONGEST)

    def _has(self, markup: re.Pattern[str]) -> bool:
        if markup not in self._markup:
            self._markup[markup] = markup.search(self.text) is not None
        return self._markup[markup]

    def mark(self, offset: int) -> int:
        """Non-blank characters before `offset`."""
        return self.readings.ink.mark(offset)

    def exact(self, quote: str) -> list[Site]:
        """By the narrowest reading that finds it at all."""
        size = len(letters(quote))
        found = occurrences(quote, self.text)
        if found:
            return [_site(Span(at, at + len(quote)), size) for at in found]
        return self.read(quote, size)

    def read(self, quote: str, size: int) -> list[Site]:
        """The same where the text as it stands does not have the quote."""
        readings = self.readings
        form = ""
        core = letters(quote)[1:-1]  # the outer ones may be cut from their marks
        if not core or core in readings.letters.squashed:  # else no narrower reading has it
            form = squash(quote)
            found = occurrences(form, readings.ink.squashed)
            if found:
                return [_site(readings.ink.raw(at, at + len(form)), size) for at in found]
            form = folded(quote)
            found = occurrences(form, readings.folded.squashed) if form else []
            if found:
                return [_site(readings.folded.raw(at, at + len(form)), size) for at in found]
        if 2 * size < len(squash(quote)):  # mostly signs: its letters alone are another text
            return []
        for read, name, taken in ((letters, "letters", None), (unlinked, "unlinked", TARGET), (plain, "plain", MARKUP)):
            if taken and (taken.search(quote) or not self._has(taken)):
                break  # its markup is still there, or the text has none: no rendering took it away
            form, reading = read(quote), getattr(readings, name)
            found = occurrences(form, reading.squashed) if form else []
            spans = [reading.raw(at, at + len(form)) for at in found]
            if name == "letters" and _LINK not in quote:
                spans = [span for span in spans if not self._is_address(span.start)]
            if spans:
                spans = [with_signs(span, quote, self.text) for span in spans]
                return [_site(with_markup(span, self.text), size) for span in spans]
        return []

    def _is_address(self, offset: int) -> bool:
        """Whether it lies in the target of a link."""
        before = self.text[max(0, offset - ADDRESS) : offset]
        address = before.rpartition(_LINK)[2] if _LINK in before else " "
        return not any(sign.isspace() or sign == ")" for sign in address)

    def alike(self, quote: str) -> list[Site]:
        """By likeness, the likest first."""
        form, reading = self.likened(quote)
        if len(form) < SHORT:
            return []
        seeds = self._seeds if reading is self.readings.letters else self._signed_seeds
        return self.sites(seeds.like(form), quote, form, reading)

    def sites(self, likenesses: list[Likeness], quote: str, form: str, reading: Folded) -> list[Site]:
        """Those dense enough, and of these all that order may choose among."""
        dense = [one for one in likenesses if one.matched >= DENSE * (one.matched + one.flaws)]
        gains = [one.gain - (len(form) - one.last + one.first) for one in dense]
        best = max(gains, default=0)
        least = best - (1 - PLAUSIBLE) * abs(best)  # of a passage that is half gone the best gain is below zero
        return [self.site(one, quote, form, reading) for one, gain in zip(dense, gains, strict=True) if gain >= least]

    def likened(self, quote: str) -> tuple[str, Folded]:
        """The form of the quote in which likeness is judged, and that reading of the text: letters only, unless there
        are more signs than letters."""
        form, signed = letters(quote), folded(quote)
        if 2 * len(form) < len(signed):
            return signed, self.readings.folded
        return form, self.readings.letters

    def count(self, passage: str) -> int:
        """How often it, or one like it, stands in the text."""
        found = len(self.exact(passage))
        return found or sum(site.coverage >= WHOLE for site in self.alike(passage))

    def site(self, one: Likeness, quote: str, form: str, reading: Folded) -> Site:
        """What was found in a reading, as a place in the text."""
        size = len(form)
        pieces = [reading.raw(begin, end) for begin, end in one.pieces]
        span = Span(pieces[0].start, pieces[-1].end)
        before, behind = one.first, size - one.last
        if reading is self.readings.letters:
            span, before, behind = self._with_ends(span, quote, one, size)
            text = reading.squashed
            slips = before <= NEAR and form[0] != text[one.begin], behind <= NEAR and form[-1] != text[one.end - 1]
            span = to_words(span, self.text, *slips)
        pieces[0] = Span(span.start, pieces[0].end)
        pieces[-1] = Span(pieces[-1].start, span.end)
        return Site(span, tuple(pieces), False, one.flaws, one.matched, size, before, behind)

    def _with_ends(self, span: Span, quote: str, one: Likeness, size: int) -> tuple[Span, int, int]:
        """Both ends followed on, signs and all, as far as the quote can be; and the letters that are left of it."""
        before, behind = one.first, size - one.last
        if not before and not behind:
            wide = with_signs(span, quote, self.text)
            if max(map(len, sign_runs(quote))) <= FEW:
                return wide, 0, 0
        part = Folded(quote, LETTERS).raw(one.first, one.last)
        head, tail = folded(quote[: part.start])[::-1], folded(quote[part.end :])
        touching = _touching(quote[part.start - 1 :: -1] if part.start else ""), _touching(quote[part.end :])
        reading = self.readings.folded
        first, last = reading.mark(span.start), reading.mark(span.end)
        text = reading.squashed
        start, end = span
        used, more = _followed(head, touching[0], text[max(0, first - len(head) - len(head) // 8 - FEW) : first][::-1])
        if more:
            start = reading.raw(first - more, last).start
            before = len(letters(head[used:]))
        used, more = _followed(tail, touching[1], text[last : last + len(tail) + len(tail) // 8 + FEW])
        if more:
            end = reading.raw(first, last + more).end
            behind = len(letters(tail[used:]))
        return Span(start, end), before, behind


def _touching(rest: str) -> int:
    """Signs at the beginning of the rest, before the first blank."""
    return len(folded(rest.split(None, 1)[0])) if rest and not rest[0].isspace() else 0


def _followed(rest: str, touching: int, text: str) -> tuple[int, int]:
    used, more = follow(rest, text)
    if more:
        return used, more
    signs = common_signs(rest[:touching], text)  # what stands apart may belong to what is missing
    return signs, signs


def _site(span: Span, size: int) -> Site:
    return Site(span, (span,), True, 0, size, size)
