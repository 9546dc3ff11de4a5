"""What a plugged-in scorer's values say."""

from collections.abc import Callable, Sequence
from math import isfinite
from statistics import fmean, pstdev

from evalspan.errors import EvalspanError

Scorer = Callable[[str, Sequence[str]], Sequence[float]]
"""(question, sentences of one old chunk) -> a value for each, higher is better, on any scale: an embedding model, a
cross-encoder, an LLM. Only the distances between the values matter, measured by their spread in the chunk."""

PER_DEVIATION = 1.0
"""Log-odds of a sentence for each standard deviation above the mean of its chunk."""


def log_odds(values: Sequence[float], count: int) -> list[float]:
    """Of each of `count` sentences, up to a constant; all 0 where the values do not differ.

    Raises EvalspanError where there are not as many values as sentences, or one is not finite.
    """
    values = [float(value) for value in values]
    if len(values) != count or not all(map(isfinite, values)):
        raise EvalspanError(
            f"The scorer gave {len(values)} values for {count} sentences, {sum(map(isfinite, values))} of them finite. "
            "It must give one finite number for each sentence, in their order."
        )
    spread, middle = pstdev(values), fmean(values)
    return [PER_DEVIATION * (value - middle) / spread if spread else 0.0 for value in values]
