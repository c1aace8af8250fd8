"""Epochs: what exists is of the first one, and nobody knows its secret yet."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.tables import Instant

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add epochs; keys already mailed stay valid, since those of the first epoch don't change."""
    op.add_column(
        "games", sa.Column("epoch", sa.Integer(), nullable=False, server_default=sa.text("1"))
    )
    op.create_table(
        "epochs",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("since", Instant(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_epochs")),
        sqlite_with_rowid=False,
    )
