"""What a narrowing makes of a label and of its judgment."""

from evalspan.anchoring import Match, Status, make_anchor
from evalspan.labels import Judgment, Range
from evalspan.mapping import Label
from evalspan.migrator.narrow import Certainty, Narrowing, WideLabel


def wide_label(label: Label) -> WideLabel | None:
    """What of a label can be narrowed: the whole old chunk of a relevant one, where its place is certain."""
    match = label.match
    if label.coarse and label.grade > 0 and match.sure and match.same and match.span and len(match.pieces) == 1:
        return WideLabel(label.query_id, match.span)
    return None


def narrowed_label(label: Label, narrowing: Narrowing | None) -> Label:
    """A certain narrowing makes it precise; any other stands beside the whole chunk as evidence."""
    if narrowing is None:
        return label
    if narrowing.certainty is not Certainty.CERTAIN:
        return label._replace(evidence=narrowing.candidates, decides=narrowing.decides)
    span = narrowing.span
    match = Match(span, Status.EXACT, True, True, 1.0, 1.0, (span,))
    return label._replace(match=match, coarse=False, wide=narrowing.wide)


def narrowed(judgment: Judgment, narrowing: Narrowing, text: str) -> Judgment:
    """The judgment of the narrowed range, with the whole chunk as its `wide`; `text`: of its document."""
    span, wide = narrowing.span, narrowing.wide
    return judgment.model_copy(
        update={
            "start": span.start,
            "end": span.end,
            "anchor": make_anchor(text, span),
            "wide": Range(start=wide.start, end=wide.end),
            "narrowed_by": narrowing.how.value,
        }
    )
