"""What is computed once of a document so that its labels can be narrowed."""

from collections import Counter
from functools import cached_property
from typing import NamedTuple

from evalspan.migrator.narrow.sentences import sentences
from evalspan.migrator.narrow.words import terms
from evalspan.spans import Span


class Sentence(NamedTuple):
    """A unit in which evidence is sought."""

    span: Span
    counts: Counter[str]
    """How often each term stands in it."""
    size: int
    """Its terms."""


class Page:
    """One document."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._sentences: dict[Span, list[Sentence]] = {}

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each term stands in the document."""
        return Counter(terms(self.text))

    @cached_property
    def size(self) -> int:
        return max(1, self.counts.total())

    def sentences(self, wide: Span) -> list[Sentence]:
        """Of one old chunk; several questions may label it."""
        known = self._sentences.get(wide)
        if known is None:
            known = self._sentences[wide] = [self._sentence(span) for span in sentences(self.text, *wide)]
        return known

    def _sentence(self, span: Span) -> Sentence:
        found = terms(span.of(self.text))
        return Sentence(span, Counter(found), len(found))
