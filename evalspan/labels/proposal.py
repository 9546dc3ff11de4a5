"""What a person may want to say about a question, though nothing waits for it."""

from typing import Literal

from evalspan.labels.decision import DecisionKey
from evalspan.labels.judgment import Candidate, Judgment
from evalspan.value import Value


class Proposal(Value):
    """An offer: it holds nothing back, and changes nothing until somebody takes it."""

    query_id: str
    fact: str = ""
    reason: Literal["narrowing", "twin", "unjudged"]
    """narrowing: the evidence is likely this part of `about`. twin: `about` stands here too. unjudged: runs return this
    passage, and nobody has judged it.
    """
    about: Judgment | None = None
    """The judgment that it is about."""
    candidates: tuple[Candidate, ...]
    """The passages that are offered, likeliest first; at least one."""
    digest: str
    """Of the passage that is decided on: of `about` for a narrowing, of the candidate for the others."""
    note: str = ""
    """What speaks for it: which runs return it, and where."""
    weight: float = 0.0
    """What is to be looked at first: the highest."""

    @property
    def doc_id(self) -> str:
        return self.candidates[0].doc_id

    @property
    def key(self) -> DecisionKey:
        return DecisionKey(self.query_id, self.fact, self.doc_id, self.digest, self.reason)
