"""A decision applied to its question: a pure function of the question as it stands."""

from collections.abc import Sequence

from pydantic import ValidationError

from evalspan.errors import BadInput, Problem
from evalspan.labels import (
    OF_ALL,
    Action,
    ChunkLabel,
    DecidedSpan,
    Decision,
    JudgedQuestion,
    Judgment,
    Part,
    Range,
    RetiredLabel,
)
from evalspan.migrator.review import STALE_ANSWER, ReviewItem, Source
from evalspan.migrator.twins import ALTERNATIVE, tied, with_judgments
from evalspan.provenance import Provenance

Label = Judgment | ChunkLabel

_OF_A_LABEL = frozenset({Action.RETIRE, Action.MERGE})
"""What is said of a label. An offered passage is none yet, and the label that it is a copy of is not in question."""


def decided(question: JudgedQuestion, item: ReviewItem, decision: Decision) -> JudgedQuestion:
    """The question with the decision in it; `decision` with its ranges in the snapshot that the question's judgments
    stand in. Raises BadInput where it does not fit what is asked, with what would do.
    """
    try:
        return JudgedQuestion(**dict(_decided(question, item, decision)))  # checked again: its facts, its answer
    except ValidationError as error:
        raise _refusal(item.name, error.errors()[0]["msg"].removeprefix("Value error, ")) from error


def _decided(question: JudgedQuestion, item: ReviewItem, decision: Decision) -> JudgedQuestion:
    action = decision.action
    if action is Action.DEFER:
        return question
    if item.reason == STALE_ANSWER:
        return _answers(question, item, decision)
    if action is Action.ABSTAIN:
        return abstained(question, decision.snapshot_digest, decision.provenance)
    if item.reason in ("twin", "unjudged") and action in _OF_A_LABEL:
        raise _refusal(item.name, f"{action} is said of a label, and this is an offer: accept it, or reject it")
    if item.reason == "unjudged":
        return _judged(question, decision)
    if action is Action.REJECT:
        if item.holds:
            raise _refusal(
                item.name,
                "the label waits for a place, so it can't be left as it is. Set its span, accept a candidate, retire "
                "it, or defer",
            )
        return question
    subject = _subject(question, item)
    if subject is None:
        raise _refusal(item.name, "the label that it is about is gone. See what is asked now: evalspan review SET list")
    if action is Action.RETIRE:
        retired = RetiredLabel(label=subject, snapshot_digest=item.snapshot_digest, provenance=decision.provenance)
        return _replaced(question, item, subject, (), (retired,))
    if item.reason == "twin":
        return _twin(question, subject, decision)
    return _placed(question, item, subject, decision)


def _subject(question: JudgedQuestion, item: ReviewItem) -> Label | None:
    """What the item is about: a label that waits, or one that stands."""
    if item.source is not Source.REBASE:
        return found_label(question, item.subject)
    return item.subject if any(pending.label == item.subject for pending in question.pending) else None


def found_label(question: JudgedQuestion, subject: Label | None) -> Label | None:
    """The label as it stands now, or None: another decision may have given it a name among alternatives."""
    if subject is None or subject in (*question.judgments, *question.chunk_labels):
        return subject
    if isinstance(subject, ChunkLabel):
        return None
    blank = {"alternative": "", "provenance": None}
    wanted = subject.model_copy(update=blank)
    return next((judgment for judgment in question.judgments if judgment.model_copy(update=blank) == wanted), None)


def abstained(question: JudgedQuestion, snapshot_digest: str, provenance: Provenance) -> JudgedQuestion:
    """The corpus does not answer it any more: what was relevant is retired, and kept. `snapshot_digest`: of the corpus
    that its judgments stand in.
    """
    stood: list[tuple[Label, str]] = [(judgment, snapshot_digest) for judgment in question.judgments]
    stood += [(label, snapshot_digest) for label in question.chunk_labels]
    stood += [(pending.label, pending.snapshot_digest) for pending in question.pending]
    retired = [
        RetiredLabel(label=label, snapshot_digest=of, provenance=provenance) for label, of in stood if label.grade > 0
    ]
    kept = {
        "judgments": tuple(judgment for judgment in question.judgments if judgment.grade <= 0),
        "chunk_labels": tuple(label for label in question.chunk_labels if label.grade <= 0),
        "pending": tuple(pending for pending in question.pending if pending.label.grade <= 0),
        "retired_labels": (*question.retired_labels, *retired),
    }
    return question.model_copy(update={**kept, "no_answer": True})


