"""Every step knows by which code its reports were made."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Of the steps that are there already nobody can tell."""
    with op.batch_alter_table("steps") as table:
        table.add_column(sa.Column("reporting", sa.Text(), nullable=True))
    op.execute("UPDATE steps SET reporting = ''")
    with op.batch_alter_table("steps") as table:
        table.alter_column("reporting", nullable=False)
