"""The luck word that comes with a set of orders, in games that ask for one each turn."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add luck words, which earlier sets lack."""
    op.add_column("orders", sa.Column("luck", sa.Text(), nullable=False, server_default=""))
