"""`evalspan set show`: a set, and its questions."""

from typing import Any

import click

from evalspan.cli import options
from evalspan.cli.main import FINE, NO
from evalspan.cli.page import line, plural, print_json, table
from evalspan.cli.question_page import show_question
from evalspan.cli.set_versions import version_row
from evalspan.labels import EvalSet, JudgedQuestion
from evalspan.store import VersionRecord
from evalspan.workflows.set_references import FoundSet, find_set

SHOWN = 20
"""Questions listed in the text; --all and --json list all."""

LABELS_ARE = {"any": "any one of a question's is enough", "all": "all of a question's are needed", None: "nobody said"}


@click.command("show")
@click.argument("eval_set", metavar="SET")
@click.option("--question", "query_id", help="Only this question, with its judgments.")
@click.option("--stale", is_flag=True, help="Only questions whose reference answers are to be confirmed or rewritten.")
@click.option("--all", "every", is_flag=True, help=f"All questions, not the first {SHOWN}.")
@options.store
@options.as_json
def show_command(
    eval_set: str, query_id: str | None, stale: bool, every: bool, store: str | None, as_json: bool
) -> int:
    """A set (NAME, its newest version, NAME@VERSION, or a set file) and its questions.

    With --stale: exit 0 no answer is stale, 1 some are.
    """
    found = find_set(eval_set, store)
    questions = found.eval_set.questions
    if query_id is not None:
        questions = tuple(question for question in questions if question.query_id == query_id)
        if not questions:
            raise click.UsageError(f"{found.label} has no question {query_id!r}.")
    if stale:
        questions = tuple(question for question in questions if question.stale)
    code = NO if stale and questions else FINE
    if as_json:
        print_json({**_row(found), "questions_shown": [question.model_dump(mode="json") for question in questions]})
        return code
    _show_head(found)
    if query_id is not None:
        show_question(questions[0])
    elif stale:
        _show_stale(found, questions)
    else:
        _show_questions(questions, len(questions) if every else SHOWN)
    return code


def _show_head(found: FoundSet) -> None:
    eval_set = found.eval_set
    line(found.label, "bold")
    line(f"  {version_content(found.record) if found.record else _content(eval_set)}")
    line(f"  snapshot {eval_set.terms.snapshot_digest[:12]}, min_overlap {eval_set.terms.min_overlap:g}")
    line(f"  labels: {LABELS_ARE[eval_set.terms.labels_are]}")
    line(f"  digest {eval_set.digest}")
    if found.record is not None:
        made = found.record.provenance
        line(f"  {made.at} by {made.by}: {made.why}")
    line()


def _show_questions(questions: tuple[JudgedQuestion, ...], most: int) -> None:
    rows = [(q.query_id, q.question.text, len(q.judgments), len(q.chunk_labels), _states(q)) for q in questions[:most]]
    table(("question", "text", "spans", "chunk labels", ""), rows, right=(2, 3), long=(1,))
    if len(questions) > most:
        line(f"… and {len(questions) - most:,} more: --all")


def _states(question: JudgedQuestion) -> str:
    said = {
        "retired": question.retired,
        "no answer": question.no_answer,
        plural(len(question.pending), "label", "waits", "wait"): bool(question.pending),
        "answers stale": bool(question.stale),
    }
    return ", ".join(words for words, so in said.items() if so)


def _show_stale(found: FoundSet, questions: tuple[JudgedQuestion, ...]) -> None:
    if not questions:
        line("No reference answer is stale.", "green")
        return
    for question in questions:
        line(f"{question.query_id}  {question.question.text}", "bold")
        for answer in question.question.reference_answers:
            line(f"  answer  {answer}")
        for source in question.stale:
            line(f"  {source.doc_id}  {source.stale}", "yellow")
    line()
    if found.record is not None:
        name = found.record.name
        line("Confirm an answer, or write another one:")
        line(f"  evalspan review {name} list --reason stale_answer")


def show_versions(records: list[VersionRecord]) -> None:
    """One line for each."""
    rows = [
        (
            r.label,
            f"{r.questions:,}",
            f"{r.judgments:,}",
            f"{r.chunk_labels:,}",
            r.terms.snapshot_digest[:12],
            r.provenance.at,
            r.provenance.by,
            r.provenance.why,
        )
        for r in records
    ]
    headers = ("version", "questions", "spans", "chunk labels", "snapshot", "made", "by", "why")
    table(headers, rows, right=(1, 2, 3))


def version_content(record: VersionRecord) -> str:
    """What a version holds, in words."""
    return _counted(record.questions, record.judgments, record.chunk_labels, record.pending)


def _content(eval_set: EvalSet) -> str:
    questions = eval_set.questions
    return _counted(
        len(questions),
        sum(len(q.judgments) for q in questions),
        sum(len(q.chunk_labels) for q in questions),
        sum(len(q.pending) for q in questions),
    )


def _counted(questions: int, judgments: int, chunk_labels: int, pending: int) -> str:
    parts = [plural(questions, "question"), plural(judgments, "span")]
    if chunk_labels:
        parts.append(f"{plural(chunk_labels, 'label')} naming chunks")
    if pending:
        parts.append(f"{plural(pending, 'label')} waiting for a place")
    return ", ".join(parts)


def _row(found: FoundSet) -> dict[str, Any]:
    if found.record is not None:
        return version_row(found.record)
    eval_set = found.eval_set
    return {
        "set": eval_set.name,
        "file": found.label,
        "digest": eval_set.digest,
        "terms": eval_set.terms.model_dump(),
        "questions": len(eval_set.questions),
        "spans": sum(len(question.judgments) for question in eval_set.questions),
    }
