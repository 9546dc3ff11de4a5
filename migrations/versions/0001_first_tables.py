"""The first tables.

A revision stands for itself: it imports nothing of evalspan, whose code goes on without it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def made() -> tuple[sa.Column[str], ...]:
    return (
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
    )


def upgrade() -> None:
    create_corpus_tables()
    create_label_tables()
    create_mapping_tables()


def create_corpus_tables() -> None:
    op.create_table(
        "evalspan_text",
        sa.Column("digest", ID, nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_evalspan_text")),
    )
    op.create_table(
        "evalspan_snapshot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", ID, nullable=False),
        sa.Column("identity", ID, nullable=False),
        sa.Column("name", ID, nullable=True),
        sa.Column("documents", sa.Integer(), nullable=False),
        sa.Column("extractor_name", sa.Text(), nullable=True),
        sa.Column("extractor_version", sa.Text(), nullable=True),
        *made(),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evalspan_snapshot")),
        sa.UniqueConstraint("identity", name=op.f("uq_evalspan_snapshot_identity")),
        sa.UniqueConstraint("name", name=op.f("uq_evalspan_snapshot_name")),
    )
    op.create_index(op.f("ix_evalspan_snapshot_digest"), "evalspan_snapshot", ["digest"])
    op.create_table(
        "evalspan_entry",
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("doc_id", ID, nullable=False),
        sa.Column("text_digest", ID, nullable=False),
        sa.Column("version", sa.Text(), nullable=True),
        sa.Column("metadata", sa.Text(), nullable=True),
        sa.Column("metadata_digest", ID, nullable=True),
        sa.CheckConstraint(
            "(metadata IS NULL) = (metadata_digest IS NULL)", name=op.f("ck_evalspan_entry_metadata_has_digest")
        ),
        sa.ForeignKeyConstraint(["snapshot_id"], ["evalspan_snapshot.id"], name=op.f("fk_evalspan_entry_snapshot_id")),
        sa.ForeignKeyConstraint(["text_digest"], ["evalspan_text.digest"], name=op.f("fk_evalspan_entry_text_digest")),
        sa.PrimaryKeyConstraint("snapshot_id", "doc_id", name=op.f("pk_evalspan_entry")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "evalspan_chunking",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", ID, nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("fingerprint", ID, nullable=False),
        sa.Column("digest", ID, nullable=False),
        sa.Column("identity", ID, nullable=False),
        sa.Column("chunks", sa.Integer(), nullable=False),
        sa.Column("exact", sa.Integer(), nullable=False),
        sa.Column("reformatted", sa.Integer(), nullable=False),
        sa.Column("repeated", sa.Integer(), nullable=False),
        sa.Column("missing", sa.Integer(), nullable=False),
        *made(),
        sa.CheckConstraint(
            "chunks = exact + reformatted + repeated + missing", name=op.f("ck_evalspan_chunking_chunks_are_counted")
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["evalspan_snapshot.id"], name=op.f("fk_evalspan_chunking_snapshot_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evalspan_chunking")),
        sa.UniqueConstraint("name", name=op.f("uq_evalspan_chunking_name")),
    )
    op.create_index(op.f("ix_evalspan_chunking_digest"), "evalspan_chunking", ["digest"])
    op.create_table(
        "evalspan_document_chunks",
        sa.Column("chunking_id", sa.Integer(), nullable=False),
        sa.Column("doc_id", ID, nullable=False),
        sa.Column("chunks", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chunking_id"], ["evalspan_chunking.id"], name=op.f("fk_evalspan_document_chunks_chunking_id")
        ),
        sa.PrimaryKeyConstraint("chunking_id", "doc_id", name=op.f("pk_evalspan_document_chunks")),
        sqlite_with_rowid=False,
    )


def create_label_tables() -> None:
    op.create_table(
        "evalspan_eval_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", ID, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evalspan_eval_set")),
        sa.UniqueConstraint("name", name=op.f("uq_evalspan_eval_set_name")),
    )
    op.create_table(
        "evalspan_set_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("set_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("snapshot_digest", ID, nullable=False),
        sa.Column("min_overlap", sa.Double(), nullable=False),
        sa.Column("label_schema", sa.Integer(), nullable=False),
        sa.Column("chunking_identity", ID, nullable=True),
        sa.Column("guard_scope", sa.Text(), nullable=False),
        sa.Column("digest", ID, nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("judgments", sa.Integer(), nullable=False),
        sa.Column("chunk_labels", sa.Integer(), nullable=False),
        *made(),
        sa.CheckConstraint("number = coalesce(parent, 0) + 1", name=op.f("ck_evalspan_set_version_follows_its_parent")),
        sa.ForeignKeyConstraint(["set_id"], ["evalspan_eval_set.id"], name=op.f("fk_evalspan_set_version_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evalspan_set_version")),
        sa.UniqueConstraint("set_id", "number", name=op.f("uq_evalspan_set_version_set_id_number")),
    )
    op.create_table(
        "evalspan_question",
        sa.Column("digest", ID, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_evalspan_question")),
    )
    op.create_table(
        "evalspan_set_question",
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("query_id", ID, nullable=False),
        sa.Column("question_digest", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["question_digest"], ["evalspan_question.digest"], name=op.f("fk_evalspan_set_question_question_digest")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["evalspan_set_version.id"], name=op.f("fk_evalspan_set_question_version_id")
        ),
        sa.PrimaryKeyConstraint("version_id", "query_id", name=op.f("pk_evalspan_set_question")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "evalspan_override",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("refusal", sa.Text(), nullable=False),
        *made(),
        sa.ForeignKeyConstraint(
            ["version_id"], ["evalspan_set_version.id"], name=op.f("fk_evalspan_override_version_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evalspan_override")),
    )
    op.create_index(op.f("ix_evalspan_override_version_id"), "evalspan_override", ["version_id"])


def create_mapping_tables() -> None:
    op.create_table(
        "evalspan_mapping",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("chunking_id", sa.Integer(), nullable=False),
        sa.Column("embedding", sa.Text(), nullable=True),
        sa.Column("embedding_fingerprint", ID, nullable=True),
        sa.Column("min_overlap", sa.Double(), nullable=False),
        sa.Column("clean", sa.Integer(), nullable=False),
        sa.Column("ambiguous", sa.Integer(), nullable=False),
        sa.Column("unmapped", sa.Integer(), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False),
        *made(),
        sa.CheckConstraint(
            "(embedding IS NULL) = (embedding_fingerprint IS NULL)",
            name=op.f("ck_evalspan_mapping_embedding_has_fingerprint"),
        ),
        sa.ForeignKeyConstraint(
            ["chunking_id"], ["evalspan_chunking.id"], name=op.f("fk_evalspan_mapping_chunking_id")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["evalspan_set_version.id"], name=op.f("fk_evalspan_mapping_version_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evalspan_mapping")),
    )
    op.create_index(
        op.f("ix_evalspan_mapping_version_id_chunking_id"), "evalspan_mapping", ["version_id", "chunking_id"]
    )
    op.create_table(
        "evalspan_outcome",
        sa.Column("mapping_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("query_id", ID, nullable=False),
        sa.Column("bucket", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("asks", sa.Boolean(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "bucket IN ('clean', 'ambiguous', 'unmapped')", name=op.f("ck_evalspan_outcome_bucket_is_known")
        ),
        sa.ForeignKeyConstraint(["mapping_id"], ["evalspan_mapping.id"], name=op.f("fk_evalspan_outcome_mapping_id")),
        sa.PrimaryKeyConstraint("mapping_id", "position", name=op.f("pk_evalspan_outcome")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for table in ("outcome", "mapping", "override", "set_question", "question", "set_version", "eval_set"):
        op.drop_table(f"evalspan_{table}")
    for table in ("chunk", "chunking", "entry", "snapshot", "text"):
        op.drop_table(f"evalspan_{table}")
