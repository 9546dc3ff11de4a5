"""How likely each sentence is to be the evidence, from the words of the question and its answers.

The reasons beside the constants say what each is for and its order of size; their values were chosen by trying many on
the questions of chunking_evaluation and xquad, so figures on those sets flatter them.
"""

from collections.abc import Sequence
from math import exp, log, sqrt

from evalspan.migrator.narrow.page import Page, Sentence

PRIOR_SIZE = 60.0
"""Words of the document that each sentence is padded with before its words are counted (Dirichlet smoothing, Zhai and
Lafferty 2001): some sentences' length, so that a heading of two words is not all question and nothing else."""

NEAR = 0.15
"""What a word counts for in the sentence before or after the one it stands in: a paragraph names its subject once."""

TRUST = 1.15
"""What n words say together is taken as TRUST times the square root of n words' worth, not n: a question's words come
in groups ("minimum tax for billionaires"), and are no independent witnesses."""


def log_odds_by_words(page: Page, sentences: Sequence[Sentence], query: frozenset[str]) -> list[float]:
    """Of each sentence to be what the query is about, up to a constant: the likelihood of the query's words, were it
    the evidence, against the document's. Words that the sentences lack say nothing; with none of them, all are 0.
    """
    counts = page.counts
    near_sizes = _near([sentence.size for sentence in sentences])
    out = [0.0] * len(sentences)
    known = 0
    for term in query:
        here = [sentence.counts.get(term, 0) for sentence in sentences]
        if any(here):
            known += 1
            often = max(counts[term], sum(here))  # a chunk that begins inside a word has words the document lacks
            expected = PRIOR_SIZE * often / page.size
            for i, count in enumerate(_near(here)):
                if count:
                    out[i] += log(1 + count / expected)
    if not known:
        return out
    scale = TRUST / sqrt(known)
    return [
        scale * (score + known * log(PRIOR_SIZE / (PRIOR_SIZE + size)))
        for score, size in zip(out, near_sizes, strict=True)
    ]


def _near(values: Sequence[int]) -> list[float]:
    """Each with NEAR of its neighbours."""
    padded = [0, *values, 0]
    return [padded[i] + NEAR * (padded[i - 1] + padded[i + 1]) for i in range(1, len(padded) - 1)]


def posterior(prior: Sequence[float], log_odds: Sequence[float]) -> list[float]:
    """Weights that sum to 1, as `prior` does."""
    best = max(log_odds)
    weights = [weight * exp(score - best) for weight, score in zip(prior, log_odds, strict=True)]
    total = sum(weights)
    return [weight / total for weight in weights]
