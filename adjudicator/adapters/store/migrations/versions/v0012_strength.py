"""How well the bot of a seat plays."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the strength; bots of earlier versions have none."""
    op.add_column("seatings", sa.Column("strength", sa.Text(), nullable=True))
