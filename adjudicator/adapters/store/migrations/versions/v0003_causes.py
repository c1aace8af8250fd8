"""Every letter out knows what caused it: a letter in, the clock, or somebody's hand."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Of the letters that are there already nobody can tell."""
    with op.batch_alter_table("outbox") as table:
        table.add_column(sa.Column("cause", sa.Text(), nullable=True))
    op.execute("UPDATE outbox SET cause = ''")
    with op.batch_alter_table("outbox") as table:
        table.alter_column("cause", nullable=False)
        table.create_index(op.f("ix_outbox_cause"), ["cause"], unique=False)
