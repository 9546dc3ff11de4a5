"""What a result must hold, in the chunk ids of an index: for sufficiency and rubric measures."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from evalspan.digests import canonical_json
from evalspan.errors import SHOWN, CannotTell
from evalspan.labels import EvalSet, JudgedQuestion, Judgment
from evalspan.mapping import Bucket, Outcome, WaitingLabel, pieces_of
from evalspan.mapping.rubrics import ChunkRubric, Together, chunk_rubric, held_by, held_together, is_cut, paired
from evalspan.store import MappingRecord, Store
from evalspan.workflows.qrels import find_mapping
from evalspan.workflows.stores import StoreOrAddress, opened


@dataclass(frozen=True, slots=True)
class ChunkRubrics:
    """Of one mapping; questions that are retired are left out."""

    rubrics: tuple[ChunkRubric, ...]
    """Ascending by query_id; decided questions only."""
    waiting: dict[str, tuple[WaitingLabel, ...]]
    """query_id → its labels that no one has decided. A precise passage that is cut waits for nobody: its pieces go
    together.
    """
    unlabelled: tuple[str, ...]
    """query_ids of questions for which nothing is said to be relevant, nor that they have no answer."""
    min_overlap: float


def chunk_rubrics(eval_set: str, chunking: str, *, store: StoreOrAddress = None) -> ChunkRubrics:
    """Of the set's newest mapping on this chunking.

    Raises NotFound where the set was never migrated to it; CannotTell, with every such question, where labels may be
    alternatives as well as all needed, and nobody said which.
    """
    with opened(store) as opened_store:
        mapping = find_mapping(opened_store, eval_set, chunking)
        return _Deriving(opened_store, mapping).rubrics()


class _Deriving:
    """The questions of a mapping's version, and what became of their judgments."""

    def __init__(self, store: Store, mapping: MappingRecord) -> None:
        self._store, self._mapping = store, mapping
        self._set: EvalSet = store.eval_set(mapping.version)
        self._outcomes: dict[str, list[Outcome]] = {}
        for outcome in store.outcomes(mapping):
            self._outcomes.setdefault(outcome.query_id, []).append(outcome)

    def rubrics(self) -> ChunkRubrics:
        asked = [question for question in self._set.questions if not question.retired]
        waiting = {q.query_id: labels for q in asked if (labels := self._waiting(q))}
        decided = [question for question in asked if question.query_id not in waiting]
        pairs = {question.query_id: paired(question, self._outcomes.get(question.query_id, ())) for question in decided}
        cut = self._cut(pairs.values())
        rubrics: list[ChunkRubric] = []
        refusals: dict[str, str] = {}
        for question in decided:
            found = {judgment: cut.get(judgment) or held_by(o) for judgment, o in pairs[question.query_id].items()}
            try:
                rubrics.append(chunk_rubric(question, found, self._set.terms.labels_are, self._mapping.min_overlap))
            except CannotTell as error:
                refusals[question.query_id] = str(error)
        if refusals:
            raise CannotTell(_refusal(refusals, self._set.name))
        said = tuple(rubric for rubric in rubrics if rubric.all_of or rubric.no_answer)
        unlabelled = tuple(rubric.query_id for rubric in rubrics if not rubric.all_of and not rubric.no_answer)
        return ChunkRubrics(said, waiting, unlabelled, self._mapping.min_overlap)

    def _waiting(self, question: JudgedQuestion) -> tuple[WaitingLabel, ...]:
        query_id = question.query_id
        asked = [outcome for outcome in self._outcomes.get(query_id, ()) if outcome.asks]
        told = {outcome.chunk_id for outcome in asked}
        untied = [label for label in question.chunk_labels if label.grade > 0 and label.chunk_id not in told]
        lost = [pending for pending in question.pending if pending.label.grade > 0]
        return (
            *(WaitingLabel(query_id, one.chunk_id, one.bucket.value, one.reason.value) for one in asked),
            *(WaitingLabel(query_id, one.chunk_id, Bucket.UNMAPPED.value, "not_tied") for one in untied),
            *(WaitingLabel(query_id, one.label.chunk_id, Bucket.UNMAPPED.value, one.reason) for one in lost),
        )

    def _cut(self, pairs: Iterable[Mapping[Judgment, Outcome]]) -> dict[Judgment, tuple[Together, ...]]:
        """The pieces of each passage that is cut. Only the documents of those are read."""
        wanted: dict[str, list[tuple[Judgment, Outcome]]] = {}
        for mine in pairs:
            for judgment, outcome in mine.items():
                if is_cut(outcome):
                    wanted.setdefault(judgment.doc_id, []).append((judgment, outcome))
        chunks = dict(self._store.chunks(self._mapping.chunking, wanted))
        found: dict[Judgment, tuple[Together, ...]] = {}
        for doc_id, text in self._store.texts(self._mapping.chunking.snapshot, wanted):
            pieces = [piece for chunk in chunks.get(doc_id, ()) for piece in pieces_of(chunk.chunk_id, chunk.match)]
            for judgment, outcome in wanted[doc_id]:
                found[judgment] = held_together(outcome, text, pieces)
        return found


def _refusal(refusals: Mapping[str, str], name: str) -> str:
    """`refusals`: query_id → what is to be said of it. Of several, the first one's words and the ids of the others."""
    (_, said), *others = refusals.items()
    lines = [said]
    if others:
        more = f", … ({len(others)} in all)" if len(others) > SHOWN else ""
        lines.append(f"The same of {', '.join(query_id for query_id, _ in others[:SHOWN])}{more}")
    return "\n".join([*lines, f"Type: evalspan set amend {name} --labels-are any|all [--question Q]"])


def render_rubrics(rubrics: Iterable[ChunkRubric]) -> Iterator[str]:
    """JSON lines, keys sorted."""
    for rubric in rubrics:
        yield canonical_json(rubric.to_row()) + "\n"
