"""What is counted once of a document so that its labels can be narrowed."""

from functools import cached_property

from evalspan.migrator.narrow.words import count_terms


class Page:
    """One document."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def counts(self) -> dict[str, int]:
        """How often each term stands in the document."""
        return count_terms(self.text)

    @cached_property
    def size(self) -> int:
        return max(1, sum(self.counts.values()))
