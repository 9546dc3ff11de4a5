"""How likely each sentence is to be the evidence, from the words of the question and its answers.

The reasons beside the constants say what each is for and its order of size; their values were chosen by trying many on
the questions of chunking_evaluation and xquad, so figures on those sets flatter them.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from math import exp, log, sqrt

from evalspan.migrator.narrow.page import Page
from evalspan.migrator.narrow.sentences import sentences
from evalspan.migrator.narrow.words import BREAK, FoldedText
from evalspan.spans import Span

PRIOR_SIZE = 60.0
"""Words of the document that each sentence is padded with before its words are counted (Dirichlet smoothing, Zhai and
Lafferty 2001): some sentences' length, so that a heading of two words is not all question and nothing else."""

NEAR = 0.15
"""What a word counts for in the sentence before or after the one it stands in: a paragraph names its subject once."""

TRUST = 1.15
"""What n words say together is taken as TRUST times the square root of n words' worth, not n: a question's words come
in groups ("minimum tax for billionaires"), and are no independent witnesses."""


class Passage:
    """An old chunk in sentences, the units in which evidence is sought; kept while its document is worked on, because
    several questions may label it.
    """

    def __init__(self, page: Page, wide: Span) -> None:
        self.page = page
        self.wide = wide
        self._odds: dict[str, list[tuple[int, float]]] = {}

    @cached_property
    def spans(self) -> list[Span]:
        """Of the sentences."""
        return sentences(self.page.text, *self.wide)

    def log_odds(self, query: Iterable[str]) -> list[float]:
        """Of each sentence to be what the query is about, up to a constant: the likelihood of the query's words, were
        it the evidence, against the document's. Words that the sentences lack say nothing; with none of them, all are
        0. `query`: different terms.
        """
        out = [0.0] * len(self.spans)
        if not any(map(self._text.may_have, query)):
            return out
        known = 0
        for term in query:
            if term in self._places:
                known += 1
                for number, odds in self._odds.get(term) or self._odds_of(term):
                    out[number] += odds
        if not known:
            return out
        scale = TRUST / sqrt(known)
        return [scale * (odds + known * against) for odds, against in zip(out, self._odds_of_sizes, strict=True)]

    @cached_property
    def _text(self) -> FoldedText:
        text = self.page.text
        return FoldedText([text[start:end] for start, end in self.spans])

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where each term stands in the row of the sentences' terms; BREAK: where each sentence ends in it."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, term in enumerate(self._text.terms()):
            places[term].append(place)
        return places

    @cached_property
    def _odds_of_sizes(self) -> list[float]:
        """What each word that a sentence might lack costs it."""
        sizes = [0, *(end - start - 1 for start, end in pairwise([-1, *self._places[BREAK]])), 0]
        return [log(PRIOR_SIZE / (PRIOR_SIZE + _near(sizes, number))) for number in range(len(self.spans))]

    def _odds_of(self, term: str) -> list[tuple[int, float]]:
        """What it says for the sentences that have it, and for those beside them."""
        ends = self._places[BREAK]
        places = self._places[term]
        counts = [0] * (len(self.spans) + 2)
        for place in places:
            counts[bisect_right(ends, place) + 1] += 1
        # A chunk that begins inside a word has words that the document lacks.
        expected = PRIOR_SIZE * max(self.page.counts.get(term, 0), len(places)) / self.page.size
        odds = []
        for number in range(len(self.spans)):
            count = _near(counts, number)
            if count:
                odds.append((number, log(1 + count / expected)))
        self._odds[term] = odds
        return odds


def _near(padded: Sequence[int], number: int) -> float:
    """The value of a sentence with NEAR of its neighbours'; `padded`: with a 0 before the first and behind the last."""
    return padded[number + 1] + NEAR * (padded[number] + padded[number + 2])


def posterior(prior: Sequence[float], log_odds: Sequence[float]) -> list[float]:
    """Weights that sum to 1, as `prior` does."""
    best = max(log_odds)
    weights = [weight * exp(score - best) for weight, score in zip(prior, log_odds, strict=True)]
    total = sum(weights)
    return [weight / total for weight in weights]
