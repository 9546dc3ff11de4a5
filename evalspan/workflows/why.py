"""`evalspan why`: what moved a figure between two scores: the retriever, the corpus, the labels, the chunking."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from evalspan.errors import BadInput, NotFound, Problem
from evalspan.labels import EvalSet
from evalspan.mapping import lay_over
from evalspan.runs import Run
from evalspan.scoring.attribution import Changed, Share, shapley
from evalspan.scoring.cases import open_cases, take
from evalspan.scoring.figures import mean
from evalspan.scoring.projection import projected
from evalspan.store import ChunkingRecord, ScoreRecord, Store
from evalspan.workflows.hits import hit_places, pieces_around
from evalspan.workflows.history import find_score
from evalspan.workflows.laying import Tied, ground, tied
from evalspan.workflows.relocating import relocated
from evalspan.workflows.run_figures import run_figures
from evalspan.workflows.stores import StoreOrAddress, opened

RETRIEVER, CORPUS, LABELS, CHUNKING, MIN_OVERLAP = "retriever", "corpus", "labels", "chunking", "min_overlap"


@dataclass(frozen=True, slots=True)
class Attribution:
    """The difference of a measure between two scores, in shares that add up to it."""

    measure: str
    old: ScoreRecord
    new: ScoreRecord
    old_value: float
    new_value: float
    shares: tuple[Share, ...]
    """The largest first, whatever its sign."""
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
    """`old`, `new`: numbers of scores, or "latest". Each change is made alone and after each of the others, by scoring
    the stored runs again under the stored labels; its share is the average over all orders.

    Raises NotFound, BadInput where one of the scores has no decided question for the measure.
    """
    with opened(store) as opened_store:
        before, after = find_score(opened_store, eval_set, old), find_score(opened_store, eval_set, new)
        values = _value(before, measure), _value(after, measure)
        job = _Job(opened_store, before, after, measure)
        shares = job.shares(values)
        return Attribution(measure, before, after, *values, shares, job.unchanged, tuple(job.notes))


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
    chunking: ChunkingRecord
    eval_set: EvalSet
    laid: Tied


class _Job:
    def __init__(self, store: Store, old: ScoreRecord, new: ScoreRecord, measure: str) -> None:
        self._store, self._measure = store, measure
        self._old, self._new = self._side(old), self._side(new)
        self.notes: list[str] = []
        changed = self._changes()
        self.unchanged = tuple(
            name for name in (RETRIEVER, CORPUS, CHUNKING, LABELS, MIN_OVERLAP) if name not in changed
        )
        self._blocks = self._separable(changed)

    def _side(self, record: ScoreRecord) -> _Side:
        eval_set = self._store.eval_set(record.mapping.version)
        run = self._store.run(record.run_digest)
        return _Side(record, run, record.mapping.chunking, eval_set, tied(self._store, eval_set))

    # What changed, and what of it can be told apart

    def _changes(self) -> set[str]:
        old, new = self._old, self._new
        differs = {
            RETRIEVER: self._retriever_differs(),
            CORPUS: old.chunking.snapshot.digest != new.chunking.snapshot.digest,
            CHUNKING: self._chunking_differs(),
            LABELS: old.eval_set.digest != new.eval_set.digest,
            MIN_OVERLAP: old.record.min_overlap != new.record.min_overlap,
        }
        return {name for name, it_does in differs.items() if it_does}

    def _chunking_differs(self) -> bool:
        """Of another corpus the chunks are others in any case; then it is the configuration that tells."""
        one, other = self._old.chunking, self._new.chunking
        if one.snapshot.digest == other.snapshot.digest:
            return one.identity != other.identity
        if one.config.splitter == "unknown" or other.config.splitter == "unknown":
            return True
        return one.config.fingerprint != other.config.fingerprint

    def _retriever_differs(self) -> bool:
        """With the same configuration, results are others because of what was searched."""
        one, other = self._old, self._new
        if one.run.rankings == other.run.rankings:
            return False
        said = bool(one.record.pipeline and other.record.pipeline)
        same = one.record.pipeline == other.record.pipeline and _embedding(one.record) == _embedding(other.record)
        searched_the_same = one.chunking.identity == other.chunking.identity
        return searched_the_same or not (said and same)

    def _separable(self, changed: set[str]) -> list[tuple[str, ...]]:
        """The changes, those together that can't be told apart."""
        index = tuple(name for name in (RETRIEVER, CORPUS, CHUNKING) if name in changed)
        blocks: list[tuple[str, ...]] = [index] if index else []
        if len(index) > 1:
            if CORPUS in index:
                self.notes.append(
                    f"{_named(index)} changed together, and are one share: a run names chunks of its own corpus only. "
                    "To tell them apart, score one run more, with only one of them changed."
                )
            elif self._placed():
                blocks = [(RETRIEVER,), (CHUNKING,)]
                self.notes.append(
                    "retriever and chunking changed together. They are told apart by ranges: a run is read in the "
                    "other chunking as if it had returned the chunks at the places of its hits, which is not what "
                    "that retriever would have found there. A bridge run tells it for certain."
                )
            else:
                self.notes.append(
                    "retriever and chunking changed together, and are one share: a run names chunks of its own "
                    "chunking only, and not all of its hits have a place in a document."
                )
        if CORPUS in changed and LABELS in changed:
            self.notes.append(
                "Labels were carried to the other corpus as a rebase does; those without a sure place there wait, and "
                "their questions are left out of what was scored anew."
            )
        return [*blocks, *((name,) for name in (LABELS, MIN_OVERLAP) if name in changed)]

    def _placed(self) -> bool:
        return all(hit_places(self._store, side.chunking, side.run).complete for side in (self._old, self._new))

    # Scoring anew

    def shares(self, values: tuple[float, float]) -> tuple[Share, ...]:
        blocks = {" and ".join(block): block for block in self._blocks}
        if not blocks:
            return ()
        ends = {frozenset[str](): values[0], frozenset(blocks): values[1]}

        def worth(made: Changed) -> float:
            known = ends.get(made)
            return self._scored({name for block in made for name in blocks[block]}) if known is None else known

        found = shapley(list(blocks), worth)
        shares = [Share(blocks[name], value) for name, value in found.items()]
        return tuple(sorted(shares, key=lambda share: -abs(share.value)))

    def _scored(self, made: set[str]) -> float:
        """The measure with these changes made. Raises BadInput where no question is decided."""
        old, new = self._old, self._new
        index = {RETRIEVER, CORPUS, CHUNKING} - set(self.unchanged)
        whole = not (index and len(self._index_blocks()) > 1)
        moved = bool(index & made)
        run_side = new if (moved if whole else RETRIEVER in made) else old
        cut_side = new if (moved if whole else CHUNKING in made) else old
        label_side = self._pick(LABELS, made, cut_side)
        overlap = self._pick(MIN_OVERLAP, made, label_side).record.min_overlap
        cut = cut_side.chunking
        run = run_side.run
        if run_side.chunking.identity != cut.identity:
            run = self._projected(run_side, cut)
        laid = label_side.laid
        if label_side.eval_set.terms.snapshot_digest != cut.snapshot.digest:
            laid = relocated(self._store, label_side.eval_set, laid, cut.snapshot)
        cases = open_cases(laid.questions)
        for one in ground(self._store, laid, cut):
            for outcome in lay_over(one.doc_id, one.text, one.labels, one.pieces, overlap):
                take(cases, outcome)
        judged = EvalSet(
            label_side.eval_set.name, label_side.eval_set.version, label_side.eval_set.terms, tuple(laid.questions)
        )
        figures = run_figures(self._store, judged, cut, cases, overlap, run, [self._measure])
        found = mean(figures[self._measure])
        if found is None or found.value is None:
            what = "have no question that is decided under each other's labels: decide those that wait first"
            raise BadInput([Problem(f"scores {old.record.id} and {new.record.id}", None, what)])
        return found.value
