"""Twins: the same passage elsewhere answers as well, so that returning the copy is no miss."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from evalspan.anchoring import make_anchor
from evalspan.anchoring.equal import EqualPassages
from evalspan.digests import text_digest
from evalspan.labels import Candidate, JudgedQuestion, Judgment, Proposal
from evalspan.provenance import Provenance
from evalspan.spans import Span

TwinPolicy = Literal["accept", "ask", "ignore"]
"""Whether equal passages become alternatives at once, are offered, or are not looked for."""

ALTERNATIVE = 12
"""Hex digits of a passage's digest that name the alternatives it is one of."""

MOST = 20
"""Twins of one judgment that are offered; what stands in more places is a footer, and no answer by itself."""


class Twins(NamedTuple):
    """The places in one document that hold a judged passage, up to white space."""

    query_id: str
    about: Judgment
    doc_id: str
    spans: tuple[Span, ...]
    digest: str
    """Of the first one's text."""


def find_twins(
    questions: Iterable[JudgedQuestion], passages: Sequence[tuple[str, Judgment, str]], texts: Iterable[tuple[str, str]]
) -> list[Twins]:
    """In the whole corpus, by document. `passages`: (query_id, judgment, its words) of judgments in one piece.

    A place that a label of the same fact overlaps is judged already, and no twin; nor is a passage that stands in more
    than MOST other places.
    """
    judged: dict[tuple[str, str, str], list[Span]] = {}
    for question in questions:
        for judgment in question.judgments:
            judged.setdefault((question.query_id, judgment.fact, judgment.doc_id), []).extend(judgment.spans)
    equal = EqualPassages(words for _, _, words in passages)
    found: dict[int, list[Twins]] = {}
    for doc_id, text in texts:
        here: dict[int, list[Span]] = {}
        for number, span in equal.find(text):
            query_id, about, _ = passages[number]
            mine = judged.get((query_id, about.fact, doc_id), ())
            if all(span.shared(other) is None for other in mine):
                here.setdefault(number, []).append(span)
        for number, spans in here.items():
            query_id, about, _ = passages[number]
            twins = Twins(query_id, about, doc_id, tuple(spans), text_digest(spans[0].of(text)))
            found.setdefault(number, []).append(twins)
    return [twins for number in sorted(found) if _few(found[number]) for twins in found[number]]


def _few(found: Sequence[Twins]) -> bool:
    return sum(len(twins.spans) for twins in found) <= MOST


def twin_proposal(twins: Twins) -> Proposal:
    """The offer to take them."""
    places = [
        Candidate(doc_id=twins.doc_id, start=start, end=end, why="the same passage") for start, end in twins.spans
    ]
    return Proposal(
        query_id=twins.query_id,
        fact=twins.about.fact,
        reason="twin",
        about=twins.about,
        candidates=tuple(places),
        digest=twins.digest,
    )


def tied(judgment: Judgment) -> Judgment:
    """With a name for what it and its twins are alternatives for; a fact is one already."""
    if judgment.fact or judgment.alternative:
        return judgment
    return judgment.model_copy(update={"alternative": judgment.anchor.digest[:ALTERNATIVE]})


def twin_judgment(about: Judgment, doc_id: str, span: Span, text: str, provenance: Provenance) -> Judgment:
    """The same statement about the copy; `about` as `tied` leaves it, `text` of the copy's document."""
    return about.model_copy(
        update={
            "doc_id": doc_id,
            "start": span.start,
            "end": span.end,
            "anchor": make_anchor(text, span),
            "origin": "span",
            "chunk_id": None,
            "wide": None,
            "provenance": provenance,
        }
    )


def with_judgments(
    question: JudgedQuestion, about: Judgment, new: Judgment, copies: Sequence[Judgment]
) -> JudgedQuestion:
    """`about` becomes `new`; those of `copies` that are not there yet come last."""
    there = {(judgment.place, judgment.fact) for judgment in question.judgments}
    kept = tuple(new if judgment == about else judgment for judgment in question.judgments)
    added = tuple(copy for copy in copies if (copy.place, copy.fact) not in there)
    return question.model_copy(update={"judgments": (*kept, *added)})