def _refusal(item: str, what: str) -> BadInput:
    return BadInput([Problem(f"item {item}", None, what)])


def _answers(question: JudgedQuestion, item: ReviewItem, decision: Decision) -> JudgedQuestion:
    """Confirmed (accept) or rewritten (set): the sources are as the set's snapshot holds them from now on."""
    if decision.action not in (Action.ACCEPT, Action.SET):
        raise _refusal(item.name, "asks about reference answers: accept them, or set another one")
    if (decision.action is Action.SET) != (decision.answer is not None):
        raise _refusal(item.name, "a new answer goes with set, and set with a new answer: --answer TEXT")
    if decision.answer is not None and not decision.answer.strip():
        raise _refusal(
            item.name, "the new answer is blank. Where the corpus has no answer: evalspan set amend --no-answer"
        )
    asked = question.question
    if decision.answer is not None:
        asked = asked.model_copy(update={"reference_answers": (decision.answer,)})
    return question.model_copy(update={"question": asked, "answer_sources": ()})


def _judged(question: JudgedQuestion, decision: Decision) -> JudgedQuestion:
    """A passage that runs return, and that nobody had judged."""
    grade = 0 if decision.action is Action.REJECT else decision.grade
    if grade is None:
        raise _refusal(decision.item, "a passage that nobody has judged needs a grade: --grade direct|supporting|…")
    if question.no_answer and grade > 0:
        raise _refusal(decision.item, f"question {question.query_id!r} is said to have no answer; amend that first")
    alternative = OF_ALL if grade > 0 and not question.facts else ""
    blank = ChunkLabel(chunk_id="-", grade=grade, fact=decision.fact)
    made = [judgment.model_copy(update={"alternative": alternative}) for judgment in _judgments(blank, decision)]
    return question.model_copy(update={"judgments": (*question.judgments, *_new(question, made))})


def _twin(question: JudgedQuestion, subject: Label, decision: Decision) -> JudgedQuestion:
    """The same passage elsewhere is an alternative."""
    assert isinstance(subject, Judgment)
    new = tied(subject)
    values = {"origin": "span", "chunk_id": None, "wide": None, "alternative": new.alternative, "tabular": new.tabular}
    copies = [
        judgment.model_copy(update=values) for judgment in _judgments(new, decision.model_copy(update={"either": True}))
    ]
    return with_judgments(question, subject, new, copies)


def _new(question: JudgedQuestion, made: Sequence[Judgment]) -> list[Judgment]:
    there = {(judgment.place, judgment.fact) for judgment in question.judgments}
    return [judgment for judgment in made if (judgment.place, judgment.fact) not in there]


def _placed(question: JudgedQuestion, item: ReviewItem, subject: Label, decision: Decision) -> JudgedQuestion:
    made = _judgments(subject, decision, moved=item.source is Source.REBASE)
    if not made:
        raise _refusal(decision.item, f"{decision.action} needs a place: name a candidate, or give a range START-END")
    if decision.action is Action.MERGE:
        question, made = _merged(question, item, subject, made[0], decision)
    return _replaced(question, item, subject, made)


def _merged(
    question: JudgedQuestion, item: ReviewItem, subject: Label, one: Judgment, decision: Decision
) -> tuple[JudgedQuestion, list[Judgment]]:
    """The question without the labels that lie in the one passage, and that passage, as relevant as the best of them.
    What says nothing for the passage (not relevant, harmful) is no part of it.
    """
    if item.source is Source.REBASE:
        raise _refusal(decision.item, "the label waits for a place; set the whole passage, and retire the other label")
    relevant = one.grade > 0
    inside = [j for j in question.judgments if j != subject and (j.grade > 0) == relevant and _inside(j, one)]
    if not inside:
        raise _refusal(decision.item, "no other label of the question lies there. For a longer passage: widen, or set")
    if decision.grade is None:
        one = one.model_copy(update={"grade": max(one.grade, *(judgment.grade for judgment in inside))})
    left = tuple(judgment for judgment in question.judgments if judgment not in inside)
    return question.model_copy(update={"judgments": left}), [one]


