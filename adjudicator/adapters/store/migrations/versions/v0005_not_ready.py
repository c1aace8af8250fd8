"""A set of orders that keeps its step open says why."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Of the sets that are there already nobody can tell."""
    rows = {"sqlite_with_rowid": False}
    with op.batch_alter_table("orders", table_kwargs=rows) as table:
        table.add_column(sa.Column("not_ready", sa.Text(), nullable=True))
    op.execute("UPDATE orders SET not_ready = ''")
    with op.batch_alter_table("orders", table_kwargs=rows) as table:
        table.alter_column("not_ready", nullable=False)
