"""Narrowings that are likely and not certain: they are offered."""

from collections.abc import Mapping

from evalspan.labels import Candidate, Judgment, Proposal
from evalspan.migrator.narrow import Certainty, Narrowing

OFFERED = 3
"""Sentences that are offered for one label: those after the third are rarely the one."""


def narrowing_proposals(narrowings: Mapping[tuple[str, Judgment], Narrowing]) -> list[Proposal]:
    """`narrowings`: by query_id and coarse judgment."""
    return [
        _proposal(query_id, judgment, narrowing)
        for (query_id, judgment), narrowing in narrowings.items()
        if narrowing.certainty is Certainty.LIKELY
    ]


def _proposal(query_id: str, judgment: Judgment, narrowing: Narrowing) -> Proposal:
    candidates = tuple(
        Candidate(doc_id=judgment.doc_id, start=start, end=end, why=f"{narrowing.how.value}, {weight:.0%}")
        for start, end, weight in narrowing.candidates[:OFFERED]
    )
    return Proposal(
        query_id=query_id,
        fact=judgment.fact,
        reason="narrowing",
        about=judgment,
        candidates=candidates,
        digest=judgment.anchor.digest,
        note=narrowing.how.value,
        weight=narrowing.candidates[0].weight,
    )
