"""Eval sets: their versions read, checked, and appended."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Connection, Row, Select, func, insert, select, update

from evalspan.digests import ArrayDigest, text_digest
from evalspan.errors import BadInput, Conflict, NotFound, Problem
from evalspan.formats.setfile import SUFFIX
from evalspan.labels import EvalSet, JudgedQuestion, QuestionBody, SetTerms, set_digest
from evalspan.provenance import Provenance
from evalspan.store.bulk import ROWS, batches, insert_rows, known_keys
from evalspan.store.naming import require_name, require_no_file, require_sound
from evalspan.store.records import VersionRecord
from evalspan.store.schema import EVAL_SET, QUESTION, SET_QUESTION, SET_VERSION
from evalspan.store.snapshots import (
    provenance_columns,
    provenance_of,
)
from evalspan.text import find_bad_character

_NUMBERED = re.compile(r"(?P<name>.+)@(?P<number>[1-9]\d{0,8})")

KIND = "eval set"

BODIES = 2000
"""Questions written at once: a few megabytes."""

UNKNOWN = ""
"""Stands for a version's digest until its questions are written, in the same transaction."""


def _versions() -> Select[Any]:
    joined = SET_VERSION.join(EVAL_SET, EVAL_SET.c.id == SET_VERSION.c.set_id)
    return select(SET_VERSION, EVAL_SET.c.name).select_from(joined)


def _record(row: Row[Any]) -> VersionRecord:
    terms = SetTerms(
        snapshot_digest=row.snapshot_digest,
        min_overlap=row.min_overlap,
        label_schema=row.label_schema,
        chunking_identity=row.chunking_identity,
        guard_scope=row.guard_scope,
        labels_are=row.labels_are,
    )
    return VersionRecord(
        id=row.id,
        name=row.name,
        number=row.number,
        parent=row.parent,
        terms=terms,
        digest=row.digest,
        questions=row.questions,
        judgments=row.judgments,
        chunk_labels=row.chunk_labels,
        provenance=provenance_of(row),
        pending=row.pending,
        restores=row.restores,
    )


def version_records(connection: Connection, ids: Iterable[int]) -> dict[int, VersionRecord]:
    query = _versions().where(SET_VERSION.c.id.in_(set(ids)))
    return {row.id: _record(row) for row in connection.execute(query)}


def newest_versions(connection: Connection) -> list[VersionRecord]:
    """One per set, by name."""
    newest = select(func.max(SET_VERSION.c.id)).group_by(SET_VERSION.c.set_id)
    query = _versions().where(SET_VERSION.c.id.in_(newest)).order_by(EVAL_SET.c.name)
    return [_record(row) for row in connection.execute(query)]


def versions_of(connection: Connection, name: str) -> list[VersionRecord]:
    """Oldest first. Raises NotFound where there is no such set, BadInput where a file has that name."""
    query = _versions().where(EVAL_SET.c.name == name).order_by(SET_VERSION.c.number)
    records = [_record(row) for row in connection.execute(query)]
    if not records:
        require_no_file(name)
        raise NotFound(KIND, name, [record.name for record in newest_versions(connection)])
    return records


def find_version(connection: Connection, reference: str) -> VersionRecord:
    """`name` is its newest version, `name@n` the n-th."""
    numbered = _NUMBERED.fullmatch(reference)
    versions = versions_of(connection, numbered["name"] if numbered else reference)
    if numbered is None:
        return versions[-1]
    for record in versions:
        if record.number == int(numbered["number"]):
            return record
    raise NotFound("version", reference, [record.label for record in reversed(versions)])


def newest_version(connection: Connection, name: str) -> VersionRecord | None:
    query = _versions().where(EVAL_SET.c.name == name).order_by(SET_VERSION.c.number.desc()).limit(1)
    row = connection.execute(query).first()
    return None if row is None else _record(row)


def _bodies(connection: Connection, record: VersionRecord) -> list[tuple[str, str, str]]:
    """(query_id, digest, body), ascending."""
    query = (
        select(SET_QUESTION.c.query_id, QUESTION.c.digest, QUESTION.c.body)
        .join_from(SET_QUESTION, QUESTION, QUESTION.c.digest == SET_QUESTION.c.question_digest)
        .where(SET_QUESTION.c.version_id == record.id)
        .order_by(SET_QUESTION.c.query_id)
    )
    return [tuple(row) for row in connection.execute(query)]


def read_eval_set(connection: Connection, record: VersionRecord) -> EvalSet:
    questions = tuple(JudgedQuestion.model_validate_json(body) for _, _, body in _bodies(connection, record))
    return EvalSet(record.name, record.number, record.terms, questions)


