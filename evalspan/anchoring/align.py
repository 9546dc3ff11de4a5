"""An old text onto its new version, all spans carried across.

The two texts are aligned once (modules of `alignment`): equal whole lines first (`lines`), then the words between
them (`seeds`), only in gaps that a span touches,
without what would be met by chance (`chance`) and with insertions beginning
where the text pauses (`slides`). A span is projected by its words (`project`), its range is the hull of
them up to its old neighbours (`place`), and what stands there is judged (`judge`): the passage, an edit of
it, or another one like it. A passage that is not where order puts it is sought elsewhere, unchanged
(`elsewhere`) or edited (`moved`), in text that no other old text became.
"""

from collections.abc import Iterable

from evalspan.anchoring.alignment.judge import judge
from evalspan.anchoring.alignment.versions import Versions
from evalspan.anchoring.anchor import Match, Status
from evalspan.errors import BadInput, Problem
from evalspan.spans import Span


def relocate(spans: Iterable[Span | tuple[int, int]], old: str, new: str) -> list[Match]:
    """Where each span of `old` stands in `new`, in the order given.

    Offsets are code points. The answer for a span depends on the two texts only, not on the other spans. Equal texts
    cost nothing; the time is near linear in the texts. Raises BadInput for a span outside the old text.
    """
    asked = [Span(*span) for span in spans]
    outside = [
        Problem("spans", None, f"{a}..{b} is no range of a text of {len(old)} code points")
        for a, b in asked
        if not 0 <= a <= b <= len(old)
    ]
    if outside:
        raise BadInput(outside)
    if old == new:
        return [_exact(span) for span in asked]
    versions = Versions(old, new)
    return [_relocate_one(versions, span) for span in asked]


def _relocate_one(text: Versions, span: Span) -> Match:
    number = text.block_before(span.start)
    if number >= 0 and span.end <= (block := text.blocks[number]).old_end:
        twin = text.twin(number, span)
        return twin or _exact(Span(span.start + block.shift, span.end + block.shift))
    return judge(text, span)


def _exact(span: Span) -> Match:
    return Match(span, Status.EXACT, sure=True, score=1.0, coverage=1.0, pieces=(span,))
