"""Labels that name chunks become statements about text, where the chunk's place is certain."""

from collections.abc import Mapping

from evalspan.anchoring import make_anchor
from evalspan.labels import ChunkLabel, JudgedQuestion, Judgment
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


def rebuild(question: JudgedQuestion, judgments: Mapping[str, Judgment]) -> JudgedQuestion:
    """The question with its chunk labels as judgments, each with its own grade; `judgments`: chunk id → judgment.

    Labels of chunks that have none there stay labels: nothing that was said is dropped.
    """
    rebuilt = list(question.judgments)
    left: list[ChunkLabel] = []
    for label in question.chunk_labels:
        judgment = judgments.get(label.chunk_id)
        if judgment is None:
            left.append(label)
        else:
            rebuilt.append(judgment.model_copy(update={"grade": label.grade, "provenance": label.provenance}))
    return question.model_copy(update={"judgments": tuple(rebuilt), "chunk_labels": tuple(left)})
