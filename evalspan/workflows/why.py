"""`evalspan why`: what moved a figure between two scores: the retriever, the corpus, the labels, the chunking."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from evalspan.errors import BadInput, NotFound, Problem
from evalspan.labels import EvalSet
from evalspan.mapping import lay_over
from evalspan.runs import Run
from evalspan.scoring.attribution import Changed, Share, shapley
from evalspan.scoring.cases import open_cases, take
from evalspan.scoring.figures import mean
from evalspan.store import ChunkingRecord, ScoreRecord, Store
from evalspan.workflows.history import find_score
from evalspan.workflows.laying import Tied, ground, tied
from evalspan.workflows.projecting import placed_hits, run_in
from evalspan.workflows.relocating import relocated
from evalspan.workflows.run_figures import run_figures
from evalspan.workflows.stores import StoreOrAddress, opened

RETRIEVER, CORPUS, CHUNKING, LABELS, MIN_OVERLAP = "retriever", "corpus", "chunking", "labels", "min_overlap"

UNKNOWN = "nothing that is recorded"
"""As where one of the mappings was made with another scorer."""

OF_THE_INDEX = (RETRIEVER, CORPUS, CHUNKING)
"""What a run is made by, all at once."""

_BY_RANGES = (
    "retriever and chunking both changed. They are told apart by ranges: a run is read in the other chunking as if it "
    "had returned the chunks at the places of its hits, which need not be what that retriever would have found there. "
    "For certain, score the old retriever on the new chunking."
)
_WITHOUT_RANGES = (
    "retriever and chunking both changed, and are one share: a run names chunks of its own chunking only, and not all "
    "of its hits have a place in a document. Score the old retriever on the new chunking to tell them apart."
)
_CARRIED = (
    "Labels were carried to the other corpus as a rebase does; those without a sure place there wait, and their "
    "questions are left out of what was scored again."
)


@dataclass(frozen=True, slots=True)
class Attribution:
    """The difference of a measure between two scores, in shares that add up to it."""

    measure: str
    old: ScoreRecord
    new: ScoreRecord
    old_value: float
    new_value: float
    shares: tuple[Share, ...]
    """The largest first, whatever its sign; none where nothing changed."""
    unchanged: tuple[str, ...]
    """What is the same in both."""
    notes: tuple[str, ...]
    """What could not be separated, and what was assumed, in words."""

    @property
    def difference(self) -> float:
        return self.new_value - self.old_value


def why(
    eval_set: str, old: str, new: str = "latest", *, measure: str = "R@10", store: StoreOrAddress = None
) -> Attribution:
    """`old`, `new`: numbers of scores, or "latest". The stored runs are scored again under the stored labels, with each
    change made alone and together with the others; a change's share is what it adds, on average over all orders.

    Raises NotFound; BadInput where no question is decided for the measure, in one of the scores or in between.
    """
    with opened(store) as opened_store:
        before, after = find_score(opened_store, eval_set, old), find_score(opened_store, eval_set, new)
        values = _value(before, measure), _value(after, measure)
        job = _Job(opened_store, before, after, measure)
        shares = job.shares(*values)
        unchanged = tuple(name for name in (*OF_THE_INDEX, LABELS, MIN_OVERLAP) if name not in job.changed)
        return Attribution(measure, before, after, *values, shares, unchanged, tuple(job.notes))


def _value(record: ScoreRecord, measure: str) -> float:
    figure = record.figures.get(measure)
    if figure is None:
        raise NotFound("measure", measure, sorted(record.figures))
    if figure.value is None:
        what = f"has no question that is decided for {measure}: every one has a label that waits"
        raise BadInput([Problem(f"score {record.id}", None, what)])
    return figure.value


class _Side(NamedTuple):
    """One of the two scores, as far as it can be mixed with the other."""

    record: ScoreRecord
    run: Run
    cut: ChunkingRecord
    eval_set: EvalSet
    """As it is stored."""
    laid: Tied
    """With its labels tied to text."""


class _Job:
    def __init__(self, store: Store, old: ScoreRecord, new: ScoreRecord, measure: str) -> None:
        self._store, self._measure = store, measure
        self._old, self._new = self._side(old), self._side(new)
        self.changed = self._changes()
        self.notes: list[str] = []
        self._blocks = self._separable()

    def _side(self, record: ScoreRecord) -> _Side:
        eval_set = self._store.eval_set(record.mapping.version)
        run = self._store.run(record.run_digest)
        return _Side(record, run, record.mapping.chunking, eval_set, tied(self._store, eval_set))

    def _changes(self) -> set[str]:
        old, new = self._old, self._new
        differs = {
            RETRIEVER: _retriever_differs(old, new),
            CORPUS: old.cut.snapshot.digest != new.cut.snapshot.digest,
            CHUNKING: _chunking_differs(old.cut, new.cut),
            LABELS: _labels(old.eval_set) != _labels(new.eval_set),
            MIN_OVERLAP: old.record.min_overlap != new.record.min_overlap,
        }
        return {name for name, it_does in differs.items() if it_does}

    def _separable(self) -> list[tuple[str, ...]]:
        """The changes, those together that can't be told apart."""
        index = tuple(name for name in OF_THE_INDEX if name in self.changed)
        others = [(name,) for name in (LABELS, MIN_OVERLAP) if name in self.changed]
        if CORPUS in index:
            self.notes.append(_CARRIED)
        if len(index) < 2:
            return [index, *others] if index else list(others)
        if CORPUS in index:
            self.notes.append(
                f"{' and '.join(index)} changed together, and are one share: a run is of one corpus only. To tell them "
                "apart, score a run with only one of them changed."
            )
        elif all(placed_hits(self._store, side.cut, side.run).complete for side in (self._old, self._new)):
            self.notes.append(_BY_RANGES)
            return [(RETRIEVER,), (CHUNKING,), *others]
        else:
            self.notes.append(_WITHOUT_RANGES)
        return [index, *others]

    def shares(self, old_value: float, new_value: float) -> tuple[Share, ...]:
        blocks = {" and ".join(block): block for block in self._blocks}
        ends = {frozenset[str](): old_value, frozenset(blocks): new_value}

        def worth(made: Changed) -> float:
            known = ends.get(made)
            return self._scored({name for block in made for name in blocks[block]}) if known is None else known

        if not blocks:
            return (Share((UNKNOWN,), new_value - old_value),) if new_value != old_value else ()
        found = shapley(list(blocks), worth)
        shares = [Share(blocks[name], value) for name, value in found.items()]
        return tuple(sorted(shares, key=lambda share: -abs(share.value)))

    def _scored(self, made: set[str]) -> float:
        """The measure with these changes made, and no others."""
        run_of, cut_of = self._index_sides(made)
        labels_of = (self._new if LABELS in made else self._old) if LABELS in self.changed else cut_of
        overlap = (self._new if MIN_OVERLAP in made else self._old).record.min_overlap
        cut = cut_of.cut
        run = run_of.run if run_of.cut.identity == cut.identity else run_in(self._store, run_of.run, run_of.cut, cut)
        laid, stored = labels_of.laid, labels_of.eval_set
        if stored.terms.snapshot_digest != cut.snapshot.digest:
            laid = relocated(self._store, replace(stored, questions=tuple(laid.questions)), cut.snapshot)
        cases = open_cases(laid.questions)
        for one in ground(self._store, laid, cut):
            for outcome in lay_over(one.doc_id, one.text, one.labels, one.pieces, overlap):
                take(cases, outcome)
        judged = replace(stored, questions=tuple(laid.questions))
        figures = run_figures(self._store, judged, cut, cases, overlap, run, [self._measure])
        found = mean(figures[self._measure])
        if found is None or found.value is None:
            what = "have no question in common that is decided under both: decide what waits first"
            raise BadInput([Problem(f"scores {self._old.record.id} and {self._new.record.id}", None, what)])
        return found.value

    def _index_sides(self, made: set[str]) -> tuple[_Side, _Side]:
        """Whose run, and whose chunks."""
        if (RETRIEVER,) in self._blocks and (CHUNKING,) in self._blocks:
            return (self._new if RETRIEVER in made else self._old), (self._new if CHUNKING in made else self._old)
        side = self._new if made & set(OF_THE_INDEX) else self._old
        return side, side


def _retriever_differs(old: _Side, new: _Side) -> bool:
    """Where both say the same of their pipeline and embedding, results are others because of what was searched."""
    if old.run.rankings == new.run.rankings:
        return False
    searched_the_same = old.cut.identity == new.cut.identity and old.cut.snapshot.digest == new.cut.snapshot.digest
    said = bool(old.record.pipeline) and old.record.mapping.embedding is not None
    same = old.record.pipeline == new.record.pipeline and old.record.mapping.embedding == new.record.mapping.embedding
    return searched_the_same or not (said and same)


def _chunking_differs(old: ChunkingRecord, new: ChunkingRecord) -> bool:
    """In another corpus the chunks are others in any case; there its configuration tells, where that is known."""
    if old.snapshot.digest == new.snapshot.digest:
        return old.identity != new.identity
    return old.config.splitter == "unknown" or old.config.fingerprint != new.config.fingerprint


def _labels(eval_set: EvalSet) -> tuple[object, ...]:
    """What it says, wherever it is pinned to."""
    return eval_set.terms.labels_are, [(question.query_id, question.digest) for question in eval_set.questions]
