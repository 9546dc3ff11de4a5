"""A question of a set, with all that was said about it, as a person reads it."""

from evalspan.cli.page import line
from evalspan.labels import ChunkLabel, JudgedQuestion, Judgment, LabelsAre, render_grade

_TWO_VALUED = (0, 1)
"""Grades that are shown without their names: in most sets they say relevant and not, and nothing of tangential."""

_LABELS_ARE: dict[LabelsAre, str] = {"any": "any one of its labels is enough", "all": "all of its labels are needed"}


def show_question(question: JudgedQuestion) -> None:
    """Its words, what an answer needs, its labels, and what must not be used."""
    asked = question.question
    line(f"{question.query_id}  {asked.text}", "bold")
    for answer in asked.reference_answers:
        line(f"  answer  {answer}")
    if question.retired:
        line("  retired: no longer asked", "yellow")
    if question.no_answer:
        line("  no answer: the corpus does not answer it")
    if question.labels_are:
        line(f"  {_LABELS_ARE[question.labels_are]}")
    for key, value in asked.filters.items():
        line(f"  filter  {key} = {value}")
    for fact in question.facts:
        least = f", from grade {_grade(fact.min_grade)}" if fact.min_grade > 1 else ""
        line(f"  needs {fact.fact_id}{least}  {fact.text}".rstrip())
    for judgment in question.judgments:
        _show_judgment(judgment)
    for label in question.chunk_labels:
        line(f"  grade {_grade(label.grade)}{_fact(label)}  chunk {label.chunk_id} (not tied to text)")
    for pending in question.pending:
        line(f"  waits ({pending.reason})  {_place(pending.label)}", "yellow")
    for retired in question.retired_labels:
        line(f"  retired  {_place(retired.label)}", "dim")
    if question.must_not_use:
        line(f"  must not use  {', '.join(question.must_not_use)}")
    if question.acceptable_docs:
        line(f"  acceptable  {', '.join(question.acceptable_docs)}")


def _show_judgment(judgment: Judgment) -> None:
    came = f" (from chunk {judgment.chunk_id})" if judgment.chunk_id else ""
    table = ", tabular" if judgment.tabular else ""
    line(f"  grade {_grade(judgment.grade)}{table}{_fact(judgment)}  {_place(judgment)}{came}")
    for anchor in (judgment.anchor, *(part.anchor for part in judgment.also)):
        words = anchor.exact or f"{anchor.head} … {anchor.tail}"
        line(f"           {' '.join(words.split())}", "dim")


def _grade(grade: int) -> str:
    return str(grade) if grade in _TWO_VALUED else render_grade(grade)


def _fact(label: Judgment | ChunkLabel) -> str:
    return f" for {label.fact}" if label.fact else ""


def _place(label: Judgment | ChunkLabel) -> str:
    if isinstance(label, ChunkLabel):
        return f"chunk {label.chunk_id}"
    return f"{label.doc_id} {' + '.join(f'{start}–{end}' for start, end in label.spans)}"
