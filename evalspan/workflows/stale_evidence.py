"""What a stale reference answer rests on: the evidence as it was when it was written, and as it is."""

from collections.abc import Iterator
from typing import NamedTuple

from evalspan.digests import text_digest
from evalspan.errors import NotFound
from evalspan.labels import AnswerSource, JudgedQuestion, Judgment, PendingLabel, RetiredLabel
from evalspan.migrator.rebase import rebase_passages
from evalspan.migrator.review import passage_of
from evalspan.store import Store, VersionRecord
from evalspan.workflows.texts import Texts


class Evidence(NamedTuple):
    """One relevant label in a source that has changed."""

    doc_id: str
    what: str
    """What became of the label: "waits", "retired", "stands"."""
    old: str
    """Its passage as it was; "" where that is not known."""
    new: str
    """As it is, of one that waits at the likeliest place; "" where there is none."""


def stale_evidence(store: Store, version: VersionRecord, question: JudgedQuestion, texts: Texts) -> list[Evidence]:
    """Of all sources of the question's reference answers that are stale, in the order of the labels."""
    digest = version.terms.snapshot_digest
    found: list[Evidence] = []
    for source in question.stale:
        gone: tuple[PendingLabel | RetiredLabel, ...] = (*question.pending, *question.retired_labels)
        for lost in gone:
            label = lost.label
            if isinstance(label, Judgment) and label.grade > 0 and label.doc_id == source.doc_id:
                found.append(_lost(lost, label, digest, texts))
        mine = [one for one in question.judgments if one.grade > 0 and one.doc_id == source.doc_id]
        found += _standing(mine, source, _written_against(store, version, source, texts), digest, texts)
    return found


def _lost(lost: PendingLabel | RetiredLabel, label: Judgment, digest: str, texts: Texts) -> Evidence:
    old = _text(texts, label.doc_id, lost.snapshot_digest)
    was = passage_of(label.spans, old) if old is not None else ""
    if isinstance(lost, RetiredLabel):
        return Evidence(label.doc_id, "retired", was, "")
    first = lost.candidates[0] if lost.candidates else None
    new = _text(texts, first.doc_id, digest) if first else None
    return Evidence(label.doc_id, "waits", was, first.span.of(new) if first and new is not None else "")


def _standing(
    judgments: list[Judgment], source: AnswerSource, old: str | None, digest: str, texts: Texts
) -> Iterator[Evidence]:
    """Labels that count: where the text that the answers were written against is known, they are looked for there, and
    those that it holds as they are say nothing.
    """
    new = _text(texts, source.doc_id, digest)
    if not judgments or new is None:
        return
    back = rebase_passages([one.spans for one in judgments], new, old) if old is not None else []
    for number, judgment in enumerate(judgments):
        was = passage_of(back[number].spans, old) if old is not None else ""
        now = passage_of(judgment.spans, new)
        if was != now:
            yield Evidence(source.doc_id, "stands", was, now)


def _written_against(store: Store, version: VersionRecord, source: AnswerSource, texts: Texts) -> str | None:
    """The version of its text that the answers were written against, where the set was ever pinned to it."""
    pinned = dict.fromkeys(one.terms.snapshot_digest for one in reversed(store.versions(version.name)))
    for digest in pinned:
        text = _text(texts, source.doc_id, digest)
        if text is not None and text_digest(text) == source.text_digest:
            return text
    return None


def _text(texts: Texts, doc_id: str, digest: str) -> str | None:
    try:
        return texts(doc_id, digest)
    except NotFound:
        return None
