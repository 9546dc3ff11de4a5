"""The tables, as the newest revision leaves them, and the chain of revisions that leads there.

Rows are appended and never changed; what is "current" is a query. A test holds these tables equal to what the revisions
in `migrations/` make of an empty database: a change here is a new revision there.
"""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

REVISIONS: tuple[str, ...] = ("0001", "0002", "0003")
"""Oldest first. Kept here so that opening a store need not import alembic."""

VERSION_TABLE = "evalspan_version"
"""Alembic's own, under our name: a team's database may hold other tools' `alembic_version`."""

PREFIX = "evalspan_"

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ID = Text().with_variant(Text(collation="C"), "postgresql")
"""An id, name or digest: ordered by code point, as Python orders it (SQLite does so by itself)."""


def _made() -> tuple[Column[str], ...]:
    """Who appended the row, when (UTC, ISO 8601), and why."""
    return (
        Column("made_by", Text, nullable=False),
        Column("made_at", Text, nullable=False),
        Column("why", Text, nullable=False),
    )


TEXT = Table(
    "evalspan_text",
    METADATA,
    Column("digest", ID, primary_key=True),
    Column("size", Integer, nullable=False),  # bytes of UTF-8
    Column("body", LargeBinary, nullable=False),  # zlib of the UTF-8
)

SNAPSHOT = Table(
    "evalspan_snapshot",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("digest", ID, nullable=False, index=True),
    # Over version labels, metadata and extractor too: what makes two snapshots one and the same.
    Column("identity", ID, nullable=False, unique=True),
    Column("name", ID, unique=True),
    Column("documents", Integer, nullable=False),
    Column("extractor_name", Text),
    Column("extractor_version", Text),
    *_made(),
)

ENTRY = Table(
    "evalspan_entry",
    METADATA,
    Column("snapshot_id", ForeignKey(SNAPSHOT.c.id), primary_key=True),
    Column("doc_id", ID, primary_key=True),
    Column("text_digest", ID, ForeignKey(TEXT.c.digest), nullable=False),
    Column("version", Text),
    Column("metadata", Text),  # canonical JSON
    Column("metadata_digest", ID),
    CheckConstraint("(metadata IS NULL) = (metadata_digest IS NULL)", name="metadata_has_digest"),
    sqlite_with_rowid=False,
)

CHUNKING = Table(
    "evalspan_chunking",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", ID, nullable=False, unique=True),
    Column("snapshot_id", ForeignKey(SNAPSHOT.c.id), nullable=False),
    Column("config", Text, nullable=False),
    Column("fingerprint", ID, nullable=False),  # of the configuration
    Column("digest", ID, nullable=False, index=True),
    # Over chunk ids too, which the digest leaves out: labels name chunks by them.
    Column("identity", ID, nullable=False),
    Column("chunks", Integer, nullable=False),
    Column("exact", Integer, nullable=False),
    Column("reformatted", Integer, nullable=False),
    Column("repeated", Integer, nullable=False),
    Column("missing", Integer, nullable=False),
    *_made(),
    CheckConstraint("chunks = exact + reformatted + repeated + missing", name="chunks_are_counted"),
)

