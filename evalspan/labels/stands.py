"""Whether a passage stands where its judgment says."""

from evalspan.digests import text_digest
from evalspan.labels.judgment import Judgment


def stands(judgment: Judgment, text: str) -> bool:
    """`text`: of its document. All its ranges must hold the words that they were made on."""
    ranges = ((judgment.span, judgment.anchor), *((part.span, part.anchor) for part in judgment.also))
    return all(text_digest(span.of(text)) == anchor.digest for span, anchor in ranges)
