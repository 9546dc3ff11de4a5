"""Runs, scores and bridges, read and appended."""

import zlib
from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json, to_json
from sqlalchemy import Connection, Row, insert, select

from evalspan.digests import canonical_json
from evalspan.errors import Conflict, NotFound
from evalspan.provenance import Provenance
from evalspan.runs import Hit, Run
from evalspan.scoring.figures import Figure
from evalspan.store.mappings import mapping_records
from evalspan.store.records import BridgeRecord, MappingRecord, ScoreRecord
from evalspan.store.schema import BRIDGE, EVAL_SET, MAPPING, RUN, SCORE, SET_VERSION
from evalspan.store.snapshots import provenance_columns, provenance_of

QuestionFigures = Mapping[str, Mapping[str, Figure]]
"""measure → query_id → figure."""


def add_run(connection: Connection, run: Run) -> str:
    """Its digest. A run that is there already is not written again."""
    digest = run.digest
    if connection.execute(select(RUN.c.digest).where(RUN.c.digest == digest)).first() is None:
        rows = {query_id: [list(hit) for hit in hits] for query_id, hits in run.rankings.items()}
        body = {
            "rankings": rows,
            "stage": run.stage,
            "pipeline": dict(run.pipeline),
            "latency_ms": dict(run.latency_ms),
            "tokens": dict(run.tokens),
            "repeated": run.repeated,
            "unscored": run.unscored,
        }
        values = {
            "digest": digest,
            "name": run.name,
            "questions": len(run.rankings),
            "hits": sum(len(hits) for hits in run.rankings.values()),
            "body": zlib.compress(to_json(body), 1),
        }
        connection.execute(insert(RUN).values(values))
    return digest


def read_run(connection: Connection, digest: str) -> Run:
    """Raises NotFound."""
    row = connection.execute(select(RUN.c.name, RUN.c.body).where(RUN.c.digest == digest)).first()
    if row is None:
        raise NotFound("run", digest)
    body: dict[str, Any] = from_json(zlib.decompress(row.body))
    rankings = {query_id: tuple(Hit(*hit) for hit in hits) for query_id, hits in body.pop("rankings").items()}
    return Run(rankings, name=row.name, **body)


def add_score(
    connection: Connection,
    mapping: MappingRecord,
    run: Run,
    figures: Mapping[str, Figure],
    questions: QuestionFigures,
    waiting: int,
    code_version: str,
    provenance: Provenance,
) -> ScoreRecord:
    values = {
        "mapping_id": mapping.id,
        "run_digest": add_run(connection, run),
        "min_overlap": mapping.min_overlap,
        "pipeline": canonical_json(dict(run.pipeline)),
        "code_version": code_version,
        "waiting": waiting,
        "figures": canonical_json({name: list(figure) for name, figure in figures.items()}),
        "body": zlib.compress(to_json(questions), 1),
        **provenance_columns(provenance),
    }
    key = connection.execute(insert(SCORE).values(values).returning(SCORE.c.id)).scalar_one()
    return score_record(connection, key)


def score_records(connection: Connection, name: str) -> list[ScoreRecord]:
    """Of the set, oldest first."""
    query = (
        select(SCORE, RUN.c.name.label("run_name"))
        .join_from(SCORE, MAPPING, MAPPING.c.id == SCORE.c.mapping_id)
        .join(SET_VERSION, SET_VERSION.c.id == MAPPING.c.version_id)
        .join(EVAL_SET, EVAL_SET.c.id == SET_VERSION.c.set_id)
        .join(RUN, RUN.c.digest == SCORE.c.run_digest)
        .where(EVAL_SET.c.name == name)
        .order_by(SCORE.c.id)
    )
    rows = connection.execute(query).all()
    mappings = {record.id: record for record in mapping_records(connection)} if rows else {}
    return [_record(row, mappings[row.mapping_id]) for row in rows]


def score_record(connection: Connection, key: int) -> ScoreRecord:
    """Raises NotFound."""
    query = select(SCORE, RUN.c.name.label("run_name")).join(RUN, RUN.c.digest == SCORE.c.run_digest)
    row = connection.execute(query.where(SCORE.c.id == key)).first()
    if row is None:
        raise NotFound("score", str(key))
    return _record(row, next(record for record in mapping_records(connection) if record.id == row.mapping_id))


def _record(row: Row[Any], mapping: MappingRecord) -> ScoreRecord:
    return ScoreRecord(
        id=row.id,
        mapping=mapping,
        run=row.run_name,
        run_digest=row.run_digest,
        min_overlap=row.min_overlap,
        pipeline=from_json(row.pipeline),
        code_version=row.code_version,
        waiting=row.waiting,
        figures={name: Figure(*values) for name, values in from_json(row.figures).items()},
        provenance=provenance_of(row),
    )


def read_question_figures(connection: Connection, key: int) -> dict[str, dict[str, Figure]]:
    """measure → query_id → figure, of a score. Raises NotFound."""
    row = connection.execute(select(SCORE.c.body).where(SCORE.c.id == key)).first()
    if row is None:
        raise NotFound("score", str(key))
    body = from_json(zlib.decompress(row.body))
    return {
        name: {query_id: Figure(*values) for query_id, values in questions.items()} for name, questions in body.items()
    }


def add_bridge(connection: Connection, old: ScoreRecord, new: ScoreRecord, provenance: Provenance) -> BridgeRecord:
    """Raises Conflict where there is one already."""
    pair = {"old_score_id": old.id, "new_score_id": new.id}
    there = select(BRIDGE.c.made_at).where(BRIDGE.c.old_score_id == old.id, BRIDGE.c.new_score_id == new.id)
    if connection.execute(there).first() is not None:
        raise Conflict(f"scores {old.id} and {new.id} are bridged already")
    connection.execute(insert(BRIDGE).values({**pair, **provenance_columns(provenance)}))
    return BridgeRecord(old.id, new.id, provenance)


def bridge_records(connection: Connection) -> list[BridgeRecord]:
    """Of all sets, by their scores."""
    query = select(BRIDGE).order_by(BRIDGE.c.old_score_id, BRIDGE.c.new_score_id)
    rows = connection.execute(query)
    return [BridgeRecord(row.old_score_id, row.new_score_id, provenance_of(row)) for row in rows]
