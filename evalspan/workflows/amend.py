"""`evalspan set amend`: what is said of a set by hand changes, in a new version."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from evalspan.errors import BadInput, Conflict, Problem
from evalspan.labels import (
    LABEL_SCHEMA,
    EvalSet,
    JudgedQuestion,
    Judgment,
    LabelsAre,
)
from evalspan.migrator.decide import abstained
from evalspan.provenance import Provenance
from evalspan.store import Store, VersionRecord
from evalspan.text.tables import is_table
from evalspan.workflows.stores import StoreOrAddress, opened


class Amended(NamedTuple):
    """What came of it."""

    version: VersionRecord
    new: bool
    """False: the set says all of this already, and nothing was written."""
    questions: int
    """How many changed."""
    spans: int
    """How many of their spans."""


class _Wish(NamedTuple):
    """What is to be said."""

    questions: frozenset[str]
    """Of these; empty: of the whole set."""
    labels_are: LabelsAre | None
    tabular: bool | None
    tabular_by_rule: bool
    retire: bool
    no_answer: bool

    def __str__(self) -> str:
        """In words, for the log."""
        parts = [f"labels are {self.labels_are}"] if self.labels_are else []
        parts += [f"spans are {'' if self.tabular else 'not '}tabular"] if self.tabular is not None else []
        parts += ["spans that are tables are tabular"] if self.tabular_by_rule else []
        parts += ["retired"] if self.retire else []
        parts += ["no answer"] if self.no_answer else []
        of = f" ({', '.join(sorted(self.questions))})" if self.questions else ""
        return f"amended: {', '.join(parts)}{of}"


def amend_set(
    eval_set: str,
    *,
    questions: Iterable[str] = (),
    labels_are: LabelsAre | None = None,
    tabular: bool | None = None,
    tabular_by_rule: bool = False,
    retire: bool = False,
    no_answer: bool = False,
    store: StoreOrAddress = None,
    why: str = "",
) -> Amended:
    """A new version of the set, in which this is said of the questions named, else of the whole set.

    `labels_are`: whether any one of a question's labels is enough, or all are needed. `tabular`: whether their spans
    count only where they are whole; `tabular_by_rule` says so of those whose passage is a table (see `is_table`), and
    of no whole old chunk. `retire`: no longer asked. `no_answer`: the corpus does not answer it; its relevant labels
    are retired with that. The last two are of questions that are named.

    Raises BadInput (unknown questions, nothing to say), NotFound, Conflict (the version is not the newest); then
    nothing was written.
    """
    wish = _Wish(frozenset(questions), labels_are, tabular, tabular_by_rule, retire, no_answer)
    _check(wish)
    with opened(store) as opened_store:
        version = opened_store.find_version(eval_set)
        newest = opened_store.versions(version.name)[-1]
        if newest.number != version.number:
            raise Conflict(
                f"{version.label} has been followed by {newest.label}. Type: evalspan set amend {newest.name}"
            )
        old = opened_store.eval_set(version)
        _require_known(old, wish)
        provenance = Provenance.now(why or str(wish))
        amended = tuple(_amended(opened_store, old, wish, provenance))
        terms = old.terms
        if labels_are is not None and not wish.questions:
            terms = terms.model_copy(update={"labels_are": labels_are})
        changed = [(one, other) for one, other in zip(old.questions, amended, strict=True) if one != other]
        if not changed and terms == old.terms:
            return Amended(version, False, 0, 0)
        spans = sum(len(set(other.judgments) - set(one.judgments)) for one, other in changed)
        terms = terms.model_copy(update={"label_schema": LABEL_SCHEMA})
        with opened_store.writing() as tx:
            bodies = (question.body() for question in amended)
            made = tx.add_version(version.name, version.number, terms, bodies, provenance)
        return Amended(made, True, len(changed), spans)


def _check(wish: _Wish) -> None:
    """Raises BadInput where nothing is to be said, or two things that do not go together."""
    if not (wish.labels_are or wish.tabular is not None or wish.tabular_by_rule or wish.retire or wish.no_answer):
        options = "--labels-are, --tabular, --no-tabular, --tabular-by-rule, --retire or --no-answer"
        raise BadInput([Problem("set amend", None, f"what is to be said? Give {options}")])
    if wish.tabular is not None and wish.tabular_by_rule:
        raise BadInput([Problem("--tabular-by-rule", None, "goes without --tabular and --no-tabular")])
    for name, given in (("--retire", wish.retire), ("--no-answer", wish.no_answer)):
        if given and not wish.questions:
            raise BadInput([Problem(name, None, "which questions? Name each with --question")])


def _require_known(eval_set: EvalSet, wish: _Wish) -> None:
    known = {question.query_id for question in eval_set.questions}
    unknown = sorted(wish.questions - known)
    if unknown:
        raise BadInput([Problem(eval_set.label, None, f"has no question {query_id!r}") for query_id in unknown])


def _amended(store: Store, eval_set: EvalSet, wish: _Wish, provenance: Provenance) -> Iterator[JudgedQuestion]:
    """Every question of the set, in its order."""
    digest = eval_set.terms.snapshot_digest
    named = [q for q in eval_set.questions if not wish.questions or q.query_id in wish.questions]
    tables = _tables(store, eval_set, named) if wish.tabular_by_rule else set()
    meant = {question.query_id for question in named}
    for question in eval_set.questions:
        if question.query_id not in meant:
            yield question
            continue
        changes: dict[str, object] = {}
        if wish.labels_are is not None and wish.questions:
            changes["labels_are"] = wish.labels_are
        if wish.tabular is not None:
            changes["judgments"] = tuple(_tabular(judgment, wish.tabular) for judgment in question.judgments)
        if tables:
            changes["judgments"] = tuple(_tabular(j, True) if j in tables else j for j in question.judgments)
        if wish.retire:
            changes["retired"] = True
        question = question.model_copy(update=changes)
        yield abstained(question, digest, provenance) if wish.no_answer else question


def _tabular(judgment: Judgment, tabular: bool) -> Judgment:
    return judgment.model_copy(update={"tabular": tabular})


def _tables(store: Store, eval_set: EvalSet, questions: Sequence[JudgedQuestion]) -> set[Judgment]:
    """The judgments whose passage is a table. A whole old chunk is not meant: where in it the answer stands is unknown,
    and that all of it must be held says nothing of a table in it.
    """
    by_document: dict[str, list[Judgment]] = {}
    for question in questions:
        for judgment in question.judgments:
            if not judgment.coarse:
                by_document.setdefault(judgment.doc_id, []).append(judgment)
    texts = store.texts(store.find_snapshot(eval_set.terms.snapshot_digest), by_document)
    return {
        judgment
        for doc_id, text in texts
        for judgment in by_document[doc_id]
        if is_table("\n".join(span.of(text) for span in judgment.spans))
    }
