"""What a set's judgments are worth to a run at every min_overlap, from 0.1 to 1.0."""

from collections.abc import Iterable, Sequence

from evalspan.labels import JudgedQuestion
from evalspan.mapping import Label, Piece, lay_over
from evalspan.scoring.cases import Case, open_cases, take

STEPS = tuple(number / 10 for number in range(1, 11))
"""From a tenth, below which a chunk shares a few words with the passage, to all of it."""


class Sweep:
    """The cases of a set at each of the values: documents are laid over one by one, and none is held."""

    def __init__(self, questions: Iterable[JudgedQuestion], own: float) -> None:
        """`own`: the set's min_overlap, which is looked at beside the steps."""
        asked = list(questions)
        self.cases: dict[float, dict[str, Case]] = {step: open_cases(asked) for step in sorted({*STEPS, own})}
        """min_overlap → query_id → case, ascending."""

    def document(self, doc_id: str, text: str, labels: Sequence[Label], pieces: Sequence[Piece]) -> None:
        """Tabular passages count whole at every value."""
        for step, cases in self.cases.items():
            for outcome in lay_over(doc_id, text, labels, pieces, step):
                take(cases, outcome)
