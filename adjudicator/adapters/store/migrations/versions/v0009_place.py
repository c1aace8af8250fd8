"""Which database an epoch was begun in, so that a copy of it is seen to be one."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the place of the database, which the next act records."""
    op.add_column("epochs", sa.Column("place", sa.Text(), nullable=True))
