"""Proposals and decisions, read and appended."""

from collections.abc import Iterable

from sqlalchemy import Connection, insert, select

from evalspan.labels import Decision, Proposal
from evalspan.store.bulk import batches, insert_rows
from evalspan.store.records import DecisionRecord, VersionRecord
from evalspan.store.schema import APPLIED, DECISION, EVAL_SET, PROPOSAL, SET_VERSION
from evalspan.store.snapshots import provenance_columns

PROPOSALS = 2000
"""Written at once: a few megabytes."""


def read_proposals(connection: Connection, versions: Iterable[VersionRecord]) -> list[Proposal]:
    """Of these versions, oldest first; one that was made again counts once, as it was made last."""
    query = (
        select(PROPOSAL.c.name, PROPOSAL.c.body)
        .where(PROPOSAL.c.version_id.in_([version.id for version in versions]))
        .order_by(PROPOSAL.c.id)
    )
    newest: dict[str, str] = {}
    for name, body in connection.execute(query):
        newest[name] = body
    return [Proposal.model_validate_json(body) for body in newest.values()]


def add_proposals(connection: Connection, version: VersionRecord, proposals: Iterable[Proposal]) -> None:
    for some in batches(proposals, PROPOSALS):
        rows = [
            {
                "version_id": version.id,
                "name": proposal.key.name,
                "body": proposal.model_dump_json(exclude_defaults=True),
            }
            for proposal in some
        ]
        connection.execute(insert(PROPOSAL), rows)


def decision_records(connection: Connection, name: str) -> list[DecisionRecord]:
    """Of the set, oldest first."""
    decisions = (
        select(DECISION.c.id, DECISION.c.body)
        .join_from(DECISION, EVAL_SET, EVAL_SET.c.id == DECISION.c.set_id)
        .where(EVAL_SET.c.name == name)
        .order_by(DECISION.c.id)
    )
    applied = (
        select(APPLIED.c.decision_id, SET_VERSION.c.number)
        .join_from(APPLIED, SET_VERSION, SET_VERSION.c.id == APPLIED.c.version_id)
        .join(EVAL_SET, EVAL_SET.c.id == SET_VERSION.c.set_id)
        .where(EVAL_SET.c.name == name)
        .order_by(SET_VERSION.c.number)
    )
    versions: dict[int, list[int]] = {}
    for key, number in connection.execute(applied):
        versions.setdefault(key, []).append(number)
    return [
        DecisionRecord(key, name, Decision.model_validate_json(body), tuple(versions.get(key, ())))
        for key, body in connection.execute(decisions)
    ]


def add_decisions(
    connection: Connection, version: VersionRecord, decisions: Iterable[Decision]
) -> list[DecisionRecord]:
    set_id = connection.execute(select(SET_VERSION.c.set_id).where(SET_VERSION.c.id == version.id)).scalar_one()
    records = []
    for decision in decisions:
        values = {
            "set_id": set_id,
            "name": decision.key.name,
            "body": decision.model_dump_json(exclude_defaults=True),
            **provenance_columns(decision.provenance),
        }
        key = connection.execute(insert(DECISION).values(values).returning(DECISION.c.id)).scalar_one()
        records.append(DecisionRecord(key, version.name, decision, ()))
    return records


def add_applied(connection: Connection, decisions: Iterable[DecisionRecord], version: VersionRecord) -> None:
    insert_rows(connection, APPLIED, [(record.id, version.id) for record in decisions])