def bereft_questions(connection: Connection, record: VersionRecord) -> tuple[str, ...]:
    """query_ids of those that lost all their evidence. Only bodies that hold retired labels are read."""
    query = (
        select(QUESTION.c.body)
        .join_from(SET_QUESTION, QUESTION, QUESTION.c.digest == SET_QUESTION.c.question_digest)
        .where(SET_QUESTION.c.version_id == record.id, QUESTION.c.body.contains('"retired_labels":'))
        .order_by(SET_QUESTION.c.query_id)
    )
    questions = (JudgedQuestion.model_validate_json(body) for body in connection.execute(query).scalars())
    return tuple(question.query_id for question in questions if question.bereft)


def digest_holds(connection: Connection, record: VersionRecord) -> bool:
    """Whether the stored questions are still those that the version was made of."""
    digest = ArrayDigest()
    digest.add(record.terms.to_digest())
    for query_id, key, body in _bodies(connection, record):
        if text_digest(body) != key:
            return False
        digest.add([query_id, key])
    return digest.hexdigest() == record.digest


def evidence_documents(connection: Connection, record: VersionRecord) -> set[str]:
    """The documents that the version's judgments stand in."""
    return {
        judgment["doc_id"]
        for _, _, body in _bodies(connection, record)
        for judgment in from_json(body).get("judgments", ())
    }


def add_version(
    connection: Connection,
    name: str,
    parent: int | None,
    terms: SetTerms,
    questions: Iterable[QuestionBody],
    provenance: Provenance,
    restores: int | None = None,
) -> VersionRecord:
    """Number `parent` + 1. Raises Conflict unless the parent is the newest version (None: unless there is none)."""
    require_name(KIND, name, SUFFIX if parent is None else "")
    _require_newest(connection, name, parent)
    values = {
        "set_id": _set_id(connection, name, parent),
        "number": (parent or 0) + 1,
        "parent": parent,
        **terms.model_dump(mode="json"),
        **_Counts().columns(),
        "digest": UNKNOWN,
        "restores": restores,
        **provenance_columns(provenance),
    }
    key = connection.execute(insert(SET_VERSION).values(values).returning(SET_VERSION.c.id)).scalar_one()
    counts = _Counts()
    rows: list[tuple[str, str]] = []
    for batch in batches(questions, BODIES):
        rows += _write_questions(connection, batch)
        counts.add(batch)
    require_sound(KIND, [query_id for query_id, _ in rows])
    rows.sort()
    for (query_id, _), (other, _) in pairwise(rows):
        if query_id == other:
            raise BadInput([Problem(KIND, None, f"two questions have the id {query_id!r}")])
    for some in batches(rows, ROWS):
        insert_rows(connection, SET_QUESTION, [(key, query_id, digest) for query_id, digest in some])
    known = {**counts.columns(), "digest": set_digest(terms, rows)}
    connection.execute(update(SET_VERSION).where(SET_VERSION.c.id == key).values(known))
    return version_records(connection, [key])[key]


class _Counts:
    """Of what a version holds."""

    def __init__(self) -> None:
        self._questions = self._judgments = self._chunk_labels = self._pending = 0

    def add(self, bodies: Sequence[QuestionBody]) -> None:
        self._questions += len(bodies)
        self._judgments += sum(body.judgments for body in bodies)
        self._chunk_labels += sum(body.chunk_labels for body in bodies)
        self._pending += sum(body.pending for body in bodies)

    def columns(self) -> dict[str, int]:
        return {
            "questions": self._questions,
            "judgments": self._judgments,
            "chunk_labels": self._chunk_labels,
            "pending": self._pending,
        }


def _write_questions(connection: Connection, bodies: Sequence[QuestionBody]) -> list[tuple[str, str]]:
    """Those that no version holds yet. Returns (query_id, digest) of each."""
    for body in bodies:
        bad = find_bad_character(body.text)
        if bad is not None:
            raise BadInput([Problem(KIND, None, f"question {body.query_id!r} holds {bad[1]}")])
    digests = [text_digest(body.text) for body in bodies]
    known = known_keys(connection, QUESTION.c.digest, digests)
    new = {digest: body.text for digest, body in zip(digests, bodies, strict=True) if digest not in known}
    insert_rows(connection, QUESTION, list(new.items()))
    return [(body.query_id, digest) for body, digest in zip(bodies, digests, strict=True)]


def _set_id(connection: Connection, name: str, parent: int | None) -> int:
    made = insert(EVAL_SET).values(name=name).returning(EVAL_SET.c.id)
    there = select(EVAL_SET.c.id).where(EVAL_SET.c.name == name)
    key: int = connection.execute(made if parent is None else there).scalar_one()
    return key


def _require_newest(connection: Connection, name: str, parent: int | None) -> None:
    newest = newest_version(connection, name)
    if newest is None:
        if parent is None:
            return
        raise NotFound(KIND, name, [record.name for record in newest_versions(connection)])
    if newest.number != parent:
        yours = "yours was to be its first" if parent is None else f"yours was made from {parent}"
        raise Conflict(
            f"{name} is at version {newest.number} by now (by {newest.provenance.by}, {newest.provenance.at}); "
            f"{yours}: nothing was written. Look: evalspan set log {name}"
        )
