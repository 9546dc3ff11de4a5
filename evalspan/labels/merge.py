"""Two people's edits of one set, merged by question."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from evalspan.digests import canonical_json
from evalspan.errors import Conflict
from evalspan.labels.difference import question_difference, same_question
from evalspan.labels.evalset import EvalSet, SetTerms, in_order
from evalspan.labels.judgment import Judgment
from evalspan.labels.question import JudgedQuestion
from evalspan.provenance import Provenance

SHOWN = 20
"""Clashes that the message holds; `clashes` holds all."""


class Clash(NamedTuple):
    """What both sides changed, each otherwise."""

    what: str
    """As "question 'q7'", "min_overlap"."""
    ours: str
    """What our side did, and who did it where the labels say."""
    theirs: str


class MergeConflict(Conflict):
    """Both sides changed the same thing, each otherwise. Nothing was written."""

    def __init__(self, clashes: Sequence[Clash], names: tuple[str, str]) -> None:
        self.clashes, self.names = tuple(clashes), names
        ours, theirs = names
        lines = [f"{ours} (ours) and {theirs} (theirs) changed the same, each otherwise; nothing was merged."]
        for clash in self.clashes[:SHOWN]:
            lines += [clash.what, f"  ours: {clash.ours}", f"  theirs: {clash.theirs}"]
        if len(self.clashes) > SHOWN:
            lines.append(f"… and {len(self.clashes) - SHOWN:,} more")
        lines.append("Settle these in one of the two, and merge again.")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.clashes, self.names)


def merge_sets(
    base: EvalSet | None, ours: EvalSet, theirs: EvalSet, names: tuple[str, str] = ("one", "the other")
) -> EvalSet:
    """What one side alone changed since `base` is taken from it; what both changed alike, too. The result has our name,
    and no number yet (0). A `base` of None: the two have no version in common.

    Raises MergeConflict with everything that both changed otherwise (`names`: what the sides are called), also where
    one removed a question that the other changed, and where ranges of two snapshots would come together.
    """
    merging = _Merging(base, ours, theirs)
    terms = merging.terms()
    questions = merging.questions()
    if not merging.clashes:
        terms = merging.settled(terms, questions)
    if merging.clashes:
        raise MergeConflict(merging.clashes, names)
    return EvalSet(ours.name, 0, terms, in_order(questions))


class _Merging:
    """One merge; clashes gather."""

    def __init__(self, base: EvalSet | None, ours: EvalSet, theirs: EvalSet) -> None:
        self._base, self._ours, self._theirs = base, ours, theirs
        self.clashes: list[Clash] = []

    def terms(self) -> SetTerms:
        """Field by field. Of chunks that labels name it says no more than that: see `settled`."""
        base = self._base.terms.model_dump(mode="json") if self._base else {}
        ours, theirs = (side.terms.model_dump(mode="json") for side in (self._ours, self._theirs))
        merged = dict(ours)
        for name, mine in ours.items():
            was, other = base.get(name), theirs[name]
            if mine == other or (self._base and other == was):
                continue
            if self._base and mine == was:
                merged[name] = other
            elif name != "chunking_identity":
                self.clashes.append(
                    Clash(name, *(f"{canonical_json(value)}{_before(base, name)}" for value in (mine, other)))
                )
        return SetTerms.model_validate(merged)

    def questions(self) -> list[JudgedQuestion]:
        """One by one."""
        base, ours, theirs = (_by_id(side) for side in (self._base, self._ours, self._theirs))
        merged = []
        for query_id in sorted({*ours, *theirs}):
            was, mine, other = base.get(query_id), ours.get(query_id), theirs.get(query_id)
            if _same(mine, other) or _same(other, was):
                taken = mine
            elif _same(mine, was):
                taken = other
            else:
                said = (_said(was, side, self._same_corpus(whole)) for side, whole in self._sides(mine, other))
                self.clashes.append(Clash(f"question {query_id!r}", *said))
                continue
            if taken is not None:
                merged.append(taken)
        return merged

    def _sides(
        self, mine: JudgedQuestion | None, other: JudgedQuestion | None
    ) -> tuple[tuple[JudgedQuestion | None, EvalSet], ...]:
        return (mine, self._ours), (other, self._theirs)

    def _same_corpus(self, side: EvalSet) -> bool:
        return self._base is not None and side.terms.snapshot_digest == self._base.terms.snapshot_digest

    def settled(self, terms: SetTerms, questions: Sequence[JudgedQuestion]) -> SetTerms:
        """With the chunking that the labels which name chunks are of. Clashes where there is no one such chunking, or
        where ranges of two snapshots came together.
        """
        self._require_one_snapshot(terms, questions)
        sides = (self._ours, self._theirs)
        for identity in dict.fromkeys((terms.chunking_identity, *(side.terms.chunking_identity for side in sides))):
            known = [_by_id(side) for side in sides if side.terms.chunking_identity == identity]
            if all(
                any(_same(question, side.get(question.query_id)) for side in known)
                for question in questions
                if question.chunk_labels
            ):
                return terms.model_copy(update={"chunking_identity": identity})
        said = (f"labels name chunks of {side.terms.chunking_identity or 'no known chunking'}" for side in sides)
        self.clashes.append(Clash("the chunking that labels name", *said))
        return terms

    def _require_one_snapshot(self, terms: SetTerms, questions: Sequence[JudgedQuestion]) -> None:
        """A side that stands on another snapshot than the result must have brought no place into it."""
        sides = (self._ours, self._theirs)
        there = next(side for side in sides if side.terms.snapshot_digest == terms.snapshot_digest)
        behind = next((side for side in sides if side.terms.snapshot_digest != terms.snapshot_digest), None)
        if behind is None:
            return
        sound = _by_id(there)
        was = _by_id(self._base)
        brought = [
            question.query_id
            for question in questions
            if not _same(question, sound.get(question.query_id))
            and not _places(question) <= _places(was.get(question.query_id))
        ]
        if brought:
            some = ", ".join(map(repr, brought[:5])) + (f" and {len(brought) - 5:,} more" if len(brought) > 5 else "")
            moved = f"stands on snapshot {terms.snapshot_digest[:12]} now"
            new = (
                f"has new places on snapshot {behind.terms.snapshot_digest[:12]} (question {some}); move it first: "
                f"evalspan rebase SET --to {terms.snapshot_digest[:12]}"
            )
            self.clashes.append(Clash("the snapshot", *(new if side is behind else moved for side in sides)))


def _by_id(side: EvalSet | None) -> dict[str, JudgedQuestion]:
    return {question.query_id: question for question in side.questions} if side else {}


def _same(one: JudgedQuestion | None, other: JudgedQuestion | None) -> bool:
    return one is other if one is None or other is None else same_question(one, other)


def _places(question: JudgedQuestion | None) -> set[object]:
    """What of a question holds for one snapshot only."""
    if question is None:
        return set()
    judgments = {(judgment.doc_id, judgment.spans, judgment.anchor.digest) for judgment in question.judgments}
    return {*judgments, *(label.chunk_id for label in question.chunk_labels), *question.pending}


def _before(base: dict[str, Any], name: str) -> str:
    return f" (before: {canonical_json(base[name])})" if name in base else ""


def _said(was: JudgedQuestion | None, now: JudgedQuestion | None, same_corpus: bool) -> str:
    """What a side did to a question."""
    if now is None:
        return "removed"
    if was is None:
        return f"added{_by(_last_said(now.judgments))}"
    difference = question_difference(was, now, same_corpus)
    return f"{difference.words}{_by(difference.last_said)}"


def _last_said(judgments: Sequence[Judgment]) -> Provenance | None:
    said = [judgment.provenance for judgment in judgments if judgment.provenance is not None]
    return max(said, key=lambda one: one.at, default=None)


def _by(provenance: Provenance | None) -> str:
    return f" (by {provenance.by}, {provenance.at})" if provenance else ""
