"""What binds who plays a seat, kept with the game."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the roster; a game of an earlier version has none until a step closes."""
    empty = sa.text("'{}'")
    op.add_column("games", sa.Column("roster", sa.Text(), nullable=False, server_default=empty))
