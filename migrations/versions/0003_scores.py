"""Runs, their scores, and the bridges between two of them.

A revision stands for itself: it imports nothing of evalspan, whose code goes on without it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
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
    op.create_table(
        "evalspan_run",
        sa.Column("digest", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("hits", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_evalspan_run")),
    )
    op.create_table(
        "evalspan_score",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mapping_id", sa.Integer(), nullable=False),
        sa.Column("run_digest", ID, nullable=False),
        sa.Column("min_overlap", sa.Double(), nullable=False),
        sa.Column("pipeline", sa.Text(), nullable=False),
        sa.Column("code_version", sa.Text(), nullable=False),
        sa.Column("waiting", sa.Integer(), nullable=False),
        sa.Column("figures", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        *made(),
        sa.ForeignKeyConstraint(["mapping_id"], ["evalspan_mapping.id"], name=op.f("fk_evalspan_score_mapping_id")),
        sa.ForeignKeyConstraint(["run_digest"], ["evalspan_run.digest"], name=op.f("fk_evalspan_score_run_digest")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evalspan_score")),
    )
    op.create_index(op.f("ix_evalspan_score_mapping_id"), "evalspan_score", ["mapping_id"])
    op.create_table(
        "evalspan_bridge",
        sa.Column("old_score_id", sa.Integer(), nullable=False),
        sa.Column("new_score_id", sa.Integer(), nullable=False),
        *made(),
        sa.ForeignKeyConstraint(["new_score_id"], ["evalspan_score.id"], name=op.f("fk_evalspan_bridge_new_score_id")),
        sa.ForeignKeyConstraint(["old_score_id"], ["evalspan_score.id"], name=op.f("fk_evalspan_bridge_old_score_id")),
        sa.PrimaryKeyConstraint("old_score_id", "new_score_id", name=op.f("pk_evalspan_bridge")),
        sqlite_with_rowid=False,
    )
