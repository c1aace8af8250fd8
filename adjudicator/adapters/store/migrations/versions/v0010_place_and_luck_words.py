"""Which database an epoch was begun in, and the luck word that comes with a set of orders.

By its place a copy of a database is seen to be one; games may ask for a luck word each turn.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0008"


def upgrade() -> None:
    """Add the place, which the next act records, and luck words, which earlier sets lack."""
    op.add_column("epochs", sa.Column("place", sa.Text(), nullable=True))
    op.add_column("orders", sa.Column("luck", sa.Text(), nullable=False, server_default=""))
