"""Which database an epoch was begun in, so that a copy of it is seen to be one."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """The books are bound to their place by the next act."""
    op.add_column("epochs", sa.Column("place", sa.Text(), nullable=True))
