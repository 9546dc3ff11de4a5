"""How the difference between two versions is shown: every label with its passage's words."""

from evalspan.cli.page import line, plural
from evalspan.labels import ChunkLabel, JudgedQuestion, render_grade
from evalspan.labels.difference import QuestionDifference, SetDifference
from evalspan.labels.pairing import Change, Held, LabelChange

WORDS = 160
"""Characters of a passage that are shown: two lines or so say which one it is."""

_STYLES = {Change.ADDED: "green", Change.REMOVED: "red", Change.WAITS: "yellow", Change.RETIRED: "yellow"}


def show_difference(difference: SetDifference) -> None:
    """Terms, then questions; what is the same is counted."""
    for field in difference.terms:
        line(field.words)
    for what, questions, style in (("added", difference.added, "green"), ("removed", difference.removed, "red")):
        for question in questions:
            line(f"{question.query_id}  {what}  {question.question.text}".rstrip(), style)
            _show_labels(question)
    for changed in difference.changed:
        _show_changed(changed)
    line(in_numbers(difference))


def in_numbers(difference: SetDifference) -> str:
    """As "2 questions changed, 1 added, 40 the same"."""
    counts = (("changed", difference.changed), ("added", difference.added), ("removed", difference.removed))
    told = [(what, len(questions)) for what, questions in counts if questions]
    parts = [f"{plural(count, 'question') if i == 0 else f'{count:,}'} {what}" for i, (what, count) in enumerate(told)]
    if difference.terms:
        parts.append(f"{plural(len(difference.terms), 'term')} of the set changed")
    return ", ".join(
        [*parts, f"{difference.same:,} the same" if parts else f"{plural(difference.same, 'question')}, all the same"]
    )


def _show_labels(question: JudgedQuestion) -> None:
    for judgment in question.judgments:
        _show_label("", Held("counts", judgment))
    for label in question.chunk_labels:
        _show_label("", Held("counts", label))


def _show_changed(changed: QuestionDifference) -> None:
    line(f"{changed.query_id}  {changed.new.question.text}".rstrip(), "bold")
    for field in changed.fields:
        line(f"  {field.words}")
    if changed.reordered:
        line(f"  {changed.words}")
    for label in changed.labels:
        _show_change(label)


def _show_change(label: LabelChange) -> None:
    what = ", ".join(label.changes)
    also = f" ({', '.join(label.fields)})" if label.fields else ""
    line(f"  {what}{also}", _STYLES.get(label.changes[0]))
    sides = [("-", label.old), ("+", label.new)]
    if label.old and label.new and _where(label.old) == _where(label.new) and Change.REPLACED not in label.changes:
        sides = [("", label.new)]
        if label.old.label.grade != label.new.label.grade:
            line(f"    grade {render_grade(label.old.label.grade)} → {render_grade(label.new.label.grade)}")
    for sign, held in sides:
        if held is not None:
            _show_label(sign, held)


def _show_label(sign: str, held: Held) -> None:
    state = "" if held.state == "counts" else f"  {held.state}"
    by = f"  by {held.provenance.by}, {held.provenance.at}" if held.provenance else ""
    mark = f"{sign} " if sign else ""
    line(f"    {mark}grade {render_grade(held.label.grade)}  {_where(held)}{state}{by}")
    words = _words(held)
    if words:
        line(f"      {words}", "dim")


def _where(held: Held) -> str:
    label = held.label
    if isinstance(label, ChunkLabel):
        return f"chunk {label.chunk_id}"
    return f"{label.doc_id} {', '.join(f'{start}–{end}' for start, end in label.spans)}"


def _words(held: Held) -> str:
    """Of its passage; of a long one both ends."""
    if isinstance(held.label, ChunkLabel):
        return ""
    pieces = []
    for anchor in (held.label.anchor, *(part.anchor for part in held.label.also)):
        words = " ".join((anchor.exact or f"{anchor.head} … {anchor.tail}").split())
        pieces.append(words if len(words) <= WORDS else f"{words[: WORDS // 2]} … {words[-WORDS // 2 :]}")
    return " ⋯ ".join(pieces)
