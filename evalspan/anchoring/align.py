"""An old text onto its new version, all spans carried across."""

from collections.abc import Iterable

from evalspan.anchoring.anchor import CONTEXT, Match, Status
from evalspan.anchoring.locate import locate
from evalspan.spans import Span


def relocate(spans: Iterable[Span | tuple[int, int]], old: str, new: str) -> list[Match]:
    """Where each span of `old` stands in `new`, in the order given.

    Equal texts cost nothing. Otherwise each passage is located by its quote and the context around it.
    """
    asked = [Span(*span) for span in spans]
    if old == new:
        return [Match(span, Status.EXACT, sure=True, score=1.0, coverage=1.0, pieces=(span,)) for span in asked]
    return [
        locate(
            span.of(old),
            new,
            prefix=old[max(0, span.start - 2 * CONTEXT) : span.start],
            suffix=old[span.end : span.end + 2 * CONTEXT],
        )
        for span in asked
    ]
