"""An offer: known by what is to be decided on."""

import pytest

from evalspan.anchoring import make_anchor
from evalspan.labels import Candidate, DecisionKey, Judgment, Proposal
from evalspan.spans import Span

TEXT = "The fee is five pounds a day."
ABOUT = Judgment(doc_id="d", start=0, end=29, grade=1, anchor=make_anchor(TEXT, Span(0, 29)), origin="chunk")
CANDIDATES = (Candidate(doc_id="e", start=4, end=9), Candidate(doc_id="f", start=0, end=3))


@pytest.mark.parametrize("reason", ["narrowing", "twin", "unjudged"])
def test_the_key_names_the_document_of_the_likeliest_candidate(reason: str) -> None:
    values = {"query_id": "q", "fact": "g", "reason": reason, "candidates": CANDIDATES, "digest": "0" * 32}
    offer = Proposal.model_validate({**values, "about": ABOUT})
    assert offer.doc_id == "e"
    assert offer.key == DecisionKey("q", "g", "e", "0" * 32, reason)


def test_an_offer_comes_back_from_json_as_it_was() -> None:
    offer = Proposal(
        query_id="q", reason="twin", about=ABOUT, candidates=CANDIDATES, digest="0", note="also there", weight=0.5
    )
    assert Proposal.model_validate_json(offer.model_dump_json(exclude_defaults=True)) == offer