def _inside(judgment: Judgment, other: Judgment) -> bool:
    if (judgment.doc_id, judgment.fact) != (other.doc_id, other.fact):
        return False
    return all(any(start <= a and b <= end for start, end in other.spans) for a, b in judgment.spans)


def _judgments(subject: Label, decision: Decision, moved: bool = False) -> list[Judgment]:
    """One judgment of all the spans, or one for each where either is enough. `moved`: the subject stood in another
    snapshot.
    """
    spans = decision.spans
    if not spans:
        return []
    if decision.either or len(spans) == 1:
        alternative = ""
        if len(spans) > 1 and not subject.fact:
            alternative = spans[0].anchor.digest[:ALTERNATIVE]
        return [_judgment(subject, decision, [span], alternative, moved) for span in spans]
    if len({span.doc_id for span in spans}) > 1:
        raise _refusal(
            decision.item, "the pieces of one passage stand in one document. Where either is enough, say so: --either"
        )
    return [_judgment(subject, decision, sorted(spans, key=lambda span: span.start), "", moved)]


def _judgment(
    subject: Label, decision: Decision, spans: Sequence[DecidedSpan], alternative: str, moved: bool
) -> Judgment:
    first, *rest = spans
    values: dict[str, object] = {
        "doc_id": first.doc_id,
        "start": first.start,
        "end": first.end,
        "anchor": first.anchor,
        "also": tuple(Part(start=span.start, end=span.end, anchor=span.anchor) for span in rest),
        "grade": subject.grade if decision.grade is None else decision.grade,
        "fact": subject.fact,
        "alternative": alternative,
        "provenance": decision.provenance,
    }
    if isinstance(subject, Judgment):
        values["alternative"] = subject.alternative or alternative  # its twins are alternatives to all its places
        origin = _moved_origin(subject, decision) if moved else _origin(subject, spans)
        values |= {"tabular": subject.tabular, **origin}
    return Judgment.model_validate(values)


def _origin(subject: Judgment, spans: Sequence[DecidedSpan]) -> dict[str, object]:
    """A part of an old chunk keeps the chunk it was narrowed from; what stands elsewhere is a span of its own."""
    wide = subject.wide or (Range(start=subject.start, end=subject.end) if subject.coarse else None)
    if wide is None or not all(s.doc_id == subject.doc_id and s.span.inside(wide.span) for s in spans):
        return {}
    if [span.span for span in spans] == [wide.span]:
        return {}  # the whole chunk is meant, and is precise from now on
    return {"origin": "chunk", "chunk_id": subject.chunk_id, "wide": wide}


def _moved_origin(subject: Judgment, decision: Decision) -> dict[str, object]:
    """Who accepts where an old chunk stands now says nothing about where in it the answer stands."""
    if subject.coarse and decision.action is Action.ACCEPT:
        return {"origin": "chunk", "chunk_id": subject.chunk_id}
    return {}


def _replaced(
    question: JudgedQuestion,
    item: ReviewItem,
    subject: Label,
    by: Sequence[Judgment],
    retired: Sequence[RetiredLabel] = (),
) -> JudgedQuestion:
    """The subject's place in the list is its successors'; one that was no judgment yet comes last."""
    judgments, labels, pending = list(question.judgments), list(question.chunk_labels), list(question.pending)
    if item.source is Source.REBASE:
        del pending[next(i for i, waiting in enumerate(pending) if waiting.label == subject)]
        judgments += by
    elif isinstance(subject, ChunkLabel):
        labels.remove(subject)
        judgments += by
    else:
        at = judgments.index(subject)
        judgments[at : at + 1] = by
    return question.model_copy(
        update={
            "judgments": tuple(judgments),
            "chunk_labels": tuple(labels),
            "pending": tuple(pending),
            "retired_labels": (*question.retired_labels, *retired),
        }
    )
