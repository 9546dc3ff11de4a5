"""Rubrics, labels that wait, proposals and decisions.

A revision stands for itself: it imports nothing of evalspan, whose code goes on without it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
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
    op.add_column("evalspan_set_version", sa.Column("labels_are", sa.Text()))
    op.add_column("evalspan_set_version", sa.Column("pending", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("evalspan_set_version", sa.Column("restores", sa.Integer()))
    op.create_table(
        "evalspan_proposal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("name", ID, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"], ["evalspan_set_version.id"], name=op.f("fk_evalspan_proposal_version_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evalspan_proposal")),
    )
    op.create_index(op.f("ix_evalspan_proposal_version_id"), "evalspan_proposal", ["version_id"])
    op.create_table(
        "evalspan_decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("set_id", sa.Integer(), nullable=False),
        sa.Column("name", ID, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        *made(),
        sa.ForeignKeyConstraint(["set_id"], ["evalspan_eval_set.id"], name=op.f("fk_evalspan_decision_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evalspan_decision")),
    )
    op.create_index(op.f("ix_evalspan_decision_set_id"), "evalspan_decision", ["set_id"])
    op.create_table(
        "evalspan_applied",
        sa.Column("decision_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["decision_id"], ["evalspan_decision.id"], name=op.f("fk_evalspan_applied_decision_id")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["evalspan_set_version.id"], name=op.f("fk_evalspan_applied_version_id")
        ),
        sa.PrimaryKeyConstraint("decision_id", "version_id", name=op.f("pk_evalspan_applied")),
        sqlite_with_rowid=False,
    )
