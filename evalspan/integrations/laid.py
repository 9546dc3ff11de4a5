"""The passages of a set file laid over the chunks of an index, without a store."""

from collections.abc import Iterable
from contextlib import ExitStack
from os import PathLike

from evalspan.corpus import Manifest, RawChunk, as_chunks, place_chunks
from evalspan.digests import ArrayDigest
from evalspan.errors import BadInput, CannotTell, Problem, Problems
from evalspan.labels import EvalSet, JudgedQuestion, Judgment, SetTerms
from evalspan.mapping import Outcome, Qrels, QrelsBuilder, carried, lay_over, pieces_of
from evalspan.store.blocks import ChunkBlock, chunk_block
from evalspan.workflows.set_references import FoundSet
from evalspan.workflows.setfile_inputs import read_setfile_inputs
from evalspan.workflows.tie import label_of, tie


def lay_set_file(
    found: FoundSet, documents: str | PathLike[str], chunks: str | PathLike[str], manifest: Manifest
) -> Qrels:
    """The qrels that `migrate_set_file` writes, of chunks that are proven to be those that the manifest tells of.

    Raises BadInput: the documents or the chunks are other ones, and every problem of a file; CannotTell: labels of the
    set name chunks.
    """
    _require_passages(found)
    with ExitStack() as stack:
        inputs = read_setfile_inputs(stack, found.label, documents, chunks, None, Problems(), False)
        qrels = QrelsBuilder()
        for label in inputs.held:
            qrels.hold(label)
        labelled = _by_document(inputs.questions)
        digest = _ChunksDigest()
        for doc_id in sorted(inputs.documents.ids):
            raw, questions = inputs.new.of_document(doc_id), labelled.get(doc_id)
            if not raw and not questions:
                continue
            text = inputs.documents.read(doc_id).text
            laid = _Laid(doc_id, text, raw)
            digest.add(laid.block)
            for outcome in laid.outcomes(questions or [], inputs.terms):
                qrels.add(carried(outcome))
        digest.require(manifest, str(chunks))
        return qrels.build(inputs.terms.min_overlap)


def _require_passages(found: FoundSet) -> None:
    """What became of labels that could not be tied to text stands in a store's mapping, and in no file."""
    named = sum(len(question.chunk_labels) for question in found.eval_set.questions)
    if named:
        raise CannotTell(
            f"{named} labels of {found.label} name chunks beside its passages, and a file alone does not tell what "
            f"became of them. Keep the set in a store: evalspan set import NAME --file {found.label}"
        )


def _by_document(questions: Iterable[JudgedQuestion]) -> dict[str, list[JudgedQuestion]]:
    """doc_id → the questions with passages there, each with those alone."""
    out: dict[str, list[JudgedQuestion]] = {}
    for question in questions:
        mine: dict[str, list[Judgment]] = {}
        for judgment in question.judgments:
            mine.setdefault(judgment.doc_id, []).append(judgment)
        for doc_id, judgments in mine.items():
            out.setdefault(doc_id, []).append(question.model_copy(update={"judgments": tuple(judgments)}))
    return out


class _Laid:
    """One document and its chunks, placed."""

    def __init__(self, doc_id: str, text: str, raw: list[RawChunk]) -> None:
        self._doc_id, self._text = doc_id, text
        matches = place_chunks(raw, text)
        self._pieces = [
            piece for chunk, match in zip(raw, matches, strict=True) for piece in pieces_of(chunk.chunk_id, match)
        ]
        self.block = chunk_block(doc_id, as_chunks(doc_id, raw, matches))

    def outcomes(self, questions: list[JudgedQuestion], terms: SetTerms) -> list[Outcome]:
        coarse = any(judgment.coarse for question in questions for judgment in question.judgments)
        texts = [(self._doc_id, self._text)] if coarse else []
        tied = tie(EvalSet("", 0, terms, tuple(questions)), {}, texts)
        labels = [
            label_of(question.query_id, judgment, tied.narrowings.get((question.query_id, judgment)))
            for question in tied.questions
            for judgment in question.judgments
        ]
        return lay_over(self._doc_id, self._text, labels, self._pieces, terms.min_overlap)


class _ChunksDigest:
    """Over ranges and texts, and over chunk ids too, of documents that come in code-point order."""

    def __init__(self) -> None:
        self._ranges, self._named = ArrayDigest(), ArrayDigest()

    def add(self, block: ChunkBlock) -> None:
        if block.ids:
            self._ranges.add_encoded(block.ranges)
            self._named.add_encoded(block.named)

    def require(self, manifest: Manifest, path: str) -> None:
        """Raises BadInput. Without ids in the manifest the ranges and texts must do."""
        found, wanted = self._named.hexdigest(), manifest.chunks_identity
        if wanted is None:
            found, wanted = self._ranges.hexdigest(), manifest.chunks_digest
        if found != wanted:
            what = (
                f"these are not the chunks of the index: its manifest says {wanted[:12]}, and they are {found[:12]}. "
                "Give the chunks that it was built from"
            )
            raise BadInput([Problem(path, None, what)])
