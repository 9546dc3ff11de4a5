"""Labels that name chunks become statements about text, where the chunk's place is certain."""

from collections.abc import Sequence

from evalspan.anchoring import make_anchor
from evalspan.labels import Judgment
from evalspan.mapping import Outcome
from evalspan.migrator.narrow import Narrowing
from evalspan.migrator.narrowed import narrowed
from evalspan.spans import Span


def chunk_judgment(text: str, doc_id: str, span: Span, chunk_id: str, grade: int) -> Judgment:
    """The judgment that a label of a chunk becomes: the whole chunk, and therefore coarse."""
    return Judgment(
        doc_id=doc_id,
        start=span.start,
        end=span.end,
        grade=grade,
        anchor=make_anchor(text, span),
        origin="chunk",
        chunk_id=chunk_id,
    )


def label_judgments(
    doc_id: str, text: str, outcomes: Sequence[Outcome], narrowings: Sequence[Narrowing | None]
) -> list[Judgment | None]:
    """What each label of a document becomes: the whole old chunk, or the part that its outcome was narrowed to; None
    where the chunk has no certain place.
    """
    whole: dict[str, Judgment] = {}
    out: list[Judgment | None] = []
    for outcome, narrowing in zip(outcomes, narrowings, strict=True):
        span, chunk_id = outcome.wide or outcome.span, outcome.chunk_id
        if span is None or chunk_id is None:
            out.append(None)
            continue
        judgment = whole.get(chunk_id)
        if judgment is None:
            judgment = whole[chunk_id] = chunk_judgment(text, doc_id, span, chunk_id, outcome.grade)
        if judgment.grade != outcome.grade:
            judgment = judgment.model_copy(update={"grade": outcome.grade})
        if narrowing is not None and outcome.wide is not None:
            judgment = narrowed(judgment, narrowing, text)
        out.append(judgment)
    return out
