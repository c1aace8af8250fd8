"""Reporting code of steps, reasons why a set of orders keeps its step open, archived games."""

import sqlalchemy as sa
from alembic import op

from adjudicator.adapters.store.tables import Instant

revision = "0006"
down_revision = "0003"

_BY_KEY = {"sqlite_with_rowid": False}


def upgrade() -> None:
    """Add the columns of release 0.2, empty for steps and sets that exist; no game is archived."""
    # SQLite can only alter a column by making the table again, and other tables refer to this one
    op.add_column(
        "steps", sa.Column("reporting", sa.Text(), nullable=False, server_default=sa.text("''"))
    )
    with op.batch_alter_table("orders", table_kwargs=_BY_KEY) as table:
        table.add_column(sa.Column("not_ready", sa.Text(), nullable=True))
    op.execute("UPDATE orders SET not_ready = ''")
    with op.batch_alter_table("orders", table_kwargs=_BY_KEY) as table:
        table.alter_column("not_ready", nullable=False)
    with op.batch_alter_table("games", table_kwargs=_BY_KEY) as table:
        table.add_column(sa.Column("archived", Instant(), nullable=True))
