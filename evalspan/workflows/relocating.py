"""Labels carried to another snapshot for the length of one calculation: as a rebase does, and nothing is written."""

from evalspan.labels import EvalSet
from evalspan.migrator.carry import Carrier
from evalspan.provenance import Provenance
from evalspan.store import SnapshotRecord, Store
from evalspan.workflows.laying import Tied, tied
from evalspan.workflows.progress import silent
from evalspan.workflows.rebase_moves import Moves
from evalspan.workflows.texts import Texts


def relocated(store: Store, eval_set: EvalSet, target: SnapshotRecord) -> Tied:
    """Labels without a sure place there wait. `eval_set`: with its labels tied to text as far as that is certain."""
    texts = Texts(store)
    digest = eval_set.terms.snapshot_digest
    diff = store.diff(texts.snapshot(digest), target)
    moves = Moves(store, eval_set, target, diff, texts, "accept")
    moves.find(silent)
    carrier = Carrier(digest, "ask", Provenance.now("scored again"))
    questions = [carrier.carry(question, moves.of.get(question.query_id, {})) for question in eval_set.questions]
    terms = eval_set.terms.model_copy(update={"snapshot_digest": target.digest, "chunking_identity": None})
    return tied(store, EvalSet(eval_set.name, eval_set.version, terms, tuple(questions)))
