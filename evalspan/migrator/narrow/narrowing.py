"""Whole-chunk labels of one document, narrowed to where in the chunk the evidence stands."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from evalspan.labels import Question
from evalspan.mapping import Evidence
from evalspan.migrator.narrow.answers import Found, find_answers
from evalspan.migrator.narrow.likelihood import Passage, posterior
from evalspan.migrator.narrow.page import Page
from evalspan.migrator.narrow.scores import Scorer, log_odds
from evalspan.migrator.narrow.words import terms_in
from evalspan.spans import Span, merged

SURE = 0.9
"""Weight from which an answer found in its letters is taken for the evidence: nine to one."""

LIKELY = 0.5
"""Weight from which the best candidate is proposed: likelier than all others together."""

SHARED = 0.5
"""Weight of the ground that two labelled chunks of a question share: either one passage made both labels, and stands
there, or two passages did, and nothing says which is more usual."""


AT_ANSWERS = 2.0
"""How much more the question's words say where they stand around the places of an answer: such places are alike in all
else, while a sentence without one competes with evidence in other words."""


class Certainty(StrEnum):
    """How far a narrowing can be believed."""

    CERTAIN = "certain"
    LIKELY = "likely"
    NONE = "none"


class How(StrEnum):
    """What it was found by."""

    VERBATIM = "answer verbatim"
    REFORMATTED = "answer reformatted"
    ANSWER_WORDS = "answer words"
    QUESTION_WORDS = "question words"
    SCORER = "scorer"
    OVERLAP = "overlap"


class Narrowing(NamedTuple):
    """Where in an old chunk the evidence stands."""

    wide: Span
    """The old chunk, never lost."""
    certainty: Certainty
    how: How
    candidates: tuple[Evidence, ...]
    """Best first; their weights sum to 1."""

    @property
    def span(self) -> Span:
        """Of the best candidate."""
        return Span(*self.candidates[0][:2])

    @property
    def decides(self) -> bool:
        """Whether it says to which chunks the label goes. Where chunks overlap is a hint and no more: it puts the
        candidates in order.
        """
        return self.how is not How.OVERLAP


class WideLabel(NamedTuple):
    """A relevant label of a whole old chunk whose place is certain."""

    query_id: str
    wide: Span


def narrow_labels(
    text: str,
    labels: Sequence[WideLabel | None],
    questions: Mapping[str, Question],
    scorer: Scorer | None = None,
) -> list[Narrowing | None]:
    """One for each label of a document, in their order; None for a None, and where nothing is known. All the labels
    that a question has in the document are to be given together. The scorer is not asked where an answer stands alone.
    """
    page = Page(text)
    passages: dict[Span, Passage] = {}
    grounds: dict[str, list[Span]] = {}
    for label in labels:
        if label is not None:
            grounds.setdefault(label.query_id, []).append(label.wide)
    out: list[Narrowing | None] = []
    for label in labels:
        if label is None:
            out.append(None)
            continue
        wide = label.wide
        shared = [part for other in grounds[label.query_id] if other != wide and (part := other.shared(wide))]
        question = questions.get(label.query_id)
        if question is None and not shared:
            out.append(None)
            continue
        passage = passages.get(wide)
        if passage is None:
            passage = passages[wide] = Passage(page, wide)
        out.append(_narrow(passage, merged(shared), question, scorer))
    return out


def _narrow(
    passage: Passage, shared: Sequence[Span], question: Question | None, scorer: Scorer | None
) -> Narrowing | None:
    page, wide = passage.page, passage.wide
    asked, answers = (question.text, question.reference_answers) if question else ("", ())
    found = find_answers(page, wide, answers) if answers else None
    if found and found.alone:
        return _best_first(wide, _how(found), _evidence(found.spans, [1.0]))
    spans = passage.spans
    if not spans:
        return None
    prior = _prior([end - start for start, end in spans], spans, shared)
    words = terms_in([asked]) if found else terms_in([asked, *answers])
    scored = scorer is not None and asked.strip() != ""
    if not (found or words or scored):
        return _best_first(wide, How.OVERLAP, _evidence(spans, prior)) if shared else None
    odds = passage.log_odds(words)
    if scorer is not None and scored:
        values = log_odds(scorer(asked, [span.of(page.text) for span in spans]), len(spans))
        odds = [score + value for score, value in zip(odds, values, strict=True)]
    evidence = _evidence(spans, posterior(prior, odds))
    if found:
        return _by_answers(wide, spans, found, odds, shared, evidence)
    how = How.SCORER if scored else How.ANSWER_WORDS if answers else How.QUESTION_WORDS
    return _best_first(wide, how, evidence)


def _evidence(spans: Sequence[Span], weights: Sequence[float]) -> list[Evidence]:
    return [Evidence(start, end, weight) for (start, end), weight in zip(spans, weights, strict=True)]


def _by_answers(
    wide: Span,
    spans: Sequence[Span],
    found: Found,
    odds: Sequence[float],
    shared: Sequence[Span],
    otherwise: Sequence[Evidence],
) -> Narrowing:
    """The places of the answers, told apart by the question's words around them. An answer that stands all over the
    document may stand here by chance: as much of the weight stays with the sentences.
    """
    places = found.spans
    weights = [1.0]
    if len(places) > 1:
        around = [AT_ANSWERS * max(_of_sentences_at(place, spans, odds), default=min(odds)) for place in places]
        weights = posterior(_prior([1] * len(places), places, shared), around)
    rest = found.chance / (len(places) + found.chance)
    evidence = _evidence(places, [(1 - rest) * weight for weight in weights])
    evidence += [Evidence(start, end, rest * weight) for start, end, weight in otherwise if rest]
    return _best_first(wide, _how(found), evidence)


def _how(found: Found) -> How:
    return How.VERBATIM if found.verbatim else How.REFORMATTED


def _of_sentences_at(place: Span, spans: Sequence[Span], odds: Sequence[float]) -> list[float]:
    return [score for span, score in zip(spans, odds, strict=True) if span.shared(place)]


def _best_first(wide: Span, how: How, evidence: list[Evidence]) -> Narrowing:
    evidence.sort(key=_by_weight)
    best = evidence[0].weight
    literal = how in (How.VERBATIM, How.REFORMATTED)
    likely = Certainty.LIKELY if best >= LIKELY else Certainty.NONE
    return Narrowing(wide, Certainty.CERTAIN if literal and best >= SURE else likely, how, tuple(evidence))


def _by_weight(evidence: Evidence) -> tuple[float, int]:
    return -evidence.weight, evidence.start


def _prior(sizes: Sequence[int], spans: Sequence[Span], shared: Sequence[Span]) -> list[float]:
    """What is known before a word is read, by size and by the ground shared with other labelled chunks; sums to 1."""
    if not shared:
        whole = sum(sizes)
        return [size / whole for size in sizes]
    inside = [_mostly(span, shared) for span in spans]
    within = sum(size for size, yes in zip(sizes, inside, strict=True) if yes)
    without = sum(sizes) - within
    if not within or not without:
        return [size / (within + without) for size in sizes]
    return [
        SHARED * size / within if yes else (1 - SHARED) * size / without
        for size, yes in zip(sizes, inside, strict=True)
    ]


def _mostly(span: Span, ground: Sequence[Span]) -> bool:
    return 2 * sum(part.length for piece in ground if (part := piece.shared(span))) >= span.length