DOCUMENT_CHUNKS = Table(
    "evalspan_document_chunks",
    METADATA,
    Column("chunking_id", ForeignKey(CHUNKING.c.id), primary_key=True),
    Column("doc_id", ID, primary_key=True),
    Column("chunks", Integer, nullable=False),
    # zlib of JSON columns: a row a chunk, with an index over ids, costs more than the whole migration
    Column("body", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

EVAL_SET = Table(
    "evalspan_eval_set",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", ID, nullable=False, unique=True),
)

SET_VERSION = Table(
    "evalspan_set_version",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("set_id", ForeignKey(EVAL_SET.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("parent", Integer),
    Column("snapshot_digest", ID, nullable=False),
    Column("min_overlap", Double, nullable=False),
    Column("label_schema", Integer, nullable=False),
    Column("chunking_identity", ID),
    Column("guard_scope", Text, nullable=False),
    Column("digest", ID, nullable=False),
    Column("questions", Integer, nullable=False),
    Column("judgments", Integer, nullable=False),
    Column("chunk_labels", Integer, nullable=False),
    *_made(),
    Column("labels_are", Text),
    Column("pending", Integer, nullable=False, server_default="0"),
    Column("restores", Integer),  # the number of the version it is equal to, where it undoes others
    UniqueConstraint("set_id", "number"),
    CheckConstraint("number = coalesce(parent, 0) + 1", name="follows_its_parent"),
)

QUESTION = Table(
    "evalspan_question",
    METADATA,
    Column("digest", ID, primary_key=True),
    Column("body", Text, nullable=False),  # JudgedQuestion.to_json()
)

SET_QUESTION = Table(
    "evalspan_set_question",
    METADATA,
    Column("version_id", ForeignKey(SET_VERSION.c.id), primary_key=True),
    Column("query_id", ID, primary_key=True),
    Column("question_digest", ID, ForeignKey(QUESTION.c.digest), nullable=False),
    sqlite_with_rowid=False,
)

MAPPING = Table(
    "evalspan_mapping",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("version_id", ForeignKey(SET_VERSION.c.id), nullable=False),
    Column("chunking_id", ForeignKey(CHUNKING.c.id), nullable=False),
    Column("embedding", Text),
    Column("embedding_fingerprint", ID),
    Column("min_overlap", Double, nullable=False),
    Column("clean", Integer, nullable=False),
    Column("ambiguous", Integer, nullable=False),
    Column("unmapped", Integer, nullable=False),
    Column("reasons", Text, nullable=False),
    *_made(),
    CheckConstraint("(embedding IS NULL) = (embedding_fingerprint IS NULL)", name="embedding_has_fingerprint"),
)
Index(None, MAPPING.c.version_id, MAPPING.c.chunking_id)

OUTCOME = Table(
    "evalspan_outcome",
    METADATA,
    Column("mapping_id", ForeignKey(MAPPING.c.id), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("query_id", ID, nullable=False),
    Column("bucket", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("asks", Boolean, nullable=False),
    Column("body", Text, nullable=False),  # the rest of the outcome, as JSON
    CheckConstraint("bucket IN ('clean', 'ambiguous', 'unmapped')", name="bucket_is_known"),
    sqlite_with_rowid=False,
)

OVERRIDE = Table(
    "evalspan_override",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("version_id", ForeignKey(SET_VERSION.c.id), nullable=False, index=True),
    Column("manifest", Text, nullable=False),
    Column("refusal", Text, nullable=False),
    *_made(),
)

PROPOSAL = Table(
    "evalspan_proposal",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("version_id", ForeignKey(SET_VERSION.c.id), nullable=False, index=True),
    Column("name", ID, nullable=False),  # of the thing that is asked
    Column("body", Text, nullable=False),
)

DECISION = Table(
    "evalspan_decision",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("set_id", ForeignKey(EVAL_SET.c.id), nullable=False, index=True),
    Column("name", ID, nullable=False),  # of the thing that was asked
    Column("body", Text, nullable=False),
    *_made(),
)

APPLIED = Table(
    "evalspan_applied",
    METADATA,
    Column("decision_id", ForeignKey(DECISION.c.id), primary_key=True),
    Column("version_id", ForeignKey(SET_VERSION.c.id), primary_key=True),
    sqlite_with_rowid=False,
)

RUN = Table(
    "evalspan_run",
    METADATA,
    Column("digest", ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("questions", Integer, nullable=False),
    Column("hits", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),  # zlib of JSON: the full rankings
)

SCORE = Table(
    "evalspan_score",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("mapping_id", ForeignKey(MAPPING.c.id), nullable=False, index=True),
    Column("run_digest", ID, ForeignKey(RUN.c.digest), nullable=False),
    Column("min_overlap", Double, nullable=False),
    Column("pipeline", Text, nullable=False),  # canonical JSON
    Column("code_version", Text, nullable=False),
    Column("waiting", Integer, nullable=False),
    Column("figures", Text, nullable=False),  # JSON: measure → value, low, high
    Column("body", LargeBinary, nullable=False),  # zlib of JSON: the same of each question
    *_made(),
)

BRIDGE = Table(
    "evalspan_bridge",
    METADATA,
    Column("old_score_id", ForeignKey(SCORE.c.id), primary_key=True),
    Column("new_score_id", ForeignKey(SCORE.c.id), primary_key=True),
    *_made(),
    sqlite_with_rowid=False,
)
