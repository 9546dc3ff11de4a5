"""Passages of a set that stand elsewhere in its corpus too."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalspan.errors import BadInput, Conflict, Problem
from evalspan.labels import LABEL_SCHEMA, JudgedQuestion, Judgment
from evalspan.migrator.twins import TwinPolicy, Twins, find_twins, tied, twin_judgment, twin_proposal, with_judgments
from evalspan.provenance import Provenance
from evalspan.store import SnapshotRecord, Store, VersionRecord
from evalspan.workflows.progress import Progress, silent
from evalspan.workflows.stores import StoreOrAddress, opened
from evalspan.workflows.texts import Texts


@dataclass(frozen=True, slots=True)
class FoundTwins:
    """What came of looking."""

    version: VersionRecord
    """The new one where they were taken; else the one that was."""
    twins: tuple[Twins, ...]

    @property
    def places(self) -> int:
        return sum(len(one.spans) for one in self.twins)


def look_for_twins(
    eval_set: str,
    *,
    twins: TwinPolicy = "ask",
    store: StoreOrAddress = None,
    why: str = "",
    progress: Progress = silent,
) -> FoundTwins:
    """Looks through the set's corpus for passages equal to a labelled one up to white space. ask: they are offered in
    the review queue; accept: they become alternatives, in a new version.

    Raises NotFound; Conflict for a version that has been followed by another; then nothing was written.
    """
    if twins == "ignore":
        raise BadInput([Problem("twins", None, "'ignore' looks for nothing: ask or accept")])
    with opened(store) as opened_store:
        version = opened_store.find_version(eval_set)
        newest = opened_store.versions(version.name)[-1]
        if newest.number != version.number:
            raise Conflict(f"{version.label} has been followed by {newest.label}: look in that one")
        texts = Texts(opened_store)
        digest = version.terms.snapshot_digest
        before = list(opened_store.eval_set(version).questions)
        found = twins_of(opened_store, texts.snapshot(digest), before, progress)
        if found:
            with opened_store.writing() as tx:
                if twins == "ask":
                    tx.add_proposals(version, (twin_proposal(one) for one in found))
                else:
                    taken = with_twins(before, found, texts, digest)
                    terms = version.terms.model_copy(update={"label_schema": LABEL_SCHEMA})
                    made = Provenance.now(why or "took the same passages elsewhere as alternatives")
                    bodies = (question.body() for question in taken)
                    version = tx.add_version(version.name, version.number, terms, bodies, made)
        return FoundTwins(version, tuple(found))


def twins_of(
    store: Store, snapshot: SnapshotRecord, questions: Sequence[JudgedQuestion], progress: Progress
) -> list[Twins]:
    """In the whole snapshot."""
    evidence = {judgment.doc_id for question in questions for judgment in question.judgments}
    passages = _passages(questions, store.texts(snapshot, evidence))
    if not passages:
        return []
    return find_twins(questions, passages, progress(store.texts(snapshot), "looking for twins", snapshot.documents))


def _passages(questions: Iterable[JudgedQuestion], texts: Iterable[tuple[str, str]]) -> list[tuple[str, Judgment, str]]:
    """(query_id, judgment, its words) of every judgment in one piece that says something for or against a passage."""
    mine: dict[str, list[tuple[str, Judgment]]] = {}
    for question in questions:
        for judgment in question.judgments:
            if judgment.grade and not judgment.also and not question.retired:
                mine.setdefault(judgment.doc_id, []).append((question.query_id, judgment))
    return [
        (query_id, judgment, judgment.span.of(text))
        for doc_id, text in texts
        for query_id, judgment in mine.get(doc_id, ())
    ]


def with_twins(
    questions: Sequence[JudgedQuestion], found: Iterable[Twins], texts: Texts, snapshot_digest: str
) -> list[JudgedQuestion]:
    """The questions with every twin as an alternative of the passage that it is equal to."""
    out = list(questions)
    at = {question.query_id: i for i, question in enumerate(out)}
    for one in found:
        i = at[one.query_id]
        new = tied(one.about)
        about = one.about if one.about in out[i].judgments else new
        made = Provenance.now(f"the same passage as {about.doc_id} {about.start}-{about.end}")
        text = texts(one.doc_id, snapshot_digest)
        copies = [twin_judgment(new, one.doc_id, span, text, made) for span in one.spans]
        out[i] = with_judgments(out[i], about, new, copies)
    return out
